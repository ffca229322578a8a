// The items of a for_each, each in a git worktree of its own.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';

// Each item writes its number to the file of its word, and waits while `hold` is there. The first
// and the third have the same word.
const workflow = {
  '.agneto/workflows/panel.yaml': `agneto: 1
name: panel
inputs: {signs: string}
context: {results: []}
initial: PANEL
states:
  PANEL:
    for_each:
      items: "{'one', 'two', 'one'}"
      as: word
      machine: item.yaml
      with: {word: word, number: index, signs: inputs.signs}
      workspace: own
    on:
      done: COMMITTING
      failed: {target: COMMITTING, do: ctx.results = event.results}
  COMMITTING:
    workspace: {commit: {message: What the items did}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
outputs: {results: ctx.results}
`,
  '.agneto/workflows/item.yaml': `agneto: 1
name: item
inputs: {word: string, number: integer, signs: string}
initial: WORKING
states:
  WORKING:
    run:
      shell: |
        echo "$NUMBER" > "$WORD.txt"
        touch "$SIGNS/began-$NUMBER"
        while [ -e "$SIGNS/hold" ]; do sleep 0.05; done
      env: {NUMBER: inputs.number, WORD: inputs.word, SIGNS: inputs.signs}
    on: {ok: WORKED, failed: BROKEN}
  WORKED: {final: true}
  BROKEN: {final: true, status: failed}
`,
};

function makePanel(t) {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const signs = join(repo.home, 'signs');
  mkdirSync(signs);
  return {
    repo,
    run: ['run', '-w', 'panel', '--input', `signs=${signs}`, '--non-interactive'],
    hold: () => writeFileSync(join(signs, 'hold'), ''),
    release: () => rmSync(join(signs, 'hold')),
    async allBegan(ended) {
      let end;
      ended.then((how) => { end = how; });
      while (readdirSync(signs).filter((name) => name.startsWith('began-')).length < 3) {
        if (end) throw new Error(`it ended before all items were at work: ${end.said}`);
        await sleep(20);
      }
    },
  };
}

// What is left of a run: one commit, and the branch of the item that conflicts.
function check(repo, end) {
  assert.equal(end.status, exit.complete, end.said);
  const branches = repo.git('branch', '--format=%(refname:short)').split('\n');
  const [run] = branches.filter((name) => name.startsWith('agneto/') && !name.includes('.'));
  assert.deepEqual(branches.sort(), [run, `${run}.PANEL.1.3`, 'main'].sort(), end.said);
  assert.equal(repo.git('log', '--format=%s', run), 'What the items did\nBegin');
  assert.equal(repo.git('diff', '--name-only', 'main', run), 'one.txt\ntwo.txt');
  assert.equal(repo.git('show', `${run}:one.txt`), '1');
  assert.equal(repo.git('show', `${run}.PANEL.1.3:one.txt`), '3');
  assert.equal(repo.git('worktree', 'list').split('\n').length, 2, 'a worktree of an item is left');
  assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => name.includes('PANEL')), []);
  assert.equal(repo.git('status', '--porcelain'), '', "the user's own checkout was touched");
  assert.ok(end.out.includes(`item 3 conflicts in one.txt; its work is on ${run}.PANEL.1.3\n`), end.said);
}

test('items work at the same time, and come back in their order', async (t) => {
  const panel = makePanel(t);
  panel.hold();
  const run = start(panel.repo, panel.run);
  await panel.allBegan(run.ended);
  panel.release();
  check(panel.repo, await run.ended);
  panel.repo.pass();
});

test('items that are killed at work begin again from the same tree', async (t) => {
  const panel = makePanel(t);
  panel.hold();
  const run = start(panel.repo, panel.run);
  await panel.allBegan(run.ended);
  run.kill('SIGKILL');
  await run.ended;
  panel.release();
  check(panel.repo, await agneto(panel.repo, ['resume', 'last', '--non-interactive']));
  panel.repo.pass();
});

test('a suspended run keeps the worktrees of its items', async (t) => {
  const panel = makePanel(t);
  panel.hold();
  const run = start(panel.repo, panel.run);
  await panel.allBegan(run.ended);
  run.kill('SIGINT');
  const suspended = await run.ended;
  assert.equal(suspended.status, exit.suspended, suspended.said);
  assert.equal(panel.repo.git('worktree', 'list').split('\n').length, 5);
  panel.release();
  check(panel.repo, await agneto(panel.repo, ['resume', 'last', '--non-interactive']));
  panel.repo.pass();
});

test('a run is not taken back to where its items had worktrees of their own', async (t) => {
  const panel = makePanel(t);
  check(panel.repo, await agneto(panel.repo, panel.run));
  const events = (await agneto(panel.repo, ['log', 'last', '--json'])).out.trim().split('\n').map((line) => JSON.parse(line));
  // All have ended then, and nothing is brought in yet.
  const before = events.find((event) => event.type === 'workspace.joined').seq - 1;
  for (const command of [['rewind', '--to'], ['fork', '--at']]) {
    const refused = await agneto(panel.repo, [command[0], 'last', command[1], String(before)]);
    assert.equal(refused.status, exit.usage, refused.said);
    assert.equal(refused.err, `agneto: after entry ${before}, items of PANEL#1 worked in worktrees of their own\n` +
      '  help: choose an entry before PANEL#1 began or after it ended\n');
  }
  panel.repo.pass();
});

// The coder does it right when it is told what is wrong; the reviewer runs the tests, which leave something.
test('the recipe of docs/providers.md for a Reviewer with tests in a copy does what that says', async (t) => {
  const repo = makeRepo(t, {files: {...greeter,
    '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, agent.sh]}}\n',
    '.agneto/scripts/coder.lua': 'return {prompt = function(m) return m.inputs.task .. ". " .. m.ctx.feedback end}\n',
    '.agneto/scripts/reviewer.lua': 'return {prompt = function(m) return "Test: " .. m.inputs.task end}\n',
    '.gitignore': '*.log\n',
    'agent.sh': `prompt=$(cat)
case $AGNETO_AGENT in
coder)
  word=Hi
  case $prompt in *'say Hello'*) word=Hello ;; esac
  printf 'echo "%s, \${1:-world}!"\\n' $word > greet
  echo '{"verdict": "DONE", "summary": "It greets"}' ;;
reviewer)
  pwd > "$HOME/copy"
  touch junk.txt test.log
  if sh test.sh; then echo '{"verdict": "APPROVE"}'; else echo '{"verdict": "REVISE", "feedback": "say Hello"}'; fi ;;
esac
`}});
  await follow('providers.md', repo);
  repo.commit('The recipe');
  const end = await agneto(repo, ['run', 'Greet', '-w', 'build', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  const [run] = repo.git('branch', '--format=%(refname:short)', '--list', 'agneto/*').split('\n');
  const copy = `${run.replace('agneto/', '')}.REVIEWING.2.1`;
  assert.equal(readFileSync(join(repo.home, 'copy'), 'utf8'), `${join(repo.dir, '.agneto/worktrees', copy)}\n`);
  assert.equal(existsSync(join(repo.dir, '.agneto/worktrees', copy)), false);
  assert.equal(repo.git('diff', '--name-only', 'main', run), 'greet');
  assert.equal(repo.git('show', `${run}:greet`), 'echo "Hello, ${1:-world}!"');
  const told = (await agneto(repo, ['log', 'last'])).out.replace(/^ *\d+ +\S+ +/gm, '').replace(/ {2,}/g, '  ');
  assert.ok(told.includes('REVIEWING #2  1 item changed nothing\n'), told);
  for (const round of ['REVIEWING[1]', 'REVIEWING#2[1]']) {
    assert.ok(told.includes(`${round}/LOOKING  reviewer may only read, but changed files: undone\n`), told);
  }
  assert.ok(!told.includes('brought in'), told);

  // A coder that never learns is stopped.
  repo.write({'.agneto/scripts/coder.lua': 'return {prompt = function(m) return m.inputs.task end}\n'});
  const stopped = await agneto(repo, ['run', 'Greet', '-w', 'build', '--non-interactive']);
  assert.equal(stopped.status, exit.failed, stopped.said);
  assert.match(stopped.out, /REVIEWING → IMPLEMENTING → REVIEWING → IMPLEMENTING → REVIEWING → FAILED/);
  repo.pass();
});
