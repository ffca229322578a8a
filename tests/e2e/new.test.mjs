// A workflow of one's own, as docs/new.md tells it.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {dirname} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program} from './lib/agneto.mjs';
import {play} from './lib/page.mjs';
import {makeRepo} from './lib/repo.mjs';

const path = {PATH: `${dirname(program)}:${process.env.PATH}`};

test('docs/new.md says what is printed', async (t) => {
  const repo = makeRepo(t, {files: {'README.md': 'Hello.\n'}, env: path});
  await play('new.md', repo, 'no run');
  repo.pass();
});

test('a workflow made from any template is run by its name', async (t) => {
  const repo = makeRepo(t, {files: {'README.md': 'Hello.\n'}, env: path});
  const list = await agneto(repo, ['new', '--list', '--json']);
  const names = list.out.trim().split('\n').map((line) => JSON.parse(line).name);
  assert.deepEqual(names, ['agneto', 'minimal', 'pipeline', 'review']);
  for (const from of names) {
    const made = await agneto(repo, ['new', `my-${from}`, '--from', from]);
    assert.equal(made.status, exit.complete, made.said);
    const tested = await agneto(repo, ['test', `my-${from}`, '--min-coverage', '100']);
    assert.equal(tested.status, exit.complete, tested.said);
  }
  const run = await agneto(repo, ['run', '-w', 'my-pipeline', '--non-interactive', '--input', 'check=true']);
  assert.equal(run.status, exit.suspended, run.said);
  assert.match(run.out, /suspended: a question waits for an answer/);
  repo.pass();
});

test('the commands that come next work as they stand', async (t) => {
  const repo = makeRepo(t, {files: {'README.md': 'Hello.\n'}, env: path});
  for (const [name, from] of [['a-rather-long-name-for-a-workflow', 'minimal'], ['p', 'pipeline'], ['ours', 'agneto']]) {
    const made = await agneto(repo, ['new', name, '--from', from]);
    const next = made.out.split('\nNext:\n')[1].trimEnd().split('\n');
    assert.equal(new Set(next.map((line) => line.search(/ {2,}\S.*$/))).size, 1, made.out);
    const commands = next.map((line) => line.match(/^ {2}(agneto .*?) {2,}/)[1]);
    for (const command of commands.filter((each) => !each.startsWith('agneto graph'))) {
      const dry = command.startsWith('agneto run') ? ' --dry-run' : '';
      const end = spawnSync('/bin/sh', ['-c', command + dry], {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
      assert.equal(end.status, exit.complete, command + end.stdout + end.stderr);
    }
  }
  repo.pass();
});

test('nothing is written over', async (t) => {
  const repo = makeRepo(t, {files: {'.agneto/workflows/mine.yaml': 'mine\n'}, env: path});
  const end = await agneto(repo, ['new', 'mine']);
  assert.equal(end.status, exit.usage, end.said);
  assert.equal(end.err, `agneto: ${repo.dir}/.agneto/workflows/mine.yaml is there already, and stays as it is\n` +
    '  help: take another name, or move that file away first\n');
  assert.equal(repo.read('.agneto/workflows/mine.yaml'), 'mine\n');
  assert.throws(() => repo.read('.agneto/scripts/mine/worker.lua'));
  const nameless = await agneto(repo, ['new']);
  assert.equal(nameless.err, 'agneto: new needs a NAME for the workflow\n  help: --list shows what it can start from\n');
  repo.pass();
});
