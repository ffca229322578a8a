// Pictures by the real Graphviz, and of what a run took.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {words} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const files = {
  'flow.yaml': `agneto: 1
name: flow
context: {tries: 0, items: [1, 2]}
initial: TRYING
states:
  TRYING:
    run: {shell: 'exit 1', access: read-only}
    on:
      failed:
        - {guard: ctx.tries < 2, target: TRYING, do: ctx.tries = ctx.tries + 1}
        - EACH
      ok: DONE
  EACH:
    for_each: {items: ctx.items, as: item, machine: each.yaml, workspace: shared}
    on: {done: DONE, failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  'each.yaml': `agneto: 1
name: each
initial: LOOKING
states:
  LOOKING:
    run: {argv: ['true'], access: read-only}
    on: {ok: SEEN, failed: LOST}
  SEEN: {final: true}
  LOST: {final: true, status: failed}
`,
};

test('the pictures in the documentation are of the bundled machines as they are', async (t) => {
  const repo = makeRepo(t, {git: false, files: {}});
  for (const name of ['agneto', 'execution']) {
    const end = await agneto(repo, ['graph', name, '-o', `${name}.svg`]);
    assert.equal(end.status, exit.complete, end.said);
    const there = readFileSync(join(root, 'docs/diagrams', `${name}.svg`), 'utf8');
    assert.deepEqual(words(readFileSync(join(repo.dir, `${name}.svg`), 'utf8')), words(there));
    assert.ok(words(there).length > 50);
  }
  repo.pass();
});

test('a PNG is one', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  const end = await agneto(repo, ['graph', 'flow.yaml', '--depth', '1', '-o', 'flow.png']);
  assert.equal(end.status, exit.complete, end.said);
  assert.equal(readFileSync(join(repo.dir, 'flow.png')).subarray(1, 4).toString(), 'PNG');
  repo.pass();
});

test('without Graphviz it says what to do', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  const end = await agneto(repo, ['graph', 'flow.yaml'], {env: {PATH: repo.dir}});
  assert.equal(end.status, exit.failed, end.said);
  assert.equal(end.err, "agneto: a picture as svg needs Graphviz, and there is no program 'dot'\n" +
    "  help: install it, as with 'apt-get install graphviz', or take --format mermaid\n");
  const text = await agneto(repo, ['graph', 'flow.yaml', '--format', 'mermaid'], {env: {PATH: repo.dir}});
  assert.match(text.out, /^stateDiagram-v2\n/);
  repo.pass();
});

test('what a run took is counted', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  const run = await agneto(repo, ['run', '-w', 'flow.yaml', '--non-interactive']);
  assert.equal(run.status, exit.complete, run.said);
  const taken = async (...args) => {
    const end = await agneto(repo, ['graph', ...args, '--run', 'last', '--format', 'json']);
    assert.equal(end.status, exit.complete, end.said);
    const picture = JSON.parse(end.out);
    return [
      picture.arrows.filter((arrow) => arrow.taken > 0).map((arrow) => `${arrow.from} ${arrow.guard} ${arrow.to} ${arrow.taken}`),
      picture.states.filter((state) => !state.taken).map((state) => state.id),
    ];
  };
  assert.deepEqual(await taken(), [
    ['TRYING ctx.tries < 2 TRYING 2', 'TRYING else EACH 1', 'EACH  DONE 1'], ['FAILED']]);
  assert.deepEqual((await taken('--depth', '1'))[0].at(-1), 'EACH/LOOKING  EACH/SEEN 2');
  assert.deepEqual(await taken('each'), [['LOOKING  SEEN 2'], ['LOST']]);
  const wrong = await agneto(repo, ['graph', 'ech', '--run', 'last']);
  assert.equal(wrong.status, exit.usage, wrong.said);
  assert.match(wrong.err, /^agneto: run flow-[0-9a-f]+ has no machine 'ech'\n  help: did you mean 'each'\?\n$/);
  repo.pass();
});
