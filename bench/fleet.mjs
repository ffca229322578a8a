// What a shared database costs, beside others who record in PostgreSQL: node bench/fleet.mjs BUILD SCRATCH DOCUMENT
//
// BUILD has agneto and agneto-bench; the peers are installed in SCRATCH. The document gets what is measured as its
// section "A shared database".

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {cpus, release, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {startPostgresql} from '../tests/e2e/lib/postgresql.mjs';

const [build, scratch, document] = process.argv.slice(2).map((path) => resolve(path));
const peers = join(import.meta.dirname, 'peers');
const rounds = 3, jobs = 300, singles = 50, workers = 4, parked = 10_000, idle_seconds = 30;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
const median = (values) => quantile(values, 0.5);
// Two digits, as 4,700 or 0.56.
const figure = (number) => Number(number.toPrecision(2)).toLocaleString('en-US', {maximumSignificantDigits: 2});
const folder = mkdtempSync(join(tmpdir(), 'agneto-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

console.log('==> Installing LangGraph, DBOS, graphile-worker and pg-boss');
mkdirSync(scratch, {recursive: true});
copyFileSync(join(peers, 'package.json'), join(scratch, 'package.json'));
execFileSync('npm', ['install', '--prefix', scratch, '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], {stdio: ['ignore', 'ignore', 'inherit']});
const version = (name) => JSON.parse(readFileSync(join(scratch, 'node_modules', name, 'package.json'))).version;

// Counters of each benchmark, by its name.
const steps = {};
for (let round = 1; round <= rounds; ++round) {
  console.log(`==> Durable steps, round ${round} of ${rounds}`);
  const said = execFileSync(join(build, 'agneto-bench'), ['--benchmark_filter=^fleet/', '--benchmark_format=json'],
    {encoding: 'utf8', env: {...process.env, AGNETO_BENCH_PEERS: scratch}, stdio: ['ignore', 'pipe', 'ignore']});
  for (const {name, steps: rate, of_bare, bare, error_message} of JSON.parse(said).benchmarks) {
    if (error_message) throw new Error(`${name}: ${error_message}`);
    (steps[name.match(/^fleet\/(.*?)\/iterations/)[1]] ??= []).push({rate, of_bare, bare});
  }
}
const of = (name, counter) => median(steps[name].map((round) => round[counter]));

const postgresql = startPostgresql();
const queues = {};
for (const name of ['graphile-worker', 'pg-boss', 'pg-boss-notify', 'dbos']) {
  console.log(`==> Queues: ${name}`);
  for (const what of ['jobs', 'idle']) {
    const database = `${name}_${what}`.replaceAll('-', '_');
    postgresql.query(`CREATE DATABASE ${database}`);
    const said = execFileSync('node', ['--no-warnings', join(peers, 'queues.mjs'), scratch, name, what, `postgresql://agneto@${encodeURIComponent(postgresql.folder)}/${database}`],
      {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
    queues[name] = {...queues[name], ...JSON.parse(said.trim().split('\n').at(-1))};
  }
}

// Runs of one step, each a process's, in a database of its own.
console.log('==> Queues: agneto');
const program = join(build, 'agneto');
mkdirSync(join(folder, '.agneto/workflows'), {recursive: true});
writeFileSync(join(folder, '.agneto/config.yaml'), `serve: {runs: ${workers}}\n`);
writeFileSync(join(folder, '.agneto/workflows/once.yaml'), `agneto: 1
name: once
inputs: {task: {type: string, main: true}}
workspace: none
initial: DOING
states:
  DOING:
    entry: send("next")
    on: {next: DONE}
  DONE: {final: true}
`);
postgresql.query('CREATE DATABASE agneto_queue');
const env = {...process.env, AGNETO_JOURNAL: postgresql.uri('agneto_queue')};
const ask = (sql) => postgresql.query(sql, 'agneto_queue');
const command = (...words) => {
  const ran = spawnSync(program, words, {cwd: folder, encoding: 'utf8', env});
  if (ran.status !== 0) throw new Error(`${words.join(' ')}: ${ran.stderr}`);
  return ran.stdout.trim();
};
const submit = (task) => JSON.parse(command('submit', task, '-w', 'once', '--json')).run;
const token = command('token', 'make', 'bench', '--scope', 'admin');
for (let i = 0; i < jobs; ++i) submit(`job ${i}`);
const begun = Date.now();
const server = spawn(program, ['serve', '--listen', '127.0.0.1:0'], {cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit']});
process.on('exit', () => server.kill('SIGKILL'));
let said = '';
server.stdout.on('data', (text) => { if (said.length < 1e5) said += text; });
while (!/^API: /m.test(said)) await sleep(5);
// Who asks takes a core for a while, so it is not done where a run that is measured begins.
const all_done = async () => {
  do await sleep(100); while (ask("SELECT count(*) FROM agneto.runs WHERE status <> 'complete'") !== '0');
};
await all_done();
const agneto = {jobs_per_second: jobs / ((Number(ask('SELECT max(time) FROM agneto.entries')) - begun) / 1000)};
const started = (id) => Number(ask(`SELECT min(e.time) FROM agneto.entries e JOIN agneto.runs r ON r.number = e.run WHERE r.id = '${id}' AND kind = 'started'`));
const at = said.match(/^API: (\S+)\/$/m)[1];
const over_http = [], from_elsewhere = [];
for (let i = 0; i <= singles; ++i) {
  await sleep(200 + Math.random() * 400);
  const before = Date.now();
  const response = await fetch(`${at}/runs`, {method: 'POST', headers: {authorization: `Bearer ${token}`}, body: JSON.stringify({task: `single ${i}`, workflow: 'once'})});
  const {run} = await response.json();
  await all_done();
  if (i > 0) over_http.push(started(run) - before);  // when i is 0, it reads what it needs
  await sleep(200 + Math.random() * 400);
  const other = submit(`from elsewhere ${i}`);
  await all_done();
  const queued = Number(ask(`SELECT created FROM agneto.runs WHERE id = '${other}'`));
  if (i > 0) from_elsewhere.push(started(other) - queued);
}
server.kill('SIGTERM');

// What those who have nothing to do ask of the database, with so many runs that wait for a person and for a time. They
// are copies of one; their lines are all that is looked at.
console.log('==> Idle, with parked runs');
writeFileSync(join(folder, '.agneto/workflows/gate.yaml'), `agneto: 1
name: gate
inputs: {task: {type: string, main: true}}
workspace: none
initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    after: [{delay: 24h, target: DONE}]
    on: {YES: DONE}
  DONE: {final: true}
`);
postgresql.stop('fast');
postgresql.start('shared_preload_libraries=pg_stat_statements');
postgresql.query('CREATE EXTENSION pg_stat_statements');
postgresql.query('CREATE DATABASE agneto_parked');
env.AGNETO_JOURNAL = postgresql.uri('agneto_parked');
const asked_while = async (words, ready) => {
  const child = spawn(program, words, {cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit']});
  process.on('exit', () => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (text) => { said += text; });
  while (!ready.test(said)) await sleep(5);
  await sleep(5000);  // it has begun, and looks no more at what was there
  const statements = () => Number(postgresql.query("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = 'agneto_parked')"));
  const before = statements(), begun = performance.now();
  await sleep(idle_seconds * 1000);
  const rate = (statements() - before) / ((performance.now() - begun) / 1000);
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGTERM');
  await ended;
  return rate;
};
const first = JSON.parse(command('submit', 'wait', '-w', 'gate', '--json')).run;
const parking = spawn(program, ['serve'], {cwd: folder, env, stdio: 'ignore'});
while (postgresql.query(`SELECT status FROM agneto.runs WHERE id = '${first}'`, 'agneto_parked') !== 'parked') await sleep(50);
const parked_by_then = new Promise((resolve) => parking.on('close', resolve));
parking.kill('SIGTERM');
await parked_by_then;
postgresql.query(`INSERT INTO agneto.runs OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(r, jsonb_build_object(
  'number', r.number + n, 'id', r.id || '-' || n, 'change', r.change + n, 'wake', r.wake + n))).* FROM agneto.runs r, generate_series(1, ${parked - 1}) n`, 'agneto_parked');
postgresql.query(`SELECT setval('agneto.change_numbers', (SELECT max(change) FROM agneto.runs)); ANALYZE agneto.runs`, 'agneto_parked');
const asked = [
  ['`agneto serve`', await asked_while(['serve'], /Ctrl\+C ends that/)],
  ['`agneto serve --listen`', await asked_while(['serve', '--listen', '127.0.0.1:0'], /^API: /m)],
  ['`agneto worker`', await asked_while(['worker'], /Ctrl\+C ends that/)],
];

const [one, langgraph, dbos] = ['one_run', 'peers/langgraph/one_run', 'peers/dbos/one_run'].map((name) => of(name, 'of_bare'));
const aims = [
  ['Durable steps of one run, of LangGraph, each of bare commits', '≥ 5×', one / langgraph, 5],
  ['Durable steps of one run, of DBOS, each of bare commits', '≥ 2×', one / dbos, 2],
].map(([what, aim, value, least]) => `| ${what} | ${aim} | ${figure(value)}× | ${value >= least ? 'met' : '**missed**'} |`);
const rows = [
  ['Agneto, one run', 'one_run'], ['Agneto, 32 runs at once', 'many_runs'],
  ['Agneto, one run of a tenant', 'one_run_of_a_tenant'],
  ['LangGraph, one run', 'peers/langgraph/one_run'], ['LangGraph, 32 runs at once', 'peers/langgraph/many_runs'],
  ['DBOS, one run', 'peers/dbos/one_run'], ['DBOS, 32 runs at once', 'peers/dbos/many_runs'],
  ['Agneto, one run, where a flush takes 1 ms more', 'one_run_slow_disk'], ['Agneto, 32 runs at once, where a flush takes 1 ms more', 'many_runs_slow_disk'],
].map(([what, name]) => `| ${what} | ${figure(of(name, 'rate'))} | ${figure(of(name, 'bare'))} | ${figure(of(name, 'of_bare'))} |`);
const ms = (number) => `${figure(number)} ms`;
const queue_rows = [
  ['Agneto, submitted by another program', {...agneto, p50: median(from_elsewhere), p99: quantile(from_elsewhere, 0.99)}],
  ['Agneto, submitted by the API', {p50: median(over_http), p99: quantile(over_http, 0.99)}],
  ['graphile-worker', queues['graphile-worker']], ['pg-boss', queues['pg-boss']], ['pg-boss with `notify`', queues['pg-boss-notify']], ['DBOS', queues.dbos],
].map(([what, {jobs_per_second, p50, p99}]) => `| ${what} | ${jobs_per_second ? figure(jobs_per_second) : ''} | ${ms(p50)} | ${ms(p99)} |`);
const commit = spawnSync('git', ['describe', '--always'], {encoding: 'utf8'}).stdout.trim();
const section = `## A shared database

In PostgreSQL ${postgresql.version} on the same two cores, reached over a socket, which waits for the disk; as in
[Runs in a shared database](fleet.md). Measured on ${new Date().toISOString().slice(0, 10)} by \`./dev bench --fleet\` at ${commit} on ${cpus()[0].model},
${cpus().length} cores, Linux ${release()}, with LangGraph ${version('@langchain/langgraph')} and its PostgreSQL saver ${version('@langchain/langgraph-checkpoint-postgres')}, DBOS ${version('@dbos-inc/dbos-sdk')},
graphile-worker ${version('graphile-worker')} and pg-boss ${version('pg-boss')} on Node.js ${process.versions.node}, as they are by default.

| what | target | measured |  |
| --- | ---: | ---: | ---: |
${aims.join('\n')}

Durable steps, in wall time. A bare commit is a prepared \`INSERT\` of a row of 100 bytes by libpq; each went by turns with
those, ${rounds} rounds of 15 turns, and a figure is a median. A run goes back and forth between two places, and carries 1,000 bytes along
that do not change. LangGraph writes before the next step begins (\`durability: 'sync'\`). DBOS records what a step returned,
as long as Agneto's entry; it keeps no state, and has it by calling the workflow's function once more.

|  | steps/s | bare commits/s | of bare commits |
| --- | ---: | ---: | ---: |
${rows.join('\n')}

Jobs of one step: how many ${workers} workers end a second that have been queued before, and how soon one is taken up while
there is nothing else to do. Agneto's are runs, with a journal, a lease and a workflow each, by one \`agneto serve\` with \`runs: ${workers}\`.
Submitted by another program, time counts from the run's record until its entry \`started\`, to the millisecond; by the API, from before
the request. The peers submit and work in one program, and time counts from before they submit until their function is called.
DBOS and pg-boss look every one and two seconds, and then take as many jobs as there are workers: with a shorter time or more jobs at once, which are
settings, they end more.

|  | jobs/s | taken after, median | p99 |
| --- | ---: | ---: | ---: |
${queue_rows.join('\n')}

With ${parked.toLocaleString('en-US')} runs parked, each of which waits for a person and for a time, what one process that has nothing to do asks of
PostgreSQL: statements a second, some of which are sent together, by \`pg_stat_statements\` over ${idle_seconds} seconds.

|  | statements/s |
| --- | ---: |
${asked.map(([what, rate]) => `| ${what} | ${figure(rate)} |`).join('\n')}
`;
const text = readFileSync(document, 'utf8').replace(/^## A shared database\n[^]*?(?=^## |$(?![^]))/m, '');
const next = text.search(/^## From a fresh clone/m);
writeFileSync(document, next < 0 ? `${text}\n${section}` : `${text.slice(0, next)}${section}\n${text.slice(next)}`);
console.log(section);
process.exit(0);
