// What a server costs, and how soon it answers: node bench/serve.mjs AGNETO [RUNS [WATCHERS [DOCUMENT]]]
//
// All by the API, as a client sees it; times are those of whoever waits, and with many watchers most of them are
// this script's own. A document gets what is measured as its section "A server".

import {spawn, spawnSync} from 'node:child_process';
import http from 'node:http';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {cpus, release, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {firstView} from '../tests/e2e/lib/lighthouse.mjs';

const program = resolve(process.argv[2]);
const runs = Number(process.argv[3] ?? 10_000);
const watchers = Number(process.argv[4] ?? 1000);
const document = process.argv[5];
const folder = mkdtempSync(join(tmpdir(), 'agneto-bench-'));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
const atWork = 50;

const rows = [];
// `bound` is the aim, and `value` what was measured, in `unit`; `words` say the same for people.
function tell(what, value, unit, {most, least, words} = {}) {
  const figure = (number) => `${Number(number.toPrecision(3))} ${unit}`;
  const aim = most !== undefined ? `< ${figure(most)}` : least !== undefined ? `≥ ${figure(least)}` : '';
  const met = (most === undefined || value < most) && (least === undefined || value >= least);
  rows.push(`| ${what} | ${aim} | ${words ?? figure(value)} | ${aim && (met ? 'met' : '**missed**')} |`);
  console.log(`${what}: ${words ?? figure(value)}${aim ? ` (${aim}: ${met ? 'met' : 'missed'})` : ''}`);
}
const tellTimes = (what, times, {most} = {}) =>
  tell(what, quantile(times, 0.99), 'ms', {most, words: `median ${quantile(times, 0.5).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)} ms`});

const workflows = {
  gate: `initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    after: [{delay: 24h, target: LATE}]
    on: {YES: DONE}
  DONE: {final: true}
  LATE: {final: true, status: failed}
`,
  timer: `initial: RESTING
states:
  RESTING:
    after: [{delay: 20s, target: DONE}]
  DONE: {final: true}
`,
  busy: `context: {steps: 0}
initial: PING
states:
  PING:
    entry: 'ctx.steps = ctx.steps + 1; send("next")'
    on: {next: {target: PONG}}
  PONG:
    entry: 'ctx.steps = ctx.steps + 1; send("next")'
    on: {next: [{guard: ctx.steps < 900, target: PING}, {target: DONE}]}
  DONE: {final: true}
`,
  program: `initial: WORKING
states:
  WORKING:
    run: {shell: 'while [ ! -e go ]; do sleep 1; done'}
    on: {ok: DONE, failed: DONE}
  DONE: {final: true}
`,
};
// A server in a folder of its own. `slowDisk`: a library that makes it wait longer for the disk.
class Server {
  static async start(name, slowDisk = '') {
    const server = new Server();
    server.folder = join(folder, name);
    mkdirSync(join(server.folder, '.agneto/workflows'), {recursive: true});
    writeFileSync(join(server.folder, '.agneto/config.yaml'), `serve: {runs: ${atWork}}\n`);
    for (const [name, machine] of Object.entries(workflows)) {
      writeFileSync(join(server.folder, `.agneto/workflows/${name}.yaml`),
        `agneto: 1\nname: ${name}\ninputs: {task: {type: string, main: true}}\nworkspace: none\n${machine}`);
    }
    server.token = spawnSync(program, ['token', 'make', 'bench', '--scope', 'admin'], {cwd: server.folder, encoding: 'utf8'}).stdout.trim();
    server.process = spawn(program, ['serve', '--listen', '127.0.0.1:0'],
      {cwd: server.folder, stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, LD_PRELOAD: slowDisk}});
    process.on('exit', () => server.process.kill('SIGKILL'));
    let said = '';
    server.process.stdout.on('data', (text) => { said += text; if (said.length > 10_000) said = said.slice(0, 1000); });
    while (!/^API: /m.test(said)) await sleep(20);
    server.url = said.match(/^API: (\S+)\/$/m)[1];
    return server;
  }

  async ask(method, path, body) {
    for (;;) {
      const response = await fetch(this.url + path, {method, headers: {authorization: `Bearer ${this.token}`}, body: body && JSON.stringify(body)});
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status !== 429) throw new Error(`${method} ${path}: ${text}`);
      await sleep(1000 * Number(response.headers.get('retry-after')));
    }
  }

  // Submits so many runs, four at a time; returns their ids.
  async submit(workflow, count) {
    const ids = [];
    let next = 0;
    await Promise.all(Array.from({length: 4}, async () => {
      while (next < count) ids.push((await this.ask('POST', '/runs', {task: `${workflow} ${++next}`, workflow})).run);
    }));
    return ids;
  }

  // Calls `hear` with each run that is told of, until it is ended.
  watch(hear) {
    let begun;
    const request = http.get(`${this.url}/events`, {agent: false, headers: {authorization: `Bearer ${this.token}`}}, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
        for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
          const data = text.slice(0, end).match(/^data: (.*)$/m)?.[1];
          if (data) hear(JSON.parse(data));
          else begun();
        }
      });
      response.on('error', () => {});
    });
    request.on('error', () => {});
    return {begins: new Promise((resolve) => { begun = resolve; }), end: () => request.destroy()};
  }

  async standing() { return (await this.ask('GET', '/server')).runs; }
  // MB.
  memory() {
    return Number(readFileSync(`/proc/${this.process.pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)[1]) / 1024;
  }
  // Hundredths of a second that it has worked.
  ticks() {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  }
}
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

const seconds = async (work) => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

// Single rows of 100 bytes by SQLite itself, each in a transaction of its own.
function bareCommits(server, count, slowDisk) {
  const row = `INSERT INTO rows VALUES ('${'x'.repeat(100)}');\n`;
  const input = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS rows (text);\n${row.repeat(count)}`;
  const begun = performance.now();
  const {status, stderr} = spawnSync('sqlite3', [join(server.folder, 'bare.db')], {input, encoding: 'utf8', env: {...process.env, LD_PRELOAD: slowDisk}});
  if (status !== 0) throw new Error(`sqlite3: ${stderr}`);
  return count / ((performance.now() - begun) / 1000);
}

const server = await Server.start('server');

// From a task to its first question in an idle server.
const firsts = [];
for (let i = 0; i < 300; ++i) {
  const at = performance.now();
  const {run} = await server.ask('POST', '/runs', {task: `first ${i}`, workflow: 'gate'});
  while (!(await server.ask('GET', `/runs/${run}`)).questions.length) await sleep(1);
  firsts.push(performance.now() - at);
  await server.ask('POST', `/runs/${run}/answer`, {option: 'YES'});
}
tellTimes('From a task to its first question, idle', firsts, {most: 50});

// What a browser shows that was never there.
const views = [];
for (let i = 0; i < 5; ++i) views.push(await firstView(`${server.url.replace('/api/v1', '')}/#token=${server.token}`));
const view = (what) => views.map((each) => each[what]);
tell('The first view of a browser, its first paint', quantile(view('firstPaint'), 0.5), 'ms', {most: 1000});
tell('The same, Lighthouse\'s score of its performance', quantile(view('performance'), 0.5), 'of 100', {least: 95});

// A program is at work for each.
const idle = server.memory();
await server.submit('program', atWork);
while ((await server.standing()).running < atWork) await sleep(100);
tell('Memory of a run whose program is at work', (server.memory() - idle) / atWork, 'MB', {most: 2});
writeFileSync(join(server.folder, 'go'), '');
while ((await server.standing()).running > 0) await sleep(100);

// At work, by turns with bare commits. What it says of the disk is `disk`.
async function steps(server, disk, commits, slowDisk = '') {
  const ratios = [], rates = [];
  for (let round = 0; round < 3; ++round) {
    const bare = bareCommits(server, commits, slowDisk);
    const ended = new Set();
    const watcher = server.watch((run) => { if (run.workflow === 'busy' && run.status === 'complete') ended.add(run.run); });
    await watcher.begins;
    const took = await seconds(async () => {
      await server.submit('busy', atWork);
      while (ended.size < atWork) await sleep(5);
    });
    watcher.end();
    rates.push(atWork * 900 / took);
    ratios.push(rates.at(-1) / bare);
  }
  tell(`Durable steps of ${atWork} runs at work, of bare commits, ${disk}`, quantile(ratios, 0.5), '×',
    {least: 3, words: `${quantile(ratios, 0.5).toFixed(1)}× (${Math.round(quantile(rates, 0.5))} steps/s)`});
}
await steps(server, 'on this disk', 3000);
const slowDisk = join(folder, 'slow_disk.so');
if (spawnSync('cc', ['-shared', '-fPIC', '-o', slowDisk, join(import.meta.dirname, 'slow_disk.c')], {stdio: 'inherit'}).status !== 0) process.exit(1);
const slow = await Server.start('slow', slowDisk);
await steps(slow, 'where a flush takes 1 ms more', 1000, slowDisk);
slow.process.kill('SIGKILL');

// Parked.
let ids;
tell(`${runs} runs are submitted in`, await seconds(async () => { ids = await server.submit('gate', runs); }), 's');
while ((await server.standing()).parked < runs) await sleep(500);
const before = server.ticks();
await sleep(20_000);
tell(`Memory with ${runs} runs parked`, server.memory(), 'MB', {most: 100});
tell('Processor while nothing happens', (server.ticks() - before) / 20, '% of a core', {most: 1});

// How long it takes from an answer until so many listeners have heard that its run goes on.
async function answers(listeners, count) {
  const took = [];
  let left = 0, done, wanted;
  const all = Array.from({length: listeners}, () => {
    let told = '';  // of which run this one has heard
    return server.watch((run) => {
      if (run.run !== wanted?.run || run.status === 'parked' || told === run.run) return;
      told = run.run;
      took.push(performance.now() - wanted.at);
      if (--left === 0) done();
    });
  });
  await Promise.all(all.map((each) => each.begins));
  const used = server.memory();
  for (let i = 0; i < count; ++i) {
    const everybody = new Promise((resolve) => { left = listeners; done = resolve; });
    const run = ids.pop();
    wanted = {run, at: performance.now()};
    await server.ask('POST', `/runs/${run}/answer`, {option: 'YES'});
    await everybody;
  }
  for (const each of all) each.end();
  return {took, used};
}
tellTimes('From an answer to what one watcher hears of it', (await answers(1, 100)).took, {most: 100});
const many = await answers(watchers, 20);
tellTimes(`The same with ${watchers} watchers`, many.took, {most: 100});
tell(`Memory with ${watchers} watchers`, many.used, 'MB', {most: 200});

// When each of 100 timers is heard of, behind its time.
const late = [];
const due = new Map();
const timers = server.watch((run) => {
  if (run.workflow !== 'timer') return;
  if (run.wake) due.set(run.run, Date.parse(run.wake));
  else if (run.status === 'complete' && due.has(run.run)) late.push(Date.now() - due.get(run.run));
});
await timers.begins;
await server.submit('timer', 100);
for (const end = performance.now() + 120_000; late.length < 100; await sleep(50)) {
  if (performance.now() > end) throw new Error(`${100 - late.length} timers of 100 were not heard of`);
}
timers.end();
tellTimes('A timer is heard of, behind its time', late, {most: 1000});

// By ab, since JavaScript's fetch takes several times as long as the server.
const said = spawnSync('ab', ['-q', '-n', '1500', '-c', '100', '-H', `Authorization: Bearer ${server.token}`, `${server.url}/runs`], {encoding: 'utf8'}).stdout;
const figure = (of) => Number(said.match(of)?.[1] ?? NaN);
if (figure(/^Failed requests: +(\d+)/m) !== 0 || said.includes('Non-2xx')) throw new Error(`ab: ${said}`);
const slowest = figure(/^ +99% +(\d+)/m);
tell(`The newest of ${runs} runs are listed, 100 requests at a time`, slowest, 'ms',
  {most: 50, words: `median ${figure(/^ +50% +(\d+)/m)}, p99 ${slowest} ms`});

if (document) {
  const text = readFileSync(document, 'utf8');
  const commit = spawnSync('git', ['describe', '--always'], {encoding: 'utf8'}).stdout.trim();
  const section = `## A server

One \`agneto serve\`, asked over its API by one client on the same two cores, which takes most of the time with many
watchers. What several runs have from working at the same time is that they wait for the disk together; how long it
takes to flush is another time each hour here, so steps are measured once more where that takes a millisecond longer, for
bare commits, too. Measured on ${new Date().toISOString().slice(0, 10)} by \`./dev bench --serve\` at ${commit} on ${cpus()[0].model}, ${cpus().length} cores, Linux ${release()}.

| what | target | measured |  |
| --- | ---: | ---: | ---: |
${rows.join('\n')}
`;
  const others = text.replace(/^## A server\n[^]*?(?=^## |$(?![^]))/m, '');
  const next = others.search(/^## From a fresh clone/m);
  writeFileSync(document, next < 0 ? `${others}\n${section}` : `${others.slice(0, next)}${section}\n${others.slice(next)}`);
}
process.exit(0);
