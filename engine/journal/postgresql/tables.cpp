#include "journal/postgresql/tables.h"

#include <fmt/format.h>

#include "base/log.h"

namespace agneto::journal {

namespace {

constexpr int this_format = 3;

// Times are milliseconds since 1970, as in a file. What is compared byte by byte says so, whatever
// the language of the database is.
//
// Several connections get numbers for their changes at the same time, and none waits for another.
// So a change may be committed before one that has a smaller number. A reader must not miss that
// one later: each connection locks the number before its own until it has committed, and readers
// take no change that is above such a lock.
constexpr const char* format_1 = R"(
CREATE SCHEMA IF NOT EXISTS agneto;
CREATE TABLE agneto.format (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  number integer NOT NULL
);
CREATE TABLE agneto.runs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL CONSTRAINT runs_by_id UNIQUE,
  workflow text NOT NULL,
  file text NOT NULL,
  task text NOT NULL,
  status text NOT NULL,
  outcome text NOT NULL,
  base text NOT NULL,
  branch text NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  options text NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  owner text NOT NULL DEFAULT '',
  seq bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT '',
  sum text NOT NULL,
  token text NOT NULL,
  priority integer NOT NULL,
  wake bigint,
  questions integer NOT NULL,
  change bigint NOT NULL,
  origin text COLLATE "C"
);
CREATE UNIQUE INDEX runs_by_origin ON agneto.runs (origin) WHERE origin IS NOT NULL;
CREATE INDEX runs_by_status ON agneto.runs (status, number);
CREATE INDEX runs_by_change ON agneto.runs (change);
CREATE INDEX queue ON agneto.runs (priority DESC, number) WHERE status = 'queued';
CREATE INDEX wakes ON agneto.runs (wake) WHERE status = 'parked' AND wake IS NOT NULL;
CREATE TABLE agneto.texts (
  hash text COLLATE "C" PRIMARY KEY,
  text bytea NOT NULL
);
CREATE TABLE agneto.sources (
  run bigint NOT NULL REFERENCES agneto.runs,
  path text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL REFERENCES agneto.texts,
  PRIMARY KEY (run, path)
);
CREATE TABLE agneto.entries (
  run bigint NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  kind text NOT NULL,
  path text COLLATE "C" NOT NULL,
  body text NOT NULL,
  change text,
  hash text NOT NULL,
  PRIMARY KEY (run, seq)
);
CREATE INDEX entries_by_path ON agneto.entries (run, path) WHERE path <> '';
CREATE INDEX rewinds ON agneto.entries (run) WHERE kind = 'rewound';
CREATE TABLE agneto.inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL REFERENCES agneto.runs,
  time bigint NOT NULL,
  kind text NOT NULL,
  body text NOT NULL
);
CREATE INDEX inbox_by_run ON agneto.inbox (run);
CREATE TABLE agneto.leases (
  run text COLLATE "C" PRIMARY KEY,
  holder text NOT NULL,
  owner text NOT NULL,
  process text NOT NULL,
  until timestamptz NOT NULL
);
CREATE TABLE agneto.grants (
  name text COLLATE "C" PRIMARY KEY,
  scope text NOT NULL,
  hash text NOT NULL UNIQUE,
  created bigint NOT NULL
);
CREATE TABLE agneto.notices (
  number bigint GENERATED ALWAYS AS IDENTITY,
  key text COLLATE "C" NOT NULL,
  way text COLLATE "C" NOT NULL,
  run text NOT NULL,
  body text NOT NULL,
  due bigint,
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (key, way)
);
CREATE INDEX notices_by_due ON agneto.notices (due) WHERE due IS NOT NULL;
CREATE TABLE agneto.noticed (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  change bigint NOT NULL
);
CREATE SEQUENCE agneto.change_numbers MINVALUE 0 START 0;
SELECT nextval('agneto.change_numbers');
CREATE FUNCTION agneto.next_change() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  before bigint;
BEGIN
  SELECT last_value INTO before FROM agneto.change_numbers;
  PERFORM pg_advisory_xact_lock_shared(424242::bigint << 44 | before);
  RETURN nextval('agneto.change_numbers');
END $$;
CREATE FUNCTION agneto.settled_change() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  newest bigint;
  unsettled bigint;
BEGIN
  SELECT last_value INTO newest FROM agneto.change_numbers;
  SELECT min((classid::bigint & 4095) << 32 | objid::bigint) INTO unsettled FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 12 = 424242
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  RETURN least(newest, unsettled);
END $$;
)";

// What a run needs of those who take it up, and who takes up runs.
constexpr const char* format_2 = R"(
ALTER TABLE agneto.runs ADD COLUMN needs text[] NOT NULL DEFAULT '{}';
CREATE TABLE agneto.workers (
  name text COLLATE "C" PRIMARY KEY,
  process text NOT NULL,
  body text NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX runs_by_workflow ON agneto.runs (workflow, number);
CREATE INDEX asking ON agneto.runs (number)
  WHERE questions <> 0 AND status NOT IN ('complete', 'failed', 'aborted');
)";

// Each row says which tenant it belongs to. A tenant's people, servers and workers log in with
// roles that were admitted to it. Rows of all other roles have the empty tenant. As long as no role
// has been admitted, nothing is asked about tenants.
//
// Whose run it is that an entry, a source or a message belongs to is looked at where they are
// written, so that nobody puts a row where another tenant would find a key taken.
constexpr const char* format_3 = R"(
CREATE TABLE agneto.members (
  role name PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL CHECK (tenant <> '')
);
CREATE FUNCTION agneto.tenant() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
AS $$
BEGIN
  RETURN coalesce((SELECT m.tenant FROM agneto.members m
    WHERE m.role OPERATOR(pg_catalog.=) session_user), '');
END $$;
DO $$
DECLARE
  each text;
  of_run text;
BEGIN
  FOREACH each IN ARRAY ARRAY['runs', 'texts', 'sources', 'entries', 'inbox', 'leases', 'grants',
                              'notices', 'noticed', 'workers'] LOOP
    EXECUTE format('ALTER TABLE agneto.%I ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT ''''',
                   each);
    of_run := '';
    IF each IN ('sources', 'entries', 'inbox') THEN
      of_run := ' AND EXISTS (SELECT FROM agneto.runs r WHERE r.number = run)';
    END IF;
    EXECUTE format('CREATE POLICY of_tenant ON agneto.%I USING (tenant = (SELECT agneto.tenant())) '
                   'WITH CHECK (tenant = (SELECT agneto.tenant())%s)', each, of_run);
  END LOOP;
END $$;
ALTER TABLE agneto.runs DROP CONSTRAINT runs_by_id, ADD CONSTRAINT runs_by_id UNIQUE (id, tenant);
DROP INDEX agneto.runs_by_origin;
CREATE UNIQUE INDEX runs_by_origin ON agneto.runs (origin, tenant) WHERE origin IS NOT NULL;
ALTER TABLE agneto.sources DROP CONSTRAINT sources_hash_fkey;
ALTER TABLE agneto.texts DROP CONSTRAINT texts_pkey, ADD PRIMARY KEY (hash, tenant);
ALTER TABLE agneto.sources ADD FOREIGN KEY (hash, tenant) REFERENCES agneto.texts;
ALTER TABLE agneto.leases DROP CONSTRAINT leases_pkey, ADD PRIMARY KEY (run, tenant);
ALTER TABLE agneto.grants DROP CONSTRAINT grants_pkey, ADD PRIMARY KEY (name, tenant);
ALTER TABLE agneto.notices DROP CONSTRAINT notices_pkey, ADD PRIMARY KEY (key, way, tenant);
ALTER TABLE agneto.noticed DROP CONSTRAINT noticed_pkey, ADD PRIMARY KEY (single, tenant);
ALTER TABLE agneto.workers DROP CONSTRAINT workers_pkey, ADD PRIMARY KEY (name, tenant);
CREATE FUNCTION agneto.admit(role name, tenant text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  each text;
BEGIN
  INSERT INTO agneto.members VALUES (role, tenant)
    ON CONFLICT ON CONSTRAINT members_pkey DO UPDATE SET tenant = excluded.tenant;
  FOR each IN SELECT tablename FROM pg_policies
      WHERE schemaname = 'agneto' AND policyname = 'of_tenant' LOOP
    EXECUTE format('ALTER TABLE agneto.%I ALTER COLUMN tenant SET DEFAULT agneto.tenant(), '
                   'ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', each);
  END LOOP;
  CREATE INDEX IF NOT EXISTS runs_by_tenant ON agneto.runs (tenant, number);
  CREATE INDEX IF NOT EXISTS changes_by_tenant ON agneto.runs (tenant, change);
  CREATE INDEX IF NOT EXISTS queue_of_tenant ON agneto.runs (tenant, priority DESC, number)
    WHERE status = 'queued';
END $$;
)";

// Whether the tables are there is asked of the catalogue's rows: what a connection remembers of
// names is older than what it waited for.
const Sql& select_settings() {
  static const Sql sql(
      "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
      "WHERE n.nspname = 'agneto' AND c.relname = 'format'), current_setting('server_encoding'), "
      "current_setting('synchronous_commit'), current_user::text, current_database()::text, "
      "EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
      "WHERE n.nspname = 'agneto' AND c.relname = 'runs' AND c.relrowsecurity) "
      "AND (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user)");
  return sql;
}
const Sql& select_format() {
  static const Sql sql("SELECT number FROM agneto.format");
  return sql;
}

// The format of what is there; 0: nothing is.
int format_of(Connection& connection) {
  const Result settings = connection.run(select_settings());
  if (settings.text(0, 0) != "t") return 0;
  return static_cast<int>(connection.run(select_format()).number(0, 0));
}

void require_known(const std::string& name, int format) {
  if (format <= this_format) return;
  throw Error(fmt::format("the journal '{}' was written by a newer agneto (format {}, this one "
                          "knows {})",
                          name, format, this_format),
              "update agneto");
}

void require_durable(const std::string& name, const Result& settings) {
  if (settings.text(0, 1) != "UTF8") {
    throw Error(
        fmt::format("the database of the journal '{}' keeps text as {}", name, settings.text(0, 1)),
        "make one that keeps it as UTF8: createdb --encoding=UTF8 --template=template0 NAME");
  }
  if (settings.text(0, 2) == "off") {
    throw Error(fmt::format("the journal '{}' would forget what it has acknowledged: "
                            "synchronous_commit is off there",
                            name),
                fmt::format("switch it on for this user: ALTER ROLE {} SET synchronous_commit = on",
                            settings.text(0, 3)));
  }
}

// Who sees all tenants' runs would take them up, and answer what is asked of others.
void require_one_tenant(const std::string& name, const Result& settings) {
  if (settings.text(0, 5) != "t") return;
  throw Error(fmt::format("the journal '{}' belongs to several tenants, and the role {} would see "
                          "what is everybody's",
                          name, settings.text(0, 3)),
              "connect as a role that is neither a superuser nor has BYPASSRLS");
}

// One at a time, since what is there is asked for under the lock.
void migrate(Connection& connection, const std::string& name) {
  connection.script("BEGIN; SELECT pg_advisory_xact_lock(424242)");
  try {
    const int format = format_of(connection);
    require_known(name, format);
    if (format < 1) connection.script(format_1);
    if (format < 2) connection.script(format_2);
    if (format < 3) connection.script(format_3);
    connection.script(
        fmt::format("INSERT INTO agneto.format (number) VALUES ({0}) "
                    "ON CONFLICT (single) DO UPDATE SET number = {0}; COMMIT",
                    this_format));
    if (format == this_format) return;  // somebody else has done it meanwhile
    log::info(format == 0 ? "journal made" : "journal migrated",
              {{"at", name}, {"from", format}, {"to", this_format}});
  } catch (const ConnectionLost&) {
    throw;
  } catch (...) {
    connection.script("ROLLBACK");
    throw;
  }
}

}  // namespace

void prepare(Pool& pool) {
  pool.run([&](Connection& connection) {
    const Result settings = connection.run(select_settings());
    require_durable(pool.name(), settings);
    require_one_tenant(pool.name(), settings);
    const int format = format_of(connection);
    require_known(pool.name(), format);
    if (format < this_format) migrate(connection, pool.name());
    return true;
  });
  log::debug("journal opened", {{"at", pool.name()}});
}

}  // namespace agneto::journal
