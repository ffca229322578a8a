// A disk that is full: nothing is lost, nothing is half done, and it says what to do.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';
import {makeTeam, smooth} from './lib/team.mjs';

// Runs `body` with a repository on a disk of its own, of some megabytes. Its home, where the agents
// of a team write, is elsewhere.
async function onSmallDisk(t, body, {size = '8m'} = {}) {
  const repo = makeRepo(t, {git: false, files: null});
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', repo.dir], {stdio: 'pipe'});
  } catch (error) {
    assert.fail(`this test needs a small disk: run it as root, in a container with --privileged (${error.stderr})`);
  }
  try {
    repo.git('init', '-q', '-b', 'main');
    repo.write(greeter);
    repo.commit('Begin');
    await body(repo);
  } finally {
    execFileSync('umount', ['-l', repo.dir]);
  }
  repo.pass();
}

const filler = (repo) => join(repo.dir, '.git/filler');
const makeRoom = (repo) => rmSync(filler(repo));
function fill(repo) {
  const {bavail, bsize} = statfsSync(repo.dir);
  writeFileSync(filler(repo), Buffer.alloc(bavail * bsize));
}
// The same as a shell command of an agent; it leaves so many KiB.
const filling = (repo, left) =>
  `head -c $(( ($(df -k '${repo.dir}' | awk 'END {print $4}') - ${left}) * 1024 )) /dev/zero > '${filler(repo)}'`;

const plain = (text, repo) => text.replaceAll(repo.dir, 'DIR').replace(/(let-greet-shout|flow)-[0-9a-f]{4}/g, 'RUN');
const run = (repo) => agneto(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
const resume = (repo) => agneto(repo, ['resume', 'last', '--non-interactive']);

test('a disk that fills up before the merge stops the run, and leaves the checkout as it was', (t) => onSmallDisk(t, async (repo) => {
  const script = smooth('for i in 1 2 3 4 5 6; do head -c 150000 /dev/zero | tr "\\0" $i > f$i; done; echo shouting >> greet');
  script.super_reviewer[0].do = filling(repo, 700);
  makeTeam(repo, script);

  const end = await run(repo);
  assert.equal(end.status, exit.suspended, end.said);
  assert.match(plain(end.err, repo), /^agneto: git merge: unable to write file .*: the disk is full\n {2}help: free some space on it; then continue with 'agneto resume RUN'\n$/, end.said);
  assert.equal(repo.git('status', '--porcelain'), '');
  assert.equal(repo.git('log', '--format=%s'), 'Configure the team\nBegin');

  makeRoom(repo);
  const again = await resume(repo);
  assert.equal(again.status, exit.complete, again.said);
  assert.equal(repo.git('status', '--porcelain'), '');
  assert.equal(repo.git('log', '-1', '--format=%s'), 'Let greet shout');
  assert.equal(repo.read('f6').length, 150000);
}));

test('a run that a full disk stopped can be seen, and goes on when there is room', (t) => onSmallDisk(t, async (repo) => {
  const script = smooth();
  script.coder.splice(1, 0, {...script.coder[1], last: false, do: `echo shouting >> greet; ${filling(repo, 0)}`});
  makeTeam(repo, script);

  const end = await run(repo);
  assert.equal(end.status, exit.suspended, end.said);
  assert.match(plain(end.err, repo), /: the disk is full\n {2}help: free some space on it[^\n]*; then continue with 'agneto resume RUN'\n$/, end.said);

  const runs = await agneto(repo, ['runs']);
  assert.equal(runs.status, exit.complete, runs.said);
  assert.match(plain(runs.out, repo), /^RUN +interrupted /, runs.said);
  assert.match(plain(runs.out, repo), /agneto resume RUN\n$/, runs.said);
  const shown = await agneto(repo, ['show', 'last']);
  assert.equal(shown.status, exit.complete, shown.said);
  assert.match(plain(shown.out, repo), /status +interrupted/, shown.said);
  assert.match(plain(shown.out, repo), /agneto resume RUN\n/, shown.said);

  const full = await resume(repo);
  assert.equal(full.status, exit.suspended, full.said);
  assert.match(plain(full.err, repo), /: the disk is full\n {2}help: free some space on it[^\n]*; then continue with 'agneto resume RUN'\n$/, full.said);

  execFileSync('mount', ['-o', 'remount,ro', repo.dir]);
  assert.equal((await agneto(repo, ['runs', '--json'])).out.match(/"status":"(\w+)"/)[1], 'interrupted');
  execFileSync('mount', ['-o', 'remount,rw', repo.dir]);

  makeRoom(repo);
  const again = await resume(repo);
  assert.equal(again.status, exit.complete, again.said);
  assert.equal(repo.git('show', '--format=%s', '--name-only', 'main'), 'Let greet shout\n\ngreet');
  assert.equal(repo.read('greet').match(/shouting/g).length, 1);
}));

test('an agent or a program that fails for want of room has not failed', (t) => onSmallDisk(t, async (repo) => {
  // The journal has room enough to say that it has.
  const once = (name) => `[ -e "$HOME/${name}" ] || { touch "$HOME/${name}"; ${filling(repo, 48)}; exit 1; }`;
  repo.write({
    '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, ask.sh]}}\n',
    'ask.sh': `${once('asked')}\necho "VERDICT: DONE"\n`,
    'test.sh': `${once('tested')}\n`,
    'asker.lua': 'return {prompt = function(m) return "Well?" end}\n',
    'flow.yaml': `agneto: 1
name: flow
agents: {asker: {hooks: asker.lua}}
initial: ASKING
states:
  ASKING: {agent: {name: asker, verdicts: {DONE: {}}}, on: {DONE: TESTING, error: BROKEN}}
  TESTING: {run: {argv: [sh, test.sh]}, on: {ok: FINE, failed: BROKEN}}
  FINE: {final: true}
  BROKEN: {final: true, status: failed}
`,
  });
  repo.commit('Flow');
  const first = await agneto(repo, ['run', '-w', 'flow.yaml', '--non-interactive']);
  assert.equal(first.status, exit.suspended, first.said);
  assert.equal(plain(first.err, repo), `agneto: agent 'asker' failed, and there is no room in 'DIR/.agneto/worktrees/RUN': the disk is full
  help: free some space on it; then continue with 'agneto resume RUN'
`);
  makeRoom(repo);
  const second = await resume(repo);
  assert.equal(second.status, exit.suspended, second.said);
  assert.equal(plain(second.err, repo), `agneto: the command of TESTING#1 failed (exit status 1), and there is no room in 'DIR/.agneto/worktrees/RUN': the disk is full
  help: free some space on it; then continue with 'agneto resume RUN'
`);
  makeRoom(repo);
  const last = await resume(repo);
  assert.equal(last.status, exit.complete, last.said);
}));

test('a run for which there is no room at all leaves nothing', (t) => onSmallDisk(t, async (repo) => {
  makeTeam(repo, smooth());
  assert.equal((await run(repo)).status, exit.complete);
  fill(repo);
  const end = await run(repo);
  assert.equal(end.status, exit.failed, end.said);
  assert.match(plain(end.err, repo), /^agneto: .*: the disk is full\n {2}help: free some space on it[^\n]*\n$/, end.said);
  assert.equal(repo.git('branch', '--format=%(refname:short)').split('\n').length, 2, 'the first run and main');
  assert.equal(repo.git('worktree', 'list').split('\n').length, readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => !name.includes('.')).length + 1);
  assert.equal(readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => name.endsWith('.lock')).length, 0);
  assert.equal((await agneto(repo, ['runs'])).out.split('\n').length, 2);
  assert.ok(existsSync(filler(repo)));
}));
