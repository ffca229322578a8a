// What the world makes fail is tried again, in the folder that the workflow says.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, start} from './lib/agneto.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';

// A program that fails until it was tried often enough, and leaves something behind each time.
const workflow = (retry, times) => ({
  ...greeter,
  'web/page.txt': 'a page\n',
  '.agneto/workflows/flaky.yaml': `agneto: 1
name: flaky
context: {said: ""}
inputs: {count: string}
initial: TESTING
states:
  TESTING:
    run:
      shell: |
        echo try >> "$COUNT"
        echo left >> left.txt
        test -e page.txt || exit 7
        test "$(wc -l < "$COUNT")" -ge ${times}
      cwd: web
      env: {COUNT: inputs.count}
      retry: ${retry}
    on:
      ok: {target: COMMITTING, do: ctx.said = event.output}
      failed: {target: BROKEN, do: ctx.said = event.message}
  COMMITTING: {workspace: {commit: {message: What the last try left}}, on: {ok: DONE, failed: BROKEN}}
  DONE: {final: true}
  BROKEN: {final: true, status: failed}
outputs: {said: ctx.said}
`,
});

const run = (repo) => ['run', '-w', 'flaky', '--input', `count=${join(repo.home, 'count')}`, '--non-interactive'];

test('a program is tried again on the files as they were, in its folder', async (t) => {
  const repo = makeRepo(t, {files: workflow('{tries: 4, backoff: 100ms}', 3)});
  const end = await agneto(repo, run(repo));
  assert.equal(end.status, exit.complete, end.said);
  assert.match(end.out, /try 1 of 4: exit status 1; again in \d+ms/, end.said);
  assert.match(end.out, /try 2 of 4: exit status 1; again in \d+ms/, end.said);
  const branch = repo.git('branch', '--list', 'agneto/*', '--format=%(refname:short)');
  assert.equal(repo.git('show', `${branch}:web/left.txt`), 'left', 'what the tries before left is undone');
  repo.pass();
});

test('a program that fails each time says how often it was tried', async (t) => {
  const repo = makeRepo(t, {files: workflow('{tries: 2, backoff: 50ms}', 9)});
  const end = await agneto(repo, run(repo));
  assert.equal(end.status, exit.failed, end.said);
  assert.match(end.out, /failed 2 times; the last time: exit status 1/, end.said);
  repo.pass();
});

test('a run that is suspended between two tries begins with the first when it is taken up again', async (t) => {
  const repo = makeRepo(t, {files: workflow('{tries: 3, backoff: 10m, max: 10m}', 2)});
  const running = start(repo, run(repo));
  await running.says(/again in/);
  running.kill('SIGTERM');
  const end = await running.ended;
  assert.equal(end.status, exit.suspended, end.said);
  const again = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(again.status, exit.complete, again.said);
  repo.pass();
});

test("an agent's tries are counted in what is said of them, then and later", async (t) => {
  const repo = makeRepo(t, {files: {
    ...greeter,
    'ask.sh': 'echo try >> "$HOME/count"\n[ "$(wc -l < "$HOME/count")" -ge 2 ] || { echo away >&2; exit 3; }\necho Done.\n',
    '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, ask.sh]}}\nretry: {tries: 2, backoff: 50ms}\n',
    '.agneto/workflows/asks.yaml': `agneto: 1
name: asks
agents: {coder: {prompt: "Do what is to be done.", retry: {tries: 5}}}
initial: ASKING
states:
  ASKING: {agent: coder, on: {done: DONE, error: BROKEN}}
  DONE: {final: true}
  BROKEN: {final: true, status: failed}
`,
  }});
  const end = await agneto(repo, ['run', '-w', 'asks', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  const told = /try 1 of 5: .*exit status 3: away/;
  assert.match(end.out, told, end.said);
  for (const command of ['log', 'show']) {
    const later = await agneto(repo, [command, 'last']);
    assert.match(later.out, told, later.said);
  }
  repo.pass();
});
