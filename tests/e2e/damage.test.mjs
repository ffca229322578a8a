// A journal that was damaged on the disk, or altered: what is wrong is said, where, and what to do; no
// command crashes, and nothing that was altered passes for what was recorded.

import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo, testOfFile} from './lib/repo.mjs';

const files = {
  'fix.yaml': `agneto: 1
name: fix
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit}}
initial: CODING
states:
  CODING:
    agent: {name: coder, verdicts: {DONE: {}}}
    on: {DONE: COMMITTING, error: FAILED}
  COMMITTING:
    workspace: {commit: {message: Say hello}}
    on: {ok: ASKING, failed: FAILED}
  ASKING:
    ask: {question: "Is it good?", options: {YES: Take it, NO: Leave it}}
    on: {YES: DONE, NO: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  'coder.lua': 'return {prompt = function(m) return m.inputs.task end}\n',
  'cassette.yaml': `agneto-cassette: 1
calls:
  - agent: coder
    edits: {hello.txt: "Hello!"}
    reply: "VERDICT: DONE"
`,
};

// A repository with a run that waits for an answer.
async function waiting(t) {
  const repo = makeRepo(t, {files});
  const end = await agneto(repo, ['run', 'say hello', '-w', 'fix.yaml', '--cassette', 'cassette.yaml', '--non-interactive']);
  assert.equal(end.status, exit.suspended, end.said);
  const run = JSON.parse((await agneto(repo, ['runs', '--json'])).out).run;
  return {repo, run, file: join(repo.dir, '.agneto/runs.db')};
}
// The file as it is given here, without a log beside it.
function put(file, bytes) {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, {force: true});
  writeFileSync(file, bytes);
}
// What is said, wherever the journal is.
const anywhere = (text) => text.replace(/the journal '[^']+'/, 'the journal');
const reply = (repo) => repo.query("SELECT seq, body FROM entries WHERE kind = 'reply'")[0];
// What its record says.
const seen = async (repo, run) => (await agneto(repo, ['show', run, '--json'])).out + (await agneto(repo, ['log', run, '--json', '--prompts'])).out;
const wrong = (end) => JSON.parse(end.out).findings.filter((finding) => finding.wrong);

test('a doctor says which entry is damaged and from where to go on', async (t) => {
  const {repo, run} = await waiting(t);
  repo.query("UPDATE entries SET body = replace(body, 'VERDICT', 'VERDIKT') WHERE kind = 'reply'");
  const {seq} = reply(repo);
  const [{rest}] = repo.query(`SELECT max(seq) AS rest FROM entries WHERE kind = 'macrostep' AND seq < ${seq}`);
  const damage = `entry ${seq} of run ${run} is not as it was written`;

  const end = await agneto(repo, ['doctor', run]);
  assert.equal(end.status, exit.failed, end.said);
  assert.ok(end.out.includes(`${damage}\n`), end.said);
  assert.ok(end.out.includes(`help: restore the journal from a backup; or go on from entry ${rest}, the last one that can be trusted and gone on from, in a copy: agneto fork ${run} --at ${rest}\n`), end.said);

  const resumed = await agneto(repo, ['resume', run, '--answer', 'YES']);
  assert.equal(resumed.status, exit.failed, resumed.said);
  assert.equal(anywhere(resumed.err), `agneto: the journal is damaged: ${damage}\n  help: see what can be saved with 'agneto doctor ${run}'\n`);
  repo.pass();
});

test('a run that was altered is not exported, but what it was before is, as a fork', async (t) => {
  const {repo, run} = await waiting(t);
  const [{saved}] = repo.query("SELECT min(seq) AS saved FROM entries WHERE kind = 'macrostep'");
  const {seq, body: written} = reply(repo);
  const other = JSON.stringify({...JSON.parse(written), text: 'VERDICT: NONE'});
  const damage = `agneto: the journal is damaged: entry ${seq} of run ${run} is not as it was written\n  help: see what can be saved with 'agneto doctor ${run}'`;
  for (const body of [other, '[]', '{']) {
    repo.query(`UPDATE entries SET body = '${body}' WHERE seq = ${seq}`);
    for (const format of ['json', 'markdown', 'cassette', 'scenario']) {
      const end = await agneto(repo, ['export', run, '--format', format]);
      assert.equal(end.status, exit.failed, end.said);
      assert.equal(anywhere(end.err), `${damage}; a copy of that, made by 'agneto fork ${run} --at SEQ --no-start', can be exported\n`);
    }
    const log = await agneto(repo, ['log', run, '--prompts']);
    assert.equal(anywhere(log.err), body === other ? '' : `${damage}\n`);

    const doctor = await agneto(repo, ['doctor', run]);
    assert.match(doctor.out, new RegExp(`agneto fork ${run} --at ${saved}\n`), doctor.said);
    const fork = await agneto(repo, ['fork', run, '--at', `${saved}`, '--no-start']);
    assert.equal(fork.status, exit.complete, fork.said);
    const exported = await agneto(repo, ['export', 'last']);
    assert.equal(exported.status, exit.complete, exported.said);
    assert.equal(JSON.parse(exported.out).entries.at(-1).kind, 'restored');
  }
  repo.pass();
});

test('a run whose sources were damaged is not gone on with', async (t) => {
  const {repo, run} = await waiting(t);
  repo.query("UPDATE texts SET text = 'agneto: 1' WHERE text LIKE '%YES: DONE%'");
  const source = join(repo.dir, 'fix.yaml');
  const resumed = await agneto(repo, ['resume', run, '--answer', 'YES']);
  assert.equal(anywhere(resumed.err), `agneto: the journal is damaged: source '${source}' of run ${run} is not as it was written\n  help: see what can be saved with 'agneto doctor ${run}'\n`);
  assert.deepEqual(wrong(await agneto(repo, ['doctor', run, '--json'])).map(({what}) => what), [`source '${source}' of run ${run} is not as it was written`]);
  repo.pass();
});

testOfFile('of a journal that was cut off no command makes more than it is', async (t) => {
  const {repo, run, file} = await waiting(t);
  const whole = readFileSync(file);
  const before = await seen(repo, run);
  let damaged = 0;
  for (const part of [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]) {
    put(file, whole.subarray(0, Math.floor(whole.length * part)));
    const end = await agneto(repo, ['doctor', run]);
    if (end.status === exit.complete) {
      assert.equal(await seen(repo, run), before, 'only what was not used is gone');
      continue;
    }
    ++damaged;
    assert.equal(end.status, exit.failed, end.said);
    assert.match(end.said, /damaged[^]*help: restore /, end.said);
    const resumed = await agneto(repo, ['resume', run, '--answer', 'YES']);
    assert.equal(resumed.status, exit.failed, resumed.said);
    assert.match(resumed.err, /^agneto: the journal .* is damaged.*\n  help: (restore it from a backup|see what can be saved with 'agneto doctor )/, resumed.said);
    for (const args of [['runs'], ['show', run], ['log', run], ['export', run]]) {
      const shown = await agneto(repo, args);
      assert.ok(shown.status === exit.complete || /^agneto: the journal .* is damaged/.test(shown.err), shown.said);
    }
  }
  assert.ok(damaged > 3);
  repo.pass();
});

testOfFile('a bit that flips is found out, or changes nothing', async (t) => {
  const {repo, run, file} = await waiting(t);
  const whole = readFileSync(file);
  const before = await seen(repo, run);
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let i = 0; i < 30; ++i) {
    const altered = Buffer.from(whole);
    const place = random(whole.length);
    altered[place] ^= 1 << random(8);
    put(file, altered);
    const end = await agneto(repo, ['doctor', run]);
    assert.ok([exit.complete, exit.failed, exit.usage].includes(end.status), `byte ${place}: ${end.said}`);
    assert.ok(!end.err || /^agneto: ('|the journal |there is no run )/.test(end.err), `byte ${place}: ${end.said}`);
    if (end.status === exit.complete) assert.equal(await seen(repo, run), before, `byte ${place}`);
    const resumed = await agneto(repo, ['resume', run, '--non-interactive']);
    assert.ok(Object.values(exit).includes(resumed.status) && !/json\.exception|std::/.test(resumed.err), `byte ${place}: ${resumed.said}`);
  }
  repo.pass();
});

test('a run that git does not take up again is suspended still', async (t) => {
  const {repo, run} = await waiting(t);
  const bin = join(repo.dir, '.git/bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh
case "$*" in *worktree*) echo 'fatal: the disk is broken' >&2; exit 128;; esac
PATH=\${PATH#*:}; exec git "$@"
`, {mode: 0o755});
  const end = await agneto(repo, ['resume', run, '--answer', 'YES'], {env: {PATH: `${bin}:${process.env.PATH}`}});
  assert.equal(end.err, `agneto: git rev-parse: the disk is broken\n  help: continue with 'agneto resume ${run}'\n`);
  assert.equal(end.status, exit.suspended);
  const again = await agneto(repo, ['resume', run, '--answer', 'YES', '--non-interactive']);
  assert.equal(again.status, exit.complete, again.said);
  repo.pass();
});

test('a start whose git is killed, or fails without a word on what to do, leaves nothing and says so', async (t) => {
  const repo = makeRepo(t, {files});
  const bin = join(repo.dir, '.git/bin');
  mkdirSync(bin);
  const startWith = (fault) => {
    writeFileSync(join(bin, 'git'), `#!/bin/sh
case "$*" in *"worktree add"*) ${fault};; esac
PATH=\${PATH#*:}; exec git "$@"
`, {mode: 0o755});
    return agneto(repo, ['run', 'hello', '-w', 'fix.yaml', '--cassette', 'cassette.yaml', '--non-interactive'],
      {env: {PATH: `${bin}:${process.env.PATH}`}});
  };
  const killed = await startWith('kill -KILL $$');
  assert.equal(killed.err, 'agneto: git worktree was ended by signal 9\n'
    + '  help: no run was begun, and nothing of it is left: start it again\n');
  assert.equal(killed.status, exit.failed);
  const broken = await startWith("echo 'fatal: the disk is broken' >&2; exit 128");
  assert.equal(broken.err, 'agneto: git worktree add: the disk is broken\n'
    + '  help: no run was begun, and nothing of it is left: put that right and start it again\n');
  assert.equal(broken.status, exit.failed);
  assert.equal((await agneto(repo, ['runs', '--json'])).out, '');
  assert.equal(repo.git('branch', '--format=%(refname:short)'), 'main');
  assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')), []);
  repo.pass();
});
