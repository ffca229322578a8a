// What `agneto serve` tells people, by real programs and a real webhook; and what it removes.

import assert from 'node:assert/strict';
import {createHmac} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {serve, submit, until} from './lib/served.mjs';

const config = '.agneto/config.yaml';
const gate = {
  '.agneto/workflows/gate.yaml': `agneto: 1
name: gate
inputs: {task: {type: string, main: true}}
initial: GATE
states:
  GATE:
    ask: {question: "Is \\e[31m{{inputs.task}}\\nright?", options: {YES: Take it, NO: Leave it}}
    on: {YES: DONE, NO: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
};

// A webhook that answers with `status` and keeps what came.
async function webhook(t) {
  const hook = {status: 204, came: []};
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (text) => { body += text; });
    request.on('end', () => {
      hook.came.push({body, headers: request.headers, method: request.method, path: request.url});
      response.writeHead(hook.status, hook.status === 302 ? {location: '/elsewhere'} : {});
      response.end();
    });
  });
  await new Promise((listening) => { server.listen(0, '127.0.0.1', listening); });
  t.after(() => server.close());
  hook.url = `http://127.0.0.1:${server.address().port}/hook`;
  return hook;
}

// Programs of that name write their arguments and input into a folder of the repository's home.
function fake(repo, name) {
  const bin = join(repo.home, 'bin');
  mkdirSync(bin, {recursive: true});
  writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$@" > "$HOME/${name}.args"\ncat >> "$HOME/${name}.input"\n`, {mode: 0o755});
}
const told = (repo, file) => (existsSync(join(repo.home, file)) ? readFileSync(join(repo.home, file), 'utf8') : '');

test('a gate and an end are told once, by command, desktop, webhook and mail', async (t) => {
  const hook = await webhook(t);
  const repo = makeRepo(t, {
    files: {...greeter, ...gate, [config]: `serve: {url: "https://agneto.example.com/"}
notify:
  - {command: [own-command, --flag]}
  - {desktop: true, on: [gate]}
  - {webhook: $HOOK_URL, secret: $HOOK_SECRET}
  - {mail: ada@example.com, on: [end, failure]}
`}, env: {HOOK_URL: hook.url, HOOK_SECRET: 'a secret of ours'}});
  for (const name of ['own-command', 'notify-send', 'sendmail']) fake(repo, name);
  repo.env.PATH = `${join(repo.home, 'bin')}:${repo.env.PATH}`;
  const first = serve(t, repo);
  await first.says(/serving/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await until(() => hook.came.length === 1 && told(repo, 'own-command.input') && told(repo, 'notify-send.args'));
  const [asked] = hook.came;
  const event = JSON.parse(asked.body);
  const {time, status, ...rest} = event;
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
  assert.ok(['running', 'parked'].includes(status), status);
  assert.deepEqual(rest, {
    event: 'gate', id: `${id} gate GATE#1 0`, run: id, workflow: 'gate', task: 'say hello',
    text: `${id} asks: Is say hello`, url: `https://agneto.example.com/runs/${id}`});
  const [, example] = readFileSync(join(root, 'docs/serve.md'), 'utf8').match(/^```json\n(\{"event".*)\n```$/m);
  assert.deepEqual(JSON.parse(example.replaceAll('say-hello-3f2a', id)), {
    ...event, status: 'parked', time: '2026-11-26T17:20:00.000Z', text: `${id} asks: Is that what you want?`});
  assert.deepEqual([asked.method, asked.path, asked.headers['content-type']], ['POST', '/hook', 'application/json']);
  assert.equal(Buffer.from(asked.headers['x-agneto-id'], 'base64').toString(), event.id);
  assert.equal(asked.headers['x-agneto-signature'], `sha256=${createHmac('sha256', 'a secret of ours').update(asked.body).digest('hex')}`);
  assert.equal(told(repo, 'own-command.args'), '--flag\n');
  assert.equal(JSON.parse(told(repo, 'own-command.input')).id, event.id);
  assert.equal(told(repo, 'notify-send.args'), `--app-name=agneto\n--\n${id} asks: Is say hello\nsay hello\nhttps://agneto.example.com/runs/${id}\n`);

  first.kill('SIGKILL');
  await first.ended;
  const second = serve(t, repo);
  await second.says(/serving/);
  await agneto(repo, ['answer', id, 'NO']);
  await until(() => told(repo, 'sendmail.input').endsWith('\n') && hook.came.length === 2);
  assert.equal(told(repo, 'sendmail.args'), '-t\n-i\n');
  const mail = told(repo, 'sendmail.input');
  const [, subject, body] = mail.match(/^To: ada@example\.com\nSubject: =\?UTF-8\?B\?(.*)\?=\nMessage-ID: <[0-9a-f]{64}@agneto\.invalid>\n[^]*?\n\n([^]*)$/);
  assert.equal(Buffer.from(subject, 'base64').toString(), `${id} has failed (FAILED)`);
  assert.equal(Buffer.from(body, 'base64').toString(), `${id} has failed (FAILED)\n\nsay hello\nhttps://agneto.example.com/runs/${id}\n`);
  assert.deepEqual(hook.came.map((one) => JSON.parse(one.body).event), ['gate', 'failure']);
  second.kill('SIGTERM');
  await second.ended;
  repo.pass();
});

test('a webhook that is away holds up no run, is asked again, and is not followed elsewhere', async (t) => {
  const hook = await webhook(t);
  hook.status = 302;
  const repo = makeRepo(t, {files: {...greeter, ...gate, [config]: `notify: [{webhook: "${hook.url}", on: [gate]}]\n`}});
  const server = serve(t, repo);
  await server.says(/serving/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await until(() => hook.came.length === 1);
  assert.equal((await agneto(repo, ['wait', id])).status, exit.suspended, 'the run waits for a person only');
  const log = () => readFileSync(join(repo.dir, '.agneto/log/agneto.log'), 'utf8');
  await until(() => log().includes('notification failed, and is tried again'));
  assert.match(log(), /notification failed, and is tried again.*webhook: it answers with status 302/);
  assert.ok(!log().includes(hook.url), 'an address can be a secret');
  server.kill('SIGKILL');
  await server.ended;
  hook.status = 200;
  const next = serve(t, repo);
  await until(() => hook.came.length === 2);
  assert.deepEqual(hook.came.map((one) => one.path), ['/hook', '/hook']);
  assert.equal(hook.came[1].body, hook.came[0].body);
  next.kill('SIGTERM');
  await next.ended;
  repo.pass();
});

test('a program that hangs keeps no other way waiting', async (t) => {
  const hook = await webhook(t);
  const repo = makeRepo(t, {files: {...greeter, ...gate, [config]: `notify: [{command: [sleep, "25"]}, {webhook: "${hook.url}"}]\n`}});
  const server = serve(t, repo);
  await server.says(/serving/);
  const begin = Date.now();
  for (let i = 0; i < 3; ++i) await submit(repo, `task ${i}`, '-w', 'gate');
  await until(() => hook.came.length === 3);
  assert.ok(Date.now() - begin < 20_000, 'it was told by and by');
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('a server that is killed again and again tells of each run, and of hardly any twice', async (t) => {
  const hook = await webhook(t);
  const repo = makeRepo(t, {files: {...greeter, ...gate, [config]: `notify: [{webhook: "${hook.url}", on: [gate]}]\n`}});
  const before = serve(t, repo);
  await before.says(/serving/);
  await sleep(200);
  before.kill('SIGKILL');
  await before.ended;
  const ids = [];
  for (let i = 0; i < 6; ++i) ids.push(await submit(repo, `task ${i}`, '-w', 'gate'));
  for (let kills = 0; kills < 10; ++kills) {
    const server = serve(t, repo);
    await sleep(60 + 60 * kills);
    server.kill('SIGKILL');
    await server.ended;
  }
  const server = serve(t, repo);
  const seen = () => hook.came.map((one) => JSON.parse(one.body).id);
  await until(() => new Set(seen()).size === ids.length);
  await sleep(1000);
  assert.deepEqual([...new Set(seen())].sort(), ids.map((id) => `${id} gate GATE#1 0`).sort());
  assert.ok(seen().length <= ids.length + 10, 'at most one more for each kill');
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('what ended runs leave is removed once it is old enough, and unmerged work stays', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/note.yaml': `agneto: 1
name: note
inputs: {task: {type: string, main: true}, keep: {type: boolean, default: false}}
initial: NOTING
states:
  NOTING:
    run: {shell: 'echo "$TASK" > "$TASK.txt"', env: {TASK: inputs.task}}
    on: {ok: COMMITTING, failed: FAILED}
  COMMITTING:
    workspace: {commit: {message: Note}}
    on:
      ok: [{guard: inputs.keep, target: DONE}, MERGING]
      failed: FAILED
  MERGING:
    workspace: {merge: {}}
    on: {ok: DONE, failed: FAILED, conflict: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`}});
  const server = serve(t, repo);
  const merged = await submit(repo, 'one', '-w', 'note');
  const unmerged = await submit(repo, 'two', '-w', 'note', '-i', 'keep=true');
  const end = await agneto(repo, ['wait', merged, unmerged]);
  assert.equal(end.status, exit.complete, end.said);
  await sleep(2500);
  const branches = () => repo.git('branch', '--list', 'agneto/*', '--format=%(refname:short)').split('\n').filter(Boolean).sort();
  assert.deepEqual(branches(), [`agneto/${merged}`, `agneto/${unmerged}`].sort(), 'it was cleaned though nobody said so');
  repo.write({[config]: 'serve: {keep: 2s}\n'});
  await agneto(repo, ['submit', 'three', '-w', 'note']);
  await until(() => !branches().includes(`agneto/${merged}`));
  await sleep(500);
  assert.ok(branches().includes(`agneto/${unmerged}`));
  assert.equal((await agneto(repo, ['show', merged])).status, 0);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});
