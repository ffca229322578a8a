// Runs that move from one journal to another, whatever these are stored in.
#include "journal/parcel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class ParcelTest : public JournalTest {
 protected:
  // A run that has gone back once, with a message that nobody has taken.
  Parcel packed() {
    const auto from = open_journal((other_ / "runs.db").string());
    RunRecord run = a_run("r1");
    run.origin = "nightly 2026-11-27";
    from->create(run, {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"n", 1}});
    from->append("r1", {an_entry(2, "macrostep", "E#1", {{"n", 2}})}, {{"n", 2}});
    run.status = "parked";
    run.outcome = "a question waits for an answer";
    run.wake = at(9000);
    run.questions = 1;
    from->rewind("r1", 1, an_entry(3, "rewound"), &run);
    from->post("r1", {"answer", {{"option", "YES"}}, at(4)});
    return from->pack("r1");
  }

  testing::TemporaryFolder other_;
};

TEST_P(ParcelTest, ARunIsAsItWasThere) {
  const Parcel parcel = packed();
  journal_->unpack(parcel);
  EXPECT_EQ(seqs("r1"), (std::vector<Seq>{1, 2, 3}));
  EXPECT_EQ(journal_->state("r1"), (Json{{"n", 1}}));
  EXPECT_EQ(journal_->state_at("r1", 2), (Json{{"n", 2}}));
  EXPECT_FALSE(journal_->entries("r1").at(1).stands);
  EXPECT_EQ(journal_->entries_of("r1", "E#1").size(), 0U) << "it was undone";
  EXPECT_EQ(journal_->sources("r1").at("a.yaml"), "text");
  const RunRecord run = *journal_->find("r1");
  EXPECT_EQ(run.status, "parked");
  EXPECT_EQ(run.wake, at(9000));
  EXPECT_EQ(run.questions, 1);
  EXPECT_EQ(run.origin, "nightly 2026-11-27");
  EXPECT_EQ(run.options, a_run("r1").options);
  ASSERT_EQ(journal_->inbox("r1").size(), 1U);
  EXPECT_EQ(journal_->inbox("r1").front().body, (Json{{"option", "YES"}}));
  journal_->check("r1");
}

TEST_P(ParcelTest, ItGoesOnThere) {
  journal_->unpack(packed());
  journal_->own("r1", "another process");
  EXPECT_EQ(journal_->append("r1", {an_entry(5, "macrostep")}, {{"n", 5}}), 4);
  const Parcel again = journal_->pack("r1");
  EXPECT_EQ(again.rows.size(), 4U);
  EXPECT_EQ(last_of(again).seq, 4);
}

TEST_P(ParcelTest, ComesOnce) {
  const Parcel parcel = packed();
  journal_->unpack(parcel);
  EXPECT_EQ(error_of([&] { journal_->unpack(parcel); }), "run 'r1' exists already");
  EXPECT_EQ(journal_->inbox("r1").size(), 1U);
}

TEST_P(ParcelTest, WhatWasAlteredOnTheWayIsRefused) {
  const Parcel sent = packed();
  Parcel parcel = sent;
  parcel.rows.at(1).body = R"({"n":3})";
  EXPECT_EQ(error_of([&] { journal_->unpack(parcel); }),
            "entry 2 of run r1 is not as it was written\nsee 'agneto doctor r1'");
  parcel = sent;
  parcel.rows.erase(parcel.rows.begin());
  EXPECT_EQ(error_of([&] { journal_->unpack(parcel); }),
            "entry 2 of run r1 is not as it was written\nsee 'agneto doctor r1'");
  EXPECT_EQ(journal_->list().size(), 0U);
}

TEST_P(ParcelTest, AnotherRunOfItsOriginStandsInTheWay) {
  RunRecord first = a_run("r0");
  first.origin = "nightly 2026-11-27";
  journal_->create(first, {}, {an_entry(1, "started")}, nullptr);
  EXPECT_THROW(journal_->unpack(packed()), OriginTaken);
  EXPECT_FALSE(journal_->find("r1"));
}

TRY_EACH_STORE(ParcelTest);

}  // namespace
}  // namespace agneto::journal
