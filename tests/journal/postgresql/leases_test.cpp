// Who works on a run, where that may be another machine.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "flaky_way.h"
#include "journal/journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class LeasesTest : public ::testing::Test {
 protected:
  std::unique_ptr<Journal> open(Millis lease = Millis(10'000)) {
    return open_postgresql_journal(database_.uri(), {.lease = lease, .patience = Millis(0)});
  }
  // As where its process was not heard of for long.
  void end_lease() {
    database_.query("UPDATE leases SET until = clock_timestamp() - interval '1 millisecond'");
  }

  TestDatabase database_;
};

TEST_F(LeasesTest, ALeaseEndsWhereItsProcessIsNotHeardOfAndTheNextOwnerFencesItOff) {
  const auto first = open(), second = open();
  const auto hold = first->hold("r1");
  first->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  end_lease();
  EXPECT_FALSE(second->is_held("r1"));
  const auto taken = second->hold("r1");
  second->own("r1", taken->owner());
  EXPECT_EQ(error_of([&] {
              first->append("r1", {an_entry(2, "x")}, {{"n", 2}});
            }),
            fmt::format("run r1 has another owner by now: {}\n"
                        "nothing more is written here; look at it with 'agneto show r1'",
                        taken->owner()));
  EXPECT_EQ(second->append("r1", {an_entry(2, "y")}, {{"n", 3}}), 2);
}

// It has the same number maybe, but is another process.
TEST_F(LeasesTest, AProcessOfAnotherMachineIsNotTakenForOneOfThisThatDied) {
  const auto first = open(), second = open();
  const auto hold = first->hold("r1");
  database_.query("UPDATE leases SET process = 'another pid:[1] 999999999 1'");
  EXPECT_TRUE(second->is_held("r1"));
  EXPECT_NE(error_of([&] { second->hold("r1"); }), "");
}

TEST_F(LeasesTest, WhoLetsGoOfALostLeaseDoesNotEndTheNextOne) {
  const auto first = open(), second = open();
  auto hold = first->hold("r1");
  end_lease();
  const auto taken = second->hold("r1");
  hold.reset();
  EXPECT_TRUE(first->is_held("r1"));
}

TEST_F(LeasesTest, ALeaseIsRenewedForAsLongAsItIsHeld) {
  const auto journal = open(Millis(3000));
  const auto hold = journal->hold("r1");
  const auto until = [this] { return database_.query("SELECT until FROM leases").at(0); };
  const std::string first = until();
  EXPECT_TRUE(comes_true([&] { return until() > first; }));
  EXPECT_GT(*hold->lasts(), Millis(0));
}

// It is not renewed where the database says that it is over, though nobody else has taken the run:
// what was to stop before it ended may have been stopped.
TEST_F(LeasesTest, WhoCouldNotRenewInTimeLearnsItAndWritesNothingMore) {
  const auto journal = open(Millis(300));
  const auto hold = journal->hold("r1");
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  end_lease();
  ASSERT_TRUE(comes_true([&] { return hold->lasts() == Millis(0); }));
  const std::string lost = fmt::format(
      "run r1 is not this process's any more: its lease in the journal '{}' could not be renewed "
      "in time\nnothing more is written here; look at it with 'agneto show r1'",
      database_.name());
  EXPECT_EQ(error_of([&] { journal->append("r1", {an_entry(2, "x")}, {{"n", 2}}); }), lost);
  EXPECT_EQ(error_of([&] { journal->replace_sources("r1", {}); }), lost);
  EXPECT_EQ(error_of([&] { journal->own("r1", "me"); }), lost);
  EXPECT_EQ(journal->entries("r1").size(), 1U);
}

// A server that does not answer is as good as none.
TEST_F(LeasesTest, ALeaseIsOverHereBeforeItIsForOthersWhereTheServerHangs) {
  const auto journal = open(Millis(300));
  const auto hold = journal->hold("r1");
  testing::Psql other(database_.uri());
  other.query("BEGIN; LOCK TABLE agneto.leases");
  EXPECT_TRUE(comes_true([&] { return hold->lasts() == Millis(0); }));
  other.query("COMMIT");
}

// Whoever waits for a server that is away takes the lease when that is back.
TEST_F(LeasesTest, ALeaseLastsFromWhenItWasAskedForTheLastTime) {
  constexpr Millis lease{1000};
  const std::string uri = database_.uri();
  testing::FlakyWay way(test_server().folder());
  const auto journal = open_postgresql_journal(uri.substr(0, uri.find("host=") + 5) + way.folder(),
                                               {.lease = lease});
  way.cut(testing::FlakyWay::Cut::question, 0, [&] { std::this_thread::sleep_for(lease); });
  const auto hold = journal->hold("r1");
  EXPECT_TRUE(way.has_cut());
  EXPECT_GT(*hold->lasts(), Millis(0));
}

// A server that fails may forget a lease that was taken just before.
TEST_F(LeasesTest, WhoOwnsARunHasTheLeaseForCertain) {
  const auto first = open(), second = open();
  first->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  const auto hold = first->hold("r1");
  database_.query("DELETE FROM leases");
  first->own("r1", hold->owner());
  EXPECT_TRUE(second->is_held("r1"));
  database_.query("DELETE FROM leases");
  const auto taken = second->hold("r1");
  EXPECT_EQ(
      error_of([&] { first->own("r1", hold->owner()); }),
      fmt::format("run r1 is not this process's any more: its lease in the journal '{}' could "
                  "not be renewed in time\nnothing more is written here; look at it with "
                  "'agneto show r1'",
                  database_.name()));
  second->own("r1", taken->owner());
}

TEST_F(LeasesTest, AHoldOutlivesItsJournal) {
  auto journal = open();
  auto hold = journal->hold("r1");
  journal.reset();
  EXPECT_TRUE(open()->is_held("r1"));
  hold.reset();
  EXPECT_FALSE(open()->is_held("r1"));
}

}  // namespace
}  // namespace agneto::journal
