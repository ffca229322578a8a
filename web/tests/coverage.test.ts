import assert from 'node:assert/strict';
import {test} from 'node:test';

import {leftOut} from '../src/lib/coverage';
import type {MachineCoverage} from '../src/lib/types';

const share = {covered: 0, total: 0, percent: 100};
const machine: MachineCoverage = {
  file: 'flow.yaml', machine: 'flow', summary: {states: share, transitions: share, guards: share, verdicts: share},
  states: [{state: 'A', line: 5, entered: 1}, {state: 'B', line: 9, entered: 0}, {state: 'BASE', line: 1, file: 'base.yaml', entered: 0}],
  transitions: [
    {from: 'A', to: ['B'], trigger: 'go', line: 7, taken: 0, guard: {text: 'ctx.n < 3', false: 2, true: 0}},
    {from: 'A', to: [], trigger: 'after 1d', line: 6, taken: 0},
    {from: 'A', to: ['A'], trigger: 'again', line: 8, taken: 2, guard: {text: 'x', false: 1, true: 1}},
    {from: 'A', to: ['A'], trigger: 'always', line: 8, taken: 2, guard: {text: 'y', false: 0, true: 2}},
    {from: 'A', to: ['A'], trigger: 'last', line: 8, taken: 1, guard: {text: 'z', false: 0, true: 0}},
  ],
  verdicts: [{state: 'A', verdict: 'YES', given: 1}, {state: 'A', verdict: 'NO', given: 0}],
};

test('what scenarios leave out is told in the order of the file, that of an extended one last', () => {
  assert.deepEqual(leftOut(machine).map(({file, line, what}) => `${file}:${line}: ${what}`), [
    'flow.yaml:5: never given: A, NO',
    'flow.yaml:6: never taken: A, after 1d → (stays)',
    'flow.yaml:7: never taken: A, go [ctx.n < 3] → B',
    'flow.yaml:7: guard never true: A, go [ctx.n < 3] → B',
    'flow.yaml:8: guard never false: A, always [y] → A',
    'flow.yaml:8: guard never looked at: A, last [z] → A',
    'flow.yaml:9: never entered: B',
    'base.yaml:1: never entered: BASE',
  ]);
  assert.deepEqual(leftOut({...machine, states: [], transitions: [], verdicts: []}), []);
});
