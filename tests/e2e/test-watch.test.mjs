// `agneto test --watch`: cases are played again when the workflow, a hook or the test changes.

import assert from 'node:assert/strict';
import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {exit, start} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';

const flow = (end) => `agneto: 1
name: flow
agents: {worker: {hooks: worker.lua}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {DONE: ${end}, error: LEFT}
  FINE: {final: true}
  LEFT: {final: true, status: failed}
`;
const hook = (verdict) => `return {prompt = function() return "Do it" end, parse = function() return "${verdict}" end}\n`;
const cases = 'agneto-test: 1\ncases:\n  - name: it works\n    steps: [{at: WORKING, reply: anything}]\n    expect: {outcome: FINE}\n';

test('it plays again whenever a file that was read changes', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'flows/flow.yaml': flow('LEFT'), 'flows/worker.lua': hook('DONE'), 'flows/flow.test.yaml': cases}});
  const save = (name, text) => {  // as editors do
    writeFileSync(join(repo.dir, 'flows', `${name}.tmp`), text);
    renameSync(join(repo.dir, 'flows', `${name}.tmp`), join(repo.dir, 'flows', name));
  };
  const wait = /Waiting for changes; Ctrl\+C ends it\.\n/g;
  const run = start(repo, ['test', '--watch']);
  const rounds = (count) => run.says(new RegExp(`(?:[^]*?${wait.source}){${count}}`));
  await rounds(1);
  save('flow.yaml', flow('FINE'));
  await rounds(2);
  save('worker.lua', hook('DUNE'));
  await rounds(3);
  save('worker.lua', hook('DONE'));
  await rounds(4);
  save('other.test.yaml', cases.replace('cases:', 'workflow: flow.yaml\ncases:').replace('works', 'works again'));
  await rounds(5);
  run.kill('SIGINT');
  const end = await run.ended;
  const said = end.out.split(wait);
  assert.match(said[0], /^FAIL flows\/flow\.test\.yaml: it works\n[^]*\n0 passed, 1 failed\n$/);
  assert.equal(said[1], 'ok   flows/flow.test.yaml: it works\n1 passed\n');
  assert.match(said[2], /DUNE[^]*\n0 passed, 1 failed\n$/);
  assert.equal(said[3], said[1]);
  assert.equal(said[4], 'ok   flows/flow.test.yaml: it works\nok   flows/other.test.yaml: it works again\n2 passed\n');
  assert.equal(end.status, exit.complete, end.said);
  repo.pass();
});
