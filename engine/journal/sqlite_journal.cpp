#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "journal/chain.h"
#include "journal/journal.h"
#include "journal/sqlite.h"

namespace agneto::journal {

namespace {

// docs/journal.md explains it.
constexpr int kVersion = 1;
constexpr const char* kSchema = R"(
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workflow TEXT NOT NULL,
  file TEXT NOT NULL,
  task TEXT NOT NULL,
  status TEXT NOT NULL,
  outcome TEXT NOT NULL,
  base TEXT NOT NULL,
  branch TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  options TEXT NOT NULL
) STRICT;
CREATE TABLE heads (
  run INTEGER PRIMARY KEY REFERENCES runs(number),
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE states (
  run INTEGER PRIMARY KEY REFERENCES runs(number),
  state TEXT NOT NULL
) STRICT;
CREATE TABLE entries (
  run INTEGER NOT NULL REFERENCES runs(number),
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT;
CREATE INDEX entries_by_path ON entries (run, path, seq) WHERE path <> '';
CREATE TABLE texts (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE sources (
  run INTEGER NOT NULL REFERENCES runs(number),
  path TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES texts(hash),
  PRIMARY KEY (run, path)
) STRICT;
PRAGMA user_version = 1;
)";

Time time_of(std::int64_t millis) {
  return Time(Millis(millis));
}
std::int64_t millis(Time time) {
  return time.time_since_epoch().count();
}

// Makes the tables in a new file; refuses a file that this program cannot know.
void prepare(Database& database) {
  std::optional<Transaction> transaction;
  if (database.writable()) transaction.emplace(database);
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version > kVersion) {
    throw Error(fmt::format("the journal '{}' was written by a newer agneto (format {}, this one "
                            "knows {})",
                            database.path(), version, kVersion),
                "update agneto");
  }
  if (version == 0) {
    if (database.number("SELECT count(*) FROM sqlite_schema") > 0) {
      throw Error(
          fmt::format("'{}' is a database of another program, not a journal", database.path()),
          "move it away, and a new one is made");
    }
    database.require_writable();
    database.execute(kSchema);
  }
  if (transaction) transaction->commit();
}

class SqliteJournal : public Journal {
 public:
  explicit SqliteJournal(const std::string& path) : database_(path) { prepare(database_); }

  void create(const Run& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, const Json& state) override {
    const std::lock_guard lock(mutex_);
    Transaction transaction(database_);
    if (find_number(run.id) != 0) {
      throw Error(fmt::format("run '{}' exists already", run.id));
    }
    insert_run_.start().bind(run.id).bind(millis(run.created));
    bind_line(insert_run_, run, run.updated);
    insert_run_.run();
    const std::int64_t number = find_number(run.id);
    write_sources(number, sources);
    put_state_.start().bind(number).bind(to_text(state)).run();
    add(number, run.id, {}, std::move(entries));
    transaction.commit();
  }

  Seq append(const std::string& run_id, std::vector<Entry> entries, const Json& state,
             const Run* run) override {
    const std::lock_guard lock(mutex_);
    Transaction transaction(database_);
    const std::int64_t number = get_number(run_id);
    if (run != nullptr) {
      update_run_.start();
      bind_line(update_run_, *run, run->updated);
      update_run_.bind(number).run();
    }
    if (!state.is_null()) {
      put_state_.start().bind(number).bind(to_text(state)).run();
    }
    const Seq last = add(number, run_id, head(number), std::move(entries));
    transaction.commit();
    return last;
  }

  std::optional<Run> find(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    std::optional<Run> run;
    select_run_.start().bind(run_id);
    while (select_run_.step()) {
      run = read_run(select_run_);
    }
    return run;
  }

  std::vector<Run> list() override {
    const std::lock_guard lock(mutex_);
    std::vector<Run> runs;
    select_runs_.start();
    while (select_runs_.step()) {
      runs.push_back(read_run(select_runs_));
    }
    return runs;
  }

  Json state(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    Json state;
    select_state_.start().bind(get_number(run_id));
    while (select_state_.step()) {
      state = read_json(select_state_.text(0));
    }
    return state;
  }

  std::map<std::string, std::string> sources(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    std::map<std::string, std::string> sources;
    select_sources_.start().bind(get_number(run_id));
    while (select_sources_.step()) {
      sources.emplace(select_sources_.text(0), select_sources_.text(1));
    }
    return sources;
  }

  void replace_sources(const std::string& run_id,
                       const std::map<std::string, std::string>& sources) override {
    const std::lock_guard lock(mutex_);
    Transaction transaction(database_);
    const std::int64_t number = get_number(run_id);
    delete_sources_.start().bind(number).run();
    write_sources(number, sources);
    transaction.commit();
  }

  std::vector<Entry> entries(const std::string& run_id, Seq after) override {
    const std::lock_guard lock(mutex_);
    select_entries_.start().bind(get_number(run_id)).bind(after);
    return read_entries(select_entries_);
  }

  void check(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const std::int64_t number = get_number(run_id);
    Head last;
    bool good = true;
    select_chain_.start().bind(number);
    while (select_chain_.step()) {
      const Entry entry{select_chain_.number(0), time_of(select_chain_.number(1)),
                        select_chain_.text(2), select_chain_.text(3), nullptr};
      const std::string hash = chain_hash(last.hash, run_id, entry, select_chain_.text(4));
      good = good && entry.seq == last.seq + 1 && hash == select_chain_.text(5);
      if (good) last = {entry.seq, entry.time, hash};
    }
    if (!good || head(number).hash != last.hash) {
      throw Error(fmt::format("the journal '{}' is damaged: entry {} of run {} is not as it was "
                              "written",
                              database_.path(), last.seq + 1, run_id),
                  "restore it from a backup, or start a new run from the branch of this one",
                  ExitStatus::failed);
    }
  }

  std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    select_entries_of_.start().bind(get_number(run_id)).bind(path);
    return read_entries(select_entries_of_);
  }

 private:
  // The last entry of a run: what the next one follows.
  struct Head {
    Seq seq = 0;
    Time time{};
    std::string hash;
  };

  std::int64_t find_number(const std::string& run_id) {
    std::int64_t number = 0;
    select_number_.start().bind(run_id);
    while (select_number_.step()) {
      number = select_number_.number(0);
    }
    return number;
  }

  std::int64_t get_number(const std::string& run_id) {
    const std::int64_t number = find_number(run_id);
    if (number == 0) {
      throw Error(fmt::format("there is no run '{}'", run_id));
    }
    return number;
  }

  Head head(std::int64_t number) {
    Head head;
    select_head_.start().bind(number);
    while (select_head_.step()) {
      head = {select_head_.number(0), time_of(select_head_.number(1)), select_head_.text(2)};
    }
    return head;
  }

  Seq add(std::int64_t number, const std::string& run_id, Head head, std::vector<Entry> entries) {
    if (entries.empty()) {
      return head.seq;
    }
    for (Entry& entry : entries) {
      entry.seq = head.seq + 1;
      entry.time = head.seq == 0 ? entry.time : std::max(entry.time, head.time);
      const std::string body = to_text(entry.body);
      head = {entry.seq, entry.time, chain_hash(head.hash, run_id, entry, body)};
      insert_entry_.start().bind(number).bind(entry.seq).bind(millis(entry.time));
      insert_entry_.bind(entry.kind).bind(entry.path).bind(body).bind(head.hash).run();
    }
    put_head_.start().bind(number).bind(head.seq).bind(millis(head.time)).bind(head.hash).run();
    touch_run_.start().bind(millis(head.time)).bind(number).run();
    return head.seq;
  }

  static void bind_line(Statement& statement, const Run& run, Time updated) {
    statement.bind(run.workflow).bind(run.file).bind(run.task).bind(run.status).bind(run.outcome);
    statement.bind(run.base).bind(run.branch).bind(millis(updated)).bind(to_text(run.options));
  }

  void write_sources(std::int64_t number, const std::map<std::string, std::string>& sources) {
    for (const auto& [path, text] : sources) {
      const std::string hash = sha256(text);
      insert_text_.start().bind(hash).bind(text).run();
      insert_source_.start().bind(number).bind(path).bind(hash).run();
    }
  }

  Run read_run(Statement& row) {
    Run run;
    run.id = row.text(0);
    run.created = time_of(row.number(1));
    run.workflow = row.text(2);
    run.file = row.text(3);
    run.task = row.text(4);
    run.status = row.text(5);
    run.outcome = row.text(6);
    run.base = row.text(7);
    run.branch = row.text(8);
    run.updated = time_of(row.number(9));
    run.options = read_json(row.text(10));
    return run;
  }

  std::vector<Entry> read_entries(Statement& rows) {
    std::vector<Entry> entries;
    while (rows.step()) {
      entries.push_back({rows.number(0), time_of(rows.number(1)), rows.text(2), rows.text(3),
                         read_json(rows.text(4))});
    }
    return entries;
  }

  Json read_json(const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded()) {
      database_.fail(SQLITE_CORRUPT);
    }
    return value;
  }

  std::mutex mutex_;
  Database database_;

  Statement select_number_{database_, "SELECT number FROM runs WHERE id = ?"};
  Statement insert_run_{database_,
                        "INSERT INTO runs (id, created, workflow, file, task, status, outcome, "
                        "base, branch, updated, "
                        "options) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement update_run_{
      database_,
      "UPDATE runs SET workflow = ?, file = ?, task = ?, status = ?, outcome = ?, base = ?, "
      "branch = ?, updated = max(updated, ?), options = ? WHERE number = ?"};
  Statement touch_run_{database_, "UPDATE runs SET updated = max(updated, ?) WHERE number = ?"};
  Statement select_run_{
      database_,
      "SELECT id, created, workflow, file, task, status, outcome, base, branch, updated, options "
      "FROM runs WHERE id = ?"};
  Statement select_runs_{
      database_,
      "SELECT id, created, workflow, file, task, status, outcome, base, branch, updated, options "
      "FROM runs ORDER BY created DESC, number DESC"};
  Statement select_head_{database_, "SELECT seq, time, hash FROM heads WHERE run = ?"};
  Statement put_head_{database_,
                      "INSERT OR REPLACE INTO heads (run, seq, time, hash) VALUES (?, ?, ?, ?)"};
  Statement select_state_{database_, "SELECT state FROM states WHERE run = ?"};
  Statement put_state_{database_, "INSERT OR REPLACE INTO states (run, state) VALUES (?, ?)"};
  Statement insert_entry_{
      database_,
      "INSERT INTO entries (run, seq, time, kind, path, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement select_entries_{database_,
                            "SELECT seq, time, kind, path, body FROM entries "
                            "WHERE run = ? AND seq > ? ORDER BY seq"};
  Statement select_chain_{database_,
                          "SELECT seq, time, kind, path, body, hash FROM entries "
                          "WHERE run = ? ORDER BY seq"};
  Statement select_entries_of_{database_,
                               "SELECT seq, time, kind, path, body FROM entries "
                               "WHERE run = ? AND path = ? AND path <> '' ORDER BY seq"};
  Statement insert_text_{database_, "INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)"};
  Statement insert_source_{database_, "INSERT INTO sources (run, path, hash) VALUES (?, ?, ?)"};
  Statement delete_sources_{database_, "DELETE FROM sources WHERE run = ?"};
  Statement select_sources_{database_,
                            "SELECT path, text FROM sources JOIN texts USING (hash) "
                            "WHERE run = ? ORDER BY path"};
};

}  // namespace

std::unique_ptr<Journal> open_journal(const std::string& path) {
  return std::make_unique<SqliteJournal>(path);
}

}  // namespace agneto::journal
