// Disks that fail, files that are cut or altered: nothing is lost that was acknowledged, what is
// damaged is found out, and it is said where.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>

#include "faulty_disk.h"
#include "journal_fixture.h"
#include "sqlite_tool.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

constexpr std::size_t kTextSize = 2000;

Json state_of(int n) {
  return {{"n", n}, {"text", std::string(kTextSize, static_cast<char>('a' + n % 26))}};
}

class FaultsTest : public ::testing::Test {
 protected:
  // Entries 1 to `last`, state n after entry n.
  void write(Journal& journal, int last) {
    journal.create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, state_of(1));
    for (int n = 2; n <= last; ++n) append(journal, n);
  }
  static Seq append(Journal& journal, int n) {
    return journal.append("r1", {an_entry(n, "macrostep", "A#1", std::string(kTextSize, 'b'))},
                          state_of(n));
  }

  // What a machine that is started anew finds: the files as they are, without the shared memory.
  std::string copied() {
    const std::string copy = folder_ / fmt::format("copy-{}.db", ++copies_);
    fs::copy_file(file_, copy);
    if (fs::exists(file_ + "-wal")) fs::copy_file(file_ + "-wal", copy + "-wal");
    return copy;
  }
  static std::string read(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write_file(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }
  // The last n that the journal has, once it is found to be whole.
  static int last_of(const std::string& file) {
    const auto journal = open_journal(file);
    EXPECT_EQ(error_of([&] { journal->check("r1"); }), "");
    const Json state = journal->state("r1");
    const int n = state.at("n");
    EXPECT_EQ(state, state_of(n));
    EXPECT_EQ(journal->entries("r1").size(), static_cast<std::size_t>(n));
    journal->own("r1", "me");
    return n;
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
  int copies_ = 0;
};

struct Failure {
  FaultyDisk::Call call;
  int code;
  std::string says;
};

// At each call of several appends in turn, a checkpoint among them.
TEST_F(FaultsTest, WhereverTheDiskFailsNothingAcknowledgedIsLost) {
  const std::vector<Failure> failures = {
      {FaultyDisk::Call::write, SQLITE_FULL, "the disk is full"},
      {FaultyDisk::Call::write, SQLITE_IOERR_WRITE, "disk I/O error"},
      {FaultyDisk::Call::sync, SQLITE_IOERR_FSYNC, "disk I/O error"}};
  for (const Failure& failure : failures) {
    int points = 0;
    for (int good = 0;; ++good) {
      fs::remove(file_);
      fs::remove(file_ + "-wal");
      fs::remove(file_ + "-shm");
      FaultyDisk disk;
      auto journal = open_journal(file_);
      write(*journal, 3);
      Tool(file_).query("PRAGMA wal_checkpoint(TRUNCATE)");
      int acknowledged = 3;
      std::string error;
      disk.fail_after(good, failure.call, failure.code);
      for (int n = 4; n <= 6 && error.empty(); ++n) {
        error = error_of([&] { append(*journal, n); });
        if (error.empty()) acknowledged = n;
      }
      const bool failed = disk.failed();
      disk.heal();
      const int found = last_of(copied());
      EXPECT_GE(found, acknowledged) << "after a crash";
      EXPECT_LE(found, acknowledged + 1);
      if (!failed) break;
      ++points;
      EXPECT_NE(error.find(failure.says), std::string::npos) << error;
      EXPECT_EQ(journal->state("r1"), state_of(acknowledged));
      EXPECT_EQ(append(*journal, acknowledged + 1), acknowledged + 1) << "it goes on by itself";
      journal.reset();
      EXPECT_EQ(last_of(file_), acknowledged + 1);
    }
    EXPECT_GE(points, 3);
  }
}

TEST_F(FaultsTest, OfATornLogWhatWasWholeIsThere) {
  const auto journal = open_journal(file_);
  write(*journal, 2);
  Tool(file_).query("PRAGMA wal_checkpoint(TRUNCATE)");
  std::vector<std::size_t> sizes = {0};  // of the log, when each further append was acknowledged
  for (int n = 3; n <= 6; ++n) {
    append(*journal, n);
    sizes.push_back(fs::file_size(file_ + "-wal"));
  }
  const std::string log = read(file_ + "-wal");
  for (std::size_t cut = 0; cut <= log.size(); cut += 1500) {
    const std::string copy = copied();
    write_file(copy + "-wal", log.substr(0, cut));
    int acknowledged = 2;
    for (std::size_t i = 1; i < sizes.size() && sizes[i] <= cut; ++i) ++acknowledged;
    EXPECT_EQ(last_of(copy), acknowledged) << "cut at " << cut;
    // The same where the rest of the page is there, but not what it should be.
    write_file(copied() + "-wal", log.substr(0, cut) + std::string(log.size() - cut, '\x5a'));
    EXPECT_EQ(last_of(folder_ / fmt::format("copy-{}.db", copies_)), acknowledged);
  }
}

// Either the journal is what it was, or somebody is told.
TEST_F(FaultsTest, AFlippedBitIsFoundOut) {
  {
    const auto journal = open_journal(file_);
    write(*journal, 40);
    const auto line = a_run("r1");
    journal->append("r1", {an_entry(41, "suspended")}, nullptr, &line);
  }
  const std::string whole = read(file_);
  const auto all_of = [](Journal& journal) {
    std::string all = to_text(journal.state("r1"));
    for (const Entry& entry : journal.entries("r1")) {
      all += fmt::format("{} {} {} {} {}\n", entry.seq, entry.kind, entry.path,
                         entry.time.time_since_epoch().count(), to_text(entry.body));
    }
    for (const auto& [path, text] : journal.sources("r1")) all += path + text;
    const auto run = journal.find("r1").value();
    return all + run.id + run.task + run.status + run.outcome + run.branch + to_text(run.options);
  };
  const std::string as_written = all_of(*open_journal(file_));
  std::mt19937 random(7);
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    const std::size_t place = random() % whole.size();
    std::string altered = whole;
    altered[place] = static_cast<char>(altered[place] ^ (1 << random() % 8));
    write_file(file_, altered);
    std::string read_back;
    const std::string error = error_of([&] {
      const auto journal = open_journal(file_);
      const Diagnosis diagnosis = journal->diagnose("r1");
      if (!diagnosis.faults.empty()) throw Error(diagnosis.faults.front().what);
      read_back = all_of(*journal);
    });
    found += error.empty() ? 0 : 1;
    EXPECT_TRUE(!error.empty() || read_back == as_written) << "at byte " << place;
  }
  EXPECT_GT(found, 75);
}

TEST_F(FaultsTest, OfATruncatedDatabaseTheBeginningIsSaved) {
  {
    const auto journal = open_journal(file_);
    write(*journal, 60);
  }
  fs::resize_file(file_, fs::file_size(file_) * 3 / 4 / 4096 * 4096);
  const auto journal = open_journal(file_);
  EXPECT_EQ(error_of([&] { journal->own("r1", "me"); }),
            fmt::format("the journal '{}' is damaged\n"
                        "restore it from a backup, or move it away, and a new one is made",
                        file_));
  const Diagnosis diagnosis = journal->diagnose("r1");
  ASSERT_GE(diagnosis.faults.size(), 2U);
  EXPECT_GT(diagnosis.sound, 20);
  EXPECT_EQ(diagnosis.usable, diagnosis.sound);
  EXPECT_EQ(diagnosis.faults[0].seq, diagnosis.sound + 1);
  EXPECT_EQ(diagnosis.faults[0].what,
            fmt::format("entry {} of run r1 is not readable", diagnosis.sound + 1));
  EXPECT_TRUE(diagnosis.faults.back().what.starts_with("the database itself is damaged: "))
      << diagnosis.faults.back().what;
  EXPECT_EQ(journal->state_at("r1", diagnosis.usable),
            state_of(static_cast<int>(diagnosis.usable)));
}

TEST_F(FaultsTest, ADiagnosisSaysWhatIsWrongWhereAndWhatIsLeft) {
  const auto journal = open_journal(file_);
  write(*journal, 12);
  Tool tool(file_);
  tool.query("UPDATE entries SET body = 'null' WHERE seq = 5");
  tool.query("DELETE FROM entries WHERE seq IN (8, 9)");
  tool.query("UPDATE texts SET text = 'other'");
  tool.query("UPDATE runs SET status = 'complete'");
  const Diagnosis diagnosis = journal->diagnose("r1");
  std::vector<std::string> faults;
  for (const auto& fault : diagnosis.faults) {
    faults.push_back(fmt::format("{}: {}", fault.seq, fault.what));
  }
  EXPECT_EQ(faults, (std::vector<std::string>{
                        "5: entry 5 of run r1 is not as it was written",
                        "8: entries 8 to 9 of run r1 are missing",
                        "0: the line of run r1 is not as it was written",
                        "0: source 'a.yaml' of run r1 is not as it was written",
                    }));
  EXPECT_EQ(diagnosis.newest, 12);
  EXPECT_EQ(diagnosis.sound, 4);
  EXPECT_EQ(diagnosis.usable, 4);

  // What can be saved goes on as another run.
  journal->fork("r1", diagnosis.usable, a_run("r2"), an_entry(20, "forked"));
  EXPECT_EQ(journal->state("r2"), state_of(4));
  EXPECT_EQ(error_of([&] { journal->fork("r1", 6, a_run("r3"), an_entry(20, "forked")); }),
            fmt::format("the journal '{}' is damaged: entry 5 of run r1 is not as it was written\n"
                        "see what can be saved with 'agneto doctor r1'",
                        file_));
  EXPECT_FALSE(journal->find("r3"));
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
  const std::string refused = fmt::format(
      "cannot write the journal '{}': it is read-only\n"
      "give yourself the right to write it and its folder",
      file_);
  EXPECT_EQ(error_of([&] { journal->own("r1", "me"); }), refused);
  EXPECT_EQ(error_of([&] { journal->post("r1", {"abort", nullptr}); }), refused);
  read_only = false;
  disk->xSetSystemCall(disk, nullptr, nullptr);
  EXPECT_EQ(last_of(file_), 3);
}

}  // namespace
}  // namespace agneto::journal
