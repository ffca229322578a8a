#include "run/new_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "run/assembly.h"
#include "run/leftovers.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

namespace fs = std::filesystem;
using agneto::testing::error_of;
using agneto::testing::TemporaryFolder;

class NewRunTest : public ::testing::Test {
 protected:
  // Claims an id whose digits are these, one after the other until one is taken.
  NewRun claim(std::vector<std::string> digits, const std::string& task = "Fix it") {
    return claim_run(folder.path(), home, *journal, task, [&digits](int) {
      std::string first = digits.at(0);
      digits.erase(digits.begin());
      return first;
    });
  }
  void record(const std::string& id) {
    journal::RunRecord run;
    run.id = id;
    run.workflow = "flow";
    run.status = "complete";
    journal->create(run, {}, {}, nullptr);
  }
  void killed_start(const std::string& id) {
    std::ofstream(lock_of(id));
    std::ofstream(mark_of_start(home, id));
    fs::create_directories(home / "worktrees" / id);
  }
  fs::path lock_of(const std::string& id) const { return home / "worktrees" / (id + ".lock"); }

  TemporaryFolder folder;
  fs::path home = folder / ".agneto";
  std::unique_ptr<journal::Journal> journal = open();

 private:
  std::unique_ptr<journal::Journal> open() {
    fs::create_directories(home / "worktrees");
    return journal::open_journal(home / "runs.db");
  }
};

TEST_F(NewRunTest, ItsIdIsTheTasksFirstWordsAndDigits) {
  EXPECT_EQ(claim({"0a1b"}).id, "fix-it-0a1b");
  EXPECT_EQ(claim({"0a1b"}, "  Größe & so\nmore").id, "gr-e-so-0a1b");
  EXPECT_EQ(claim({"0a1b"}, "…").id, "run-0a1b");
  EXPECT_EQ(claim_run(folder.path(), home, *journal, "x").id.size(), 6U);
}

TEST_F(NewRunTest, AnIdThatAnotherRunHasHadIsNotTaken) {
  record("fix-it-aaaa");
  const NewRun other = claim({"bbbb"});
  EXPECT_EQ(claim({"aaaa", "bbbb", "cccc"}).id, "fix-it-cccc");
}

// The other start found the lock file between its making and its locking, and takes it for one that
// was left behind.
TEST_F(NewRunTest, AnIdWhoseLockAnotherStartHasJustTakenIsNotTaken) {
  std::unique_ptr<journal::Hold> other;
  EXPECT_EQ(claim_run(folder.path(), home, *journal, "Fix it",
                      [&](int) {
                        if (other) return "bbbb";
                        other = journal->hold("fix-it-aaaa");
                        return "aaaa";
                      })
                .id,
            "fix-it-bbbb");
}

TEST_F(NewRunTest, WhatAKilledStartLeftIsRemoved) {
  killed_start("old-aaaa");
  const NewRun starting = claim({"bbbb"});
  record("old-cccc");
  killed_start("old-cccc");
  claim({"dddd"});
  EXPECT_FALSE(fs::exists(lock_of("old-aaaa")));
  EXPECT_FALSE(fs::exists(mark_of_start(home, "old-aaaa")));
  EXPECT_FALSE(fs::exists(home / "worktrees/old-aaaa"));
  EXPECT_TRUE(fs::exists(lock_of(starting.id)));
  EXPECT_TRUE(fs::exists(home / "worktrees/old-cccc")) << "it came to its record";
}

// Somebody has removed the journal, or restored an older one.
TEST_F(NewRunTest, ARunThatTheJournalDoesNotKnowIsNoKilledStart) {
  const std::string id = claim({"aaaa"}).id;
  std::ofstream(lock_of(id));
  fs::create_directories(home / "worktrees" / id);
  claim({"bbbb"});
  EXPECT_TRUE(fs::exists(home / "worktrees" / id));
}

TEST_F(NewRunTest, TheLockOfAStartThatWasKilledBeforeItsMarkIsRemoved) {
  const NewRun starting = claim({"bbbb"});
  std::ofstream(lock_of("old-aaaa"));
  record("old-cccc");
  std::ofstream(lock_of("old-cccc"));
  claim({"dddd"});
  EXPECT_FALSE(fs::exists(lock_of("old-aaaa")));
  EXPECT_TRUE(fs::exists(lock_of("old-cccc"))) << "it came to its record";
  EXPECT_TRUE(fs::exists(lock_of(starting.id)));
}

TEST_F(NewRunTest, KilledStartsAreLeftovers) {
  killed_start("old-aaaa");
  const NewRun starting = claim({"bbbb"});
  killed_start("old-cccc");
  const auto found = leftovers(folder.path(), home, *journal);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].run, "old-cccc");
  EXPECT_TRUE(found[0].never_began);
}

TEST_F(NewRunTest, WhereNoLockCanBeMadeThatIsSaid) {
  fs::remove(home / "worktrees");
  std::ofstream(home / "worktrees");
  EXPECT_EQ(error_of([&] { claim({"aaaa"}); }), "cannot open the lock '" +
                                                    (home / "worktrees/fix-it-aaaa.lock").string() +
                                                    "': Not a directory");
}

TEST(RunId, IsWordsWithHyphens) {
  for (const char* id : {"add-a-flag-3f2a", "run-0", "3f2a"}) EXPECT_TRUE(is_run_id(id)) << id;
  for (const char* text : {"", "-x", "a b", "A", "a\n", "a\x1b[2J", "../a", "ä", "a_b"}) {
    EXPECT_FALSE(is_run_id(text)) << text;
  }
  EXPECT_FALSE(is_run_id(std::string(101, 'a')));
}

}  // namespace
}  // namespace agneto::run
