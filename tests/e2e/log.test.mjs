// The operator's log, docs/operating.md: what real runs write there, and what they do not.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {flowRepo, suspended} from './lib/page.mjs';

const folder = (repo) => join(repo.dir, '.agneto/log');
const log = (repo) => readFileSync(join(folder(repo), 'agneto.log'), 'utf8');
const happened = (repo) => log(repo).replace(/^\S+ (\w+) \[\d+\] /gm, '$1 ').replace(/ ms=\d+/g, ' ms=N');

test('a run is told of line by line, without what anybody said', async (t) => {
  const repo = flowRepo(t);
  const run = await suspended(repo);
  const answered = await agneto(repo, ['resume', 'last', '--answer', 'YES']);
  assert.equal(answered.status, exit.complete, answered.said);
  const text = happened(repo);
  for (const line of [
    /^info agneto started version=\d+\.\d+\.\d+ command=run$/m,
    /^info journal made (file=\S+runs\.db|at=postgresql:\S+) from=0 to=\d+$/m,
    `info run started run=${run} workflow=fix branch=agneto/${run} base=main provider=offline\n`,
    `info agent called run=${run} path=CODING#1 agent=coder provider=offline attempt=1\n`,
    new RegExp(`^info agent ended run=.* path=CODING#1 agent=coder verdict=DONE calls=1 .* ms=N$`, 'm'),
    `info question answered run=${run} path=GATE#1 by=person\n`,
    `info run suspended run=${run} reason="a question waits for an answer"\n`,
    /^info agneto started version=\S+ command=resume$/m,
    `info run resumed run=${run}\n`,
    new RegExp(`^info work committed run=.* path=COMMITTING#1 commit=[0-9a-f]{40}$`, 'm'),
    new RegExp(`^info run ended run=.* status=complete outcome=DONE calls=1 .* ms=N$`, 'm'),
  ]) assert.ok(line instanceof RegExp ? line.test(text) : text.includes(line), `${line}\n${text}`);
  assert.doesNotMatch(text, /say hello|Say hello|YES|Is that what|Do it:|sk-proj/);
  assert.equal(statSync(join(folder(repo), 'agneto.log')).mode & 0o777, 0o600);
  assert.equal(repo.git('status', '--porcelain').trim(), '');
  repo.pass();
});

test('it has programs and how they ended, and is JSON where that is wanted', async (t) => {
  const repo = flowRepo(t, {'.agneto/workflows/build.yaml': `agneto: 1
name: build
inputs: {task: {type: string, main: true}}
initial: MAKE
states:
  MAKE:
    run: {argv: [sh, -c, 'echo a mystery; exit 3']}
    on: {ok: DONE, failed: ASK}
  ASK:
    ask: {question: 'What now?', options: {STOP: Give up}}
    on: {STOP: DONE}
  DONE: {final: true}
`});
  repo.env.AGNETO_LOG = 'json';
  const run = await agneto(repo, ['run', 'a mystery', '-w', 'build', '--non-interactive']);
  assert.equal(run.status, exit.suspended, run.said);
  const lines = log(repo).trimEnd().split('\n').map((line) => JSON.parse(line));
  const ended = lines.find((line) => line.message === 'process ended');
  assert.equal(ended.level, 'warning');
  assert.equal(ended.how, 'exit status 3');
  assert.equal(ended.program, 'sh');
  assert.match(ended.path, /^MAKE#1$/);
  assert.equal(ended.run, lines.find((line) => line.message === 'run started').run);
  assert.match(ended.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.doesNotMatch(log(repo), /echo|a mystery/);
  repo.pass();
});

test('a level says how much there is, and commands that have nothing to say write nothing', async (t) => {
  const repo = flowRepo(t);
  repo.env.AGNETO_LOG = 'off';
  await suspended(repo);
  assert.ok(!existsSync(folder(repo)));
  repo.env.AGNETO_LOG = '';
  for (const args of [['runs'], ['show', 'last'], ['log', 'last'], ['export', 'last'], ['lint', '.agneto/workflows/fix.yaml']]) await agneto(repo, args);
  assert.ok(!existsSync(folder(repo)));
  await agneto(repo, ['runs', '--log-level', 'debug']);
  assert.match(happened(repo), /^info agneto started version=\S+ command=runs\ndebug journal opened (file|at)=\S+\n$/);
  const wrong = await agneto(repo, ['runs'], {env: {AGNETO_LOG: 'loud'}});
  assert.equal(wrong.status, exit.usage, wrong.said);
  assert.equal(wrong.err, "agneto: AGNETO_LOG: 'loud' is no level and no form of a log\n"
    + '  help: write debug, info, warning, error or off; and text or json after a comma: AGNETO_LOG=debug,json\n');
  repo.pass();
});

test('git ignores it, also where no run was begun yet', async (t) => {
  const repo = flowRepo(t);
  await agneto(repo, ['doctor']);
  assert.match(log(repo), /command=doctor\n/);
  assert.equal(repo.git('status', '--porcelain'), '');
  repo.pass();
});

test('where it cannot be written, work goes on, and who asked for it is told', async (t) => {
  const repo = flowRepo(t);
  mkdirSync(join(repo.dir, '.agneto'), {recursive: true});
  writeFileSync(folder(repo), 'in the way');
  await suspended(repo);
  const asked = await agneto(repo, ['resume', 'last', '--answer', 'YES', '--log-level', 'info']);
  assert.equal(asked.status, exit.complete, asked.said);
  assert.equal(asked.err, `agneto: no log is kept: cannot open '${folder(repo)}': Not a directory\n`);
  rmSync(folder(repo));
  repo.pass();
});

test('several runs share it, and their worktrees have none', async (t) => {
  const repo = flowRepo(t);
  const runs = await Promise.all(['one', 'two', 'three'].map((task) =>
    agneto(repo, ['run', task, '-w', 'fix', '--cassette', 'cassette.yaml', '--non-interactive'])));
  for (const run of runs) assert.equal(run.status, exit.suspended, run.said);
  assert.equal(happened(repo).match(/^info run suspended run=(one|two|three)-/gm).length, 3);
  assert.equal(happened(repo).match(/journal (made|migrated) /g).length, 1);
  for (const line of log(repo).trimEnd().split('\n')) assert.match(line, /^\d{4}-\S+Z (info|warning) \[\d+\] [a-z]/);
  const linked = join(repo.dir, '../linked');
  repo.git('worktree', 'add', '-q', linked);
  await agneto(repo, ['runs', '--log-level', 'debug'], {cwd: linked});
  assert.ok(!existsSync(join(linked, '.agneto/log')));
  assert.match(happened(repo), /command=runs\ndebug journal opened/);
  repo.pass();
});
