// Tables of each older format, as the program of its time has made them, are brought up to today's.
// data/postgresql-format-N.sql: a run whose question waits, one that is queued, and a token.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "journal/journal_fixture.h"
#include "support/paths.h"

namespace agneto::journal {
namespace {

using ::testing::ElementsAre;

class PostgresqlMigrationTest : public ::testing::Test {
 protected:
  PostgresqlMigrationTest() {
    const auto file =
        std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/journal/data/postgresql-format-2.sql";
    database_.query("DROP SCHEMA agneto CASCADE;" + Disk().read(file).value());
  }

  TestDatabase database_;
};

TEST_F(PostgresqlMigrationTest, KeepsRunsWithTheirSourcesStatesAndEntries) {
  const auto journal = open_journal(database_.uri());
  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].status, "queued");
  EXPECT_EQ(runs[1].status, "suspended");
  for (const RunRecord& run : runs) {
    journal->check(run.id);
    EXPECT_EQ(journal->sources(run.id).size(), 1U);
  }
  EXPECT_THAT(journal->grants(), ElementsAre(::testing::Field(&Grant::name, "ada")));
  const std::string& waiting = runs[1].id;
  const Seq newest = journal->newest(waiting);
  journal->own(waiting, "me");
  EXPECT_EQ(journal->append(waiting, {an_entry(1, "x")}, {{"n", 1}}), newest + 1);
}

TEST_F(PostgresqlMigrationTest, MakesTheTablesThatNewDatabasesHave) {
  const std::string columns =
      "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable FROM "
      "information_schema.columns WHERE table_schema = 'agneto' ORDER BY 1";
  const std::string indexes =
      "SELECT indexdef FROM pg_indexes WHERE schemaname = 'agneto' ORDER BY 1";
  const TestDatabase made;
  open_journal(database_.uri());
  EXPECT_EQ(database_.query(columns), made.query(columns));
  EXPECT_EQ(database_.query(indexes), made.query(indexes));
}

}  // namespace
}  // namespace agneto::journal
