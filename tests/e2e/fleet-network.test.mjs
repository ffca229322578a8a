// Runs that are recorded in PostgreSQL through what stands between: a pgbouncer that gives each transaction another
// connection, and a HAProxy that cuts connections while runs go on.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit} from './lib/agneto.mjs';
import {asPostgres, giveToPostgres, postgresql} from './lib/postgresql.mjs';
import {makeServed, runs, serve, submit, until} from './lib/served.mjs';

delete process.env.AGNETO_STORE;  // each test says where its runs are

const steps = 20;
const counting = {
  '.agneto/config.yaml': 'serve: {runs: 4}\n',
  '.agneto/workflows/count.yaml': `agneto: 1
name: count
inputs: {task: {type: string, main: true}}
context: {n: 0}
workspace: none
initial: COUNTING
states:
  COUNTING:
    entry: ctx.n = ctx.n + 1
    run: {shell: 'echo "$TASK $N" >> "$HOME/done"; sleep 0.05', env: {TASK: inputs.task, N: tostring(ctx.n)}}
    on: {ok: [{guard: "ctx.n < ${steps}", target: COUNTING}, {target: DONE}], failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
};

// Starts a program that listens at a socket in a folder of its own, with that configuration, and ends it with the test.
// It is run by `postgres` where we are root, whom pgbouncer refuses.
async function between(t, name, args, configuration) {
  const folder = mkdtempSync(join(tmpdir(), `agneto-${name}-`));
  chmodSync(folder, 0o755);
  const file = join(folder, 'configuration');
  writeFileSync(file, configuration(folder));
  giveToPostgres(folder);
  const [first, ...rest] = asPostgres([`/usr/sbin/${name}`, ...args, file]);
  const program = spawn(first, rest, {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => { said += text; });
  t.after(() => {
    program.kill('SIGKILL');
    rmSync(folder, {recursive: true, force: true});
  });
  await until(() => {
    assert.equal(program.exitCode, null, said);
    return existsSync(join(folder, '.s.PGSQL.5432'));
  });
  return folder;
}

// All that the runs have done is recorded, once.
async function require_once(repo, uri, ids) {
  const done = readFileSync(join(repo.home, 'done'), 'utf8').trim().split('\n');
  const wanted = Object.keys(ids).flatMap((task) => Array.from({length: steps}, (_, n) => `${task} ${n + 1}`));
  assert.deepEqual(done.toSorted(), wanted.toSorted(), 'each program was run once');
  for (const id of Object.values(ids)) {
    const {entries} = JSON.parse((await agneto(repo, ['export', id, '--journal', uri])).out);
    assert.deepEqual(entries.map(({seq}) => seq), entries.map((_, i) => i + 1));
    assert.equal(entries.filter(({kind}) => kind === 'command').length, steps);
    const sound = await agneto(repo, ['doctor', id, '--journal', uri]);
    assert.equal(sound.status, exit.complete, sound.said);
  }
}

test('runs go on behind a pgbouncer that gives each transaction another connection', async (t) => {
  const {uri} = postgresql().database();
  const [, database, host] = uri.match(/@\/(\w+)\?host=(.*)$/);
  const folder = await between(t, 'pgbouncer', ['--quiet'], (folder) => `[databases]
* = host=${host} user=agneto
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`);
  const through = `postgresql://agneto@/${database}?host=${folder}`;
  const repo = makeServed(t, {...counting, '.agneto/config.yaml': `journal: ${through}\nserve: {runs: 4}\n`});
  const server = serve(t, repo);
  await server.says(/serving/);
  const ids = {};
  for (const task of ['one', 'two', 'three', 'four']) ids[task] = await submit(repo, task, '-w', 'count');
  for (const id of Object.values(ids)) assert.equal((await agneto(repo, ['wait', id])).out, `${id}: complete (DONE)\n`);
  await require_once(repo, uri, ids);

  // What is said from elsewhere is found, though nothing is heard.
  const gate = await submit(repo, 'say hello', '-w', 'gate');
  await until(async () => (await runs(repo))[gate].status === 'parked');
  assert.equal((await agneto(repo, ['answer', gate, 'YES'])).status, exit.complete);
  const end = await agneto(repo, ['wait', gate]);
  assert.equal(end.out, `${gate}: complete (FINISHED)\n`, end.said);
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, exit.complete);
  repo.pass();
});

test('nothing is lost or done twice where connections are cut while runs go on', async (t) => {
  const {uri} = postgresql().database();
  const [, database, host] = uri.match(/@\/(\w+)\?host=(.*)$/);
  const folder = await between(t, 'haproxy', ['-f'], (folder) => `global
  stats socket ${folder}/admin level admin
defaults
  mode tcp
  timeout connect 5s
  timeout client 1h
  timeout server 1h
listen journal
  bind unix@${folder}/.s.PGSQL.5432 mode 666
  server database unix@${host}/.s.PGSQL.5432
`);
  const say = (words) => new Promise((resolve, reject) => {
    let said = '';
    net.connect(join(folder, 'admin')).on('error', reject).on('data', (text) => { said += text; }).on('close', () => resolve(said)).write(`${words}\n`);
  });
  const repo = makeServed(t, {...counting, '.agneto/config.yaml': `journal: postgresql://agneto@/${database}?host=${folder}\nserve: {runs: 4}\n`});
  const server = serve(t, repo);
  await server.says(/serving/);
  const ids = {};
  for (const task of ['one', 'two', 'three', 'four']) ids[task] = await submit(repo, task, '-w', 'count');
  const done = () => existsSync(join(repo.home, 'done')) ? readFileSync(join(repo.home, 'done'), 'utf8').split('\n').length - 1 : 0;
  let cuts = 0;
  for (const end = Date.now() + 120_000; done() < 4 * steps; await sleep(40 + 60 * Math.random())) {
    assert.ok(Date.now() < end, `${done()} programs were run`);
    if (++cuts % 10 === 0) {  // and new ones are refused for a while
      await say('disable server journal/database; shutdown sessions server journal/database');
      await sleep(1500);
      await say('enable server journal/database');
    } else {
      await say('shutdown sessions server journal/database');
    }
  }
  assert.ok(cuts >= 10, `${cuts} times were connections cut`);
  const [, columns, ...lines] = (await say('show stat journal 4 -1')).replace('# ', '\n').split('\n').map((line) => line.split(','));
  const made = Number(lines.find(([, name]) => name === 'database')[columns.indexOf('stot')]);
  assert.ok(made > 30, `${made} connections were made`);
  for (const id of Object.values(ids)) assert.equal((await agneto(repo, ['wait', id])).out, `${id}: complete (DONE)\n`);
  await require_once(repo, uri, ids);
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, exit.complete);
  repo.pass();
});
