// Going back: the state at any entry, rewinds and forks, whatever the journal is stored in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

class HistoryTest : public JournalTest {
 protected:
  // Entries 1 to `last` with the states {"n": 1}, {"n": 2}, …, each of an effect "E#SEQ".
  void write_run(Seq last) {
    journal_->create(a_run("r1"), {{"a.yaml", "text"}}, {step(1)}, state(1));
    for (Seq seq = 2; seq <= last; ++seq) journal_->append("r1", {step(seq)}, state(seq));
  }

  static Entry step(Seq seq) {
    return an_entry(seq, "macrostep", "E#" + std::to_string(seq), {{"n", seq}});
  }
  static Json state(Seq n) { return {{"n", n}, {"same", "always"}}; }

  std::vector<Seq> standing(const std::string& run_id) {
    std::vector<Seq> seqs;
    for (const Entry& entry : journal_->entries(run_id)) {
      if (entry.stands) seqs.push_back(entry.seq);
    }
    return seqs;
  }
};

TEST_P(HistoryTest, HasTheStateAfterEveryEntry) {
  write_run(3);
  journal_->append("r1", {an_entry(4, "prompt"), an_entry(4, "macrostep")}, state(5));
  EXPECT_EQ(journal_->state_at("r1", 1), state(1));
  EXPECT_EQ(journal_->state_at("r1", 3), state(3));
  EXPECT_EQ(journal_->state_at("r1", 4), state(3)) << "the state is that after the last entry";
  EXPECT_EQ(journal_->state_at("r1", 5), state(5));
  EXPECT_EQ(error_of([&] { journal_->state_at("r1", 0); }), "run r1 has no entry 0");
  EXPECT_EQ(error_of([&] { journal_->state_at("r1", 6); }), "run r1 has no entry 6");
}

TEST_P(HistoryTest, HasNoStateWhereNoneWasRecorded) {
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, nullptr);
  journal_->append("r1", {step(2)}, state(2));
  const std::string none =
      "the state of run r1 after entry 1 was not recorded\nchoose a later entry";
  EXPECT_EQ(error_of([&] { journal_->state_at("r1", 1); }), none);
  EXPECT_EQ(error_of([&] { journal_->rewind("r1", 1, an_entry(3, "")); }), none);
  EXPECT_EQ(error_of([&] { journal_->fork("r1", 1, a_run("r2"), an_entry(3, "forked")); }), none);
  EXPECT_EQ(journal_->state_at("r1", 2), state(2));
}

TEST_P(HistoryTest, ARewindBringsTheStateBackAndLeavesTheRecord) {
  write_run(5);
  auto line = a_run("r1");
  line.status = "suspended";
  EXPECT_EQ(journal_->rewind("r1", 2, an_entry(9, "", "", {{"by", "me"}}), &line), 6);
  EXPECT_EQ(journal_->state("r1"), state(2));
  EXPECT_EQ(journal_->find("r1")->status, "suspended");
  EXPECT_THAT(seqs("r1"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(standing("r1"), ElementsAre(1, 2, 6));
  const Entry note = journal_->entries("r1", 5).at(0);
  EXPECT_EQ(note.kind, "rewound");
  EXPECT_EQ(note.body, Json({{"by", "me"}, {"to", 2}}));
  EXPECT_EQ(journal_->entries_of("r1", "E#2").size(), 1U);
  EXPECT_TRUE(journal_->entries_of("r1", "E#4").empty()) << "it is to be done again";
  EXPECT_EQ(journal_->state_at("r1", 4), state(4)) << "what was undone can still be looked at";
}

TEST_P(HistoryTest, ARunGoesOnFromWhereItWasRewoundTo) {
  write_run(4);
  journal_->rewind("r1", 2, an_entry(9, ""));
  journal_->append("r1", {an_entry(10, "macrostep", "E#3")}, state(30));
  EXPECT_EQ(journal_->state("r1"), state(30));
  EXPECT_THAT(standing("r1"), ElementsAre(1, 2, 5, 6));
  const auto again = journal_->entries_of("r1", "E#3");
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].seq, 6);
}

TEST_P(HistoryTest, ARewindCanUndoARewind) {
  write_run(5);
  journal_->rewind("r1", 2, an_entry(9, ""));
  journal_->append("r1", {step(7)}, state(7));
  EXPECT_EQ(journal_->rewind("r1", 4, an_entry(9, "")), 8);
  EXPECT_EQ(journal_->state("r1"), state(4));
  EXPECT_THAT(standing("r1"), ElementsAre(1, 2, 3, 4, 8));
  EXPECT_EQ(journal_->rewind("r1", 7, an_entry(9, "")), 9);
  EXPECT_EQ(journal_->state("r1"), state(7));
  EXPECT_THAT(standing("r1"), ElementsAre(1, 2, 6, 7, 9));
}

TEST_P(HistoryTest, AForkIsANewRunWithWhatStoodThere) {
  write_run(4);
  journal_->rewind("r1", 2, an_entry(9, ""));
  journal_->append("r1", {step(6)}, state(6));
  journal_->append("r1", {step(7)}, state(7));
  auto line = a_run("r2");
  line.status = "suspended";
  journal_->fork("r1", 6, line, an_entry(20, "forked", "", {{"run", "r1"}}));

  EXPECT_EQ(journal_->find("r2")->status, "suspended");
  EXPECT_EQ(journal_->sources("r2"), journal_->sources("r1"));
  EXPECT_EQ(journal_->state("r2"), state(6));
  std::vector<std::string> paths;
  for (const Entry& entry : journal_->entries("r2")) paths.push_back(entry.kind + entry.path);
  EXPECT_THAT(paths, ElementsAre("macrostepE#1", "macrostepE#2", "macrostepE#6", "forked"));
  EXPECT_THAT(standing("r2"), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(journal_->state_at("r2", 2), state(2));
  EXPECT_EQ(error_of([&] { journal_->check("r2"); }), "");

  journal_->own("r2", "me");
  EXPECT_EQ(journal_->append("r2", {step(5)}, state(50)), 5);
  EXPECT_EQ(journal_->state("r2"), state(50));
  EXPECT_EQ(journal_->state("r1"), state(7)) << "the other goes its own way";
}

TEST_P(HistoryTest, AForkCanTakeUpWhatWasUndone) {
  write_run(4);
  journal_->rewind("r1", 2, an_entry(9, ""));
  journal_->fork("r1", 4, a_run("r2"), an_entry(20, "forked"));
  EXPECT_EQ(journal_->state("r2"), state(4));
  EXPECT_THAT(seqs("r2"), ElementsAre(1, 2, 3, 4, 5));
}

TEST_P(HistoryTest, AForkNeedsAnEntryAndAFreeName) {
  write_run(2);
  const auto fork = [&](Seq at, const char* id) {
    return error_of([&] { journal_->fork("r1", at, a_run(id), an_entry(9, "forked")); });
  };
  EXPECT_EQ(fork(3, "r2"), "run r1 has no entry 3");
  EXPECT_EQ(fork(2, "r1"), "run 'r1' exists already");
  EXPECT_FALSE(journal_->find("r2"));
}

TEST_P(HistoryTest, AMessageStaysInTheInboxUntilItIsHandled) {
  journal_->create(a_run("r1"), {}, {step(1)}, state(1));
  journal_->create(a_run("r2"), {}, {step(1)}, state(1));
  const MessageId first = journal_->post("r1", {"answer", {{"option", "YES"}}, at(5)});
  const MessageId second = journal_->post("r1", {"abort", {{"reason", "enough"}}, at(6)});
  journal_->post("r2", {"suspend", nullptr, at(7)});
  EXPECT_LT(first, second);

  auto messages = journal_->inbox("r1");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].id, first);
  EXPECT_EQ(messages[0].kind, "answer");
  EXPECT_EQ(messages[0].body, Json({{"option", "YES"}}));
  EXPECT_EQ(messages[0].time, at(5));

  journal_->append("r1", {step(2)}, state(2), nullptr, {first});
  messages = journal_->inbox("r1");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].id, second);
  journal_->append("r1", {}, nullptr, nullptr, {second});
  EXPECT_TRUE(journal_->inbox("r1").empty());
  EXPECT_EQ(journal_->inbox("r2").size(), 1U);
  EXPECT_EQ(error_of([&] { journal_->post("r3", {"abort", nullptr}); }), "there is no run 'r3'");
  EXPECT_EQ(error_of([&] { journal_->inbox("r3"); }), "there is no run 'r3'");
}

TEST_P(HistoryTest, ADiagnosisOfWhatIsWellSaysHowMuchThereIs) {
  write_run(3);
  const Diagnosis diagnosis = journal_->diagnose("r1");
  EXPECT_EQ(diagnosis.newest, 3);
  EXPECT_EQ(diagnosis.sound, 3);
  EXPECT_EQ(diagnosis.usable, 3);
  EXPECT_TRUE(diagnosis.faults.empty());
  EXPECT_EQ(error_of([&] { journal_->diagnose("r2"); }), "there is no run 'r2'");
}

TRY_EACH_STORE(HistoryTest);

}  // namespace
}  // namespace agneto::journal
