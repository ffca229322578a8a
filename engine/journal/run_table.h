// The runs' lines, owners and sources, as they are stored.
//
// More than 25 names: a prepared statement is a member each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/entry_table.h"

namespace agneto::journal {

// Who may write a run.
struct Owner {
  std::int64_t epoch = 0;
  std::string who;
};

// Not thread-safe. A run is known by its number.
class RunTable {
 public:
  explicit RunTable(Database& database);

  // 0: there is none.
  std::int64_t find_number(const std::string& run_id);
  // Throws Error where there is none.
  std::int64_t number(const std::string& run_id);
  // Its number. Throws Error where there is one of that id. To be sealed.
  std::int64_t insert(const RunRecord& run);
  // To be sealed.
  void update(std::int64_t number, const RunRecord& run);
  // To be sealed.
  void set_owner(std::int64_t number, const Owner& owner);
  // Says in the run's line which entry is the last, and puts a sum over the line and the list of
  // its sources.
  void seal(std::int64_t number, const Head& last);

  std::int64_t epoch(std::int64_t number);
  Owner owner(std::int64_t number);
  // The last entry when the line was sealed, without its time.
  Head sealed(std::int64_t number);
  // Are the line and the list of its sources as they were sealed?
  bool intact(std::int64_t number);

  std::optional<RunRecord> find(const std::string& run_id);
  std::vector<RunRecord> list();

  // To be sealed, as are copies.
  void set_sources(std::int64_t number, const std::map<std::string, std::string>& sources);
  void copy_sources(std::int64_t from, std::int64_t to);
  std::map<std::string, std::string> sources(std::int64_t number);
  // Those whose text is not the one that was written.
  std::vector<std::string> altered_sources(std::int64_t number);

 private:
  // Their paths and hashes, as JSON.
  std::string source_list(std::int64_t number);
  static void bind_line(Statement& statement, const RunRecord& run);
  // `stored`: what the line says of itself.
  std::string sum(std::int64_t number, std::string& stored);
  Time last_at_work(std::int64_t number);
  RunRecord read(Statement& row);

  Database& database_;
  Statement select_number_{database_, "SELECT number FROM runs WHERE id = ?"};
  Statement insert_{database_,
                    "INSERT INTO runs (id, created, workflow, file, task, status, outcome, base, "
                    "branch, updated, options) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement update_{database_,
                    "UPDATE runs SET workflow = ?, file = ?, task = ?, status = ?, outcome = ?, "
                    "base = ?, branch = ?, updated = max(updated, ?), options = ? "
                    "WHERE number = ?"};
  Statement set_owner_{database_, "UPDATE runs SET epoch = ?, owner = ? WHERE number = ?"};
  Statement seal_{database_, "UPDATE runs SET seq = ?, hash = ? WHERE number = ?"};
  Statement set_sum_{database_, "UPDATE runs SET sum = ? WHERE number = ?"};
  Statement select_sealed_{
      database_,
      "SELECT id, workflow, file, task, status, outcome, base, branch, created, updated, options, "
      "epoch, owner, seq, hash, sum FROM runs WHERE number = ?"};
  Statement select_epoch_{database_, "SELECT epoch FROM runs WHERE number = ?"};
  Statement select_last_time_{database_,
                              "SELECT time FROM entries WHERE place BETWEEN ? << 32 AND "
                              "? << 32 | 0xFFFFFFFF ORDER BY place DESC LIMIT 1"};
  Statement select_run_;
  Statement select_runs_;
  Statement insert_text_{database_, "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)"};
  Statement insert_source_{database_, "INSERT INTO sources (run, path, hash) VALUES (?, ?, ?)"};
  Statement delete_sources_{database_, "DELETE FROM sources WHERE run = ?"};
  Statement select_source_hashes_{database_,
                                  "SELECT path, hash FROM sources WHERE run = ? ORDER BY path"};
  Statement copy_sources_{database_,
                          "INSERT INTO sources (run, path, hash) "
                          "SELECT ?, path, hash FROM sources WHERE run = ?"};
  Statement select_sources_{database_,
                            "SELECT path, text, hash FROM sources LEFT JOIN texts USING (hash) "
                            "WHERE run = ? ORDER BY path"};
};

}  // namespace agneto::journal
