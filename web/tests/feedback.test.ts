import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {feedback, inOrder, type Comment} from '../src/lib/feedback';

const on = (path: string, line: number, text: string, more: Partial<Comment> = {}): Comment =>
  ({path, line, removed: false, quote: `line ${line}`, text, ...more});

test('comments become words, each with its place and the line that it is about', () => {
  assert.equal(feedback([on('src/a.py', 12, ' why twice? '), on('b', 3, 'keep it', {removed: true, quote: '\tgone'})], ' And test it.\n'),
    'src/a.py:12: why twice?\n> line 12\n\nb:3 (removed): keep it\n> \tgone\n\nAnd test it.');
});

test('what says nothing is left out', () => {
  assert.equal(feedback([on('a', 1, '  ')], ' '), '');
  assert.equal(feedback([], 'words'), 'words');
});

test('a long line is quoted in part', () => {
  assert.equal(feedback([on('a', 1, 'x', {quote: 'y'.repeat(300)})], ''), `a:1: x\n> ${'y'.repeat(200)} …`);
});

test('comments come in the order of the diff', () => {
  const all = [on('b', 2, '1'), on('a', 9, '2'), on('b', 1, '3'), on('elsewhere', 1, '4'), on('b', 2, '5', {removed: true})];
  assert.deepEqual(inOrder(all, ['b', 'a']).map((comment) => comment.text), ['3', '5', '1', '2', '4']);
});

test('the example of docs/web.md is what comments become', () => {
  const page = readFileSync('../docs/web.md', 'utf8');
  const example = /words:\n\n((?: {4}.*\n|\n)+)\n/.exec(page)?.[1]?.replace(/^ {4}/gm, '').trimEnd();
  assert.equal(example, feedback([on('src/a.py', 12, 'why twice?', {quote: 'call(call(x))'})], 'And test it, please.'));
});
