// A run has one owner; an earlier one can write nothing more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class OwnerTest : public StoreTest {
 protected:
  OwnerTest() {
    first_->create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"n", 1}});
  }

  std::string appended_by(Journal& journal) {
    return error_of([&] { journal.append("r1", {an_entry(2, "x")}, {{"n", 2}}); });
  }

  std::unique_ptr<Journal> first_ = open_journal(where_);
  std::unique_ptr<Journal> second_ = open_journal(where_);
};

TEST_P(OwnerTest, OnlyTheOwnerWrites) {
  const std::string refused = "run r1 is written by its owner only, which this is not";
  EXPECT_EQ(appended_by(*second_), refused);
  EXPECT_EQ(error_of([&] { second_->rewind("r1", 1, an_entry(2, "")); }), refused);
  EXPECT_EQ(error_of([&] { second_->replace_sources("r1", {}); }), refused);
  EXPECT_EQ(second_->entries("r1").size(), 1U);
  EXPECT_EQ(appended_by(*first_), "");
}

TEST_P(OwnerTest, AStaleOwnerWritesNothing) {
  second_->own("r1", "process 12 on host tiger since noon");
  const std::string refused =
      "run r1 has another owner by now: process 12 on host tiger since noon\n"
      "nothing more is written here; look at it with 'agneto show r1'";
  auto line = a_run("r1");
  line.status = "complete";
  const MessageId message = first_->post("r1", {"abort", nullptr});
  EXPECT_EQ(error_of([&] {
              first_->append("r1", {an_entry(2, "x")}, {{"n", 2}}, &line, {message});
            }),
            refused);
  EXPECT_EQ(error_of([&] { first_->rewind("r1", 1, an_entry(2, "")); }), refused);
  EXPECT_EQ(error_of([&] { first_->replace_sources("r1", {}); }), refused);
  EXPECT_EQ(second_->entries("r1").size(), 1U);
  EXPECT_EQ(second_->state("r1"), Json({{"n", 1}}));
  EXPECT_EQ(second_->find("r1")->status, "running");
  EXPECT_EQ(second_->inbox("r1").size(), 1U);
  EXPECT_EQ(second_->sources("r1").size(), 1U);
}

TEST_P(OwnerTest, TheNextOwnerGoesOnWhereTheLastOneStopped) {
  EXPECT_EQ(appended_by(*first_), "");
  second_->own("r1", "me");
  EXPECT_EQ(second_->append("r1", {an_entry(3, "y")}, {{"n", 2}, {"m", 3}}), 3);
  EXPECT_EQ(first_->state("r1"), Json({{"m", 3}, {"n", 2}}));
  first_->own("r1", "me again");
  EXPECT_EQ(first_->append("r1", {an_entry(4, "z")}, {{"n", 4}}), 4);
  EXPECT_EQ(second_->state("r1"), Json({{"n", 4}}));
  EXPECT_EQ(error_of([&] { second_->check("r1"); }), "");
  EXPECT_EQ(query("SELECT epoch, owner FROM runs"), (std::vector<std::string>{"3", "me again"}));
}

TEST_P(OwnerTest, WhatIsNotThereCannotBeOwned) {
  EXPECT_EQ(error_of([&] { first_->own("r2", "me"); }), "there is no run 'r2'");
}

// Nobody takes up a run whose newest part is not as it was written. What is older is looked at by
// `check`: going through all of it would take the longer the longer the run is.
TEST_P(OwnerTest, ADamagedRunIsNotTakenUp) {
  const auto damaged = [&](const std::string& what) {
    return fmt::format(
        "the journal '{}' is damaged: {}\nsee what can be saved with 'agneto doctor r1'", place(),
        what);
  };
  const auto owned = [&] { return error_of([&] { second_->own("r1", "me"); }); };
  for (int i = 2; i <= 5; ++i) first_->append("r1", {an_entry(i, "x")}, {{"n", i}});
  const auto line = a_run("r1");
  first_->append("r1", {an_entry(6, "x")}, {{"n", 6}}, &line);

  query("UPDATE entries SET change = '{\"n\":[7]}' WHERE seq = 4");
  EXPECT_EQ(owned(), damaged("entry 4 of run r1 is not as it was written"));
  EXPECT_EQ(query("SELECT epoch FROM runs"), std::vector<std::string>{"1"});
  query("UPDATE entries SET change = '{\"n\":[4]}' WHERE seq = 4");
  EXPECT_EQ(owned(), "");

  query("UPDATE entries SET hash = 'x' WHERE seq = 6");
  EXPECT_EQ(owned(), damaged("entry 6 of run r1 is not as it was written"));
  query("DELETE FROM entries WHERE seq IN (5, 6)");
  EXPECT_EQ(owned(), damaged("entries 5 to 6 of run r1 are missing"));
  query("DELETE FROM entries WHERE seq = 3");
  EXPECT_EQ(owned(), damaged("entry 3 of run r1 is missing"));
}

TRY_EACH_STORE(OwnerTest);

}  // namespace
}  // namespace agneto::journal
