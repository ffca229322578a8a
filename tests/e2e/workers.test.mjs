// Workers on several machines, which share a database and a hub alone: docs/fleet.md, docs/workspace.md.

import assert from 'node:assert/strict';
import {chmodSync, existsSync, readdirSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeFleet} from './lib/fleet.mjs';
import {runs, until} from './lib/served.mjs';

delete process.env.AGNETO_STORE;  // they are all in a database

const lease = 10_000;

// Two commits of its own, and a merge. Its agent does what edit.sh says.
const careful = {
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "Task: " .. m.inputs.task end}\n',
  '.agneto/workflows/careful.yaml': `agneto: 1
name: careful
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit, tries: 1}}
initial: PREPARING
states:
  PREPARING:
    run: {shell: '. "$FLEET/tools"; note prepare; echo half >> first.txt; hold prepare; echo "first $TASK" >> first.txt', env: {TASK: inputs.task}}
    on: {ok: KEEPING, failed: FAILED}
  KEEPING: {workspace: {commit: {message: "Prepare {{inputs.task}}"}}, on: {ok: EDITING, failed: FAILED}}
  EDITING: {agent: coder, on: {done: COMMITTING, error: FAILED}}
  COMMITTING: {workspace: {commit: {message: "Edit {{inputs.task}}"}}, on: {ok: MERGING, failed: FAILED}}
  MERGING: {workspace: {merge: {message: "Merge {{inputs.task}}", squash: false}}, on: {ok: DONE, conflict: FAILED, failed: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  'edit.sh': 'note edit\necho half >> greet; echo half > half.txt; rm test.sh\nhold edit\necho "whole $TASK" >> greet\nrm half.txt\n',
};
const steps = (fleet, task) => fleet.notes().filter((note) => note.task === task).map(({step}) => step).join(' ');

// One that went through undisturbed, and one that did not, have left the same.
const history = (fleet, branch, id) => fleet.hub('log', '--first-parent', '-m', '--format=commit %T%n%B', '--name-status', branch).replaceAll(id, 'RUN');
const plain = (text, id) => text.replaceAll(id, 'RUN').replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'THEN').replace(/\d\d:\d\d:\d\d/g, 'THEN').replace(/[\d.]+m?s$/gm, 'TIME').replace(/(path {6}).*/, '$1DAY');

test('a run is worked on far from where it was submitted, and ends in the hub', async (t) => {
  const fleet = makeFleet(t, careful);
  const {repo} = fleet;
  const before = [repo.git('rev-parse', 'HEAD'), repo.git('for-each-ref')];
  const queued = await agneto(repo, ['submit', 'shout', '-w', 'careful']);
  assert.equal(queued.status, 0, queued.said);
  const [id] = Object.keys(await runs(repo));
  assert.equal(queued.out.replaceAll(id, 'RUN'), 'queued: RUN\nno worker is there, so that it waits: agneto worker\n');
  for (const step of ['prepare', 'edit']) fleet.release(step);
  const one = await fleet.machine('one').work('--slots', '2');
  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);

  assert.equal(fleet.hub('log', '--first-parent', '--format=%s', 'main'), 'Merge shout\nBegin');
  assert.equal(fleet.hub('log', '--format=%s', '--reverse', `agneto/${id}`), 'Begin\nPrepare shout\nEdit shout');
  assert.equal(fleet.hub('show', 'main:first.txt'), 'half\nfirst shout');
  assert.deepEqual([repo.git('rev-parse', 'HEAD'), repo.git('for-each-ref')], before, "the submitter's checkout was touched");
  assert.equal(repo.git('status', '--porcelain', '--ignored', '--untracked-files=all').replace(/^.. \.agneto\/.*$/gm, '').trim(), '');
  assert.equal(repo.git('worktree', 'list').split('\n').length, 1);

  const [clone] = readdirSync(join(one.env.XDG_CACHE_HOME, 'agneto/hubs')).filter((name) => !name.endsWith('.lock'));
  await until(() => readdirSync(join(one.env.XDG_CACHE_HOME, 'agneto/hubs', clone, '.agneto/worktrees')).length === 0);

  assert.match((await agneto(repo, ['show', id])).out, new RegExp(`^status +complete \\(DONE\\)\nbranch +agneto/${id} from main\n`, 'm'));
  assert.match((await agneto(repo, ['log', id])).out, /EDITING → COMMITTING/);
  const diff = await agneto(repo, ['diff', id]);
  assert.equal(diff.status, 0, diff.said);
  assert.match(diff.out, /^\+whole shout$/m);
  assert.match(diff.out, /^deleted file mode 100644$/m);

  const cleaned = await agneto(repo, ['clean', id]);
  assert.equal(cleaned.status, 0, cleaned.said);
  assert.deepEqual(fleet.refs(), []);
  assert.equal(fleet.hub('log', '--first-parent', '--format=%s', 'main'), 'Merge shout\nBegin');
  await one.end();
  assert.equal((await agneto(repo, ['workers'])).out, 'nobody takes up runs: agneto serve, or agneto worker\n');
  repo.pass();
});

test('a run waits for a worker that has what it needs', async (t) => {
  const fleet = makeFleet(t, careful);
  const {repo} = fleet;
  for (const step of ['prepare', 'edit']) fleet.release(step);
  const one = await fleet.machine('one').work();
  const id = await fleet.submit('shout', '-w', 'careful', '--needs', 'gpu', '--needs', 'arm64');
  const other = await fleet.submit('whisper', '-w', 'careful', '-b', 'main');
  await agneto(repo, ['wait', other]);
  const show = async () => plain((await agneto(repo, ['show', id])).out, id);
  const waiting = (why) => `run       RUN
task      shout
status    queued
waits     ${why}
agents    command
effort    0 agent calls · TIME
started   THEN
updated   THEN
`;
  assert.equal(await show(), waiting('it needs arm64 and gpu, which no worker has'));
  const two = await fleet.machine('two').work('--labels', 'gpu');
  await until(async () => /arm64, which/.test(await show()));
  assert.equal(await show(), waiting('it needs arm64, which no worker has'));
  const three = await fleet.machine('three').work('--labels', 'arm64');
  await until(async () => /together/.test(await show()));
  assert.equal(await show(), waiting('it needs arm64 and command and gpu, which no worker has together'));
  const four = await fleet.machine('four').work('--labels', 'arm64', '--labels', 'gpu');
  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
  assert.match(four.worker_said(), new RegExp(`${id}  begins: shout`));
  for (const machine of [one, two, three, four]) await machine.end();
  repo.pass();
});

for (const step of ['prepare', 'edit']) {
  test(`the machine of a run fails in the middle of step '${step}', and another one takes it up`, async (t) => {
    const fleet = makeFleet(t, careful);
    const {repo} = fleet;
    for (const branch of ['calm', 'rough']) {
      repo.git('branch', branch);
      repo.git('push', '-q', 'origin', branch);
    }
    const one = await fleet.machine('one').work();
    const other = step === 'prepare' ? 'edit' : 'prepare';
    fleet.release(other);
    const id = await fleet.submit('shout', '-w', 'careful', '-b', 'rough');
    await until(() => fleet.is_held(step));
    const two = await fleet.machine('two').work();
    one.fail();
    const failed = Date.now();
    const took = (await until(() => fleet.notes().filter((note) => note.step === step)[1])).time - failed;
    t.diagnostic(`taken up after ${took} ms`);
    assert.ok(took < 1.5 * lease, `it was taken up after ${took} ms`);
    const end = await agneto(repo, ['wait', id]);
    assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
    const calm = await fleet.submit('shout', '-w', 'careful', '-b', 'calm');
    await agneto(repo, ['wait', calm]);
    assert.equal(history(fleet, 'rough', id), history(fleet, 'calm', calm).replaceAll('calm', 'rough'));
    assert.equal(history(fleet, `agneto/${id}`, id), history(fleet, `agneto/${calm}`, calm));
    assert.equal(fleet.hub('rev-parse', 'rough^{tree}'), fleet.hub('rev-parse', 'calm^{tree}'));
    assert.equal(steps(fleet, 'shout'), step === 'prepare' ? 'prepare prepare edit prepare edit' : 'prepare edit edit prepare edit');
    const looked = await agneto(repo, ['doctor', id]);
    assert.equal(looked.status, 0, looked.said);
    await two.end();
    repo.pass();
  });
}

// In a whole machine its guards are frozen, too, which whoever comes next on the same machine waits for.
for (const [what, which] of [['worker', ({pid}, one) => pid === one.pid], ['whole machine', () => true]]) {
  test(`a ${what} that is frozen past its lease does nothing twice when it goes on`, async (t) => {
    const fleet = makeFleet(t, careful);
    const {repo} = fleet;
    const one = await fleet.machine('one').work();
    fleet.release('prepare');
    const id = await fleet.submit('shout', '-w', 'careful');
    await until(() => fleet.is_held('edit'));
    one.signal('SIGSTOP', (process) => which(process, one));
    const frozen = Date.now();
    const two = await fleet.machine('two').work();
    const end = await agneto(repo, ['wait', id]);
    t.diagnostic(`ended ${Date.now() - frozen} ms after`);
    assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
    const there = fleet.hub('for-each-ref');
    fleet.release('edit');
    one.signal('SIGCONT');
    await until(() => one.log().includes('run has another owner'));
    await until(() => one.processes().every(({pid}) => pid === one.pid));
    assert.equal(fleet.hub('for-each-ref'), there);
    assert.equal(steps(fleet, 'shout'), 'prepare edit edit');
    assert.equal(fleet.hub('show', 'main:greet').match(/whole/g).length, 1);
    // It is as good as any other after that.
    await two.end();
    const next = await fleet.submit('whisper', '-w', 'careful');
    const second = await agneto(repo, ['wait', next]);
    assert.equal(second.out, `${next}: complete (DONE)\n`, second.said);
    assert.match(one.worker_said(), new RegExp(`${next}  begins: whisper`));
    await one.end();
    repo.pass();
  });
}

const asking = {
  '.agneto/workflows/asking.yaml': `agneto: 1
name: asking
inputs: {task: {type: string, main: true}}
initial: WRITING
states:
  WRITING: {run: {shell: 'echo "$HOME" >> "$FLEET/homes"; echo "$TASK" >> words.txt; echo kept > kept.txt', env: {TASK: inputs.task}}, on: {ok: GATE, failed: FAILED}}
  GATE:
    ask: {question: "Is that what you want?", options: {YES: Take it, NO: Again}}
    on: {YES: COMMITTING, NO: WRITING}
  COMMITTING: {workspace: {commit: {message: "Write it down"}}, on: {ok: MERGING, failed: FAILED}}
  MERGING: {workspace: {merge: {}}, on: {ok: FINISHED, conflict: FAILED, failed: FAILED}}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`,
};

test('what a person answers elsewhere is gone on with by whichever worker is there', async (t) => {
  const fleet = makeFleet(t, asking);
  const {repo} = fleet;
  const third = fleet.machine('third');
  const id = await fleet.submit('hello', '-w', 'asking');
  let worker = await fleet.machine('one').work();
  for (const [name, option] of [['two', 'NO'], ['three', 'YES']]) {
    await until(() => worker.worker_said().includes(`${id}  parked`));
    assert.match((await agneto(third, ['show', id])).out, /Is that what you want\?/);
    await worker.end();
    const answered = await agneto(third, ['answer', id, option]);
    assert.equal(answered.status, 0, answered.said);
    worker = await fleet.machine(name).work();
    await until(async () => worker.worker_said().includes(`${id}  goes on`));
  }
  const end = await agneto(third, ['wait', id]);
  assert.equal(end.out, `${id}: complete (FINISHED)\n`, end.said);
  assert.equal(fleet.hub('show', 'main:words.txt'), 'hello\nhello', 'what was not committed travelled');
  assert.ok(!existsSync(join(third.dir, '.agneto/worktrees', id)));
  await worker.end();
  repo.pass();
});

const bounded = {
  '.agneto/workflows/bounded.yaml': `agneto: 1
name: bounded
inputs: {task: {type: string, main: true}}
initial: WORKING
states:
  WORKING: {run: {shell: '. "$FLEET/tools"; note begin; sleep 0.3; note end', env: {TASK: inputs.task}}, on: {ok: DONE, failed: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
};

test('as many runs of a workflow as the configuration says are worked on at a time, by all together', async (t) => {
  const fleet = makeFleet(t, bounded);
  const {repo} = fleet;
  const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ids = [];
  for (const task of tasks) ids.push(await fleet.submit(task, '-w', 'bounded'));
  const config = 'serve: {workflows: {bounded: 1}}\n';
  const workers = await Promise.all(['one', 'two'].map((name) => fleet.machine(name, {config}).work()));
  for (const id of ids) {
    const end = await agneto(repo, ['wait', id]);
    assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
  }
  const notes = fleet.notes();
  assert.deepEqual(notes.map(({step}) => step), tasks.flatMap(() => ['begin', 'end']), JSON.stringify(notes));
  for (let i = 0; i < notes.length; i += 2) assert.equal(notes[i].task, notes[i + 1].task);
  for (const worker of workers) await worker.end();
  repo.pass();
});

test('what the hub does not take into a branch is in no run that begins from it meanwhile', async (t) => {
  const fleet = makeFleet(t, {...careful, 'edit.sh': 'note edit\necho "$TASK" > "$TASK.txt"\n'});
  const {repo} = fleet;
  fleet.release('prepare');
  writeFileSync(join(fleet.folder, 'hub.git/hooks/update'), `#!/bin/sh
[ "$1" = refs/heads/main ] || exit 0
git log -1 --format=%s "$3" | grep -q refused || exit 0
touch ${fleet.folder}/held-push
while [ ! -e ${fleet.folder}/go-push ]; do sleep 0.05; done
echo 'this is not for main'
exit 1
`, {mode: 0o755});
  const worker = await fleet.machine('one').work();
  const refused = await fleet.submit('refused', '-w', 'careful');
  await until(() => fleet.is_held('push'));
  const good = await fleet.submit('good', '-w', 'careful');
  await until(() => fleet.refs().includes(`refs/heads/agneto/${good}`));
  assert.equal(fleet.hub('rev-parse', `refs/agneto/${good}/base^{commit}`), repo.git('rev-parse', 'main'));
  fleet.release('push');
  assert.equal((await agneto(repo, ['wait', refused])).out, `${refused}: failed (FAILED)\n`);
  assert.equal((await agneto(repo, ['wait', good])).out, `${good}: complete (DONE)\n`);
  assert.equal(fleet.hub('log', '--first-parent', '--format=%s', 'main'), 'Merge good\nBegin');
  assert.ok(!fleet.hub('ls-tree', '--name-only', 'main').split('\n').includes('refused.txt'));
  assert.match((await agneto(repo, ['log', refused])).out, /this is not for main/);
  await worker.end();
  repo.pass();
});

test('a branch of which the hub has less is told, and a run that cannot begin says why', async (t) => {
  const fleet = makeFleet(t, careful);
  const {repo} = fleet;
  for (const more of ['two', 'three']) {
    repo.write({[more]: more});
    repo.commit(more);
  }
  const queued = await agneto(repo, ['submit', 'shout', '-w', 'careful']);
  assert.equal(queued.err, 'it begins without the 2 commits of main that origin has not got: git push origin main\n');
  const [id] = Object.keys(await runs(repo));
  const hub = join(fleet.folder, 'hub.git');
  renameSync(hub, `${hub}.away`);
  const one = await fleet.machine('one').work();
  const why = await until(async () => (await agneto(repo, ['show', id])).out.match(/^waits +(.* cannot work on it now, and tries again: .*)$/m)?.[1], 60);
  assert.match(why, /hub\.git/);
  const refused = await agneto(repo, ['clean', id, '--force']);
  assert.equal(refused.status, exit.suspended, refused.said);
  assert.equal((await runs(repo))[id].status, 'queued', 'it was ended, and could not be removed');
  renameSync(`${hub}.away`, hub);
  repo.git('push', '-q', 'origin', 'main');
  assert.equal((await agneto(repo, ['submit', 'again', '-w', 'careful'])).err, '');
  await one.end();
  repo.pass();
});

test('others see which programs a worker has, and what these say of their version', async (t) => {
  const fleet = makeFleet(t, careful);
  const {repo} = fleet;
  repo.write({'bin/claude': '#!/bin/sh\n[ "$1" = --version ] && echo "2.0.76 (Claude Code)"\n', 'bin/codex': '#!/bin/sh\nexit 1\n'}, {under: fleet.folder});
  for (const program of ['claude', 'codex']) chmodSync(join(fleet.folder, 'bin', program), 0o755);
  const one = await fleet.machine('one', {env: {PATH: `${join(fleet.folder, 'bin')}:${process.env.PATH}`}}).work('--labels', 'gpu');
  const seen = await until(async () => {
    const worker = JSON.parse((await agneto(repo, ['workers', '--json'])).out);
    return worker.versions?.claude && worker;
  });
  assert.equal(seen.versions.claude, '2.0.76');
  assert.equal(seen.versions.codex, undefined);
  for (const label of ['claude', 'codex', 'gpu']) assert.ok(seen.labels.includes(label), label);
  assert.match((await agneto(repo, ['workers'])).out, /^ {2}has: claude 2\.0\.76, codex, .*gpu$/m);
  await one.end();
  repo.pass();
});
