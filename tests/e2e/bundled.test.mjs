// The bundled workflow where nothing is done, or what was done cannot be merged.

import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';
import {makeTeam, smooth} from './lib/team.mjs';

const run = (repo, ...options) => agneto(repo, ['run', 'let greet shout', '--non-interactive', ...options]);
const shown = async (repo) => JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out);

test('a Coder that has changed nothing is told so, and the Reviewer is not asked', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.coder.splice(1, 0, {fields: {verdict: 'CODE_APPLIED', summary: 'Make greet shout'}});
  const team = makeTeam(repo, script);

  const result = await run(repo);
  assert.equal(result.status, exit.complete, result.said);
  assert.match(result.said, /no file is changed since the last approved commit/);
  const calls = team.calls();
  assert.deepEqual(calls.map((call) => call.agent), [
    'planner', 'curmudgeon', 'bean_counter', 'coder', 'reviewer', 'coder', 'coder', 'reviewer', 'bean_counter', 'super_reviewer']);
  assert.match(calls[6].prompt, /could not be used: CODE_APPLIED, but no file is changed since the last approved commit/);
  assert.equal(repo.git('log', '--format=%s', `agneto/${calls[0].run}`, '-1'), 'Make greet shout');
  repo.pass();
});

test('a Coder that leaves what git cannot commit is told so; what it leaves all the same comes back to it', async (t) => {
  const repo = makeRepo(t);
  const script = smooth('echo shouting >> greet; echo > .GIT');
  const {fields} = script.coder[1];
  script.coder[1].last = false;
  script.coder.push({fields}, {fields}, {do: 'rm .GIT', fields});
  const team = makeTeam(repo, script);

  const result = await run(repo);
  assert.equal(result.status, exit.complete, result.said);
  const problem = '.GIT cannot be committed: git takes no file of that name; remove or rename it';
  const coder = team.calls().filter((call) => call.agent === 'coder').map((call) => call.prompt);
  assert.equal(coder.length, 5);
  for (const prompt of coder.slice(2, 4)) assert.ok(prompt.includes(`could not be used: ${problem}. What`), prompt);
  assert.ok(coder[4].includes(`The change was approved, but it cannot be committed: ${problem}`), coder[4]);
  repo.pass();
});

test('a task of which nothing was done does not end as complete', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.bean_counter = [{fields: {verdict: 'TASK_COMPLETED', summary: 'greet shouts already.'}}];
  makeTeam(repo, script);

  const result = await run(repo, '--auto-merge');
  assert.equal(result.status, exit.failed, result.said);
  const {outcome, outputs} = await shown(repo);
  assert.equal(outcome, 'TASK_ABANDONED');
  assert.equal(outputs.reason, 'nothing was changed; the Bean Counter says: greet shouts already.');
  repo.pass();
});

test('a lock that somebody keeps suspends the run, which merges once it is gone', async (t) => {
  const repo = makeRepo(t);
  makeTeam(repo, smooth());
  const lock = join(repo.dir, '.git/refs/heads/main.lock');
  writeFileSync(lock, '');

  const result = await run(repo, '--auto-merge');
  assert.equal(result.status, exit.suspended, result.said);
  assert.match(result.err, /main\.lock': File exists.*\n {2}help: wait until who holds that lock has ended; where that was killed, remove the file; then continue with 'agneto resume /);
  rmSync(lock);
  const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  assert.equal(repo.git('log', '-1', '--format=%s'), 'Let greet shout');
  repo.pass();
});

test('where the checkout has changes, one is told at the start that the work will not be merged, and at the end that it was not', async (t) => {
  const repo = makeRepo(t);
  makeTeam(repo, smooth());
  repo.write({'greet': 'mine\n'});

  const result = await run(repo, '--auto-merge');
  assert.equal(result.status, exit.failed, result.said);
  const obstacle = `'main' is checked out in ${repo.dir} with uncommitted changes: greet; commit or stash them`;
  assert.ok(result.said.includes(`${obstacle} before the run ends, or its work is not merged`), result.said);
  const {outcome, outputs, branch} = await shown(repo);
  assert.equal(outcome, 'TASK_NOT_MERGED');
  assert.equal(outputs.merged, false);
  assert.match(outputs.reason, /commit or stash them, then git merge --squash agneto\/\S+$/);
  assert.equal(repo.read('greet'), 'mine\n');

  repo.git('checkout', '--', 'greet');
  repo.git('merge', '--quiet', '--squash', branch);
  assert.match(repo.read('greet'), /shouting/);
  repo.pass();
});
