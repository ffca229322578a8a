// The entries of all runs, as they are stored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "journal/sqlite/sqlite.h"
#include "journal/stored_run.h"

namespace agneto::journal {

// Not thread-safe. A run is known by its number.
class EntryTable {
 public:
  explicit EntryTable(Database& database) : database_(database) {}

  void insert(std::int64_t run, const Row& row);
  // Shows the entries from `first` to `last`, in order, until `visit` says false.
  void visit(std::int64_t run, Seq first, Seq last, const std::function<bool(Row)>& visit);
  // Shows those from `last` back to the first, until `visit` says false.
  void visit_back(std::int64_t run, Seq last, const std::function<bool(Row)>& visit);
  std::vector<Row> of_path(std::int64_t run, const std::string& path);
  Head head(std::int64_t run);
  // When the newest entry was made.
  Time last_time(std::int64_t run);
  RewindView rewinds(std::int64_t run, Seq head);

 private:
  static Row read(Statement& row);

  static inline const std::string select_rows =
      "SELECT seq, time, kind, path, body, change, hash FROM entries ";
  Database& database_;
  Statement insert_{database_,
                    "INSERT INTO entries (place, time, kind, path, body, change, hash) "
                    "VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?)"};
  Statement select_{database_, select_rows + "WHERE place BETWEEN ? AND ? ORDER BY place"};
  Statement select_back_{database_,
                         select_rows + "WHERE place BETWEEN ? AND ? ORDER BY place DESC"};
  Statement select_path_{database_,
                         select_rows + "WHERE run = ? AND path = ? AND path <> '' ORDER BY place"};
  Statement select_last_time_{
      database_,
      "SELECT time FROM entries WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1"};
  Statement select_rewinds_{database_,
                            "SELECT seq, body FROM entries "
                            "WHERE run = ? AND kind = 'rewound' ORDER BY place"};
};

}  // namespace agneto::journal
