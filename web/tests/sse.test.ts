import assert from 'node:assert/strict';
import {test} from 'node:test';

import {SseReader} from '../src/lib/sse';

const stream = ': welcome\n\nid: 1.0\nevent: run.started\ndata: {"a": 1}\n\nid: 2.0\nevent: note\ndata: one\ndata:two\n\n';
const expected = [
  {id: '1.0', event: 'run.started', data: '{"a": 1}'},
  {id: '2.0', event: 'note', data: 'one\ntwo'},
];

test('messages are the same however the stream is cut, and whatever ends its lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    // A last "\r" may be half of a line's end, so what follows it decides.
    const text = `${stream.replaceAll('\n', end)}:${end}`;
    for (let size = 1; size <= text.length; ++size) {
      const reader = new SseReader();
      const messages = [];
      for (let from = 0; from < text.length; from += size) messages.push(...reader.push(text.slice(from, from + size)));
      assert.deepEqual(messages, expected, `in pieces of ${size}, with ${JSON.stringify(end)}`);
    }
  }
});

test('an id lasts until there is another one; what has no data is no message', () => {
  const reader = new SseReader();
  assert.deepEqual(reader.push('\uFEFFid: 7\n\ndata: x\n\nevent: y\n\nid: a\0b\ndata\n\n'), [
    {id: '7', event: 'message', data: 'x'},
    {id: '7', event: 'message', data: ''},
  ]);
});

test('what has not ended is no message yet', () => {
  const reader = new SseReader();
  assert.deepEqual(reader.push('data: half'), []);
  assert.deepEqual(reader.push('\n'), []);
  assert.deepEqual(reader.push('\n'), [{id: '', event: 'message', data: 'half'}]);
});
