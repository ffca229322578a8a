#include "run/told.h"

#include <gtest/gtest.h>

namespace agneto::run::told {
namespace {

TEST(Told, ARunComesBackAsItWas) {
  journal::RunRecord run;
  run.id = "say-hello-3f2a";
  run.workflow = "gate";
  run.file = "/w/gate.yaml";
  run.task = "say \"hello\"";
  run.status = "parked";
  run.outcome = "a timer runs";
  run.base = "main";
  run.branch = "agneto/say-hello-3f2a";
  run.created = Time(Millis(1'000'001));
  run.updated = Time(Millis(2'000'002));
  run.options = {{"served", true}};
  run.priority = -3;
  run.wake = Time(Millis(3'000'003));
  run.questions = 2;
  const journal::RunRecord back = run_from(to_json(run));
  EXPECT_EQ(to_json(back), to_json(run));
  EXPECT_EQ(back.wake, run.wake);
  run.wake.reset();
  EXPECT_EQ(run_from(to_json(run)).wake, std::nullopt);
}

TEST(Told, SoDoEntriesMessagesAndWork) {
  const record::Entry entry{7, Time(Millis(5)), "A#1", record::Noted{"so"}, false};
  const journal::Entry back = entry_from(to_json(entry));
  EXPECT_EQ(to_json(record::decode(back)), to_json(entry));
  EXPECT_FALSE(back.stands);
  const journal::Message message{"answer", {{"option", "YES"}}, Time(Millis(9)), 4};
  EXPECT_EQ(to_json(message_from(to_json(message))), to_json(message));
  const workspace::BranchWork work{"git log", true, {"git diff a"}, "b.txt"};
  EXPECT_EQ(to_json(work_from(to_json(work))), to_json(work));
}

TEST(Told, WhatIsMissingIsSaid) {
  try {
    run_from({{"id", "x"}});
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_TRUE(
        std::string(error.what()).starts_with("what the server tells of a run cannot be read: "))
        << error.what();
    EXPECT_EQ(error.help(), "is it of the same version?");
  }
}

}  // namespace
}  // namespace agneto::run::told
