// Runs and entries for the journal's tests, and what they are stored in.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "journal/journal.h"
#include "journal/postgresql/server_fixture.h"
#include "journal/sqlite/sqlite_tool.h"
#include "journal/stores.h"
#include "support/temporary_folder.h"

namespace agneto::journal {

inline Time at(std::int64_t millis) {
  return Time(Millis(millis));
}

inline RunRecord a_run(const std::string& id) {
  RunRecord run;
  run.id = id;
  run.workflow = "agneto";
  run.file = "workflows/agneto.yaml";
  run.task = "add a flag";
  run.status = "running";
  run.base = "main";
  run.branch = "agneto/" + id;
  run.created = at(1000);
  run.updated = at(1000);
  run.options = {{"inputs", {{"task", "add a flag"}}}};
  return run;
}

inline Entry an_entry(std::int64_t millis, std::string kind, std::string path = {},
                      Json body = nullptr) {
  return {0, at(millis), std::move(kind), std::move(path), std::move(body)};
}

enum class Store { sqlite, postgresql, tenant };

inline std::string name_of(const ::testing::TestParamInfo<Store>& store) {
  if (store.param == Store::sqlite) return "Sqlite";
  return store.param == Store::postgresql ? "Postgresql" : "PostgresqlOfTenants";
}

// What every journal promises is tried with each store, and as one of a database's tenants.
#define TRY_EACH_STORE(fixture)                                                                \
  INSTANTIATE_TEST_SUITE_P(Stores, fixture,                                                    \
                           ::testing::Values(Store::sqlite, Store::postgresql, Store::tenant), \
                           name_of)

class StoreTest : public ::testing::TestWithParam<Store> {
 protected:
  StoreTest() {
    if (GetParam() == Store::postgresql) database_ = std::make_unique<TestDatabase>();
    if (GetParam() == Store::tenant)
      database_ = std::make_unique<TestDatabase>(std::vector<std::string>{"acme"});
    where_ = database_ ? database_->uri() : (folder_ / "runs.db").string();
  }

  // The journal, as messages name it.
  std::string place() const { return database_ ? database_->name() : where_; }
  // What any tool that knows docs/journal.md sees: all values, row by row.
  std::vector<std::string> query(const std::string& sql) {
    return database_ ? database_->query(sql) : Tool(where_).query(sql);
  }

  testing::TemporaryFolder folder_;
  std::string where_;

 private:
  std::unique_ptr<TestDatabase> database_;
};

class JournalTest : public StoreTest {
 protected:
  std::vector<Seq> seqs(const std::string& run_id) {
    std::vector<Seq> seqs;
    for (const Entry& entry : journal_->entries(run_id)) {
      seqs.push_back(entry.seq);
    }
    return seqs;
  }

  std::unique_ptr<Journal> journal_ = open_journal(where_);
};

}  // namespace agneto::journal
