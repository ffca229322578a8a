// Writes of several threads that share a transaction.
#include "journal/sqlite/group_commit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "journal/journal_fixture.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class GroupCommitTest : public ::testing::Test {
 protected:
  GroupCommitTest() {
    database_.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY)");
    sqlite3_commit_hook(
        database_.handle(), [](void* count) { return ++*static_cast<int*>(count), 0; }, &commits_);
  }

  void insert(int n) { insert_.start().bind(std::int64_t{n}).run(); }

  // Runs `write(0)` to `write(count - 1)`, each on a thread of its own, all of them behind one
  // that waits until they wait. Returns each one's error.
  template <typename Write>
  std::vector<std::string> together(int count, Write write) {
    std::vector<std::string> errors(static_cast<std::size_t>(count));
    std::vector<std::thread> threads;
    std::atomic<bool> begun = false;
    threads.emplace_back([&] {
      group_.run([&] {
        begun = true;
        begun.notify_one();
        while (group_.waiting() < errors.size()) std::this_thread::yield();
      });
    });
    begun.wait(false);
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        errors[static_cast<std::size_t>(i)] = error_of([&] { group_.run([&] { write(i); }); });
      });
    }
    for (std::thread& thread : threads) thread.join();
    return errors;
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "numbers.db";
  std::mutex mutex_;
  Database database_{file_};
  Statement insert_{database_, "INSERT INTO numbers VALUES (?)"};
  GroupCommit group_{database_, mutex_};
  int commits_ = 0;
};

TEST_F(GroupCommitTest, WhatWaitsAtTheSameTimeIsWrittenTogether) {
  const auto errors = together(8, [this](int i) { insert(i); });
  EXPECT_EQ(errors, std::vector<std::string>(8));
  EXPECT_EQ(Tool(file_).query("SELECT count(*) FROM numbers"), std::vector<std::string>{"8"});
  EXPECT_EQ(commits_, 2) << "that of the one before them, and theirs";
}

TEST_F(GroupCommitTest, ALoneWriteIsDurableOnReturn) {
  group_.run([this] { insert(1); });
  EXPECT_EQ(Tool(file_).query("SELECT n FROM numbers"), std::vector<std::string>{"1"});
}

TEST_F(GroupCommitTest, TheErrorOfOneIsNotThatOfAnother) {
  const auto errors = together(8, [this](int i) {
    insert(i);
    if (i % 3 == 1) throw Error(fmt::format("not {}", i));
  });
  EXPECT_EQ(errors, (std::vector<std::string>{"", "not 1", "", "", "not 4", "", "", "not 7"}));
  EXPECT_EQ(Tool(file_).query("SELECT n FROM numbers"),
            (std::vector<std::string>{"0", "2", "3", "5", "6"}));
}

TEST_F(GroupCommitTest, AnErrorOfTheDatabaseIsOfWhoseWriteItWas) {
  const auto errors = together(4, [this](int i) { insert(i == 3 ? 2 : i); });
  EXPECT_TRUE(errors[2].empty() != errors[3].empty()) << "one of them came first";
  EXPECT_EQ(errors[0] + errors[1], "");
  EXPECT_EQ(Tool(file_).query("SELECT n FROM numbers"), (std::vector<std::string>{"0", "1", "2"}));
}

TEST_F(GroupCommitTest, ManyThreadsWriteTheirRunsAtOnce) {
  const auto journal = open_journal(folder_ / "runs.db");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::string id = fmt::format("r{}", t);
      journal->create(a_run(id), {}, {an_entry(0, "started")}, {{"n", 0}});
      for (int n = 1; n <= 20; ++n) {
        journal->append(id, {an_entry(n, "macrostep", fmt::format("A#{}", n))}, {{"n", n}});
        if (n % 5 == 0) journal->post(id, {"event", n});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 8; ++t) {
    const std::string id = fmt::format("r{}", t);
    EXPECT_EQ(journal->state(id), Json({{"n", 20}}));
    EXPECT_EQ(journal->inbox(id).size(), 4U);
    EXPECT_EQ(error_of([&] { journal->check(id); }), "");
  }
}

}  // namespace
}  // namespace agneto::journal
