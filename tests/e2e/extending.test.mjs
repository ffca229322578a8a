// A workflow that extends another one, in use: what a run of it records is what it goes on with.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {flowRepo} from './lib/page.mjs';

const mine = `agneto: 1
extends: fix.yaml
name: mine
context: {notes: 0}
states:
  GATE: {on: {YES: NOTING}}
  NOTING:
    run: {argv: [sh, -c, "echo noted >> NOTES"]}
    on:
      ok: {target: COMMITTING, do: ctx.notes = ctx.notes + 1}
      failed: FAILED
      error: FAILED
outputs: {notes: ctx.notes}
`;

test('a run goes on with both files as they were', async (t) => {
  const repo = flowRepo(t, {'.agneto/workflows/mine.yaml': mine});
  const lint = await agneto(repo, ['lint', '.agneto/workflows/mine.yaml', '--fail-on', 'warning']);
  assert.equal(lint.status, exit.complete, lint.said);
  const run = await agneto(repo, ['run', 'say hello', '-w', 'mine', '--cassette', 'cassette.yaml', '--non-interactive']);
  assert.equal(run.status, exit.suspended, run.said);

  const base = repo.read('.agneto/workflows/fix.yaml');
  repo.write({'.agneto/workflows/fix.yaml': base.replaceAll('GATE', 'DOOR')});
  const broken = await agneto(repo, ['lint', '.agneto/workflows/mine.yaml']);
  assert.equal(broken.status, exit.failed, broken.said);
  assert.match(broken.out, /mine\.yaml:6:3: error: nothing leads to 'GATE', which '\S*fix\.yaml' does not have \[E612\/extension\]/);

  const graph = await agneto(repo, ['graph', '--run', 'last', '--format', 'json']);
  assert.equal(graph.status, exit.complete, graph.said);
  const files = new Map(JSON.parse(graph.out).states.map((state) => [state.name, state.file]));
  assert.equal(files.get('GATE'), 'fix.yaml');
  assert.equal(files.get('NOTING'), 'mine.yaml');

  const end = await agneto(repo, ['resume', 'last', '--answer', 'YES', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  const shown = JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out);
  assert.deepEqual(shown.outputs, {notes: 1});
  assert.equal(repo.git('show', `agneto/${shown.run}:NOTES`), 'noted');
  const replayed = await agneto(repo, ['replay', 'last']);
  assert.equal(replayed.status, exit.complete, replayed.said);
  repo.pass();
});

test('the bundled workflow is extended by its name', async (t) => {
  const repo = flowRepo(t, {'.agneto/workflows/short.yaml': `agneto: 1
extends: agneto
name: short
inputs: {max_questions: null}
states:
  TASK_REFINING: null
  TASK_INIT: {always: TASK_PLANNING}
`});
  const lint = await agneto(repo, ['lint', '.agneto/workflows/short.yaml']);
  assert.equal(lint.status, exit.complete, lint.said);
  const whole = await agneto(repo, ['lint', '--print', '.agneto/workflows/short.yaml']);
  assert.match(whole.out, /^agneto: 1\nname: short\n/);
  assert.doesNotMatch(whole.out, /max_questions|REFINEMENT_GATE|extends/);
  repo.pass();
});
