#include "run/engine/reporter.h"

#include "run/fakes.h"

namespace agneto::run {
namespace {

TEST(RunClock, GoesOnWhereTheMachinesIsPutBack) {
  TestClock machine;
  RunClock clock(machine, Time());
  const Time begin = machine.now();
  EXPECT_EQ(clock.now(), begin);
  machine.advance(hour);
  machine.put_back(10 * hour);
  EXPECT_EQ(clock.now(), begin + hour);
  machine.advance(hour);
  EXPECT_EQ(clock.now(), begin + 2 * hour);
}

TEST(RunClock, FollowsTheMachinesForward) {
  TestClock machine;
  RunClock clock(machine, Time());
  const Time begin = clock.now();
  machine.put_back(-5 * hour);
  EXPECT_EQ(clock.now(), begin + 5 * hour);
  machine.put_back(5 * hour);
  machine.advance(hour);
  EXPECT_EQ(clock.now(), begin + 6 * hour);
}

TEST(RunClock, BeginsNoEarlierThanWhatIsRecorded) {
  TestClock machine;
  const Time recorded = machine.now() + 3 * hour;
  RunClock clock(machine, recorded);
  EXPECT_EQ(clock.now(), recorded);
  machine.advance(hour);
  EXPECT_EQ(clock.now(), recorded + hour);
}

class ReporterTest : public ::testing::Test {
 protected:
  FakeJournal journal;
  Listening seen;
  TestClock clock;
  Reporter reporter{"r", journal, seen, clock, Time()};
};

TEST_F(ReporterTest, AnEntryIsOfNowAndNotWrittenYet) {
  const Time before = clock.now();
  clock.advance(hour);
  const record::Entry entry = reporter.entry("A#1", record::Said{2, {}});
  EXPECT_EQ(entry.time, before + hour);
  EXPECT_EQ(entry.path, "A#1");
  ASSERT_NE(entry.get<record::Said>(), nullptr);
  EXPECT_EQ(entry.get<record::Said>()->attempt, 2);
  EXPECT_TRUE(journal.writes.empty());
}

TEST_F(ReporterTest, WhatIsAppendedIsWrittenWithItsTimeAndLeavesTheStateAsItIs) {
  clock.advance(hour);
  const Time when = reporter.append("A#1", record::Said{1, {}}).time;
  EXPECT_EQ(when, clock.now());
  ASSERT_EQ(journal.writes.size(), 1U);
  const FakeJournal::Write& write = journal.writes.front();
  ASSERT_EQ(write.entries.size(), 1U);
  EXPECT_EQ(write.entries[0].path, "A#1");
  EXPECT_EQ(write.entries[0].time, when);
  EXPECT_TRUE(write.state.is_null());
  EXPECT_FALSE(write.run);
  EXPECT_TRUE(seen.events.empty()) << "it may be called on any thread";
}

TEST_F(ReporterTest, WhatIsPublishedIsToldAndNotWritten) {
  reporter.publish("A#1", record::CommandOutput{"hello"});
  reporter.note("B#1", "mind the gap");
  ASSERT_EQ(seen.events.size(), 2U);
  EXPECT_EQ(seen.events[0].kind, "command.output");
  EXPECT_EQ(seen.events[0].path, "A#1");
  EXPECT_EQ(seen.events[1].kind, "note");
  EXPECT_EQ(seen.events[1].path, "B#1");
  EXPECT_EQ(seen.events[1].data.at("text"), "mind the gap");
  EXPECT_TRUE(journal.writes.empty());
}

}  // namespace
}  // namespace agneto::run
