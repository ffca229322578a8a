// A journal of each older format, as the program of its time has written it, is brought up to
// today's. data/format-N.db: a run that is complete, and one whose question waits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "journal/journal_fixture.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/errors.h"
#include "support/paths.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class MigrationTest : public ::testing::Test {
 protected:
  MigrationTest() {
    std::filesystem::copy_file(
        std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data/format-1.db", file_);
  }

  const std::string complete_ = "the-login-page-nredirects-to-its-0c06";
  const std::string waiting_ = "printing-is-slow-aca3";
  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
};

TEST_F(MigrationTest, KeepsRunsWithTheirSourcesStatesAndEntries) {
  const auto states = Tool(file_).query("SELECT state FROM states ORDER BY run");
  const auto bodies = Tool(file_).query("SELECT body FROM entries WHERE run = 1 ORDER BY seq");
  const auto journal = open_journal(file_);
  EXPECT_EQ(Tool(file_).query("PRAGMA user_version"), std::vector<std::string>{"7"});

  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, waiting_);
  EXPECT_EQ(runs[0].status, "suspended");
  EXPECT_EQ(runs[1].id, complete_);
  EXPECT_EQ(runs[1].outcome, "DONE");
  EXPECT_EQ(runs[1].task, "The login page\\nredirects to itself");
  EXPECT_EQ(journal->sources(waiting_).size(), 3U);
  EXPECT_EQ(journal->state(complete_), Json::parse(states.at(0)));
  EXPECT_EQ(journal->state(waiting_), Json::parse(states.at(1)));

  const auto entries = journal->entries(complete_);
  ASSERT_EQ(entries.size(), 13U);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(to_text(entries[i].body), bodies[i]);
    EXPECT_EQ(entries[i].seq, static_cast<Seq>(i + 1));
  }
  EXPECT_EQ(entries[10].kind, "answer");
  EXPECT_EQ(entries[10].path, "CONFIRMING#1");
  EXPECT_EQ(entries[12].kind, "migrated");
  EXPECT_EQ(entries[12].body, Json({{"format", 1}}));
  EXPECT_EQ(journal->entries_of(waiting_, "TRIAGING#2").size(), 3U);
  EXPECT_EQ(journal->entries_of(waiting_, "TRIAGING#2").at(0).kind, "prompt");
}

TEST_F(MigrationTest, KeepsTheChainAndGoesOnWithIt) {
  const auto hashes = Tool(file_).query("SELECT hash FROM entries ORDER BY run, seq");
  const auto journal = open_journal(file_);
  EXPECT_EQ(Tool(file_).query("SELECT hash FROM entries WHERE kind <> 'migrated' ORDER BY place"),
            hashes);
  journal->own(waiting_, "me");
  EXPECT_EQ(journal->append(waiting_, {an_entry(0, "resumed")}, {{"n", 1}}), 11);
  for (const auto& run : {complete_, waiting_}) {
    EXPECT_EQ(error_of([&] { journal->check(run); }), "");
  }
  EXPECT_EQ(error_of([&] { journal->state_at(waiting_, 9); }),
            "the state of run printing-is-slow-aca3 after entry 9 was not recorded\n"
            "choose a later entry");
  EXPECT_EQ(journal->state_at(waiting_, 11), Json({{"n", 1}}));
}

TEST_F(MigrationTest, SeesWhatWasAlteredBefore) {
  Tool(file_).query("UPDATE entries SET body = '{}' WHERE run = 1 AND seq = 4");
  const auto journal = open_journal(file_);
  const Diagnosis diagnosis = journal->diagnose(complete_);
  ASSERT_EQ(diagnosis.faults.size(), 1U);
  EXPECT_EQ(diagnosis.faults[0].seq, 4);
  EXPECT_EQ(diagnosis.newest, 13);
  EXPECT_EQ(diagnosis.sound, 3);
  EXPECT_EQ(diagnosis.usable, 0) << "its states were not recorded then";
}

TEST_F(MigrationTest, HasTheTablesOfANewJournal) {
  const auto columns = [](const std::string& file) {
    std::vector<std::string> all = Tool(file).query(
        "SELECT m.name, c.name, c.type, c.\"notnull\", c.hidden FROM sqlite_schema m "
        "JOIN pragma_table_xinfo(m.name) c ORDER BY m.name, c.cid");
    for (auto& index : Tool(file).query("SELECT name FROM sqlite_schema WHERE type = 'index' "
                                        "ORDER BY name")) {
      all.push_back(std::move(index));
    }
    return all;
  };
  const std::string fresh = folder_ / "fresh.db";
  open_journal(fresh);
  for (int format = 1; format <= 5; ++format) {
    const std::string file = folder_ / fmt::format("{}.db", format);
    std::filesystem::copy_file(std::filesystem::path(AGNETO_SOURCE_DIR) /
                                   fmt::format("tests/journal/data/format-{}.db", format),
                               file);
    open_journal(file);
    EXPECT_EQ(columns(file), columns(fresh)) << "format " << format;
  }
}

TEST_F(MigrationTest, IsDoneOnceByWhoeverComesFirst) {
  const auto first = open_journal(file_);
  const auto second = open_journal(file_);
  EXPECT_EQ(second->entries(waiting_).size(), 10U);
}

TEST(Format2Test, IsGoneOnWithAsItIs) {
  const testing::TemporaryFolder folder;
  const std::string file = folder / "runs.db";
  std::filesystem::copy_file(
      std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data/format-2.db", file);
  const auto rows = [&] {
    return Tool(file).query("SELECT hash, change FROM entries ORDER BY place");
  };
  const auto before = rows();

  const auto journal = open_journal(file);
  EXPECT_EQ(Tool(file).query("PRAGMA user_version"), std::vector<std::string>{"7"});
  EXPECT_EQ(rows(), before);
  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 2U);
  for (const auto& run : runs) {
    EXPECT_EQ(error_of([&] { journal->check(run.id); }), "");
    EXPECT_EQ(journal->state(run.id).at("run").at("threads"), Json::object());
  }
  journal->own("1-3-9535", "me");
  EXPECT_EQ(journal->append("1-3-9535", {an_entry(0, "resumed")}, {{"n", 1}}), 7);
  EXPECT_EQ(journal->state("1-3-9535"), Json({{"n", 1}}));
}

TEST(Format4Test, SaysWhatRunsAskOnlyOnceTheyAreWritten) {
  const testing::TemporaryFolder folder;
  const std::string file = folder / "runs.db";
  std::filesystem::copy_file(
      std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data/format-4.db", file);
  const auto journal = open_journal(file);
  EXPECT_EQ(Tool(file).query("PRAGMA user_version"), std::vector<std::string>{"7"});
  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, "say-bye-9864");
  EXPECT_EQ(runs[0].questions, unknown_questions);
  EXPECT_EQ(runs[0].priority, 0);
  EXPECT_EQ(runs[0].wake, std::nullopt);
  EXPECT_EQ(runs[1].questions, 0);
  for (const auto& run : runs) EXPECT_EQ(error_of([&] { journal->check(run.id); }), "");
  journal->own("say-bye-9864", "me");
  const auto changes = journal->changes(0, 10);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[1].run.id, "say-bye-9864");
}

TEST(Format5Test, KeepsTheQueueAndTheQuestionsOfRunsThatNothingElseHasCaused) {
  const testing::TemporaryFolder folder;
  const std::string file = folder / "runs.db";
  std::filesystem::copy_file(
      std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data/format-5.db", file);
  const auto journal = open_journal(file);
  EXPECT_EQ(Tool(file).query("PRAGMA user_version"), std::vector<std::string>{"7"});
  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 3U);
  for (const auto& run : runs) {
    EXPECT_EQ(error_of([&] { journal->check(run.id); }), "");
    EXPECT_EQ(run.origin, "");
  }
  EXPECT_EQ(journal->due({}, {}, 10).runs.at(0).id, "say-more-2cbe");
  EXPECT_EQ(journal->due({}, {}, 10).runs.at(0).priority, 2);
  EXPECT_EQ(journal->find("say-bye-9dba")->questions, 1);
  EXPECT_EQ(journal->newest_of("schedule "), std::nullopt);
  EXPECT_EQ(journal->newest_change(), 9);
}

}  // namespace
}  // namespace agneto::journal
