// The demo, as the README has it: one command after cloning, without any agent installed.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

test('the offline demo merges a change and shows the path it took', (t) => {
  const repo = makeRepo(t, {files: null, git: false, bare: true});
  const demo = spawnSync('sh', [join(root, 'scripts/demo/run.sh'), program], {
    cwd: repo.dir, env: {...repo.env, TMPDIR: repo.dir}, encoding: 'utf8', timeout: 120_000});
  const said = `${demo.stdout}\n${demo.stderr}`;
  assert.equal(demo.status, 0, said);
  assert.match(demo.stdout, /TASK_COMPLETE \(complete\)/, said);
  assert.match(demo.stdout, /path {4}.*TASK_PLANNING.*TASK_CURMUDGEONING.*TASK_EXECUTING.*TASK_COMPLETE/, said);
  assert.match(demo.stdout, /merged .*into main/, said);
  assert.match(demo.stdout, /HELLO, ADA!\n$/, said);
  repo.pass();
});
