// The runs' records, owners and sources, as they are stored.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "journal/sqlite/entry_table.h"

namespace agneto::journal {

// Who may write a run.
struct Owner {
  std::int64_t epoch = 0;
  std::string who;
};

// The sources of all runs; a text that several have is stored once. Not thread-safe. A run is known
// by its number, and is to be sealed when its sources are others.
class SourceTable {
 public:
  explicit SourceTable(Database& database) : database_(database) {}

  void set(std::int64_t run, const std::map<std::string, std::string>& sources);
  void copy(std::int64_t from, std::int64_t to);
  std::map<std::string, std::string> all(std::int64_t run);
  // The paths of those whose text is not the one that was written.
  std::vector<std::string> altered(std::int64_t run);
  // Their hashes by path.
  std::map<std::string, std::string> hashes(std::int64_t run);

 private:
  Database& database_;
  Statement insert_text_{database_, "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)"};
  Statement insert_{database_, "INSERT INTO sources (run, path, hash) VALUES (?, ?, ?)"};
  Statement delete_{database_, "DELETE FROM sources WHERE run = ?"};
  Statement select_hashes_{database_, "SELECT path, hash FROM sources WHERE run = ? ORDER BY path"};
  Statement copy_{database_,
                  "INSERT INTO sources (run, path, hash) "
                  "SELECT ?, path, hash FROM sources WHERE run = ?"};
  Statement select_{database_,
                    "SELECT path, text, hash FROM sources LEFT JOIN texts USING (hash) "
                    "WHERE run = ? ORDER BY path"};
};

// Not thread-safe. A run is known by its number.
//
// More than 25 names: a third of them are the prepared statements.
class RunTable {
 public:
  RunTable(Database& database, EntryTable& entries, SourceTable& sources)
      : database_(database), entries_(entries), sources_(sources) {}

  // Throws Error where there is none.
  std::int64_t number(const std::string& run_id);
  // Returns its number. Throws Error where there is one of that id, OriginTaken where there is one
  // of that origin. The caller seals it.
  std::int64_t insert(const RunRecord& run);
  // All of it. Numbers of changes go on from where they are: the run whose change is the newest
  // after it is shown as changed once more.
  void remove(const RunRecord& run);
  // The caller seals it.
  void update(std::int64_t number, const RunRecord& run);
  // The caller seals it.
  void set_owner(std::int64_t number, const Owner& owner);
  // Says in the run's record which entry is the last, and puts a sum over the record and the list
  // of its sources.
  void seal(std::int64_t number, const Head& last);

  Owner owner(std::int64_t number);
  // The last entry when the record was sealed, without its time.
  Head sealed(std::int64_t number);
  // Are the record and the list of its sources as they were sealed?
  bool intact(std::int64_t number);

  std::optional<RunRecord> find(const std::string& run_id);
  std::vector<RunRecord> list(const Wanted& wanted);
  // Shows the runs that are to be taken up, as Queue::due says, until `visit` says false. It does
  // not know whether somebody has them.
  void due(const Taker& taker, const Bounds& reached, Time now,
           const std::function<bool(RunRecord)>& visit);
  std::optional<Time> next_wake(Time after);
  std::optional<RunRecord> newest_of(const std::string& origins);
  std::int64_t count(const std::string& status);
  std::vector<Changed> changes(std::int64_t after, std::size_t most);
  std::int64_t newest_change();

 private:
  // The sum over a record; in `stored`, the one that it has.
  std::string sum(std::int64_t number, std::string& stored);
  RunRecord read(Statement& row);
  std::vector<RunRecord> all(Statement& select);

  static inline const std::string select_runs =
      "SELECT id, workflow, file, task, status, outcome, base, branch, created, updated, options, "
      "epoch, owner, seq, hash, sum, number, priority, wake, questions, change, "
      "origin, needs FROM runs ";
  Database& database_;
  EntryTable& entries_;
  SourceTable& sources_;
  Statement select_number_{database_, "SELECT number FROM runs WHERE id = ?"};
  Statement insert_{database_,
                    "INSERT INTO runs (workflow, file, task, status, outcome, base, branch, "
                    "updated, options, priority, wake, questions, id, created, needs, origin) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''))"};
  Statement update_{database_,
                    "UPDATE runs SET workflow = ?, file = ?, task = ?, status = ?, outcome = ?, "
                    "base = ?, branch = ?, updated = max(updated, ?), options = ?, priority = ?, "
                    "wake = ?, questions = ? WHERE number = ?"};
  Statement set_owner_{database_, "UPDATE runs SET epoch = ?, owner = ? WHERE number = ?"};
  Statement seal_{database_,
                  "UPDATE runs SET seq = ?, hash = ?, "
                  "change = 1 + (SELECT max(change) FROM runs) WHERE number = ?"};
  Statement set_sum_{database_, "UPDATE runs SET sum = ? WHERE number = ?"};
  Statement select_owner_{database_, "SELECT epoch, owner FROM runs WHERE number = ?"};
  Statement select_by_number_{database_, select_runs + "WHERE number = ?"};
  Statement select_by_id_{database_, select_runs + "WHERE id = ?"};
  // What `due` binds first.
  static inline const std::string for_taker =
      " AND NOT EXISTS (SELECT 1 FROM json_each(needs) "
      "WHERE value NOT IN (SELECT value FROM json_each(?))) "
      "AND workflow NOT IN (SELECT value FROM json_each(?)) "
      "AND NOT EXISTS (SELECT 1 FROM json_each(needs) "
      "WHERE value IN (SELECT value FROM json_each(?))) "
      "AND id NOT IN (SELECT value FROM json_each(?)) ";
  Statement select_running_{database_, select_runs +
                                           "WHERE status = 'running' AND instr(options, '" +
                                           served_text + "') > 0" + for_taker + "ORDER BY number"};
  // Found by two indexes: with OR, all parked ones would be looked at.
  Statement select_awake_{database_,
                          select_runs + "WHERE status = 'parked'" + for_taker +
                              "AND number IN (SELECT number FROM runs INDEXED BY wakes "
                              "WHERE status = 'parked' "
                              "AND wake <= ? UNION SELECT run FROM inbox) ORDER BY number"};
  Statement select_queued_{database_, select_runs + "WHERE status = 'queued'" + for_taker +
                                          "ORDER BY priority DESC, number"};
  Statement select_wake_{
      database_,
      "SELECT wake FROM runs INDEXED BY wakes WHERE status = 'parked' AND wake > ? "
      "ORDER BY wake LIMIT 1"};
  Statement select_origin_{database_, "SELECT count(*) FROM runs WHERE origin = ?"};
  Statement select_newest_of_{
      database_, select_runs + "WHERE origin >= ? AND origin < ? ORDER BY origin DESC LIMIT 1"};
  Statement count_{database_, "SELECT count(*) FROM runs WHERE status = ?"};
  Statement select_changes_{database_, select_runs + "WHERE change > ? ORDER BY change LIMIT ?"};
  Statement select_change_{database_, "SELECT max(change) FROM runs"};
};

// One run of a database. Not thread-safe.
class SqliteRun : public StoredRun {
 public:
  // Throws Error where there is none.
  SqliteRun(Database& database, RunTable& runs, SourceTable& sources, EntryTable& entries,
            std::string run_id)
      : database_(database),
        runs_(runs),
        sources_(sources),
        entries_(entries),
        id_(std::move(run_id)),
        number_(runs.number(id_)) {}

  std::int64_t number() const { return number_; }

  const std::string& id() const override { return id_; }
  const std::string& place() const override { return database_.path(); }
  void visit(Seq first, Seq last, const Visit& visit) override {
    entries_.visit(number_, first, last, visit);
  }
  void visit_back(Seq last, const Visit& visit) override {
    entries_.visit_back(number_, last, visit);
  }
  RewindView rewinds(Seq head) override { return entries_.rewinds(number_, head); }
  Head sealed() override { return runs_.sealed(number_); }
  bool intact() override { return runs_.intact(number_); }
  std::vector<std::string> altered_sources() override { return sources_.altered(number_); }

 private:
  Database& database_;
  RunTable& runs_;
  SourceTable& sources_;
  EntryTable& entries_;
  std::string id_;
  std::int64_t number_;
};

}  // namespace agneto::journal
