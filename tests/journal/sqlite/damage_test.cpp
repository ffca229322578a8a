// Files that are cut or altered: what is damaged is found out, it is said where, and what is not
// can still be had.
#include <gtest/gtest.h>

#include <random>

#include "journal/sqlite/faults_fixture.h"
#include "journal/sqlite/sqlite_tool.h"

namespace agneto::journal {
namespace {

using testing::error_of;

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
  EXPECT_GT(found, 40);
}

// What is found out is the end of a log: whole appends that SQLite takes for those of a crash.
TEST_F(FaultsTest, OfALogWithAFlippedBitWhatIsBeforeItIsThere) {
  const auto journal = open_journal(file_);
  write(*journal, 2);
  Tool(file_).query("PRAGMA wal_checkpoint(TRUNCATE)");
  std::vector<std::size_t> sizes;
  for (int n = 3; n <= 6; ++n) {
    append(*journal, n);
    sizes.push_back(fs::file_size(file_ + "-wal"));
  }
  const std::string log = read(file_ + "-wal");
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const std::size_t place = random() % log.size();
    std::string altered = log;
    altered[place] = static_cast<char>(altered[place] ^ (1 << random() % 8));
    const std::string copy = copied();
    write_file(copy + "-wal", altered);
    int whole = 2;
    while (whole < 6 && sizes[static_cast<std::size_t>(whole) - 2] <= place) ++whole;
    EXPECT_EQ(last_of(copy), whole) << "at byte " << place;
  }
}

TEST_F(FaultsTest, OfATruncatedDatabaseTheBeginningIsSaved) {
  {
    const auto journal = open_journal(file_);
    write(*journal, 60);
  }
  fs::resize_file(file_, fs::file_size(file_) * 3 / 4 / page_size() * page_size());
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
  EXPECT_TRUE(diagnosis.file_damaged);
}

// All entries are behind what is left, but the runs are not.
TEST_F(FaultsTest, RunsWhoseEntriesAreGoneAreListedAndExamined) {
  {
    const auto journal = open_journal(file_);
    write(*journal, 20);
  }
  const auto roots = std::stoul(Tool(file_).query("SELECT max(rootpage) FROM sqlite_schema").at(0));
  fs::resize_file(file_, roots * page_size());
  const auto journal = open_journal(file_);
  ASSERT_EQ(journal->list().size(), 1U);
  EXPECT_EQ(journal->find("r1")->branch, "agneto/r1");
  const Diagnosis diagnosis = journal->diagnose("r1");
  EXPECT_EQ(diagnosis.faults.at(0).what, "entry 1 of run r1 is not readable");
  EXPECT_EQ(diagnosis.usable, 0);
  EXPECT_TRUE(diagnosis.file_damaged);
}

TEST_F(FaultsTest, WhereverADatabaseIsCutItIsSaid) {
  {
    const auto journal = open_journal(file_);
    write(*journal, 20);
  }
  const std::string whole = read(file_);
  for (std::size_t size = 100; size < whole.size(); size += 1900) {
    write_file(file_, whole.substr(0, size));
    bool said = false;
    const std::string error = error_of([&] {
      const auto journal = open_journal(file_);
      const Diagnosis diagnosis = journal->diagnose("r1");
      said = !diagnosis.faults.empty();
      if (diagnosis.usable == 0) return;
      EXPECT_EQ(journal->state_at("r1", diagnosis.usable),
                state_of(static_cast<int>(diagnosis.usable)));
    });
    if (said) continue;
    if (error.empty()) {
      EXPECT_EQ(last_of(file_), 20) << "only what was not used is gone";
      continue;
    }
    EXPECT_TRUE(error == fmt::format("the journal '{}' is damaged\n"
                                     "restore it from a backup, or move it away, and a new one is "
                                     "made",
                                     file_))
        << size << ": " << error;
  }
}

// A source whose text is gone is one that was altered.
TEST_F(FaultsTest, ASourceWithoutItsTextIsNotGoneOnWith) {
  const auto journal = open_journal(file_);
  write(*journal, 3);
  Tool tool(file_);
  tool.query("PRAGMA foreign_keys = OFF");
  tool.query("DELETE FROM texts");
  EXPECT_EQ(error_of([&] { journal->sources("r1"); }),
            damaged("source 'a.yaml' of run r1 is not as it was written"));
}

// Or else what it has undone would stand again.
TEST_F(FaultsTest, ARunWhoseRewindCannotBeReadIsNotShown) {
  const auto journal = open_journal(file_);
  write(*journal, 3);
  journal->rewind("r1", 2, an_entry(4, ""));
  for (const char* body : {"null", "{}", "{\"to\""}) {
    Tool(file_).query(fmt::format("UPDATE entries SET body = '{}' WHERE seq = 4", body));
    EXPECT_EQ(error_of([&] { journal->entries("r1"); }),
              damaged("entry 4 of run r1 is not as it was written"));
    EXPECT_EQ(journal->diagnose("r1").faults.at(0).what,
              "entry 4 of run r1 is not as it was written");
  }
}

}  // namespace
}  // namespace agneto::journal
