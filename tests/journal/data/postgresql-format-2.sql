SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA agneto;
CREATE FUNCTION agneto.next_change() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  before bigint;
BEGIN
  SELECT last_value INTO before FROM agneto.change_numbers;
  PERFORM pg_advisory_xact_lock_shared(424242::bigint << 44 | before);
  RETURN nextval('agneto.change_numbers');
END $$;
CREATE FUNCTION agneto.settled_change() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
CREATE SEQUENCE agneto.change_numbers
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE agneto.entries (
    run bigint NOT NULL,
    seq bigint NOT NULL,
    "time" bigint NOT NULL,
    kind text NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL,
    change text,
    hash text NOT NULL
);
CREATE TABLE agneto.format (
    single boolean DEFAULT true NOT NULL,
    number integer NOT NULL,
    CONSTRAINT format_single_check CHECK (single)
);
CREATE TABLE agneto.grants (
    name text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL,
    hash text NOT NULL,
    created bigint NOT NULL
);
CREATE TABLE agneto.inbox (
    id bigint NOT NULL,
    run bigint NOT NULL,
    "time" bigint NOT NULL,
    kind text NOT NULL,
    body text NOT NULL
);
ALTER TABLE agneto.inbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME agneto.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE agneto.leases (
    run text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    owner text NOT NULL,
    process text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE agneto.noticed (
    single boolean DEFAULT true NOT NULL,
    change bigint NOT NULL,
    CONSTRAINT noticed_single_check CHECK (single)
);
CREATE TABLE agneto.notices (
    number bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    way text NOT NULL COLLATE pg_catalog."C",
    run text NOT NULL,
    body text NOT NULL,
    due bigint,
    tries integer DEFAULT 0 NOT NULL
);
ALTER TABLE agneto.notices ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME agneto.notices_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE agneto.runs (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
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
    epoch bigint DEFAULT 0 NOT NULL,
    owner text DEFAULT ''::text NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    hash text DEFAULT ''::text NOT NULL,
    sum text NOT NULL,
    token text NOT NULL,
    priority integer NOT NULL,
    wake bigint,
    questions integer NOT NULL,
    change bigint NOT NULL,
    origin text COLLATE pg_catalog."C",
    needs text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE agneto.runs ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME agneto.runs_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE agneto.sources (
    run bigint NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE agneto.texts (
    hash text NOT NULL COLLATE pg_catalog."C",
    text bytea NOT NULL
);
CREATE TABLE agneto.workers (
    name text NOT NULL COLLATE pg_catalog."C",
    process text NOT NULL,
    body text NOT NULL,
    until timestamp with time zone NOT NULL
);
INSERT INTO agneto.entries VALUES (1, 1, 1795774644039, 'started', '', '{"inputs":{"task":"one"},"workflow":"w"}', NULL, 'd56c0a36a7b04bce210f1210377589c19dc2ca73273d69d55b3ed52eaa93f432');
INSERT INTO agneto.entries VALUES (1, 2, 1795774644039, 'noted', '', '{"text":"works in /srv/team itself, without a worktree: the workflow says `workspace: none`"}', NULL, '546441e1e68dbd2352c5dc3c97561fd997b1738c3479b576dce7894a2024365f');
INSERT INTO agneto.entries VALUES (1, 3, 1795774644039, 'macrostep', '', '{"effects":[{"argv":["echo","hello"],"effect":"run","env":[],"once":false,"path":"A#1","timeout":600000}],"event":null,"handled":false,"transitions":[]}', '[{"instance":{"arrivals":0,"finished":false,"root":{"active":["A"],"data":{"ctx":{},"inputs":{"task":"one"}},"entries":{"A":1},"machine":"w","running":["A"],"sends_made":0},"run":{"auto_merge":false,"id":"one-0314","interactive":false}},"run":{"outstanding":{"A#1":{"argv":["echo","hello"],"effect":"run","env":[],"once":false,"path":"A#1","timeout":600000}},"totals":{"attempts":0,"calls":0,"cost":0.0,"input_tokens":0,"output_tokens":0,"worked":0}}}]', '66875bf8fea6894bb90470851eb286c2d0db0b893082931c2761cfea8a4cc13b');
INSERT INTO agneto.entries VALUES (1, 4, 1795774644049, 'command', 'A#1', '{"argv":["echo","hello"],"checkpoint":""}', NULL, '1a0a48281fb3e776962f64c4dbf52ff2febced102343bd6e7b12bf8f027e2e8c');
INSERT INTO agneto.entries VALUES (1, 5, 1795774644055, 'process', 'A#1', '{"pid":29422,"start_time":6287576}', NULL, '7ccd9cd104204af6d3831a53d9d153303782d20cac623c2d6701c2d9d1dd4b38');
INSERT INTO agneto.entries VALUES (1, 6, 1795774644066, 'macrostep', 'A#1', '{"effects":[{"default":"","effect":"ask","options":[{"feedback":"none","label":"Go","name":"YES"}],"path":"G#1","question":"Go on?","show":"","text":"none"}],"event":{"data":{"message":"exit status 0","output":"hello\n","status":0},"kind":"outcome","name":"ok","path":"A#1"},"handled":true,"transitions":[{"event":"ok","from":"A","instance":"","line":9,"to":["G"]}]}', '{"instance":{"root":{"active":{"0":["G"]},"entries":{"G":[1]},"running":{"0":["G"]}}},"run":{"outstanding":{"A#1":[],"G#1":[{"default":"","effect":"ask","options":[{"feedback":"none","label":"Go","name":"YES"}],"path":"G#1","question":"Go on?","show":"","text":"none"}]},"totals":{"worked":[17]}}}', '53586b3f1af36ae5096b6bde495fbea6d7b7aefa302c6c1ff11003e098d0cc8a');
INSERT INTO agneto.entries VALUES (1, 7, 1795774644068, 'suspended', '', '{"reason":"a question waits for an answer"}', NULL, '5aae54064d91e7df54a8f543b066df7f5b4b12982a35787a164881824cf4ba6e');
INSERT INTO agneto.entries VALUES (2, 1, 1795774644153, 'queued', '', '{"by":"root"}', NULL, '5f4fc37a8339c04fc858e45473dacab3e3c5ff112640dcd55dd6cde1bb68da3d');
INSERT INTO agneto.entries VALUES (2, 2, 1795774644153, 'noted', '', '{"text":"works in /srv/team itself, without a worktree: the workflow says `workspace: none`"}', NULL, '9cc2ac07157d6d9d4c7d23c99f1549190425b759b47701ffcb09a400f77484dd');
INSERT INTO agneto.format VALUES (true, 2);
INSERT INTO agneto.grants VALUES ('ada', 'read', '2cf1316f874f3d24a645aedd6f9867801952c2cbd34f5a5d770c3202c51b97bb', 1795774644238);
INSERT INTO agneto.runs OVERRIDING SYSTEM VALUE VALUES (1, 'one-0314', 'w', '/srv/team/.agneto/workflows/w.yaml', 'one', 'suspended', 'a question waits for an answer', '', '', 1795774644038, 1795774644038, '{"auto_merge":false,"inputs":{"task":"one"},"interactive":false,"library":"/opt/agneto/scripts/lib","model":"","provider":"","providers":{},"root":"/srv/team"}', 1, '', 7, '5aae54064d91e7df54a8f543b066df7f5b4b12982a35787a164881824cf4ba6e', 'dcb6db0095a9bce367612fbbf320a01dbdef0f7a4e69fc979b5e2fe82b3fe1f0', 'eaa308f1616be513fffc1553f560a374', 0, NULL, 1, 3, NULL, '{}');
INSERT INTO agneto.runs OVERRIDING SYSTEM VALUE VALUES (2, 'two-35ab', 'w', '/srv/team/.agneto/workflows/w.yaml', 'two', 'queued', '', '', '', 1795774644153, 1795774644153, '{"auto_merge":false,"inputs":{"task":"two"},"interactive":true,"library":"/opt/agneto/scripts/lib","model":"","provider":"","providers":{},"root":"/srv/team","served":true}', 1, '', 2, '9cc2ac07157d6d9d4c7d23c99f1549190425b759b47701ffcb09a400f77484dd', '611b6d91e0f424a86291305cf7ded419cfe86e5171442496af6c1bcb2a571ee0', '4e03313ef09f39b2c291a80062509129', 0, NULL, 0, 4, NULL, '{vm:/srv/team}');
INSERT INTO agneto.sources VALUES (1, '/srv/team/.agneto/workflows/w.yaml', 'b7014921dd108b95ff2f1d25cc677b852b07c8fb93fa49077b97548ea6b53c58');
INSERT INTO agneto.sources VALUES (2, '/srv/team/.agneto/workflows/w.yaml', 'b7014921dd108b95ff2f1d25cc677b852b07c8fb93fa49077b97548ea6b53c58');
INSERT INTO agneto.texts VALUES ('b7014921dd108b95ff2f1d25cc677b852b07c8fb93fa49077b97548ea6b53c58', '\x61676e65746f3a20310a6e616d653a20770a696e707574733a207b7461736b3a207b747970653a20737472696e672c206d61696e3a20747275657d7d0a696e697469616c3a20410a776f726b73706163653a206e6f6e650a7374617465733a0a2020413a0a2020202072756e3a207b617267763a205b6563686f2c2068656c6c6f5d7d0a202020206f6e3a207b6f6b3a20472c206661696c65643a20467d0a2020473a0a2020202061736b3a207b7175657374696f6e3a2022476f206f6e3f222c206f7074696f6e733a207b5945533a20476f7d7d0a202020206f6e3a207b5945533a20447d0a2020443a207b66696e616c3a20747275657d0a2020463a207b66696e616c3a20747275652c207374617475733a206661696c65647d0a');
SELECT pg_catalog.setval('agneto.change_numbers', 4, true);
SELECT pg_catalog.setval('agneto.inbox_id_seq', 1, false);
SELECT pg_catalog.setval('agneto.notices_number_seq', 1, false);
SELECT pg_catalog.setval('agneto.runs_number_seq', 2, true);
ALTER TABLE ONLY agneto.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (run, seq);
ALTER TABLE ONLY agneto.format
    ADD CONSTRAINT format_pkey PRIMARY KEY (single);
ALTER TABLE ONLY agneto.grants
    ADD CONSTRAINT grants_hash_key UNIQUE (hash);
ALTER TABLE ONLY agneto.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (name);
ALTER TABLE ONLY agneto.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agneto.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (run);
ALTER TABLE ONLY agneto.noticed
    ADD CONSTRAINT noticed_pkey PRIMARY KEY (single);
ALTER TABLE ONLY agneto.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (key, way);
ALTER TABLE ONLY agneto.runs
    ADD CONSTRAINT runs_by_id UNIQUE (id);
ALTER TABLE ONLY agneto.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (number);
ALTER TABLE ONLY agneto.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (run, path);
ALTER TABLE ONLY agneto.texts
    ADD CONSTRAINT texts_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY agneto.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (name);
CREATE INDEX asking ON agneto.runs USING btree (number) WHERE ((questions <> 0) AND (status <> ALL (ARRAY['complete'::text, 'failed'::text, 'aborted'::text])));
CREATE INDEX entries_by_path ON agneto.entries USING btree (run, path) WHERE (path <> ''::text);
CREATE INDEX inbox_by_run ON agneto.inbox USING btree (run);
CREATE INDEX notices_by_due ON agneto.notices USING btree (due) WHERE (due IS NOT NULL);
CREATE INDEX queue ON agneto.runs USING btree (priority DESC, number) WHERE (status = 'queued'::text);
CREATE INDEX rewinds ON agneto.entries USING btree (run) WHERE (kind = 'rewound'::text);
CREATE INDEX runs_by_change ON agneto.runs USING btree (change);
CREATE UNIQUE INDEX runs_by_origin ON agneto.runs USING btree (origin) WHERE (origin IS NOT NULL);
CREATE INDEX runs_by_status ON agneto.runs USING btree (status, number);
CREATE INDEX runs_by_workflow ON agneto.runs USING btree (workflow, number);
CREATE INDEX wakes ON agneto.runs USING btree (wake) WHERE ((status = 'parked'::text) AND (wake IS NOT NULL));
ALTER TABLE ONLY agneto.inbox
    ADD CONSTRAINT inbox_run_fkey FOREIGN KEY (run) REFERENCES agneto.runs(number);
ALTER TABLE ONLY agneto.sources
    ADD CONSTRAINT sources_hash_fkey FOREIGN KEY (hash) REFERENCES agneto.texts(hash);
ALTER TABLE ONLY agneto.sources
    ADD CONSTRAINT sources_run_fkey FOREIGN KEY (run) REFERENCES agneto.runs(number);
