// The entries of all runs, as they are stored.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.h"
#include "journal/sqlite/sqlite.h"

namespace agneto::journal {

// The last entry of a run: what the next one follows.
struct Head {
  Seq seq = 0;
  Time time{};
  std::string hash;
};

struct Row {
  Entry entry;  // without its body
  std::string body;
  std::string change;  // of the state; empty: none
  std::string hash;

  Head head() const { return {entry.seq, entry.time, hash}; }
};

// The hash that ties an entry to all before it, so that a record that was altered is found out:
// SHA-256 over the hash of the entry before (empty for the first), the entry, its body and its
// change; docs/journal.md says of which bytes.
std::string chain_hash(std::string_view previous, std::string_view run_id, const Row& row);

// Which entries of a run stand, after its rewinds.
class RewindView {
 public:
  struct Rewind {
    Seq seq = 0;  // of the entry that says so
    Seq to = 0;   // what came after it, and before `seq`, is undone
  };
  // As it is after entry `head`; `rewinds` are in the order of their entries.
  RewindView(const std::vector<Rewind>& rewinds, Seq head);

  bool stands(Seq seq) const;

 private:
  std::vector<Rewind> undone_;  // disjoint
};

// Not thread-safe. A run is known by its number.
class EntryTable {
 public:
  explicit EntryTable(Database& database) : database_(database) {}

  const std::string& file() const { return database_.path(); }

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
