// Runs are killed at any moment, and again while they are taken up, taken back or forked: the engine
// alone, it and all that it has started, or all of them by SIGTERM, as a machine that goes down does it.
// Every run then comes to its end with nothing lost and nothing done twice, and leaves nothing behind.
//
// A few are tried here, each time others; so many with AGNETO_SWEEP=N, the one numbered N with
// AGNETO_SWEEP_ONLY=N.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';

// A team that goes by what it finds: asked again, it says the same, and an edit that was undone is made anew.
const agent = `say() { sleep 0.01; printf '{"verdict": %s}\\n' "$1"; }
case $AGNETO_AGENT-$AGNETO_TASK in
planner-*) say '"PLAN_CREATED", "plan": "Shout."' ;;
curmudgeon-*) say '"CURMUDGEON_APPROVED"' ;;
bean_counter-*)
  if grep -q shouting greet; then say '"TASK_COMPLETED", "summary": "It shouts."'
  else say '"CHUNK_READY", "title": "Shout", "description": "All of it."'; fi ;;
coder-plan) say '"PLAN_PROPOSED", "proposal": "Append a line."' ;;
coder-apply) echo half > half.txt; echo shouting >> greet; sleep 0.02; rm half.txt; say '"CODE_APPLIED", "summary": "Let it shout"' ;;
reviewer-plan) say '"PLAN_APPROVED"' ;;
reviewer-code) echo mine > review.txt; say '"CODE_APPROVED"' ;;
super_reviewer-*) say '"SUPER_REVIEW_PASSED", "summary": "Let greet shout"' ;;
esac
`;

const panel = `agneto: 1
name: panel
initial: PANEL
states:
  PANEL:
    for_each: {items: "{'one', 'two', 'three'}", as: word, machine: item.yaml, with: {word: word}, workspace: own}
    on: {done: COMMITTING, failed: FAILED}
  COMMITTING:
    workspace: {commit: {message: What the items did}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`;
const item = `agneto: 1
name: item
inputs: {word: string}
initial: WORKING
states:
  WORKING:
    run: {shell: 'echo "$WORD" >> "$WORD.txt"; sleep 0.03', env: {WORD: inputs.word}}
    on: {ok: WORKED, failed: BROKEN}
  WORKED: {final: true}
  BROKEN: {final: true, status: failed}
`;

const kinds = {
  bundled: {
    args: ['run', 'let greet shout', '--non-interactive', '--input', 'verify=sh -n greet'],
    outcome: 'TASK_COMPLETE',
    check(repo, branch) {
      assert.equal(repo.git('diff', '--name-only', 'main', branch), 'greet');
      assert.equal(repo.git('show', `${branch}:greet`).match(/shouting/g)?.length, 1);
      assert.equal(repo.git('log', '--format=%s', branch), 'Let it shout\nBegin');
    },
  },
  panel: {
    args: ['run', '-w', 'panel', '--non-interactive'],
    outcome: 'FINISHED',
    check(repo, branch) {
      assert.equal(repo.git('diff', '--name-only', 'main', branch), 'one.txt\nthree.txt\ntwo.txt');
      for (const word of ['one', 'two', 'three']) assert.equal(repo.git('show', `${branch}:${word}.txt`), word);
      assert.equal(repo.git('log', '--format=%s', branch), 'What the items did\nBegin');
    },
  },
};

const files = {
  ...greeter, '.agneto/workflows/panel.yaml': panel, '.agneto/workflows/item.yaml': item,
  '.agneto/config.yaml': `provider: command\nproviders: {command: {argv: [sh, -c, ${JSON.stringify(agent)}]}}\n`,
};

// The same numbers for the same trial.
function randomOf(trial) {
  let state = (trial * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

// All that the engine has started, and what that has.
function descendants(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      parents.set(Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) . (\d+).*$/s, '$1')));
    } catch { /* it ended meanwhile */ }
  }
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found;
}

const ways = {
  'the engine': (pid) => process.kill(pid, 'SIGKILL'),
  'all': (pid) => signalAll(pid, 'SIGKILL'),
  'all, by SIGTERM': (pid) => signalAll(pid, 'SIGTERM'),
};
function signalAll(pid, signal) {
  for (const each of descendants(pid)) {
    try { process.kill(each, signal); } catch { /* it ended meanwhile */ }
  }
}

async function nothingRuns(repo) {
  for (const until = Date.now() + 20_000; repo.processes().length > 0; await sleep(10)) {
    assert.ok(Date.now() < until, `left behind: ${JSON.stringify(repo.processes())}`);
  }
}

// How many milliseconds the run takes that is left alone.
async function undisturbed(t, {args}) {
  const repo = makeRepo(t, {files});
  const began = Date.now();
  const end = await agneto(repo, args);
  assert.equal(end.status, exit.complete, end.said);
  repo.pass();
  return Date.now() - began;
}

async function trial(t, number, kinds) {
  const random = randomOf(number);
  const choose = (list) => list[Math.floor(random() * list.length)];
  const kind = kinds[choose(Object.keys(kinds))];
  const story = [];
  const repo = makeRepo(t, {files});
  const say = async (args) => {
    const end = await agneto(repo, args, {limit: 60_000});
    story.push(end.said);
    return end;
  };
  const killed = async (args) => {
    const way = choose(Object.keys(ways));
    const after = random() * kind.takes;
    const engine = start(repo, args, {limit: 60_000});
    const done = await Promise.race([engine.ended, sleep(after)]);
    if (!done) {
      try { ways[way](engine.child.pid); } catch { /* it ended meanwhile */ }
    }
    story.push(`${way}, after ${Math.round(after)} ms: ${(await engine.ended).said}`);
    await nothingRuns(repo);
  };
  const lines = async (args) => (await agneto(repo, [...args, '--json'])).out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const runs = () => lines(['runs']);

  try {
    await killed(kind.args);
    if ((await runs()).length === 0) assert.equal((await say(kind.args)).status, exit.complete);
    const [first] = await runs();
    const entries = (await lines(['log', first.run])).map((event) => event.seq);
    const next = choose(['resume', 'rewind', 'fork']);
    if (next === 'resume') await killed(['resume', first.run, '--non-interactive']);
    if (next === 'rewind') await killed(['rewind', first.run, '--to', String(choose(entries))]);
    if (next === 'fork') await killed(['fork', first.run, '--at', String(choose(entries))]);
    for (const each of await runs()) {
      if (!['complete', 'failed'].includes(each.status)) await say(['resume', each.run, '--non-interactive']);
    }
    await nothingRuns(repo);

    for (const each of await runs()) {
      assert.equal(`${each.status} ${each.outcome}`, `complete ${kind.outcome}`);
      kind.check(repo, each.branch);
      const examined = await say(['doctor', each.run]);
      assert.equal(examined.status, exit.complete);
    }
    assert.equal(repo.git('status', '--porcelain'), '');
    await say(['clean', '--ended', '--force']);
    assert.equal(repo.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/agneto'), 'refs/heads/main');
    assert.equal(repo.git('worktree', 'list').split('\n').length, 1);
    assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')), []);
    repo.pass();
  } catch (error) {
    throw new Error(`trial ${number}: ${error.message}\n${story.map((each) => each.replaceAll('\n', '\n  ')).join('\n')}`);
  }
}

test('runs that are killed at any moment, and once more, end as they should and leave nothing behind', async (t) => {
  const count = Number(process.env.AGNETO_SWEEP ?? 8);
  const first = Math.floor(Math.random() * 1e9);
  const only = process.env.AGNETO_SWEEP_ONLY;
  const numbers = only ? [Number(only)] : Array.from({length: count}, (_, i) => first + i);
  const wrong = [];
  const rest = numbers[Symbol.iterator]();
  const worker = async () => {
    for (const number of rest) await trial(t, number, timed).catch((error) => wrong.push(error.message));
  };
  const timed = {};
  for (const [name, kind] of Object.entries(kinds)) timed[name] = {...kind, takes: await undisturbed(t, kind)};
  await Promise.all(Array.from({length: availableParallelism()}, worker));
  t.diagnostic(`${numbers.length} runs, of which ${wrong.length} went wrong`);
  assert.equal(wrong.length, 0, `${wrong.length} of ${numbers.length}\n${wrong.join('\n\n')}`);
});
