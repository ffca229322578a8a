#include "record/totals.h"

#include <gtest/gtest.h>

#include "record/event_replay.h"
#include "record/run_summary.h"

namespace agneto::record {
namespace {

class TotalsTest : public ::testing::Test {
 protected:
  void add(std::string path, Body body, Millis later = Millis(1000)) {
    now_ += later;
    entries_.push_back(
        {static_cast<Seq>(entries_.size()) + 1, now_, std::move(path), std::move(body)});
  }
  void order(const std::vector<std::string>& paths) {
    Macrostep step;
    for (const auto& path : paths) {
      step.effects.push_back(chart::NamedCall{path, "flow", "CODING", "", 1, ""});
    }
    add("", step);
  }
  void ask(const std::string& path, int attempt = 1) {
    Prompt prompt;
    prompt.attempt = attempt;
    add(path, prompt);
  }
  void reply(const std::string& path, double cost) {
    Reply reply;
    reply.usage = {cost, 10, 1};
    add(path, reply);
  }
  void end(const std::string& path, const std::vector<std::string>& cancelled = {}) {
    Macrostep step;
    step.event = chart::Event{chart::Event::Kind::outcome, "DONE", {}, path};
    for (const auto& each : cancelled) step.effects.push_back(chart::Cancel{each});
    add(path, step);
  }
  Totals totals(const std::string& status = "suspended", Millis later = Millis(0)) const {
    journal::RunRecord run;
    run.status = status;
    return totals_of(entries_, run, now_ + later);
  }

  std::vector<Entry> entries_;
  Time now_{};
};

TEST_F(TotalsTest, ACancelledCallIsCountedOnceWithWhatItCost) {
  add("", Started{});
  order({"A#1", "B#1", "C#1"});
  ask("A#1");
  ask("B#1");
  reply("A#1", 0.05);
  ask("A#1", 2);
  reply("B#1", 0.08);
  end("B#1", {"A#1", "C#1"});
  EXPECT_EQ(totals().calls, 2) << "C was never made";
  reply("A#1", 0.03);  // of a process that had answered when it was ended
  const Totals all = totals();
  EXPECT_EQ(all.calls, 2);
  EXPECT_EQ(all.attempts, 3);
  EXPECT_DOUBLE_EQ(all.usage.cost, 0.16);
  EXPECT_EQ(all.usage.input_tokens, 30);
  EXPECT_EQ(all.usage.output_tokens, 3);
}

TEST_F(TotalsTest, TheLogAndTheExportSayTheSame) {
  add("", Started{});
  order({"A#1", "B#1"});
  ask("A#1");
  ask("B#1");
  reply("B#1", 0.08);
  Macrostep last;
  last.event = chart::Event{chart::Event::Kind::outcome, "DONE", {}, "B#1"};
  last.effects = {chart::Cancel{"A#1"}, chart::Finish{"DONE", {}, {}, ""}};
  add("B#1", last);
  reply("A#1", 0.05);
  const journal::RunRecord run;
  EventReplay replay(run, nullptr);
  for (const auto& entry : entries_) {
    for (const auto& event : replay.next(entry)) EXPECT_FALSE(event.get<RunFinished>());
  }
  const auto rest = replay.rest();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].seq, 6);
  const auto& finished = *rest[0].get<RunFinished>();
  EXPECT_EQ(finished.spent.calls, totals().calls);
  EXPECT_DOUBLE_EQ(finished.spent.usage.cost, totals().usage.cost);
  EXPECT_EQ(finished.worked, totals().worked);
  double exported = 0;
  for (const Json& call : summary_of(entries_, {}).calls) {
    for (const Json& attempt : call.at("attempts")) {
      exported += attempt.at("reply").at("cost").get<double>();
    }
  }
  EXPECT_DOUBLE_EQ(exported, totals().usage.cost);
}

TEST_F(TotalsTest, TimeGoesOnWhileSomebodyWorks) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  EXPECT_EQ(totals("running", Millis(500)).worked, Millis(2500));
  EXPECT_EQ(totals("interrupted", Millis(500)).worked, Millis(2000)) << "to the last entry";
  add("", Suspended{"for the night"});
  add("", Resumed{}, Millis(3'600'000));
  ask("A#1", 2);
  EXPECT_EQ(totals().worked, Millis(4000));
}

// What was spent is spent; what is ordered again is one call.
TEST_F(TotalsTest, WhatARewindHasUndoneCounts) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  reply("A#1", 0.5);
  add("", Rewound{1});
  order({"A#1"});
  ask("A#1");
  reply("A#1", 0.25);
  end("A#1");
  EXPECT_EQ(totals().calls, 1);
  EXPECT_EQ(totals().attempts, 2);
  EXPECT_DOUBLE_EQ(totals().usage.cost, 0.75);
  add("", Rewound{6});  // it is open again, as it was after it was ordered
  ask("A#1");
  reply("A#1", 0.25);
  end("A#1");
  EXPECT_EQ(totals().calls, 2);
}

}  // namespace
}  // namespace agneto::record
