// What a server costs, and how soon it answers: node bench/serve.mjs AGNETO [RUNS]
//
// So many runs are submitted and park at a gate with a timer; then the server's memory and processor time
// are looked at while nothing happens, and how soon a run goes on once it is answered. All by the API, as
// a client sees it.

import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const program = resolve(process.argv[2]);
const runs = Number(process.argv[3] ?? 10_000);
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

const heard = new Map();
const listening = new AbortController();
const response = await fetch(`${url}/events`, {headers: {authorization: `Bearer ${token}`}, signal: listening.signal});
(async () => {
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const data = text.slice(0, end).match(/^data: (.*)$/m)?.[1];
      if (!data) continue;
      const run = JSON.parse(data);
      if (run.status !== 'parked') heard.get(run.run)?.(performance.now());
    }
  }
})().catch(() => {});
const answered = [];
for (let i = 0; i < 100; ++i) {
  const id = ids[Math.floor(i * ids.length / 100)];
  const goesOn = new Promise((resolve) => heard.set(id, resolve));
  const at = performance.now();
  await ask('POST', `/runs/${id}/answer`, {option: 'YES'});
  answered.push((await goesOn) - at);
}
listening.abort();
console.log(`from an answer to what a watcher hears of it: median ${ms(quantile(answered, 0.5))}, p99 ${ms(quantile(answered, 0.99))}`);

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
