// Databases of a PostgreSQL that the tests of one program share.
#pragma once

#include <string>
#include <vector>

#include "journal/stores.h"
#include "support/postgresql_server.h"

namespace agneto::journal {

inline testing::PostgresqlServer& test_server() {
  static testing::PostgresqlServer server;
  return server;
}

// One with the tables of a journal and nothing in them, as long as this lives. To empty one takes a
// tenth of the time that it takes to make one.
class TestDatabase {
 public:
  TestDatabase() {
    if (free().empty()) {
      free().push_back("journal_" + std::to_string(++made()));
      admin().query("CREATE DATABASE " + free().back());
      open_postgresql_journal(test_server().uri(free().back()));
    }
    database_ = free().back();
    free().pop_back();
  }
  ~TestDatabase() {
    admin().query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                  database_ + "'");
    query(
        "TRUNCATE runs, texts, sources, entries, inbox, leases, grants, notices, noticed "
        "RESTART IDENTITY; SELECT setval('change_numbers', 0)");
    free().push_back(database_);
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  std::string uri() const { return test_server().uri(database_); }
  std::string name() const { return test_server().name(database_); }
  // All values, row by row, of a connection that looks for tables where the journal's are.
  std::vector<std::string> query(const std::string& sql) const {
    testing::Psql psql(uri());
    psql.query("SET search_path = agneto");
    return psql.query(sql);
  }

 private:
  static testing::Psql admin() { return testing::Psql(test_server().uri("postgres")); }
  static int& made() {
    static int made = 0;
    return made;
  }
  static std::vector<std::string>& free() {
    static std::vector<std::string> free;
    return free;
  }

  std::string database_;
};

}  // namespace agneto::journal
