// Databases of a PostgreSQL that the tests of one program share.
#pragma once

#include <map>
#include <string>
#include <thread>
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
  // Those who connect as one of these roles, which the tenant of the same name has, share it; their
  // superuser is `agneto`, who has it alone where none is given.
  explicit TestDatabase(std::vector<std::string> tenants = {}) : tenants_(std::move(tenants)) {
    if (free().empty()) {
      free().push_back("journal_" + std::to_string(++made()));
      admin().query("CREATE DATABASE " + free().back());
      open_postgresql_journal(test_server().uri(free().back()));
      database_ = free().back();
      for (const std::string& tenant : tenants_) admit(tenant);
    }
    database_ = free().back();
    free().pop_back();
  }
  ~TestDatabase() {
    admin().query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" +
                  database_ + "'");
    query(
        "TRUNCATE runs, texts, sources, entries, inbox, leases, grants, notices, noticed, workers "
        "RESTART IDENTITY; SELECT setval('change_numbers', 0)");
    free().push_back(database_);
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  // As the first tenant has it.
  std::string uri() const { return uri(first()); }
  std::string uri(const std::string& role) const { return test_server().uri(database_, role); }
  std::string name() const { return name(first()); }
  std::string name(const std::string& role) const { return test_server().name(database_, role); }
  // All values, row by row, of a connection that looks for tables where the journal's are.
  std::vector<std::string> query(const std::string& sql) const {
    testing::Psql psql(uri("agneto"));
    psql.query("SET search_path = agneto");
    return psql.query(sql);
  }

 private:
  std::string first() const { return tenants_.empty() ? "agneto" : tenants_.front(); }
  void admit(const std::string& role) const {
    query("DO $$ BEGIN CREATE ROLE " + role +
          " LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    query("GRANT USAGE ON SCHEMA agneto TO " + role);
    query("GRANT ALL ON ALL TABLES IN SCHEMA agneto TO " + role);
    query("GRANT ALL ON ALL SEQUENCES IN SCHEMA agneto TO " + role);
    query("REVOKE ALL ON members FROM " + role);
    query("SELECT admit('" + role + "', '" + role + "')");
  }
  static testing::Psql admin() { return testing::Psql(test_server().uri("postgres")); }
  static int& made() {
    static int made = 0;
    return made;
  }
  // Those that have these tenants.
  std::vector<std::string>& free() const {
    static std::map<std::vector<std::string>, std::vector<std::string>> free;
    return free[tenants_];
  }

  const std::vector<std::string> tenants_;
  std::string database_;
};

// What another thread or process brings about: at most for a minute.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 12'000 && !condition(); ++i) std::this_thread::sleep_for(Millis(5));
  return condition();
}

}  // namespace agneto::journal
