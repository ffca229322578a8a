// Runs that a server works on: workflows without agents, and what their tests share.

import assert from 'node:assert/strict';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, start} from './agneto.mjs';
import {greeter, makeRepo} from './repo.mjs';

export const gate = {
  '.agneto/workflows/gate.yaml': `agneto: 1
name: gate
inputs: {task: {type: string, main: true}}
context: {feedback: ""}
initial: WRITING
states:
  WRITING:
    run: {shell: 'echo "$WORDS" >> words.txt', env: {WORDS: inputs.task .. ctx.feedback}}
    on: {ok: GATE, failed: FAILED}
  GATE:
    ask: {question: "Is that what you want?", options: {YES: Take it, NO: {label: Again, feedback: required}}}
    after: [{delay: 1h, target: LATE}]
    on: {YES: RESTING, NO: {target: WRITING, do: ctx.feedback = event.feedback}}
  RESTING:
    after: [{delay: 6s, target: COMMITTING}]
  COMMITTING:
    workspace: {commit: {message: "Write it down"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  LATE: {final: true, status: failed}
  FAILED: {final: true, status: failed}
`,
  '.agneto/workflows/slow.yaml': `agneto: 1
name: slow
inputs: {task: {type: string, main: true}}
initial: SLEEPING
states:
  SLEEPING:
    run: {shell: 'echo "$TASK" >> "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done', env: {TASK: inputs.task}}
    on: {ok: DONE, failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
};

export const makeServed = (t, more = {}, env = {}) => makeRepo(t, {files: {...greeter, ...gate, ...more}, env});

// A server that is ended with the test.
export function serve(t, repo, args = []) {
  const server = start(repo, ['serve', ...args]);
  t.after(async () => {
    server.kill('SIGKILL');
    await server.ended.catch(() => {});
  });
  return server;
}

export async function submit(repo, ...args) {
  const said = await agneto(repo, ['submit', ...args, '--json']);
  assert.equal(said.status, 0, said.said);
  return JSON.parse(said.out).run;
}

export async function token(repo, name, scope = 'admin') {
  const made = await agneto(repo, ['token', 'make', name, '--scope', scope]);
  assert.match(made.out, /^agneto_[0-9a-f]{48}\n$/, made.said);
  return made.out.trim();
}

export const runs = async (repo) => Object.fromEntries((await agneto(repo, ['runs', '--json'])).out.trim().split('\n')
  .map((line) => JSON.parse(line)).map((run) => [run.run, run]));

export async function until(what, seconds = 30) {
  for (const end = Date.now() + 1000 * seconds; ; await sleep(20)) {
    const found = await what();
    if (found) return found;
    assert.ok(Date.now() < end, `nothing came of ${what}`);
  }
}
