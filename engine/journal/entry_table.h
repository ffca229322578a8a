// The entries of all runs, as they are stored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "journal/chain.h"
#include "journal/rewind_view.h"
#include "journal/sqlite.h"

namespace agneto::journal {

struct Row {
  Entry entry;  // without its body
  Texts texts;
  std::string hash;
};

// The last entry of a run: what the next one follows.
struct Head {
  Seq seq = 0;
  Time time{};
  std::string hash;
};

// Not thread-safe. A run is known by its number.
class EntryTable {
 public:
  explicit EntryTable(Database& database) : database_(database) {}

  const std::string& file() const { return database_.path(); }

  void insert(std::int64_t run, const Row& row);
  // From `first` to `last`, in order, until `visit` says false.
  void visit(std::int64_t run, Seq first, Seq last, const std::function<bool(Row&)>& visit);
  // From `last` to the first, backwards, until `visit` says false.
  void visit_back(std::int64_t run, Seq last, const std::function<bool(Row&)>& visit);
  std::vector<Row> of_path(std::int64_t run, const std::string& path);
  Head head(std::int64_t run);
  std::vector<Rewind> rewinds(std::int64_t run);

 private:
  static Row read(Statement& row);
  static void all(Statement& rows, const std::function<bool(Row&)>& visit);

  Database& database_;
  Statement insert_{database_,
                    "INSERT INTO entries (place, time, kind, path, body, change, hash) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement select_{database_,
                    "SELECT seq, time, kind, path, body, change, hash FROM entries "
                    "WHERE place BETWEEN ? AND ? ORDER BY place"};
  Statement select_back_{database_,
                         "SELECT seq, time, kind, path, body, change, hash FROM entries "
                         "WHERE place BETWEEN ? AND ? ORDER BY place DESC"};
  Statement select_path_{database_,
                         "SELECT seq, time, kind, path, body, change, hash FROM entries "
                         "WHERE run = ? AND path = ? AND path <> '' ORDER BY place"};
  Statement select_rewinds_{database_,
                            "SELECT seq, body FROM entries "
                            "WHERE run = ? AND kind = 'rewound' ORDER BY place"};
};

}  // namespace agneto::journal
