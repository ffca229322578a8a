// What every journal promises, whatever it is stored in.
#include "journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

TEST_P(JournalTest, KeepsARunWithItsSourcesStateAndEntries) {
  auto run = a_run("r1");
  run.outcome = "none yet";
  journal_->create(run, {{"a.yaml", "agneto: 1\n"}, {"b.lua", std::string("\0\xff", 2)}},
                   {an_entry(1000, "started", "", {{"n", 1}})}, {{"at", "INIT"}});

  const auto found = journal_->find("r1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "r1");
  EXPECT_EQ(found->workflow, "agneto");
  EXPECT_EQ(found->file, "workflows/agneto.yaml");
  EXPECT_EQ(found->task, "add a flag");
  EXPECT_EQ(found->status, "running");
  EXPECT_EQ(found->outcome, "none yet");
  EXPECT_EQ(found->base, "main");
  EXPECT_EQ(found->branch, "agneto/r1");
  EXPECT_EQ(found->created, at(1000));
  EXPECT_EQ(found->updated, at(1000));
  EXPECT_EQ(found->options, run.options);
  EXPECT_EQ(journal_->state("r1"), Json({{"at", "INIT"}}));
  EXPECT_EQ(journal_->sources("r1"),
            (std::map<std::string, std::string>{{"a.yaml", "agneto: 1\n"},
                                                {"b.lua", std::string("\0\xff", 2)}}));
  const std::vector<Entry> entries = journal_->entries("r1");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].seq, 1);
  EXPECT_EQ(entries[0].time, at(1000));
  EXPECT_EQ(entries[0].kind, "started");
  EXPECT_EQ(entries[0].path, "");
  EXPECT_EQ(entries[0].body, Json({{"n", 1}}));
}

TEST_P(JournalTest, NumbersEntriesWithoutGapsInEachRun) {
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  journal_->create(a_run("r2"), {}, {an_entry(1, "started"), an_entry(1, "macrostep")}, {});
  EXPECT_EQ(journal_->append("r1", {an_entry(2, "a"), an_entry(3, "b")}, nullptr), 3);
  EXPECT_EQ(journal_->append("r2", {an_entry(2, "a")}, nullptr), 3);
  EXPECT_EQ(journal_->append("r1", {}, nullptr), 3);
  EXPECT_EQ(journal_->append("r1", {an_entry(4, "c")}, nullptr), 4);
  EXPECT_THAT(seqs("r1"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(seqs("r2"), ElementsAre(1, 2, 3));
}

TEST_P(JournalTest, TimeNeverRunsBackwards) {
  journal_->create(a_run("r1"), {}, {an_entry(5000, "started")}, {});
  journal_->append("r1", {an_entry(3000, "a"), an_entry(6000, "b"), an_entry(5500, "c")}, nullptr);
  journal_->append("r1", {an_entry(10, "d")}, nullptr);
  std::vector<Time> times;
  for (const Entry& entry : journal_->entries("r1")) {
    times.push_back(entry.time);
  }
  EXPECT_THAT(times, ElementsAre(at(5000), at(5000), at(6000), at(6000), at(6000)));
  EXPECT_EQ(journal_->find("r1")->updated, at(6000));
}

TEST_P(JournalTest, ANullStateLeavesTheStateAsItWas) {
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"at", "A"}});
  journal_->append("r1", {an_entry(1, "prompt")}, nullptr);
  EXPECT_EQ(journal_->state("r1"), Json({{"at", "A"}}));
  journal_->append("r1", {an_entry(1, "macrostep")}, {{"at", "B"}});
  EXPECT_EQ(journal_->state("r1"), Json({{"at", "B"}}));
}

TEST_P(JournalTest, ReplacesTheRunsLineButNotItsNameAndBeginning) {
  journal_->create(a_run("r1"), {}, {}, {});
  auto run = a_run("another");
  run.status = "complete";
  run.outcome = "TASK_COMPLETE";
  run.created = at(77);
  run.updated = at(9000);
  journal_->append("r1", {an_entry(8000, "finished")}, nullptr, &run);
  EXPECT_FALSE(journal_->find("another"));
  const auto found = journal_->find("r1").value();
  EXPECT_EQ(found.status, "complete");
  EXPECT_EQ(found.outcome, "TASK_COMPLETE");
  EXPECT_EQ(found.created, at(1000));
  EXPECT_EQ(found.updated, at(9000));
}

TEST_P(JournalTest, ListsTheNewestFirstWhateverItsClockSaid) {
  auto first = a_run("first");
  auto second = a_run("second");
  auto third = a_run("third");
  third.created = at(10);
  for (const auto& run : {first, second, third}) {
    journal_->create(run, {}, {}, {});
  }
  std::vector<std::string> ids;
  for (const auto& run : journal_->list()) {
    ids.push_back(run.id);
  }
  EXPECT_THAT(ids, ElementsAre("third", "second", "first"));
}

TEST_P(JournalTest, TellsThoseThatRestFromThoseThatAsk) {
  auto asking = a_run("asking"), resting = a_run("resting"), running = a_run("running");
  asking.status = resting.status = "parked";
  asking.questions = running.questions = 1;
  for (const auto& run : {asking, resting, running}) journal_->create(run, {}, {}, {});
  const auto listed = [&](const Wanted& wanted) {
    std::vector<std::string> ids;
    for (const auto& run : journal_->list(wanted)) ids.push_back(run.id);
    return ids;
  };
  EXPECT_THAT(listed({.status = {"parked"}}), ElementsAre("resting", "asking"));
  EXPECT_THAT(listed({.status = {"parked", "running"}, .resting = true}),
              ElementsAre("running", "resting"));
  EXPECT_THAT(listed({.asking = true}), ElementsAre("running", "asking"));
}

TEST_P(JournalTest, FindsEntriesBySeqAndByEffect) {
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  journal_->append("r1",
                   {an_entry(2, "prompt", "A#1"), an_entry(3, "prompt", "B#1"),
                    an_entry(4, "reply", "A#1", "done")},
                   nullptr);
  const std::vector<Entry> of_effect = journal_->entries_of("r1", "A#1");
  ASSERT_EQ(of_effect.size(), 2U);
  EXPECT_EQ(of_effect[0].seq, 2);
  EXPECT_EQ(of_effect[1].body, "done");
  EXPECT_TRUE(journal_->entries_of("r1", "").empty());
  EXPECT_TRUE(journal_->entries_of("r1", "A").empty());

  const std::vector<Entry> later = journal_->entries("r1", 3);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].seq, 4);
  EXPECT_TRUE(journal_->entries("r1", 4).empty());
  const std::vector<Entry> middle = journal_->entries("r1", 1, 2);
  ASSERT_EQ(middle.size(), 1U);
  EXPECT_EQ(middle[0].seq, 2);
}

TEST_P(JournalTest, ReplacesSourcesOfOneRunOnly) {
  journal_->create(a_run("r1"), {{"a.yaml", "one"}, {"gone.yaml", "x"}}, {}, {});
  journal_->create(a_run("r2"), {{"a.yaml", "one"}}, {}, {});
  journal_->replace_sources("r1", {{"a.yaml", "two"}});
  EXPECT_EQ(journal_->sources("r1"), (std::map<std::string, std::string>{{"a.yaml", "two"}}));
  EXPECT_EQ(journal_->sources("r2"), (std::map<std::string, std::string>{{"a.yaml", "one"}}));
}

TEST_P(JournalTest, RefusesARunThatIsThereAndOneThatIsNot) {
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"at", "A"}});
  EXPECT_EQ(error_of([&] { journal_->create(a_run("r1"), {}, {an_entry(2, "x")}, nullptr); }),
            "run 'r1' exists already");
  EXPECT_THAT(seqs("r1"), ElementsAre(1));
  EXPECT_EQ(journal_->state("r1"), Json({{"at", "A"}}));

  EXPECT_FALSE(journal_->find("r2"));
  const std::string none = "there is no run 'r2'";
  EXPECT_EQ(error_of([&] { journal_->append("r2", {an_entry(1, "x")}, nullptr); }), none);
  EXPECT_EQ(error_of([&] { journal_->state("r2"); }), none);
  EXPECT_EQ(error_of([&] { journal_->sources("r2"); }), none);
  EXPECT_EQ(error_of([&] { journal_->replace_sources("r2", {}); }), none);
  EXPECT_EQ(error_of([&] { journal_->entries("r2"); }), none);
  EXPECT_EQ(error_of([&] { journal_->entries_of("r2", "A"); }), none);
}

TEST_P(JournalTest, TakesAppendsFromSeveralThreads) {
  journal_->create(a_run("r1"), {}, {}, {});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 20; ++i) {
        journal_->append("r1", {an_entry(i, "a"), an_entry(i, "b")}, Json(i));
        journal_->find("r1");
        journal_->entries("r1", 100);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const std::vector<Entry> entries = journal_->entries("r1");
  ASSERT_EQ(entries.size(), 160U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ASSERT_EQ(entries[i].seq, static_cast<Seq>(i + 1));
    ASSERT_EQ(entries[i].kind, i % 2 == 0 ? "a" : "b") << "an append was split";
  }
}

TRY_EACH_STORE(JournalTest);

}  // namespace
}  // namespace agneto::journal
