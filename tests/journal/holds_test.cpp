// One live process works on a run, whatever the journal is stored in.
#include "journal/holds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "journal_fixture.h"
#include "support/child.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;
using testing::start_child;
using testing::wait_for;

class HoldsTest : public JournalTest {
 protected:
  std::string holding(Journal& journal) {
    return error_of([&] { journal.hold("r1"); });
  }

  std::unique_ptr<Journal> other_ = open_journal(where_);
};

TEST_P(HoldsTest, ARunIsHeldByOne) {
  EXPECT_FALSE(journal_->is_held("r1"));
  auto hold = journal_->hold("r1");
  EXPECT_TRUE(journal_->is_held("r1"));
  EXPECT_TRUE(other_->is_held("r1"));
  EXPECT_FALSE(other_->is_held("r2"));
  const std::string refused = "run r1 is being worked on by " + hold->owner() +
                              "\nwait until it ends, or stop it: agneto suspend r1";
  EXPECT_EQ(holding(*other_), refused);
  EXPECT_EQ(holding(*journal_), refused);
  hold.reset();
  EXPECT_FALSE(other_->is_held("r1"));
  EXPECT_EQ(holding(*other_), "");
}

TEST_P(HoldsTest, AnotherProcessIsNamed) {
  int held[2];
  ASSERT_EQ(::pipe(held), 0);
  const pid_t child = start_child([&] {
    const auto hold = open_journal(where_)->hold("r1");
    if (::write(held[1], "!", 1) == 1) ::pause();
  });
  ::close(held[1]);
  char byte = 0;
  EXPECT_EQ(::read(held[0], &byte, 1), 1);
  EXPECT_EQ(holding(*journal_).find(
                fmt::format("run r1 is being worked on by process {} on host ", child)),
            0U);
  ::kill(child, SIGKILL);
  wait_for(child);
  ::close(held[0]);
}

TEST_P(HoldsTest, ARunIsFreeWhenItsProcessIsKilled) {
  EXPECT_EQ(wait_for(start_child([this] {
              const auto hold = open_journal(where_)->hold("r1");
              ::raise(SIGKILL);
            })),
            -1);
  EXPECT_FALSE(journal_->is_held("r1"));
  EXPECT_EQ(holding(*journal_), "");
}

TEST_P(HoldsTest, WhoHoldsARunMayMakeAndWriteIt) {
  const auto hold = journal_->hold("r1");
  journal_->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"n", 1}});
  journal_->own("r1", hold->owner());
  EXPECT_EQ(journal_->append("r1", {an_entry(2, "x")}, {{"n", 2}}), 2);
}

TRY_EACH_STORE(HoldsTest);

}  // namespace
}  // namespace agneto::journal
