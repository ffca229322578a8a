// Records that are removed for good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal/journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

class RemovalTest : public JournalTest {
 protected:
  void make(const std::string& id, const std::string& status) {
    RunRecord run = a_run(id);
    run.status = status;
    run.origin = "schedule/" + id;
    journal_->create(run, {{"a.yaml", "shared"}}, {an_entry(1, "started"), an_entry(2, "x", "p")},
                     {{"n", 1}});
    journal_->post(id, {"event", {{"name", "go"}}, at(3)});
    journal_->release(id);
  }
};
TRY_EACH_STORE(RemovalTest);

TEST_P(RemovalTest, NothingOfTheRunIsLeftAndAllOfTheOthers) {
  for (const auto& id : {"r1", "r2", "r10"}) make(id, "complete");
  const auto notices = open_notices(where_);
  notices->notice(1, {{"r1 end 2", "phone", "r1", "{}"}, {"r10 end 2", "phone", "r10", "{}"}},
                  at(1));
  journal_->remove("r1");
  EXPECT_EQ(journal_->find("r1"), std::nullopt);
  EXPECT_EQ(error_of([&] { journal_->entries("r1"); }), "there is no run 'r1'");
  for (const auto& table : {"entries", "inbox", "sources", "runs"}) {
    const auto left = query(std::string("SELECT count(*) FROM ") + table);
    EXPECT_EQ(left,
              query(std::string("SELECT 2 * ") + (table == std::string("entries") ? "2" : "1")))
        << table;
  }
  EXPECT_EQ(notices->due("phone", at(9)).size(), 1U);
  for (const auto& id : {"r2", "r10"}) {
    journal_->check(id);
    EXPECT_EQ(journal_->sources(id).size(), 1U);
    EXPECT_EQ(journal_->inbox(id).size(), 1U);
  }
  make("r1", "running");  // the id and the origin are free again
  journal_->check("r1");
}

// Who has seen all changes so far sees the next one.
TEST_P(RemovalTest, ChangesGoOnFromTheNewestOne) {
  make("r1", "complete");
  make("r2", "complete");
  const std::int64_t seen = journal_->newest_change();
  journal_->remove("r2");
  make("r3", "running");
  std::vector<std::string> changed;
  for (const auto& each : journal_->changes(seen, 10)) changed.push_back(each.run.id);
  EXPECT_THAT(changed, ElementsAre("r3"));
}

TEST_P(RemovalTest, ARunThatHasNotEndedKeepsItsRecord) {
  make("r1", "suspended");
  make("r2", "complete");
  EXPECT_EQ(error_of([&] { journal_->remove("r1"); }),
            "run r1 has not ended, so that its record stays\nend it first: agneto abort r1");
  EXPECT_EQ(error_of([&] { journal_->remove("r9"); }), "there is no run 'r9'");
  EXPECT_EQ(journal_->list().size(), 2U);
}

}  // namespace
}  // namespace agneto::journal
