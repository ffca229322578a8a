#include "journal/sqlite/schema.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "journal/sqlite/run_table.h"

namespace agneto::journal {

namespace {

constexpr int this_version = 7;
constexpr const char* create_runs = R"(
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
  options TEXT NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  owner TEXT NOT NULL DEFAULT '',
  seq INTEGER NOT NULL DEFAULT 0,
  hash TEXT NOT NULL DEFAULT '',
  sum TEXT NOT NULL DEFAULT '',
  priority INTEGER NOT NULL DEFAULT 0,
  wake INTEGER,
  questions INTEGER NOT NULL DEFAULT 0,
  change INTEGER NOT NULL DEFAULT 0,
  origin TEXT,
  needs TEXT NOT NULL DEFAULT '[]'
) STRICT;
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
)";
constexpr const char* create_entries = R"(
CREATE TABLE entries (
  place INTEGER PRIMARY KEY,
  run INTEGER NOT NULL AS (place >> 32),
  seq INTEGER NOT NULL AS (place & 0xFFFFFFFF),
  time INTEGER NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT NOT NULL,
  change TEXT,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX entries_by_path ON entries (run, path) WHERE path <> '';
CREATE INDEX rewinds ON entries (run) WHERE kind = 'rewound';
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES runs(number),
  time INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
)";
// These serve lists of runs, and whoever takes runs up.
constexpr const char* create_for_servers = R"(
CREATE INDEX runs_by_status ON runs (status, number);
CREATE INDEX runs_by_change ON runs (change);
CREATE INDEX queue ON runs (priority DESC, number) WHERE status = 'queued';
CREATE INDEX wakes ON runs (wake) WHERE status = 'parked' AND wake IS NOT NULL;
CREATE INDEX inbox_by_run ON inbox (run);
CREATE TABLE grants (
  name TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL
) STRICT;
)";
// What a server does by itself is done once.
constexpr const char* create_for_once = R"(
CREATE UNIQUE INDEX runs_by_origin ON runs (origin) WHERE origin IS NOT NULL;
CREATE TABLE notices (
  key TEXT NOT NULL,
  way TEXT NOT NULL,
  run TEXT NOT NULL,
  body TEXT NOT NULL,
  due INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (key, way)
) STRICT;
CREATE INDEX notices_by_due ON notices (due) WHERE due IS NOT NULL;
CREATE TABLE noticed (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  change INTEGER NOT NULL
) STRICT;
)";
constexpr const char* from_format_5 = R"(
ALTER TABLE runs ADD COLUMN origin TEXT;
)";
constexpr const char* from_format_6 = R"(
ALTER TABLE runs ADD COLUMN needs TEXT NOT NULL DEFAULT '[]';
)";
// Formats 2 to 4 have the tables of the next one but for what serves runs; how many questions a run
// asks is not known of theirs.
constexpr const char* from_format_4 = R"(
ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN wake INTEGER;
ALTER TABLE runs ADD COLUMN questions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET change = number,
  questions = iif(status IN ('running', 'suspended'), -1, 0);
)";

// Format 1 kept each run's newest state whole in a table of its own, and the newest entry's hash in
// another. The hashes of its entries are those of this format, where no entry has a change.
constexpr const char* owners_of_format_1 = R"(
ALTER TABLE runs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN hash TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN sum TEXT NOT NULL DEFAULT '';
)";
constexpr const char* from_format_1 = R"(
INSERT INTO entries (place, time, kind, path, body, hash)
  SELECT run << 32 | seq, time, kind, path, body, hash FROM entries_1 ORDER BY run, seq;
)";
constexpr const char* drop_format_1 = R"(
DROP TABLE entries_1;
DROP TABLE heads;
DROP TABLE states;
)";

void migrate_from_1(Database& database) {
  database.execute("ALTER TABLE entries RENAME TO entries_1; DROP INDEX entries_by_path");
  database.execute(create_entries);
  database.execute(from_format_1);
  Statement heads(database,
                  "SELECT number, id, heads.seq, heads.time, heads.hash, state FROM runs "
                  "LEFT JOIN heads ON heads.run = number "
                  "JOIN states ON states.run = number");
  EntryTable entries(database);
  SourceTable sources(database);
  RunTable runs(database, entries, sources);
  heads.start();
  while (heads.step()) {
    Row row{{heads.number(2) + 1, heads.time(3), "migrated", "", {}},
            R"({"format":1})",
            '[' + heads.text(5) + ']',
            {}};
    row.hash = chain_hash(heads.text(4), heads.text(1), row);
    entries.insert(heads.number(0), row);
    runs.seal(heads.number(0), row.head());
  }
  database.execute(drop_format_1);
}

}  // namespace

void prepare(Database& database) {
  std::optional<Transaction> transaction;
  if (database.writable()) transaction.emplace(database);
  const std::int64_t version = Statement(database, "PRAGMA user_version").start().only_number();
  if (version > this_version) {
    throw Error(fmt::format("the journal '{}' was written by a newer agneto (format {}, this one "
                            "knows {})",
                            database.path(), version, this_version),
                "update agneto");
  }
  if (version == this_version) return;
  Statement tables(database, "SELECT count(*) FROM sqlite_schema");
  if (version == 0 && tables.start().only_number() > 0) {
    throw Error(
        fmt::format("'{}' is a database of another program, not a journal", database.path()),
        "move it away, and a new one is made");
  }
  database.require_writable();
  if (version == 0) {
    database.execute(create_runs);
    database.execute(create_entries);
  } else {
    if (version == 1) database.execute(owners_of_format_1);
    if (version < 5) database.execute(from_format_4);
    if (version < 6) database.execute(from_format_5);
    database.execute(from_format_6);
    if (version == 1) migrate_from_1(database);
  }
  if (version < 5) database.execute(create_for_servers);
  if (version < 6) database.execute(create_for_once);
  database.execute(fmt::format("PRAGMA user_version = {}", this_version).c_str());
  transaction->commit();
  log::info(version == 0 ? "journal made" : "journal migrated",
            {{"file", database.path()}, {"from", version}, {"to", this_version}});
}

}  // namespace agneto::journal
