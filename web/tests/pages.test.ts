import assert from 'node:assert/strict';
import {test} from 'node:test';

import {answerTo, askedIn, editedText, gist, stateOf, tell} from '../src/lib/entries';
import {routeOf} from '../src/lib/router';
import {lacks} from '../src/lib/session';
import {isPartial, matches, placed, renewed, shelves, type Shelf} from '../src/lib/shelf';
import {pause} from '../src/lib/stream';
import {duration, localTime} from '../src/lib/time';
import type {Entry, Run} from '../src/lib/types';

const entry = (kind: string, body: Record<string, unknown>, path = ''): Entry => ({seq: 1, time: '2026-11-21T21:02:36.123Z', kind, path, body});

test('an address leads to its page, also of a name with a slash', () => {
  assert.deepEqual(routeOf('/'), {page: 'board'});
  assert.deepEqual(routeOf('/runs/add-a-flag-3f2a'), {page: 'run', run: 'add-a-flag-3f2a'});
  assert.deepEqual(routeOf('/workflows/kit%2Freview'), {page: 'workflow', workflow: 'kit/review'});
  for (const path of ['/runs/a/b', '/nothing', '/workflows/%zz', '/schedules/x']) assert.deepEqual(routeOf(path), {page: 'nothing'}, path);
});

test('a token is good for what its scope says, and for what those before it are', () => {
  assert.equal(lacks('admin', 'answer'), '');
  assert.equal(lacks('answer', 'answer'), '');
  assert.equal(lacks('read', 'answer'), "Your token is for 'read'; this needs 'answer'");
});

test('the pause before the next try grows to half a minute, and differs', () => {
  assert.deepEqual([0, 1, 2, 20].map((failures) => pause(failures, 0.5)), [500, 1000, 2000, 30_000]);
  assert.deepEqual([pause(1, 0), pause(1, 1)], [750, 1250]);
});

test('entries of the log are told in a line', () => {
  const told = (kind: string, body: Record<string, unknown>, path = ''): (string | undefined)[] => {
    const {tone, title, text} = tell(entry(kind, body, path));
    return [tone, title, text];
  };
  assert.deepEqual(told('macrostep', {transitions: [{from: 'A', to: ['B']}], event: {name: 'ok', path: 'X#1/A#2'}, effects: []}), ['step', 'A → B', 'A 2: ok']);
  assert.deepEqual(told('macrostep', {transitions: [], event: null, effects: [{effect: 'agent', path: 'A#1'}]}), ['step', '→ A', '']);
  assert.deepEqual(told('macrostep', {transitions: [{from: 'A', to: ['G']}], event: null, effects: [{effect: 'ask', path: 'G#1', question: 'Well?'}]}), ['person', 'A → G', 'asks: Well?']);
  assert.deepEqual(told('macrostep', {transitions: [], event: null, effects: [{effect: 'timer', path: 'A#1/after:1'}, {effect: 'timer', path: 'A#1/after:2'}]}), ['step', '→ A', '']);
  const timer = {kind: 'timer', name: 'after', path: 'A#1/after:1', data: null};
  assert.deepEqual(told('macrostep', {transitions: [{from: 'A', to: ['B']}], event: timer, effects: []}), ['step', 'A → B', 'A: its time is up']);
  assert.deepEqual(told('macrostep', {transitions: [{from: 'A', to: ['B']}], event: {...timer, path: './after:1'}, effects: []}), ['step', 'A → B', 'its time is up']);
  const commit = {name: 'ok', path: 'C#1', data: {commit: 'd72d429c0123', files: ['a', 'b']}};
  assert.deepEqual(told('macrostep', {transitions: [{from: 'C', to: ['D']}], event: commit, effects: []}), ['git', 'C → D', 'commit d72d429c: a, b']);
  assert.deepEqual(told('macrostep', {transitions: [{from: 'C', to: ['D']}], event: {...commit, data: {commit: 'd72d429c0123', files: []}}, effects: []}), ['git', 'C → D', 'commit d72d429c']);
  assert.deepEqual(told('macrostep', {transitions: [], event: null, effects: [], problems: [{message: 'no such thing'}]}), ['bad', 'A problem', 'no such thing']);
  const ends = (status: string): unknown => ({effect: 'finish', status, outcome: 'F'});
  const failed = {name: 'failed', path: 'W#1', data: {message: 'exit status 3', status: 3, output: `${[1, 2, 3, 4, 5, 6, 7].join('\n')}\n`}};
  for (const effects of [[ends('failed')], []]) {
    const {tone, text, full, end} = tell(entry('macrostep', {transitions: [{from: 'W', to: ['F']}], event: failed, effects}));
    assert.deepEqual([tone, text, full, end], ['bad', 'W: failed: exit status 3', '1\n2\n3\n4\n5\n6\n7', '2\n3\n4\n5\n6\n7']);
  }
  assert.equal(tell(entry('macrostep', {transitions: [], event: failed, effects: [{effect: 'ask', path: 'G#1', question: 'Well?'}]})).text, 'W: failed: exit status 3; asks: Well?');
  const good = tell(entry('macrostep', {transitions: [], event: {...failed, name: 'ok', data: {message: 'exit status 0', status: 0, output: 'a\n'}}, effects: [ends('complete')]}));
  assert.deepEqual([good.tone, good.text, good.full, good.end], ['good', 'W: ok', 'a', undefined]);
  const long = {...failed, data: {...failed.data, output: `b${'a'.repeat(1000)}`}};
  assert.equal(tell(entry('macrostep', {transitions: [], event: long, effects: []})).end, `… ${'a'.repeat(1000)}`);
  assert.deepEqual(told('answer', {option: 'NO', by: 'elsewhere', name: 'Ada', feedback: ' louder\nplease'}, 'G#1'), ['person', 'Ada answered NO', 'louder']);
  assert.deepEqual(told('answer', {option: 'YES', by: 'default'}), ['person', 'nobody: the default answered YES', '']);
  assert.deepEqual(told('said', {output: [[2000, 'text', 'I begin.']]}, 'A#1'), ['agent', 'A says', 'I begin.']);
  assert.deepEqual(told('said', {output: [[1, 'tool', 'Read: x'], [2, 'tool_end', '']]}, 'A#1'), ['agent', 'A uses', 'Read: x']);
  assert.deepEqual(told('said', {output: [[1, 'tool_denied', 'Bash']]}, 'A#2'), ['bad', 'A 2: tool denied', 'Bash']);
  assert.equal(tell(entry('said', {output: [[2, 'tool_end', '']]})).minor, true);
  assert.deepEqual(tell(entry('said', {output: [[1, 'text', 'a'], [2, 'text', 'b']]}, 'A#1')).spoken, [{kind: 'text', text: 'a'}, {kind: 'text', text: 'b'}]);
  assert.deepEqual(told('what.comes.later', {}), ['plain', 'what.comes.later', undefined]);
});

test('the gist of a reply is its verdict, or its first line', () => {
  assert.equal(gist('```json\n{"verdict": "CHUNK_READY", "title": "Shout"}\n```\n'), 'CHUNK_READY: Shout');
  assert.equal(gist('{"verdict": "DONE", "n": 3}'), 'DONE');
  assert.equal(gist('\n\nI looked.\n```json\n{"verdict": "DONE"}\n```'), 'I looked.');
  assert.deepEqual(['TASK_EXECUTING#1/CODE_REVIEWER#2', 'A#1/after:1', 'SUB#2/./after:12', './after:1', 'A#1/send:later', ''].map(stateOf), ['CODE_REVIEWER 2', 'A', 'SUB 2', '', 'A', '']);
});

test('what an option edits, and who has answered, is in the log', () => {
  const log = [
    entry('macrostep', {effects: [{effect: 'ask', path: 'G#1', options: [{name: 'E', edit: 'old'}]}]}),
    entry('answer', {option: 'NO', by: 'elsewhere', name: 'Ada'}, 'G#1'),
    entry('rewound', {to: 0}),
    entry('macrostep', {effects: [{effect: 'ask', path: 'G#1', options: [{name: 'E', edit: 'new'}, {name: 'Y'}]}]}),
  ].map((each, nth) => ({...each, seq: nth + 1}));
  assert.equal(askedIn(log, 'G#1')?.seq, 4);
  assert.equal(askedIn(log.slice(0, 3), 'G#1')?.seq, 1);
  assert.equal(askedIn(log, 'G#2'), undefined);
  assert.equal(editedText(log[3], 'G#1', 'E'), 'new');
  assert.equal(editedText(log[3], 'G#1', 'Y'), undefined);
  assert.equal(editedText(undefined, 'G#1', 'E'), undefined);
  assert.equal(answerTo(log, 'G#1')?.body.name, 'Ada');
  assert.equal(answerTo(log, 'G#1', 4), undefined);
});

const run = (id: string, created: number, more: Partial<Run> = {}): Run => ({
  run: id, workflow: 'agneto', task: `task of ${id}`, status: 'queued', priority: 0, outcome: '', base: 'main', branch: '',
  created: `2026-11-21T21:02:${String(created).padStart(2, '0')}.000Z`, updated: '', ...more,
});
const shelf = (name: string): Shelf => shelves.find((each) => each.name === name) as Shelf;
const none = {workflow: '', text: ''};

test('each run belongs to one shelf', () => {
  for (const [more, name] of [
    [{status: 'parked', waits_for: 'person'}, 'waiting'], [{status: 'running', waits_for: 'person'}, 'waiting'], [{status: 'parked'}, 'parked'],
    [{status: 'suspended', waits_for: 'person'}, 'suspended'], [{status: 'interrupted'}, 'working'], [{status: 'failed'}, 'done'], [{}, 'queued'],
  ] as [Partial<Run>, string][]) {
    assert.deepEqual(shelves.filter((each) => each.holds(run('a', 1, more))).map((each) => each.name), [name], JSON.stringify(more));
  }
});

test('a run that changes goes to where it belongs, the newest first, and leaves where it was', () => {
  const before = {runs: [run('c', 3), run('a', 1)]};
  assert.deepEqual(placed(before, shelf('queued'), none, run('b', 2)).runs.map((each) => each.run), ['c', 'b', 'a']);
  assert.deepEqual(placed(before, shelf('queued'), none, run('c', 3, {status: 'running'})).runs.map((each) => each.run), ['a']);
  assert.equal(placed(before, shelf('queued'), none, run('d', 4, {status: 'running'})), before);
  assert.equal(placed(before, shelf('queued'), {workflow: '', text: 'nothing like it'}, run('d', 4)), before);
  // It is on a page that is not loaded.
  const paged = {...before, next: 'a'};
  assert.equal(placed(paged, shelf('queued'), none, run('0', 0)), paged);
  assert.ok(matches(run('Add-3f2a', 1), {workflow: 'agneto', text: 'add-'}));
});

test('a first page that is asked for again leaves what was loaded behind it', () => {
  const before = {runs: [run('d', 4), run('c', 3), run('b', 2), run('a', 1)], next: 'a'};
  const ids = ({runs, next}: {runs: Run[]; next?: string}): unknown => [runs.map((each) => each.run), next];
  assert.deepEqual(ids(renewed(before, {runs: [run('e', 5), run('c', 3)], next: 'c'})), [['e', 'c', 'b', 'a'], 'a']);
  assert.deepEqual(ids(renewed({runs: before.runs}, {runs: [run('d', 4)], next: 'd'})), [['d', 'c', 'b', 'a'], undefined]);
  assert.deepEqual(ids(renewed(before, {runs: [run('c', 3)]})), [['c'], undefined]);
  assert.deepEqual(ids(renewed(undefined, {runs: [], next: 'x'})), [[], 'x']);
});

test('what was looked at further back stays looked at', () => {
  const parked = (id: string, created: number): Run => run(id, created, {status: 'parked'});
  const page = {runs: [], next: 'd', last: run('d', 4)};
  // It has none of its own, so those that were found behind it stay.
  assert.deepEqual(renewed({runs: [parked('e', 5), parked('b', 2)], next: 'a', last: run('a', 1)}, page), {runs: [parked('b', 2)], next: 'a', last: run('a', 1)});
  assert.deepEqual(renewed({runs: [], next: 'a', last: run('a', 1)}, page), {runs: [], next: 'a', last: run('a', 1)});
  assert.deepEqual(renewed({runs: [], next: 'e', last: run('e', 5)}, page), page);
  assert.deepEqual(renewed({runs: [], last: run('a', 1)}, page), page);
  assert.deepEqual([{runs: [], next: 'a', last: run('a', 1)}, {runs: [run('b', 2)], next: 'a', last: run('a', 1)}, {runs: [run('a', 1)], next: 'a', last: run('a', 1)}, {runs: []}].map(isPartial), [true, true, false, false]);
});

test('a shelf is never longer than 500 runs, and goes on behind them', () => {
  let shelved: ReturnType<typeof placed> = {runs: []};
  for (let i = 0; i < 600; ++i) shelved = placed(shelved, shelf('queued'), none, run(`r${String(i).padStart(3, '0')}`, 0));
  assert.deepEqual([shelved.runs.length, shelved.runs[0]?.run, shelved.next], [500, 'r599', 'r100']);
});

test('times are as short as the day allows', () => {
  const now = new Date('2026-11-21T12:00:00');
  assert.match(localTime('2026-11-21T10:30:05', now, true), /10:30:05/);
  assert.match(localTime('2026-11-03T10:30:00', now), /3/);
  assert.match(localTime('2025-11-03T10:30:00', now), /2025/);
  assert.equal(localTime('nonsense', now), 'nonsense');
  assert.deepEqual([400, 12_000, 65_000, 3_900_000, 200_000_000].map(duration), ['0.4 s', '12 s', '1 min 5 s', '1 h 5 min', '2 d 7 h']);
});
