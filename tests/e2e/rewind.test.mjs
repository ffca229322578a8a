// Going back in a run, machine and files: rewind and fork.

import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, start} from './lib/agneto.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';

const workflow = {
  '.agneto/workflows/steps.yaml': `agneto: 1
name: steps
inputs: {task: {type: string, main: true}}
initial: ONE
states:
  ONE: {run: {shell: 'echo one >> steps.txt'}, on: {ok: KEEP_ONE, failed: FAILED}}
  KEEP_ONE: {workspace: {commit: {message: One}}, on: {ok: TWO, failed: FAILED}}
  TWO: {run: {shell: 'echo two >> steps.txt'}, on: {ok: GATE, failed: FAILED}}
  GATE:
    ask: {question: "On?", options: {YES: Go on, NO: Stop}}
    on: {YES: KEEP_TWO, NO: STOPPED}
  KEEP_TWO: {workspace: {commit: {message: Two}}, on: {ok: THREE, failed: FAILED}}
  THREE: {run: {shell: 'echo three >> steps.txt'}, on: {ok: KEEP_THREE, failed: FAILED}}
  KEEP_THREE: {workspace: {commit: {message: Three}}, on: {ok: END, failed: FAILED}}
  END:
    ask: {question: "Merge?", options: {YES: Merge, NO: Leave it}}
    on: {YES: MERGING, NO: FINISHED}
  MERGING: {workspace: {merge: {squash: true}}, on: {ok: MERGED, failed: FAILED, conflict: FAILED}}
  MERGED: {ask: {question: "Well?", options: {YES: Well}}, on: {YES: FINISHED}}
  FINISHED: {final: true}
  STOPPED: {final: true, status: failed}
  FAILED: {final: true, status: failed}
`,
};

async function make(t, ...answers) {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  let end = await agneto(repo, ['run', 'count', '-w', 'steps', '--non-interactive']);
  assert.equal(end.status, exit.suspended, end.said);
  for (const option of answers) end = await agneto(repo, ['answer', 'last', option, '--resume']);
  const [{id}] = runs(repo);
  const work = (run = id) => join(repo.dir, '.agneto/worktrees', run);
  return {repo, id, end, work, steps: (run) => readFileSync(join(work(run), 'steps.txt'), 'utf8').trim().split('\n').join(' ')};
}

const runs = (repo) => repo.query('SELECT id FROM runs ORDER BY number DESC');
// The entry after which the state was entered first.
const entered = (repo, state) => repo.query(
  "SELECT seq, body FROM entries WHERE kind = 'macrostep' ORDER BY seq").find(({body}) =>
  JSON.parse(body).transitions.some((taken) => taken.to.includes(state))).seq;
const log = (repo, branch) => repo.git('log', '--format=%s', '--reverse', branch).split('\n').slice(1).join(' ');

test('a rewound run goes on with the files of then', async (t) => {
  const {repo, id, work, steps} = await make(t, 'YES');
  assert.equal(log(repo, `agneto/${id}`), 'One Two Three');
  writeFileSync(join(work(), 'mine.txt'), 'a person wrote this\n');

  const back = await agneto(repo, ['rewind', id, '--to', String(entered(repo, 'GATE'))]);
  assert.equal(back.status, exit.complete, back.said);
  assert.match(back.out, new RegExp(`^${id} is again as it was after entry \\d+, files and all\nwhat that took away is kept: refs/agneto/${id}/rescued-1\ngo on: agneto resume ${id}\n$`));
  assert.equal(log(repo, `agneto/${id}`), 'One');
  assert.equal(steps(), 'one two');
  assert.ok(!existsSync(join(work(), 'mine.txt')));
  assert.equal(repo.git('show', `refs/agneto/${id}/rescued-1:mine.txt`), 'a person wrote this');
  assert.equal(repo.git('show', `refs/agneto/${id}/rescued-1:steps.txt`), 'one\ntwo\nthree');

  const on = await agneto(repo, ['answer', id, 'GATE', 'YES', '--resume']);
  assert.equal(on.status, exit.suspended, on.said);
  assert.equal(log(repo, `agneto/${id}`), 'One Two Three');
  assert.equal(steps(), 'one two three');
  assert.match(repo.git('log', '-1', '--format=%B', `agneto/${id}`), /Agneto-Effect: \S+\/KEEP_THREE#1~1/);
  repo.pass();
});

test('to before the states had other names nothing goes back', async (t) => {
  const {repo, id, steps} = await make(t);
  const file = '.agneto/workflows/steps.yaml';
  const at = entered(repo, 'TWO');
  repo.write({[file]: workflow[file].replaceAll('TWO', 'SECOND')});
  const updated = await agneto(repo, ['resume', id, '--update', '--non-interactive']);
  assert.equal(updated.status, exit.suspended, updated.said);
  const before = repo.query('SELECT count(*) AS n FROM entries')[0].n;
  for (const args of [['rewind', id, '--to', String(at)], ['fork', id, '--at', String(at)]]) {
    const refused = await agneto(repo, args);
    assert.equal(refused.err, `agneto: the run cannot go on from entry ${at} with the workflow that it has now: the saved run does not fit the workflow: in machine 'steps' the state 'TWO' is gone\n` +
      "  help: choose an entry after the 'resume --update' that took this workflow\n", refused.said);
  }
  assert.equal(repo.query('SELECT count(*) AS n FROM entries')[0].n, before);
  assert.equal(runs(repo).length, 1);
  assert.equal(steps(), 'one two');
  const on = await agneto(repo, ['answer', id, 'YES', '--resume']);
  assert.equal(on.status, exit.suspended, on.said);
  assert.equal(steps(), 'one two three');
  repo.pass();
});

test('a run that has ended can be taken back; to its very beginning, too', async (t) => {
  const {repo, id, end, steps, work} = await make(t, 'YES', 'NO');
  assert.equal(end.status, exit.complete, end.said);
  const back = await agneto(repo, ['rewind', id, '--to', '2']);
  assert.equal(back.status, exit.complete, back.said);
  assert.equal(log(repo, `agneto/${id}`), '');
  assert.ok(!existsSync(join(work(), 'steps.txt')));
  const on = await agneto(repo, ['resume', id, '--non-interactive']);
  assert.equal(on.status, exit.suspended, on.said);
  assert.equal(steps(), 'one two');
  repo.pass();
});

test('what is no place to go back to is said, with those near it', async (t) => {
  const {repo, id} = await make(t, 'YES', 'NO');
  const refuse = async (args, pattern) => {
    const end = await agneto(repo, args);
    assert.equal(end.status, exit.usage, end.said);
    assert.match(end.err, pattern);
  };
  await refuse(['rewind', id, '--to', '1'], /was not at rest after entry 1 \(started\)\n {2}help: the nearest is 2/);
  await refuse(['rewind', id, '--to', '9999'], /has no entry 9999\n {2}help: the nearest is \d+/);
  await refuse(['rewind', id, '--to', 'there'], /'there' is no number for --to\n {2}help: see 'agneto rewind --help'/);
  await refuse(['rewind', id], /--to/);
  const last = repo.query('SELECT max(seq) AS seq FROM entries')[0].seq;
  await refuse(['fork', id, '--at', String(last)], new RegExp(`had ended after entry ${last}\n {2}help: choose an earlier entry`));

  repo.git('-C', join(repo.dir, '.agneto/worktrees', id), '-c', 'user.name=me', '-c', 'user.email=me@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'Mine');
  await refuse(['rewind', id, '--to', '2'], /has commits that are not the run's: [0-9a-f]+ Mine\n {2}help: keep them on a branch/);
  const [, help] = (await agneto(repo, ['rewind', id, '--to', '2'])).err.match(/: (git branch .*); or /);
  repo.sh(help.replace('NAME', 'kept'));
  assert.equal((await agneto(repo, ['rewind', id, '--to', '2'])).status, exit.complete);
  assert.equal(repo.git('log', '-1', '--format=%s', 'kept'), 'Mine');
  repo.pass();
});

test('a rewind takes no merge back, a fork leaves it', async (t) => {
  const {repo, id} = await make(t, 'YES', 'YES');
  const gate = String(entered(repo, 'GATE'));
  const refused = await agneto(repo, ['rewind', id, '--to', gate]);
  assert.equal(refused.status, exit.usage, refused.said);
  assert.match(refused.err, new RegExp(`the work was merged at entry \\d+, which a rewind does not take back\n {2}help: go on from there in a run of its own: agneto fork ${id} --at ${gate}`));
  const before = repo.git('rev-parse', `agneto/${id}`);

  const fork = await agneto(repo, ['fork', id, '--at', gate, '--no-start']);
  assert.equal(fork.status, exit.complete, fork.said);
  const other = fork.out.match(/^(\S+) is a run of its own, from entry \d+ on\ngo on: agneto resume \1\n$/)[1];
  assert.notEqual(other, id);
  assert.equal(log(repo, `agneto/${other}`), 'One');
  assert.equal(readFileSync(join(repo.dir, '.agneto/worktrees', other, 'steps.txt'), 'utf8'), 'one\ntwo\n');
  const on = await agneto(repo, ['answer', other, 'YES', '--resume']);
  assert.equal(on.status, exit.suspended, on.said);
  assert.equal(log(repo, `agneto/${other}`), 'One Two Three');
  assert.equal(repo.git('rev-parse', `agneto/${id}`), before, 'the run that was forked has changed');
  assert.match((await agneto(repo, ['show', id])).out, /Well\?/);
  assert.match((await agneto(repo, ['show', other])).out, /Merge\?/);
  repo.pass();
});

test('a fork starts at once, here', async (t) => {
  const {repo, id} = await make(t);
  const fork = await agneto(repo, ['fork', id, '--at', '2']);
  assert.equal(fork.status, exit.suspended, fork.said);
  assert.match(fork.out, /is a run of its own, from entry 2 on[\s\S]*On\?/);
  const [{id: other}] = runs(repo);
  assert.notEqual(other, id);
  assert.equal(log(repo, `agneto/${other}`), 'One');
  assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => !name.includes('.')).sort(), [id, other].sort());
  repo.pass();
});

test('a rewind that is killed is finished by the next resume, or has not begun', async (t) => {
  const {repo, id, steps} = await make(t, 'YES');
  const gate = String(entered(repo, 'GATE'));
  let finished = 0;
  for (let ms = 0; ms < 240; ms += 20) {
    const going = start(repo, ['rewind', id, '--to', gate]);
    const timer = setTimeout(() => going.kill('SIGKILL'), ms);
    await going.ended;
    clearTimeout(timer);
    const end = await agneto(repo, ['resume', id, '--non-interactive']);
    assert.equal(end.status, exit.suspended, end.said);
    const back = /On\?/.test(end.out);
    assert.equal(steps(), back ? 'one two' : 'one two three', `killed after ${ms} ms: ${end.said}`);
    assert.equal(log(repo, `agneto/${id}`), back ? 'One' : 'One Two Three', `killed after ${ms} ms`);
    if (!back) continue;
    ++finished;
    const again = await agneto(repo, ['answer', id, 'GATE', 'YES', '--resume']);
    assert.equal(again.status, exit.suspended, again.said);
  }
  t.diagnostic(`${finished} of 12 were taken back`);
  const doctor = await agneto(repo, ['doctor', id]);
  assert.equal(doctor.status, exit.complete, doctor.said);
  repo.pass();
});

test('a run at work is not taken back under its owner, but can be forked', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/waits.yaml': `agneto: 1
name: waits
inputs: {task: {type: string, main: true}, go: string}
initial: WAITING
states:
  WAITING: {run: {shell: 'until [ -e "$GO" ]; do sleep 0.05; done; echo went >> steps.txt', env: {GO: inputs.go}}, on: {ok: KEEPING, failed: FAILED}}
  KEEPING: {workspace: {commit: {message: Went}}, on: {ok: FINISHED, failed: FAILED}}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`}});
  const go = join(repo.home, 'go');
  const first = start(repo, ['run', 'wait', '-w', 'waits', '--input', `go=${go}`, '--non-interactive']);
  await first.says(/runs: until/);
  const [{id}] = runs(repo);
  const refused = await agneto(repo, ['rewind', id, '--to', '2']);
  assert.equal(refused.status, exit.usage, refused.said);
  assert.equal(refused.err.replace(/on host \S+ since \S+/, 'on host HOST since THEN'),
    `agneto: run ${id} is being worked on by process ${first.child.pid} on host HOST since THEN\n`
    + `  help: wait until it ends, or stop it: agneto suspend ${id}\n`);
  const forked = await agneto(repo, ['fork', id, '--at', '2', '--no-start']);
  assert.equal(forked.status, exit.complete, forked.said);
  writeFileSync(go, '');
  assert.equal((await first.ended).status, exit.complete);
  const [{id: other}] = runs(repo);
  const resumed = await agneto(repo, ['resume', other, '--non-interactive']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  for (const branch of [id, other]) assert.equal(log(repo, `agneto/${branch}`), 'Went');
  repo.pass();
});

test('a run without a repository goes back without its files, and says so', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'.agneto/workflows/plain.yaml': `agneto: 1
name: plain
inputs: {task: {type: string, main: true}}
initial: WRITING
states:
  WRITING: {run: {shell: 'echo once >> out.txt'}, on: {ok: GATE, failed: GATE}}
  GATE: {ask: {question: "Well?", options: {YES: Well}}, on: {YES: FINISHED}}
  FINISHED: {final: true}
`}});
  assert.equal((await agneto(repo, ['run', 'it', '-w', 'plain', '--non-interactive'])).status, exit.suspended);
  const back = await agneto(repo, ['rewind', 'last', '--to', '3']);
  assert.match(back.out, /^(\S+) is again as it was after entry 3; it has no worktree, so the files stay as they are\ngo on: agneto resume \1\n$/, back.said);
  assert.equal((await agneto(repo, ['answer', 'last', 'GATE', 'YES'])).status, exit.usage);
  assert.equal((await agneto(repo, ['resume', 'last', '--non-interactive'])).status, exit.suspended);
  assert.equal(repo.read('out.txt'), 'once\nonce\n');
  repo.pass();
});

test('a run that a failure has ended goes on from before that failure', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/flaky.yaml': `agneto: 1
name: flaky
initial: WORKING
states:
  WORKING:
    machine: inner.yaml
    on: {DONE: FINISHED, BROKEN: DISCARDING}
  DISCARDING:
    workspace: {discard: {to: last_commit}}
    on: {any: ABANDONED}
  FINISHED: {final: true}
  ABANDONED: {final: true, status: failed}
`, '.agneto/workflows/inner.yaml': `agneto: 1
name: inner
initial: PREPARING
states:
  PREPARING:
    run: {shell: 'echo once >> "$COUNTER"'}
    on: {ok: TESTING, failed: BROKEN}
  TESTING:
    run: {shell: 'test -e "$READY"'}
    on: {ok: DONE, failed: BROKEN}
  DONE: {final: true}
  BROKEN: {final: true, status: failed}
`}});
  const env = {COUNTER: join(repo.dir, '..', 'counter'), READY: join(repo.dir, '..', 'ready')};
  const first = await agneto(repo, ['run', '-w', 'flaky', '--non-interactive'], {env});
  assert.equal(first.status, exit.failed, first.said);
  const resumed = await agneto(repo, ['resume', 'last'], {env});
  const entry = resumed.err.match(/has ended: failed \(ABANDONED\)\n {2}help: 'agneto retry (\S+)' goes back to entry (\d+), before what ended it, and on\n/);
  assert.ok(entry, resumed.said);
  writeFileSync(env.READY, '');
  const again = await agneto(repo, ['retry', 'last', '--non-interactive'], {env});
  assert.equal(again.status, exit.complete, again.said);
  assert.ok(again.out.startsWith(`${entry[1]} is again as it was after entry ${entry[2]}, files and all\n`), again.said);
  assert.equal(readFileSync(env.COUNTER, 'utf8'), 'once\n');
  const done = await agneto(repo, ['resume', 'last'], {env});
  assert.match(done.err, /has ended: complete \(FINISHED\)\n {2}help: start a new one/);
  const complete = await agneto(repo, ['retry', 'last'], {env});
  assert.equal(complete.status, exit.usage, complete.said);
  assert.match(complete.err, new RegExp(`^agneto: run ${entry[1]} is complete \\(FINISHED\\), so that nothing failed in it\n`
    + `  help: to do its last step again: agneto rewind ${entry[1]} --to \\d+, then agneto resume ${entry[1]}\n$`));
  const running = await agneto(repo, ['retry', 'nobody'], {env});
  assert.equal(running.status, exit.usage, running.said);
});
