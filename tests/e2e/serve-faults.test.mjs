// What a server says and does where it is ended, where its files go, and where the machine fails it.

import assert from 'node:assert/strict';
import {chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {testOfFile} from './lib/repo.mjs';
import {makeServed, runs, serve, submit, until} from './lib/served.mjs';

const go = (repo) => writeFileSync(join(repo.home, 'go'), '');
const hasBegun = (repo) => until(() => existsSync(join(repo.home, 'begun')));

test('a run that a stopped server leaves is queued, as its log says, and who follows it goes on with the next one', async (t) => {
  const repo = makeServed(t);
  const first = serve(t, repo, ['--grace', '100ms']);
  await first.says(/serving/);
  const id = await submit(repo, 'first', '-w', 'slow');
  await hasBegun(repo);
  const followed = start(repo, ['log', '-f', id]);
  const waited = start(repo, ['wait', id]);
  await followed.says(/SLEEPING +runs: /);
  first.kill('SIGTERM');
  await first.ended;
  await followed.says(/queued: the server was stopped, and the next one goes on with it\n/);
  const log = await agneto(repo, ['log', id, '--json']);
  const events = log.out.trim().split('\n').map((line) => JSON.parse(line));
  const {type, by, reason, task} = events.at(-1);
  assert.deepEqual({type, by, reason, task}, {type: 'run.queued', by: '', reason: 'the server was stopped', task: 'first'});
  assert.ok(!log.out.includes('suspended'), log.out);
  const {status, totals} = (await runs(repo))[id];
  assert.equal(status, 'queued');
  await sleep(1500);
  assert.deepEqual((await runs(repo))[id].totals, totals, 'while it waits, nothing is at work');

  const second = serve(t, repo);
  await until(async () => (await runs(repo))[id].status === 'running');
  second.kill('SIGKILL');
  await second.ended;
  assert.equal((await runs(repo))[id].status, 'interrupted');
  await sleep(300);
  go(repo);
  const third = serve(t, repo);
  const end = await waited.ended;
  assert.equal(end.out, `${id}: complete (DONE)\n`);
  assert.equal(end.err, `nobody serves this folder, so that ${id} waits: agneto serve\n`);
  const told = await followed.ended;
  assert.match(told.out, /DONE \(complete\)/);
  assert.equal(told.err, `nobody serves this folder, so that ${id} waits: agneto serve\n`);
  third.kill('SIGTERM');
  await third.ended;
  repo.pass();
});

test('a word of a person is stronger than the end of the server', async (t) => {
  const repo = makeServed(t);
  const server = serve(t, repo);
  await server.says(/serving/);
  const id = await submit(repo, 'first', '-w', 'slow');
  await hasBegun(repo);
  await agneto(repo, ['suspend', id, '--after-call']);
  server.kill('SIGTERM');
  go(repo);
  await server.ended;
  const {status, outcome} = (await runs(repo))[id];
  assert.ok(status === 'complete' || (status === 'suspended' && /^suspended by /.test(outcome)), `${status}: ${outcome}`);
  repo.pass();
});

for (const [what, take, tried = test] of [
  ['runs.db was removed or moved', (repo) => renameSync(join(repo.dir, '.agneto/runs.db'), join(repo.home, 'runs.db')), testOfFile],
  ['server.lock was removed or moved', (repo) => rmSync(join(repo.dir, '.agneto/server.lock'))],
  ['server.lock was replaced', (repo) => {
    rmSync(join(repo.dir, '.agneto/server.lock'));
    writeFileSync(join(repo.home, 'other'), '');
    writeFileSync(join(repo.dir, '.agneto/server.lock'), '');
  }],
  [' was removed or moved', (repo) => renameSync(join(repo.dir, '.agneto'), join(repo.home, 'moved'))],
]) {
  tried(`a server ends where its .agneto${what.startsWith(' ') ? '' : '/'}${what}`, async (t) => {
    const repo = makeServed(t);
    const server = serve(t, repo);
    await server.says(/serving/);
    await submit(repo, 'first', '-w', 'slow');
    await hasBegun(repo);
    take(repo);
    const end = await server.ended;
    assert.equal(end.status, exit.failed, end.said);
    const file = `${repo.dir}/.agneto${what.startsWith(' ') ? '' : '/'}${what}`;
    assert.equal(end.err, `agneto: ${file}, so that this server has ended\n`
      + '  help: what is there now is served by a new one: agneto serve\n');
    await until(() => repo.processes().length === 0);
    repo.pass();
  });
}

test('who leaves a run to a server that is just ending waits for that, and starts the next one', async (t) => {
  const repo = makeServed(t);
  const first = serve(t, repo);
  await first.says(/serving/);
  await submit(repo, 'first', '-w', 'slow');
  await hasBegun(repo);
  first.kill('SIGTERM');
  await sleep(300);
  const detached = start(repo, ['run', 'say hello', '-w', 'gate', '--detach']);
  await detached.says(/^queued: /);
  await sleep(500);
  go(repo);
  await first.ended;
  const said = await detached.ended;
  assert.equal(said.err, 'the server here is ending; another one is started once it has ended\n');
  assert.match(said.out, /\na server works here from now on \(process \d+\); end it: agneto serve --stop\nfollow it: agneto log -f say-hello-[0-9a-f]{4}\n$/);
  assert.equal((await agneto(repo, ['wait', 'last'])).status, exit.suspended);
  assert.match((await agneto(repo, ['serve', '--stop'])).out, /\nstopped\n$/);
  repo.pass();
});

test('where git fails a run is tried again by and by, and it is the person who is asked where they must mend it', async (t) => {
  const repo = makeServed(t);
  const git = repo.sh('command -v git').trim();
  const bin = join(repo.home, 'bin');
  repo.write({git: `#!/bin/sh\ncase "$*" in *"worktree add"*) [ ! -e "$HOME/away" ] || { echo "fatal: the disk said no" >&2; exit 128; } ;; esac\nexec ${git} "$@"\n`}, {under: bin});
  chmodSync(join(bin, 'git'), 0o755);
  writeFileSync(join(repo.home, 'away'), '');
  const server = start(repo, ['serve'], {env: {PATH: `${bin}:${repo.env.PATH}`}});
  await server.says(/serving/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await server.says(new RegExp(`${id}  begins: say hello\n.*${id}  cannot go on now, and is tried again in 1s: .*the disk said no\n`));
  assert.equal((await runs(repo))[id].status, 'queued');
  await server.says(new RegExp(`${id}  cannot go on now, and is tried again in 2s: .*the disk said no\n`));
  assert.match(readFileSync(join(repo.dir, '.agneto/log/agneto.log'), 'utf8'), /run cannot go on now.*the disk said no/);
  rmSync(join(repo.home, 'away'));
  assert.equal((await agneto(repo, ['wait', id])).out, `${id}: waiting for you: agneto answer ${id}\n`);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('of a run that was removed while it asked, nobody is asked any more', async (t) => {
  const repo = makeServed(t);
  const server = serve(t, repo);
  await server.says(/serving/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  assert.equal((await agneto(repo, ['wait', id])).status, exit.suspended);
  const kept = await agneto(repo, ['clean', id]);
  assert.match(kept.out, /kept all of it: it has not ended \(parked\)/);
  const cleaned = await agneto(repo, ['clean', id, '--force']);
  assert.equal(cleaned.status, 0, cleaned.said);
  const {status, outcome, waits_for: whom} = (await runs(repo))[id];
  assert.equal(status, 'aborted');
  assert.match(outcome, /^removed by /);
  assert.equal(whom, undefined);
  assert.equal((await agneto(repo, ['runs', '--status', 'waiting'])).out, 'No run here is like that.\n');
  const shown = await agneto(repo, ['show', id]);
  assert.doesNotMatch(shown.out, /agneto answer/);
  assert.match(shown.out, /^status +aborted \(removed by /m);
  assert.match((await agneto(repo, ['log', id])).out, /removed by [^]*aborted/);
  assert.equal((await agneto(repo, ['answer', id, 'YES'])).status, exit.usage);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});
