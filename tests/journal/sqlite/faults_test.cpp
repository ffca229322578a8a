// Disks that fail: nothing is lost that was acknowledged, nothing is half written, and it goes on
// when the disk does.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <thread>

#include "journal/sqlite/faults_fixture.h"
#include "journal/sqlite/faulty_disk.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/paths.h"

namespace agneto::journal {
namespace {

using testing::error_of;

struct Failure {
  FaultyDisk::Call call;
  int code;
  std::string why;
};

class FailingDiskTest : public FaultsTest {
 protected:
  FailingDiskTest() {
    failures_ = {{FaultyDisk::Call::write, SQLITE_FULL,
                  cannot_write("the disk is full\nfree some space on it; what is in the journal is "
                               "safe")},
                 {FaultyDisk::Call::write, SQLITE_IOERR_WRITE, io_error_},
                 {FaultyDisk::Call::sync, SQLITE_IOERR_FSYNC, io_error_}};
  }

  // Everything that can be read of a journal.
  static std::string all_of(Journal& journal) {
    std::string all;
    for (const journal::RunRecord& run : journal.list()) {
      all += fmt::format("{} {} {}\n{}\n", run.id, run.status,
                         run.updated.time_since_epoch().count(), to_text(journal.state(run.id)));
      for (const Entry& entry : journal.entries(run.id)) {
        all +=
            fmt::format("{} {} {} {}\n", entry.seq, entry.kind, entry.stands, to_text(entry.body));
      }
      for (const auto& [path, text] : journal.sources(run.id)) all += path + " " + text + "\n";
      for (const Message& message : journal.inbox(run.id)) all += message.kind + "\n";
      EXPECT_EQ(error_of([&] { journal.check(run.id); }), "");
    }
    return all;
  }
  // An error without the system's own words, which SQLite does not always have.
  template <typename Act>
  static std::string failure_of(Act act) {
    std::string error = error_of(act);
    const std::string words = " (Input/output error)";
    const std::size_t at = error.find(words);
    return at == std::string::npos ? error : error.erase(at, words.size());
  }
  void begin_anew() {
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file_ + suffix);
  }

  const std::string io_error_ = fmt::format(
      "cannot use the journal '{}': disk I/O error\n"
      "see what is wrong with its disk; what is in the journal is safe",
      file_);
  std::vector<Failure> failures_;
};

// Whatever is written, at each call to the disk in turn.
TEST_F(FailingDiskTest, AWriteIsDoneOrNotDoneWhereverTheDiskFails) {
  MessageId message = 0;
  auto line = a_run("r1");
  line.status = "suspended";
  const std::vector<std::function<void(Journal&)>> deeds = {
      [&](Journal& journal) {
        journal.create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, state_of(1));
      },
      [&](Journal& journal) { append(journal, 2); },
      [&](Journal& journal) {
        message = journal.post("r1", {"suspend", nullptr});
      },
      [&](Journal& journal) {
        journal.append("r1", {an_entry(3, "suspended")}, state_of(3), &line, {message});
      },
      [&](Journal& journal) {
        Tool(file_).attempt("PRAGMA wal_checkpoint(TRUNCATE)");
        append(journal, 4);
      },
      [&](Journal& journal) { journal.rewind("r1", 2, an_entry(5, "")); },
      [&](Journal& journal) { journal.fork("r1", 2, a_run("r2"), an_entry(6, "forked")); },
      [&](Journal& journal) {
        journal.replace_sources("r1", {{"a.yaml", "other"}});
      },
  };
  std::vector<std::string> expected;  // before each, and at the end
  {
    const auto journal = open_journal(file_);
    for (const auto& deed : deeds) {
      expected.push_back(all_of(*journal));
      deed(*journal);
    }
    expected.push_back(all_of(*journal));
  }
  for (const Failure& failure : failures_) {
    int points = 0;
    for (int good = 0;; ++good) {
      begin_anew();
      auto journal = open_journal(file_);
      disk_.fail_after(good, failure.call, failure.code);
      std::size_t done = 0;
      std::string error;
      while (done < deeds.size() && error.empty()) {
        error = failure_of([&] { deeds[done](*journal); });
        if (error.empty()) ++done;
      }
      const bool failed = disk_.failed();
      disk_.heal();
      EXPECT_EQ(all_of(*journal), expected[done]);
      if (error.empty()) {
        if (!failed) break;
        continue;  // what was written is safe in the log; it is brought over another time
      }
      ++points;
      EXPECT_EQ(error, failure.why);
      const std::string crashed = all_of(*open_journal(copied()));
      EXPECT_TRUE(crashed == expected[done] || crashed == expected[done + 1]) << done;
      for (; done < deeds.size(); ++done) deeds[done](*journal);
      EXPECT_EQ(all_of(*journal), expected.back()) << "it goes on by itself";
    }
    EXPECT_GE(points, 8);
  }
}

TEST_F(FailingDiskTest, AnOldJournalIsBroughtUpToThisFormatOrStaysAsItIs) {
  const fs::path old = fs::path(AGNETO_SOURCE_DIR) / "tests/journal/data/format-1.db";
  fs::copy_file(old, file_);
  const std::string migrated = all_of(*open_journal(file_));
  for (const Failure& failure : failures_) {
    for (int good = 0;; ++good) {
      begin_anew();
      fs::copy_file(old, file_);
      disk_.fail_after(good, failure.call, failure.code);
      const std::string error = failure_of([&] { open_journal(file_); });
      const bool failed = disk_.failed();
      disk_.heal();
      EXPECT_TRUE(error.empty() || error == failure.why) << error;
      EXPECT_EQ(all_of(*open_journal(file_)), migrated);
      if (!failed) break;
    }
  }
}

TEST_F(FailingDiskTest, WhatCannotBeReadIsAnError) {
  std::string database, log;  // as a killed owner leaves them
  {
    const auto journal = open_journal(file_);
    write(*journal, 6);
    database = read(file_);
    log = read(file_ + "-wal");
  }
  int points = 0;
  for (int good = 0;; ++good) {
    begin_anew();
    write_file(file_, database);
    write_file(file_ + "-wal", log);
    disk_.fail_after(good, FaultyDisk::Call::read, SQLITE_IOERR_READ);
    Json state;
    const std::string error = failure_of([&] {
      const auto journal = open_journal(file_);
      journal->own("r1", "me");
      journal->find("r1");
      journal->entries_of("r1", "A#1");
      journal->check("r1");
      state = journal->state("r1");
    });
    const bool failed = disk_.failed();
    disk_.heal();
    if (!failed) break;
    ++points;
    const bool told = error == io_error_ || error.find("not readable") != std::string::npos;
    EXPECT_TRUE(told || (error.empty() && state == state_of(6))) << error;
  }
  EXPECT_GE(points, 5);
  EXPECT_EQ(last_of(file_), 6);
}

TEST_F(FailingDiskTest, RunsThatWriteAtTheSameTimeLoseNothingEither) {
  constexpr int create_runs = 8;
  const auto journal = open_journal(file_);
  for (int t = 0; t < create_runs; ++t) {
    journal->create(a_run(fmt::format("r{}", t)), {}, {an_entry(0, "started")}, {{"n", 0}});
  }
  std::vector<int> acknowledged(create_runs);
  const auto work = [&](int until) {
    std::vector<std::string> errors(create_runs);
    std::vector<std::thread> threads;
    for (int t = 0; t < create_runs; ++t) {
      threads.emplace_back([&, t] {
        auto& n = acknowledged[static_cast<std::size_t>(t)];
        errors[static_cast<std::size_t>(t)] = error_of([&] {
          for (; n < until; ++n) {
            journal->append(fmt::format("r{}", t), {an_entry(n, "macrostep")}, {{"n", n + 1}});
          }
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    return errors;
  };
  disk_.fail_after(25, FaultyDisk::Call::write, SQLITE_FULL);
  EXPECT_EQ(work(50), std::vector<std::string>(create_runs, failures_[0].why));
  disk_.heal();
  EXPECT_EQ(work(60), std::vector<std::string>(create_runs));
  for (int t = 0; t < create_runs; ++t) {
    const std::string id = fmt::format("r{}", t);
    EXPECT_EQ(journal->entries(id).size(), 61U);
    EXPECT_EQ(journal->state(id), Json({{"n", 60}}));
    EXPECT_EQ(error_of([&] { journal->check(id); }), "");
  }
}

// One that may only be read: the system call under SQLite's feet refuses as its folder's would.
bool read_only = false;

int open_to_read(const char* path, int flags, mode_t mode) {
  if (read_only && (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0) {
    errno = EROFS;
    return -1;
  }
  return ::open(path, flags, mode);
}

TEST_F(FaultsTest, AReadOnlyFolderCanBeReadAndSaysWhyItIsNotWritten) {
  write(*open_journal(file_), 3);
  sqlite3_vfs* disk = sqlite3_vfs_find(nullptr);
  disk->xSetSystemCall(disk, "open", reinterpret_cast<sqlite3_syscall_ptr>(open_to_read));
  read_only = true;
  const auto journal = open_journal(file_);
  EXPECT_EQ(journal->state("r1"), state_of(3));
  EXPECT_EQ(journal->state_at("r1", 2), state_of(2));
  EXPECT_EQ(error_of([&] { journal->check("r1"); }), "");
  const std::string refused =
      cannot_write("it is read-only\ngive yourself the right to write it and its folder");
  EXPECT_EQ(error_of([&] { journal->own("r1", "me"); }), refused);
  EXPECT_EQ(error_of([&] { journal->post("r1", {"abort", nullptr}); }), refused);
  read_only = false;
  disk->xSetSystemCall(disk, nullptr, nullptr);
  EXPECT_EQ(last_of(file_), 3);
}

}  // namespace
}  // namespace agneto::journal
