// What the journal's file promises: private, durable, whole, and honest about what it cannot do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "journal/journal.h"
#include "journal/journal_fixture.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/child.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::journal {
namespace {

using testing::error_of;
using testing::start_child;
using testing::wait_for;

class SqliteJournalTest : public ::testing::Test {
 protected:
  std::unique_ptr<Journal> open() { return open_journal(file_); }
  std::string opening_error() {
    return error_of([this] { open_journal(file_); });
  }
  void write(std::string_view text) { std::ofstream(file_, std::ios::binary) << text; }
  static int mode(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<int>(status.st_mode & 0777) : -1;
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
};

TEST_F(SqliteJournalTest, OutlivesTheProcess) {
  ASSERT_EQ(
      wait_for(start_child([this] {
        const auto journal = open();
        journal->create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"at", "A"}});
        journal->append("r1", {an_entry(2, "macrostep")}, {{"at", "B"}});
        ::raise(SIGKILL);
      })),
      -1);
  const auto journal = open();
  EXPECT_EQ(journal->state("r1"), Json({{"at", "B"}}));
  EXPECT_EQ(journal->entries("r1").size(), 2U);
  EXPECT_EQ(journal->sources("r1").at("a.yaml"), "text");
}

TEST_F(SqliteJournalTest, IsPrivateWithTheFilesBesideIt) {
  const mode_t before = ::umask(0);
  const auto journal = open();
  journal->create(a_run("r1"), {}, {}, {});
  ::umask(before);
  EXPECT_EQ(mode(file_), 0600);
  EXPECT_EQ(mode(file_ + "-wal"), 0600);
  EXPECT_EQ(mode(file_ + "-shm"), 0600);
}

TEST_F(SqliteJournalTest, MakesAnOpenFilePrivateAgain) {
  open();
  ::chmod(file_.c_str(), 0644);
  open();
  EXPECT_EQ(mode(file_), 0600);
}

TEST_F(SqliteJournalTest, WritesAheadAndKeepsItsFormatsNumber) {
  const auto journal = open();
  Tool tool(file_);
  EXPECT_EQ(tool.query("PRAGMA journal_mode"), std::vector<std::string>{"wal"});
  EXPECT_EQ(tool.query("PRAGMA user_version"), std::vector<std::string>{"7"});
}

TEST_F(SqliteJournalTest, RefusesANewerFormat) {
  open();
  Tool(file_).query("PRAGMA user_version = 8");
  EXPECT_EQ(opening_error(),
            fmt::format("the journal '{}' was written by a newer agneto (format 8, "
                        "this one knows 7)\nupdate agneto",
                        file_));
}

TEST_F(SqliteJournalTest, RefusesWhatIsNoDatabaseAndLeavesItAlone) {
  const std::string text = "my diary, " + std::string(2000, 'x');
  write(text);
  EXPECT_EQ(opening_error(), fmt::format("the journal '{}' is not a database\n"
                                         "move it away, and a new one is made",
                                         file_));
  std::ifstream stream(file_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
}

TEST_F(SqliteJournalTest, RefusesTheDatabaseOfAnotherProgram) {
  Tool(file_).query("CREATE TABLE recipes (name)");
  EXPECT_EQ(opening_error(), fmt::format("'{}' is a database of another program, not a journal\n"
                                         "move it away, and a new one is made",
                                         file_));
}

TEST_F(SqliteJournalTest, SaysThatItIsDamaged) {
  {
    const auto journal = open();
    journal->create(a_run("r1"), {}, {an_entry(1, "started", "", std::string(100'000, 'x'))}, {});
  }
  std::fstream stream(file_, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(2048);
  stream << std::string(90'000, '\x7f');
  stream.close();
  EXPECT_EQ(error_of([this] { open()->entries("r1"); }),
            fmt::format("the journal '{}' is damaged\n"
                        "restore it from a backup, or move it away, and a new one is made",
                        file_));
}

TEST_F(SqliteJournalTest, NeedsItsFolder) {
  file_ = folder_ / "none/runs.db";
  EXPECT_EQ(opening_error(),
            fmt::format("cannot make the journal '{}': No such file or directory", file_));
}

// A disk that is full while `full` is set: the system call under SQLite's feet fails as it would.
std::atomic<bool> full = false;

ssize_t pwrite_until_full(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  if (full) {
    errno = ENOSPC;
    return -1;
  }
  return ::pwrite(descriptor, bytes, size, offset);
}

class FullDisk {
 public:
  FullDisk() {
    sqlite3_vfs* disk = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) {
      disk->xSetSystemCall(disk, name, reinterpret_cast<sqlite3_syscall_ptr>(pwrite_until_full));
    }
  }
  ~FullDisk() {
    full = false;
    sqlite3_vfs* disk = sqlite3_vfs_find(nullptr);
    disk->xSetSystemCall(disk, nullptr, nullptr);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
};

TEST_F(SqliteJournalTest, AFullDiskIsAnErrorThatWritesNothing) {
  const FullDisk disk;
  const auto journal = open();
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"at", "A"}});

  full = true;
  auto run = a_run("r1");
  run.status = "complete";
  const std::string message = fmt::format(
      "cannot write the journal '{}': the disk is full\n"
      "free some space on it; what is in the journal is safe",
      file_);
  EXPECT_EQ(error_of([&] {
              journal->append("r1", {an_entry(2, "a")}, {{"at", "B"}}, &run);
            }),
            message);
  EXPECT_EQ(error_of([&] { journal->create(a_run("r2"), {{"a", "b"}}, {}, {}); }), message);
  EXPECT_EQ(journal->state("r1"), Json({{"at", "A"}}));
  EXPECT_EQ(journal->find("r1")->status, "running");
  EXPECT_EQ(journal->entries("r1").size(), 1U);
  EXPECT_FALSE(journal->find("r2"));

  full = false;
  EXPECT_EQ(journal->append("r1", {an_entry(3, "b")}, {{"at", "C"}}), 2);
  EXPECT_EQ(open()->state("r1"), Json({{"at", "C"}}));
}

TEST_F(SqliteJournalTest, OnAFullDiskAJournalCanStillBeRead) {
  const FullDisk disk;
  open()->create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"at", "A"}});

  full = true;
  const auto journal = open();
  EXPECT_EQ(journal->list().size(), 1U);
  EXPECT_EQ(journal->state("r1"), Json({{"at", "A"}}));
  EXPECT_EQ(journal->entries("r1").size(), 1U);
  EXPECT_EQ(error_of([&] { journal->own("r1", "me"); }),
            fmt::format("cannot write the journal '{}': the disk is full\n"
                        "free some space on it; what is in the journal is safe",
                        file_));
}

TEST_F(SqliteJournalTest, OnAFullDiskTheLogOfAKilledOwnerIsReadToo) {
  const FullDisk disk;
  open()->create(a_run("r1"), {}, {an_entry(1, "started")}, {{"at", "A"}});
  testing::wait_for(testing::start_child([this] {
    const auto journal = open();
    journal->own("r1", "me");
    journal->append("r1", {an_entry(2, "a")}, {{"at", "B"}});
    ::raise(SIGKILL);
  }));

  full = true;
  EXPECT_EQ(open()->state("r1"), Json({{"at", "B"}}));
}

TEST_F(SqliteJournalTest, StoresASourceOnceForAllRuns) {
  const auto journal = open();
  journal->create(a_run("r1"), {{"a.yaml", "same"}, {"b.yaml", "same"}}, {}, {});
  journal->create(a_run("r2"), {{"a.yaml", "same"}}, {}, {});
  EXPECT_EQ(Tool(file_).query("SELECT hash, text FROM texts"),
            (std::vector<std::string>{sha256("same"), "same"}));
}

TEST_F(SqliteJournalTest, FindsOutThatAnEntryWasAltered) {
  const auto journal = open();
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  const auto line = a_run("r1");
  journal->append("r1", {an_entry(2, "reply"), an_entry(3, "macrostep")}, nullptr, &line);
  journal->create(a_run("r2"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, {});
  EXPECT_EQ(error_of([&] { journal->check("r1"); }), "");

  const auto found = [&] { return error_of([&] { journal->check("r1"); }); };
  const auto damaged = [&](const std::string& what) {
    return fmt::format(
        "the journal '{}' is damaged: {}\nsee what can be saved with 'agneto doctor r1'", file_,
        what);
  };
  Tool(file_).query("DELETE FROM entries WHERE run = 1 AND seq = 3");
  EXPECT_EQ(found(), damaged("entry 3 of run r1 is missing"));
  Tool(file_).query("UPDATE entries SET body = '{}' WHERE run = 1 AND seq = 2");
  EXPECT_EQ(found(), damaged("entry 2 of run r1 is not as it was written"));
  EXPECT_EQ(error_of([&] { journal->check("r2"); }), "");

  Tool(file_).query("UPDATE texts SET text = 'another'");
  EXPECT_EQ(error_of([&] { journal->check("r2"); }),
            fmt::format("the journal '{}' is damaged: source 'a.yaml' of run r2 is not as it was "
                        "written\nsee what can be saved with 'agneto doctor r2'",
                        file_));
}

TEST_F(SqliteJournalTest, ChainsItsEntriesByHash) {
  const auto journal = open();
  journal->create(a_run("r1"), {}, {an_entry(1000, "started", "", {{"b", 1}, {"a", "ü"}})},
                  {{"at", "A"}, {"n", 1}});
  journal->append("r1", {an_entry(500, "reply", "A#1", "say \"hi\"")}, nullptr);
  journal->append("r1", {an_entry(1001, "macrostep")}, {{"at", "B"}, {"n", 1}});

  // As docs/journal.md says, without the engine's help.
  const std::string first =
      sha256("\n[\"r1\",1,1000,\"started\",\"\"]\n{\"a\":\"ü\",\"b\":1}\n[{\"at\":\"A\",\"n\":1}]");
  const std::string second =
      sha256(first + "\n[\"r1\",2,1000,\"reply\",\"A#1\"]\n\"say \\\"hi\\\"\"");
  const std::string third =
      sha256(second + "\n[\"r1\",3,1001,\"macrostep\",\"\"]\nnull\n{\"at\":[\"B\"]}");
  EXPECT_EQ(Tool(file_).query("SELECT hash FROM entries ORDER BY seq"),
            (std::vector<std::string>{first, second, third}));
}

TEST_F(SqliteJournalTest, ProcessesWriteTheirRunsSideBySide) {
  // Each begins with no file there, so that they also race to make it.
  std::vector<pid_t> children;
  for (int p = 0; p < 4; ++p) {
    children.push_back(start_child([this, p] {
      const auto journal = open();
      const std::string id = fmt::format("r{}", p);
      journal->create(a_run(id), {{"a.yaml", "shared"}}, {an_entry(1, "started")}, {});
      for (int i = 0; i < 25; ++i) {
        journal->append(id, {an_entry(i, "macrostep")}, {{"i", i}});
      }
    }));
  }
  for (const pid_t child : children) {
    EXPECT_EQ(wait_for(child), 0);
  }
  const auto journal = open();
  EXPECT_EQ(journal->list().size(), 4U);
  for (int p = 0; p < 4; ++p) {
    EXPECT_EQ(journal->entries(fmt::format("r{}", p)).size(), 26U);
    EXPECT_EQ(journal->state(fmt::format("r{}", p)), Json({{"i", 24}}));
  }
}

TEST_F(SqliteJournalTest, WritesNothingIntoAFileThatIsNotThereAnyMore) {
  const auto journal = open();
  journal->create(a_run("r1"), {}, {an_entry(1, "started")}, {});
  const std::string error = fmt::format(
      "the journal '{}' was removed or moved while it was in use\n"
      "bring it back; what was not recorded is on the run's branch and in its worktree",
      file_);
  const auto append = [&] { journal->append("r1", {an_entry(2, "prompt")}, nullptr); };
  std::filesystem::rename(file_, file_ + ".away");
  EXPECT_EQ(error_of(append), error);
  std::ofstream(file_) << "another";
  EXPECT_EQ(error_of(append), error);
  std::filesystem::rename(file_ + ".away", file_);
  append();
  EXPECT_EQ(journal->newest("r1"), 2);
}

// Root may read everything; not while this lives.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    EXPECT_EQ(syscall(SYS_capget, &header_, saved_), 0);
    __user_cap_data_struct none[2] = {saved_[0], saved_[1]};
    none[0].effective = none[1].effective = 0;
    EXPECT_EQ(syscall(SYS_capset, &header_, none), 0);
  }
  ~WithoutPrivileges() { EXPECT_EQ(syscall(SYS_capset, &header_, saved_), 0); }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct saved_[2]{};
};

TEST_F(SqliteJournalTest, SaysWhoseAJournalIsThatMayNotBeUsed) {
  open().reset();
  std::filesystem::permissions(file_, std::filesystem::perms::none);
  const WithoutPrivileges now;
  EXPECT_EQ(opening_error(),
            fmt::format("cannot use the journal '{}': unable to open database file (Permission "
                        "denied)\nit is {}'s; work as that user, or have the right to write it and "
                        "its folder",
                        file_, ::getpwuid(::getuid())->pw_name));
}

}  // namespace
}  // namespace agneto::journal
