// What a server costs, and how soon it answers: node bench/serve.mjs AGNETO [RUNS [WATCHERS]]
//
// One task goes through an idle server. Then so many runs are submitted and park at a gate with a timer; the
// server's memory and processor time are looked at while nothing happens, how soon a run goes on once it is
// answered, and how soon so many watchers of the stream hear of that. All by the API, as a client sees it;
// times are those of whoever waits, and with many watchers most of them are this script's own.

import {spawn, spawnSync} from 'node:child_process';
import http from 'node:http';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const program = resolve(process.argv[2]);
const runs = Number(process.argv[3] ?? 10_000);
const watchers = Number(process.argv[4] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'agneto-bench-'));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
const ms = (value) => `${value.toFixed(1)} ms`;

mkdirSync(join(folder, '.agneto/workflows'), {recursive: true});
writeFileSync(join(folder, '.agneto/config.yaml'), 'serve: {runs: 8}\n');
writeFileSync(join(folder, '.agneto/workflows/gate.yaml'), `agneto: 1
name: gate
inputs: {task: {type: string, main: true}}
workspace: none
initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    after: [{delay: 24h, target: LATE}]
    on: {YES: DONE}
  DONE: {final: true}
  LATE: {final: true, status: failed}
`);
const token = spawnSync(program, ['token', 'make', 'bench', '--scope', 'admin'], {cwd: folder, encoding: 'utf8'}).stdout.trim();
const server = spawn(program, ['serve', '--listen', '127.0.0.1:0'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
process.on('exit', () => { server.kill('SIGKILL'); rmSync(folder, {recursive: true, force: true}); });
let said = '';
server.stdout.on('data', (text) => { said += text; if (said.length > 10_000) said = said.slice(0, 1000); });
while (!/^API: /m.test(said)) await sleep(20);
const url = said.match(/^API: (\S+)\/$/m)[1];
const ask = async (method, path, body) => {
  const response = await fetch(url + path, {method, headers: {authorization: `Bearer ${token}`}, body: body && JSON.stringify(body)});
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
};
const status = (name) => Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))[1]);
const ticks = () => { const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' '); return Number(fields[11]) + Number(fields[12]); };

const firsts = [];
for (let i = 0; i < 20; ++i) {
  const at = performance.now();
  const {run} = await ask('POST', '/runs', {task: `first ${i}`, workflow: 'gate'});
  while (!(await ask('GET', `/runs/${run}`)).questions.length) await sleep(1);
  firsts.push(performance.now() - at);
  await ask('POST', `/runs/${run}/answer`, {option: 'YES'});
}
console.log(`from a task to its first question, in an idle server: median ${ms(quantile(firsts, 0.5))}, p99 ${ms(quantile(firsts, 0.99))}`);

const ids = [];
let next = 0;
const begun = performance.now();
await Promise.all(Array.from({length: 4}, async () => {
  while (next < runs) ids.push((await ask('POST', '/runs', {task: `run ${++next}`, workflow: 'gate'})).run);
}));
console.log(`submitted: ${runs} runs in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
while ((await ask('GET', '/server')).runs.parked < runs) await sleep(500);
console.log(`all of them parked after ${((performance.now() - begun) / 1000).toFixed(1)} s`);

const before = ticks();
await sleep(20_000);
console.log(`memory while parked: ${(status('VmRSS') / 1024).toFixed(1)} MB (at most so far: ${(status('VmHWM') / 1024).toFixed(1)} MB)`);
console.log(`processor while parked: ${((ticks() - before) / 20).toFixed(2)} % of a core`);

// Calls `tell` with each run that is told of, until it is ended.
function watch(tell) {
  const request = http.get(`${url}/events`, {agent: false, headers: {authorization: `Bearer ${token}`}}, (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
      for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
        const data = text.slice(0, end).match(/^data: (.*)$/m)?.[1];
        if (data) tell(JSON.parse(data));
        else begun();
      }
    });
    response.on('error', () => {});
  });
  request.on('error', () => {});
  let begun;
  return {begins: new Promise((resolve) => { begun = resolve; }), end: () => request.destroy()};
}

async function answers(name, listeners, count) {
  const took = [];
  let left = 0, done, wanted;
  const all = Array.from({length: listeners}, () => {
    let told = '';  // of which run this one has heard
    return watch((run) => {
      if (run.run !== wanted?.run || run.status === 'parked' || told === run.run) return;
      told = run.run;
      took.push(performance.now() - wanted.at);
      if (--left === 0) done();
    });
  });
  await Promise.all(all.map((each) => each.begins));
  console.log(`memory with ${name}: ${(status('VmRSS') / 1024).toFixed(1)} MB`);
  for (let i = 0; i < count; ++i) {
    const everybody = new Promise((resolve) => { left = listeners; done = resolve; });
    const run = ids.pop();
    wanted = {run, at: performance.now()};
    await ask('POST', `/runs/${run}/answer`, {option: 'YES'});
    await everybody;
  }
  for (const each of all) each.end();
  console.log(`from an answer to what is heard of it, ${name}: median ${ms(quantile(took, 0.5))}, p99 ${ms(quantile(took, 0.99))}`);
}
await answers('one watcher', 1, 100);
await answers(`${watchers} watchers`, watchers, 20);

const lists = [];
for (let batch = 0; batch < 5; ++batch) {
  await Promise.all(Array.from({length: 100}, async () => {
    const at = performance.now();
    await ask('GET', '/runs');
    lists.push(performance.now() - at);
  }));
}
console.log(`GET /runs, 100 at a time: median ${ms(quantile(lists, 0.5))}, p99 ${ms(quantile(lists, 0.99))}`);
process.exit(0);
