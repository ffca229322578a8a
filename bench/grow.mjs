// What a database of many runs costs: node bench/grow.mjs AGNETO [RUNS...]
//
// It is filled with finished runs, each with the entries and hashes that a run of that id would have, and with some
// that wait for a person and for a time. Then everything that looks at runs is timed, as a client sees it, and
// PostgreSQL says which statements that were, and how many pages of 8 KiB each has read.

import {spawn, spawnSync} from 'node:child_process';
import {createHash, randomBytes} from 'node:crypto';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {startPostgresql} from '../tests/e2e/lib/postgresql.mjs';

const program = resolve(process.argv[2]);
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [10_000, 1_000_000];
const folder = mkdtempSync(join(tmpdir(), 'agneto-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];

// The model of docs/scale.md: a run of one file takes so much beside its entries, and an entry beside what it says.
const run_bytes = 780 + 250, entry_bytes = 180;
const waiting = 100;  // for a person, in a database of any size
const workflows = {
  steps: `context: {steps: 0}
initial: PING
states:
  PING:
    entry: 'ctx.steps = ctx.steps + 1; send("next")'
    on: {next: {target: PONG}}
  PONG:
    entry: 'ctx.steps = ctx.steps + 1; send("next")'
    on: {next: [{guard: ctx.steps < 8, target: PING}, {target: DONE}]}
  DONE: {final: true}
`,
  gate: `initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    on: {YES: DONE}
  DONE: {final: true}
`,
  once: `initial: DOING
states:
  DOING:
    entry: send("next")
    on: {next: DONE}
  DONE: {final: true}
`,
};
mkdirSync(join(folder, '.agneto/workflows'), {recursive: true});
writeFileSync(join(folder, '.agneto/config.yaml'), 'serve: {runs: 4}\n');
for (const [name, machine] of Object.entries(workflows)) {
  writeFileSync(join(folder, `.agneto/workflows/${name}.yaml`),
    `agneto: 1\nname: ${name}\ninputs: {task: {type: string, main: true}}\nworkspace: none\n${machine}`);
}

const postgresql = startPostgresql(['shared_preload_libraries=pg_stat_statements', 'max_wal_size=4GB', 'log_min_messages=fatal',
  ...(process.env.AGNETO_BENCH_SETTINGS?.split(',') ?? [])]);
const agneto = (uri, ...words) => {
  const begun = performance.now();
  const ran = spawnSync(program, words, {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, env: {...process.env, AGNETO_JOURNAL: uri}});
  return {...ran, took: performance.now() - begun};
};

const tables = {
  runs: 'number,id,workflow,file,task,status,outcome,base,branch,created,updated,options,epoch,owner,seq,hash,sum,token,priority,wake,questions,change,origin',
  sources: 'run,path,hash',
  entries: 'run,seq,time,kind,path,body,change,hash',
};

// Writes `count` runs like the one of that id, with the numbers from `first` on.
async function multiply(database, model, first, count) {
  const ask = (sql) => JSON.parse(postgresql.query(`SELECT coalesce(json_agg(to_json(t)), '[]') FROM (${sql}) t`, database));
  const [line] = ask(`SELECT * FROM agneto.runs WHERE id = '${model}'`);
  const entries = ask(`SELECT * FROM agneto.entries WHERE run = ${line.number} ORDER BY seq`);
  const sources = ask(`SELECT path, hash FROM agneto.sources WHERE run = ${line.number} ORDER BY path`);
  const list = JSON.stringify(sources.map(({path, hash}) => [path, hash]));
  const into = Object.fromEntries(Object.entries(tables).map(([table, columns]) => [table, postgresql.copy(`SET synchronous_commit = off; COPY agneto.${table} (${columns}) FROM STDIN`, database)]));
  const field = (value) => value === null || value === undefined ? '\\N' : String(value).replace(/[\\\n\t\r]/g, (c) => ({'\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r'})[c]);
  const row = (table, values) => tables[table].split(',').map((column) => field(values[column])).join('\t') + '\n';
  for (let i = 0; i < count;) {
    const text = {runs: '', sources: '', entries: ''};
    for (const end = Math.min(count, i + 500); i < end; ++i) {
      const number = first + i, id = `${model.slice(0, -5)}-${number.toString(36).padStart(6, '0')}`, shift = number * 1000;
      let hash = '';
      for (const entry of entries) {
        const time = entry.time - 2e9 + shift, body = entry.body.replaceAll(model, id), change = entry.change?.replaceAll(model, id) ?? null;
        hash = sha256(`${hash}\n${JSON.stringify([id, entry.seq, time, entry.kind, entry.path])}\n${body}${change === null ? '' : `\n${change}`}`);
        text.entries += row('entries', {...entry, run: number, time, body, change, hash});
      }
      const made = {...line, number, id, created: line.created - 2e9 + shift, updated: line.updated - 2e9 + shift, hash, token: randomBytes(16).toString('hex'), change: number};
      made.sum = sha256(JSON.stringify([...['id', 'workflow', 'file', 'task', 'status', 'outcome', 'base', 'branch', 'created', 'updated', 'options', 'epoch', 'owner', 'seq', 'hash']
        .map((column) => String(made[column])), list]));
      text.runs += row('runs', made);
      for (const source of sources) text.sources += row('sources', {...source, run: number});
    }
    await Promise.all(Object.entries(text).map(([table, lines]) => into[table].stdin.write(lines) || new Promise((resolve) => into[table].stdin.once('drain', resolve))));
  }
  // A run is there before what belongs to it.
  for (const table of ['runs', 'sources', 'entries']) {
    into[table].stdin.end();
    await into[table].ended;
  }
}

async function fill(database, runs) {
  const uri = postgresql.uri(database);
  const begin = (workflow) => {
    const begun = agneto(uri, 'run', `say hello from ${workflow}`, '-w', workflow, '--non-interactive');
    const id = postgresql.query(`SELECT id FROM agneto.runs WHERE workflow = '${workflow}'`, database);
    if (!id) throw new Error(begun.stderr);
    return id;
  };
  const finished = begin('steps'), asking = begin('gate');
  // What refers to runs is written beside them, and looked at by ourselves.
  postgresql.query('ALTER TABLE agneto.sources DROP CONSTRAINT sources_run_fkey; ALTER TABLE agneto.runs ALTER number SET GENERATED BY DEFAULT', database);
  await multiply(database, finished, 1000, runs);
  await multiply(database, asking, 1000 + runs, waiting);
  postgresql.query(`ALTER TABLE agneto.sources ADD CONSTRAINT sources_run_fkey FOREIGN KEY (run) REFERENCES agneto.runs;
    ALTER TABLE agneto.runs ALTER number SET GENERATED ALWAYS;
    SELECT setval(pg_get_serial_sequence('agneto.runs', 'number'), ${2000 + runs}), setval('agneto.change_numbers', ${2000 + runs});
    UPDATE agneto.runs SET status = 'failed', sum = 'of another status' WHERE number % 50 = 0 AND status = 'complete'`, database);
  postgresql.query('VACUUM (ANALYZE)', database);
  postgresql.query('CHECKPOINT', database);
}

// Each is done so often; the median.
const times = async (count, work) => {
  const all = [];
  for (let i = 0; i < count; ++i) {
    const begun = performance.now();
    await work(i);
    all.push(performance.now() - begun);
  }
  return all;
};

async function measure(runs) {
  const database = `runs_${runs}`;
  postgresql.query(`CREATE DATABASE ${database}`);
  const uri = postgresql.uri(database);
  const begun = performance.now();
  await fill(database, runs);
  const entries = Number(postgresql.query('SELECT count(*) FROM agneto.entries', database));
  console.log(`\n# ${runs} runs, ${entries} entries, filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  const bytes = postgresql.query(`SELECT c.relname, pg_relation_size(c.oid), pg_indexes_size(c.oid), pg_total_relation_size(c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'agneto' AND relkind = 'r' ORDER BY 4 DESC LIMIT 3`, database);
  for (const line of bytes.split('\n')) {
    const [table, heap, indexes, all] = line.split('|');
    console.log(`${table}: ${(all / 1e6).toFixed(1)} MB (rows ${(heap / 1e6).toFixed(1)}, indexes ${(indexes / 1e6).toFixed(1)}), ${(all / runs).toFixed(0)} bytes a run`);
  }
  const recorded = Number(postgresql.query('SELECT avg(octet_length(body) + coalesce(octet_length(change), 0)) FROM (SELECT * FROM agneto.entries LIMIT 11000) e', database));
  const size = Number(postgresql.query("SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'agneto' AND relkind = 'r'", database));
  const model = runs * run_bytes + entries * (entry_bytes + recorded);
  console.log(`an entry's body and change: ${recorded.toFixed(0)} bytes; all: ${(size / 1e6).toFixed(1)} MB, by the model of docs/scale.md ${(model / 1e6).toFixed(1)} MB (${(100 * (model / size - 1)).toFixed(0)} %)`);
  postgresql.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements', database);
  postgresql.query('SELECT pg_stat_statements_reset()', database);
  const found = {};
  const keep = (what, all) => {
    found[what] = quantile(all, 0.5);
    console.log(`${what}: ${found[what].toFixed(1)} ms (p90 ${quantile(all, 0.9).toFixed(1)})`);
  };
  const ids = postgresql.query("SELECT id FROM agneto.runs WHERE status = 'complete' ORDER BY md5(id) LIMIT 200", database).split('\n');
  const command = (...words) => {
    const ran = agneto(uri, ...words);
    if (ran.status !== 0) throw new Error(`${words.join(' ')}: ${ran.stderr}`);
    return ran;
  };
  keep('agneto show', await times(20, (i) => command('show', ids[i])));
  keep('agneto log', await times(20, (i) => command('log', ids[20 + i])));
  keep('agneto doctor RUN', await times(5, (i) => command('doctor', ids[40 + i])));
  keep('agneto runs --status waiting', await times(5, () => command('runs', '--status', 'waiting')));
  keep('agneto runs --limit 20', await times(5, () => command('runs', '--limit', '20')));
  keep('agneto submit', await times(20, (i) => command('submit', `from outside ${i}`, '-w', 'once')));

  const token = command('token', 'make', 'bench', '--scope', 'admin').stdout.trim();
  const server = spawn(program, ['serve', '--listen', '127.0.0.1:0'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, AGNETO_JOURNAL: uri}});
  process.on('exit', () => server.kill('SIGKILL'));
  let said = '';
  server.stdout.on('data', (text) => { if (said.length < 10_000) said += text; });
  while (!/^API: /m.test(said)) await sleep(5);
  const at = said.match(/^API: (\S+)\/$/m)[1];
  const ask = async (method, path, body) => {
    for (;;) {
      const response = await fetch(at + path, {method, headers: {authorization: `Bearer ${token}`}, body: body && JSON.stringify(body)});
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status !== 429) throw new Error(`${method} ${path}: ${text}`);
      await sleep(1000 * Number(response.headers.get('retry-after')));
    }
  };
  // What a server works on is another answer each time, which it does not remember then.
  let submitted = 0;
  const submit = async () => {
    const {run} = await ask('POST', '/runs', {task: `number ${++submitted}`, workflow: 'once'});
    while ((await ask('GET', `/runs/${run}`)).status !== 'complete') await sleep(1);
  };
  while (Number(postgresql.query("SELECT count(*) FROM agneto.runs WHERE status IN ('queued', 'running')", database)) > 0) await sleep(50);
  keep('POST /runs, to the end of the run', await times(50, submit));
  for (const path of ['/runs?limit=100', '/runs?status=waiting&limit=100', '/runs?status=failed&limit=100', '/runs?status=running,queued&limit=100',
    '/runs?workflow=gate&limit=100', '/questions', '/server']) {
    const all = [];
    for (let i = 0; i < 7; ++i) {
      await submit();
      all.push(...await times(1, () => ask('GET', path)));
    }
    keep(`GET ${path}`, all);
  }
  keep('GET /runs/RUN', await times(20, (i) => ask('GET', `/runs/${ids[60 + i]}`)));
  keep('GET /runs/RUN/log', await times(20, (i) => ask('GET', `/runs/${ids[80 + i]}/log`)));
  keep('agneto clean RUN --records', await times(10, (i) => command('clean', ids[i], '--records')));
  await sleep(5000);
  server.kill('SIGTERM');
  const statements = JSON.parse(postgresql.query(`SELECT json_agg(t) FROM (SELECT query, calls, mean_exec_time AS ms, (shared_blks_hit + shared_blks_read)::float / calls AS pages,
    rows::float / calls AS rows FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE datname = '${database}' AND query LIKE '%agneto.%' AND query NOT LIKE '%json_agg(t%') t`, database));
  return {found, statements};
}

const results = [];
for (const runs of sizes) {
  results.push(await measure(runs));
  if (process.env.AGNETO_BENCH_KEEP) console.log(`kept: ${postgresql.uri(`runs_${runs}`)}`);
}
const figure = (ms) => ms >= 1000 ? `${(ms / 1000).toFixed(0)} s` : `${Number(ms.toPrecision(2))} ms`;
const [small, large] = [results[0], results.at(-1)];
console.log(`\n| what | ${sizes[0]} runs | ${sizes.at(-1)} runs |  |\n| --- | ---: | ---: | ---: |`);
for (const [what, before] of Object.entries(small.found)) {
  const after = large.found[what];
  console.log(`| \`${what}\` | ${figure(before)} | ${figure(after)} | ${(after / before).toFixed(1)}× |`);
}
console.log('\nStatements, by what they take in all in the larger one:');
for (const now of large.statements.toSorted((a, b) => b.ms * b.calls - a.ms * a.calls).slice(0, 40)) {
  const then = small.statements.find(({query}) => query === now.query);
  console.log(`${now.calls} calls, ${then ? then.ms.toFixed(3) : '-'} -> ${now.ms.toFixed(3)} ms, ${then ? then.pages.toFixed(0) : '-'} -> ${now.pages.toFixed(0)} pages, ${now.rows.toFixed(0)} rows: ${now.query.replace(/\s+/g, ' ').replace(/^SELECT r\.id, r\.workflow.*?FROM agneto.runs r /, 'SELECT … FROM agneto.runs r ').slice(0, 260)}`);
}
if (process.env.AGNETO_BENCH_KEEP) await sleep(Number(process.env.AGNETO_BENCH_KEEP) * 1000);
process.exit(0);
