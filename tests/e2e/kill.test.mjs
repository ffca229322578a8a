// The engine is killed in the middle of a run; nothing of it survives, nothing recorded is lost.

import assert from 'node:assert/strict';
import {existsSync, readdirSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';
import {makeTeam, smooth} from './lib/team.mjs';

// The guard ends the agent's whole process tree; that takes a moment.
async function nothingRuns(repo) {
  const until = Date.now() + 30_000;
  while (repo.processes().length > 0) {
    if (Date.now() > until) assert.deepEqual(repo.processes(), [], 'an agent outlived the engine');
    await sleep(20);
  }
}

function worktreeOf(repo) {
  const folder = join(repo.dir, '.agneto/worktrees');
  return join(folder, readdirSync(folder).find((name) => !name.includes('.')));
}

const order = [
  'planner', 'curmudgeon', 'bean_counter', 'coder', 'reviewer', 'coder', 'reviewer', 'bean_counter', 'super_reviewer'];

test('a run that is killed in each of its calls loses no result and repeats no finished call', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  // Every call is made twice: the first is held and killed, the second goes through. A held one of
  // the next call begins in the same process as the second of the last.
  const twice = Object.fromEntries(Object.entries(script).map(([agent, entries]) =>
    [agent, entries.flatMap((entry) => [{...entry, last: false, hold: true}, {...entry, last: false}])]));
  const team = makeTeam(repo, twice);

  const times = {};
  let run = start(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
  for (const agent of order) {
    times[agent] = (times[agent] ?? 0) + 1;
    await Promise.race([team.held(agent, 2 * times[agent] - 1), run.ended.then((end) => {
      throw new Error(`it ended before call ${times[agent]} of ${agent}: ${end.said}`);
    })]);
    run.kill('SIGKILL');
    await run.ended;
    await nothingRuns(repo);
    run = start(repo, ['resume', 'last', '--non-interactive']);
  }
  const end = await run.ended;

  assert.equal(end.status, exit.complete, end.said);
  assert.deepEqual(team.calls().map((call) => call.agent), order.flatMap((agent) => [agent, agent]), end.said);
  assert.equal(repo.git('log', '--format=%s', 'main'), 'Let greet shout\nConfigure the team\nBegin');
  assert.match(repo.read('greet'), /\nshouting\n$/);
  assert.equal(repo.read('greet').match(/shouting/g).length, 1, 'an edit was made twice');
  repo.pass();
});

test('half of an edit is undone before the call is made again', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.coder = [
    script.coder[0],
    {do: 'echo half > greet; echo half > half.txt; rm test.sh', hold: true},
    {do: 'echo whole >> greet', fields: {verdict: 'CODE_APPLIED', summary: 'Make greet shout'}},
  ];
  const team = makeTeam(repo, script);

  const run = start(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
  await team.held('coder', 2);
  run.kill('SIGKILL');
  await run.ended;
  await nothingRuns(repo);
  assert.equal(repo.git('status', '--porcelain'), '', "the user's own checkout was touched");

  const end = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  const again = team.calls().filter((call) => call.agent === 'coder')[2];
  assert.equal(again.status, '', 'the call that was made again found half an edit');
  assert.equal(repo.git('diff', '--name-only', 'main~1', 'main'), 'greet');
  assert.match(repo.read('greet'), /Greets somebody[\s\S]*\nwhole\n$/);
  repo.pass();
});

test('an abort of a run that was cut off says where the half edit is kept', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.coder = [script.coder[0], {do: 'echo half > half.txt', hold: true}];
  const team = makeTeam(repo, script);
  const run = start(repo, ['run', 'let greet shout', '--non-interactive']);
  await team.held('coder', 2);
  run.kill('SIGKILL');
  await run.ended;
  await nothingRuns(repo);
  const end = await agneto(repo, ['abort', 'last']);
  assert.equal(end.status, exit.complete, end.said);
  const [, ref] = end.out.match(/^what was changed in the worktree since the last checkpoint is undone, and kept; to have it back: git diff --binary [0-9a-f]{12} (\S+) \| git apply\naborted: /) ?? assert.fail(end.said);
  assert.equal(repo.git('show', `${ref}:half.txt`), 'half');
  repo.pass();
});

test('what a killed start left behind goes with the next one', async (t) => {
  const repo = makeRepo(t);
  makeTeam(repo, smooth(), {config: 'workspace: {setup: "touch set-up; [ -e ../../let-go ] || sleep 1000"}\n'});
  const left = () => readdirSync(join(repo.dir, '.agneto/worktrees'));
  const killed = start(repo, ['run', 'let greet shout', '--non-interactive']);
  while (!repo.has('.agneto/worktrees') || !left().some((name) => repo.has(`.agneto/worktrees/${name}/set-up`))) await sleep(20);
  killed.kill('SIGKILL');
  await killed.ended;
  await nothingRuns(repo);
  assert.equal(left().filter((name) => !name.endsWith('.lock')).length, 2, 'a worktree, and the mark of a start');

  repo.write({'.agneto/let-go': ''});
  const end = await agneto(repo, ['run', 'let greet shout', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  assert.equal(left().length, 1, 'only the worktree of the run that is there');
  assert.equal(repo.git('branch', '--format=%(refname:short)').split('\n').length, 2);
  repo.pass();
});

test("a read-only agent's edits do not survive a kill, and are kept aside", async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.reviewer.splice(1, 0, {do: 'echo vandalised >> greet; echo evil > evil.txt', hold: true});
  const team = makeTeam(repo, script);
  const run = start(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
  await team.held('reviewer', 2);
  run.kill('SIGKILL');
  await run.ended;
  await nothingRuns(repo);
  const ref = `refs/agneto/${basename(worktreeOf(repo))}/rescued-1`;

  const second = start(repo, ['resume', 'last', '--non-interactive']);
  await second.says(/is undone, and kept; to have it back: git diff --binary [0-9a-f]{12} (\S+) \| git apply/);
  const end = await second.ended;
  assert.equal(end.status, exit.complete, end.said);
  assert.equal(repo.git('diff', '--name-only', 'main~1', 'main'), 'greet');
  assert.doesNotMatch(repo.read('greet'), /vandalised/);
  assert.equal(repo.git('show', `${ref}:evil.txt`), 'evil');

  repo.pass();
});

test('a worktree that is deleted while its run is stopped comes back with the approved work', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.reviewer[1].hold = true;
  const team = makeTeam(repo, script);
  const run = start(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
  await team.held('reviewer', 2);
  run.kill('SIGKILL');
  await run.ended;
  await nothingRuns(repo);
  rmSync(worktreeOf(repo), {recursive: true});

  team.release('reviewer', 3);
  const end = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(end.status, exit.complete, end.said);
  assert.match(end.out, /the worktree was deleted; it is made anew as it was at the last checkpoint\n/);
  assert.match(repo.read('greet'), /\nshouting\n$/, 'the approved change was lost');
  repo.pass();
});

test('a whole tree of processes dies with the engine, daemons included', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.coder[0] = {do: 'sleep 1000 & setsid sleep 1000 & (setsid sh -c "sleep 1000 & sleep 1000" &) ; sleep 0.2', hold: true};
  const team = makeTeam(repo, script);

  const run = start(repo, ['run', 'let greet shout', '--non-interactive']);
  await team.held('coder', 1);
  assert.ok(repo.processes().filter((process) => process.command === 'sleep 1000').length >= 4, JSON.stringify(repo.processes()));
  run.kill('SIGKILL');
  await run.ended;
  await nothingRuns(repo);
  repo.pass();
});

test('a run can only be continued by one at a time', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.planner = [{...script.planner[0], hold: true}];
  const team = makeTeam(repo, script);

  const first = start(repo, ['run', 'let greet shout', '--non-interactive']);
  await team.held('planner');
  const second = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(second.status, exit.usage, second.said);
  assert.equal(second.err.replace(/let-greet-shout-\w+/g, 'RUN').replace(/on host \S+ since \S+/, 'on host HOST since THEN'),
    `agneto: run RUN is being worked on by process ${first.child.pid} on host HOST since THEN\n`
    + '  help: wait until it ends, or stop it: agneto suspend RUN\n');
  team.release('planner');
  const end = await first.ended;
  assert.equal(end.status, exit.complete, end.said);
  repo.pass();
});

test('what a killed program has put into git\'s configuration is started by nobody, and put back by who comes next', async (t) => {
  const shell = [
    'if [ -f "$HOME/once" ]; then exit 0; fi', 'touch "$HOME/once"',
    'git config filter.p.clean "touch \\"$HOME/STARTED\\"; cat"', 'echo "* filter=p" > "$(git rev-parse --git-common-dir)/info/attributes"',
    'echo changed >> greet', 'touch "$HOME/ready"', 'sleep 60'].join('\n');
  const workflow = `agneto: 1\nname: once\ninitial: A\nstates:\n  A:\n    run: {shell: ${JSON.stringify(shell)}}\n    on: {ok: DONE, failed: LOST}\n`
    + '  DONE: {final: true}\n  LOST: {final: true, status: failed}\n';
  const next = 'agneto: 1\nname: next\ninitial: A\nstates:\n  A:\n    run: {shell: "echo more >> greet"}\n    on: {ok: DONE, failed: DONE}\n  DONE: {final: true}\n';
  for (const command of ['resume', 'run', 'abort', 'clean']) {
    const repo = makeRepo(t, {files: {greet: 'hello\n', '.agneto/workflows/once.yaml': workflow, '.agneto/workflows/next.yaml': next}});
    const engine = start(repo, ['run', '-w', 'once', '--non-interactive']);
    await Promise.race([engine.ended.then((end) => assert.fail(end.said)), (async () => {
      while (!existsSync(join(repo.home, 'ready'))) await sleep(20);
    })()]);
    engine.kill('SIGKILL');
    await engine.ended;
    await nothingRuns(repo);

    const diff = await agneto(repo, ['diff', 'last', '--stat']);
    const config = join(repo.dir, '.git/config'), attributes = join(repo.dir, '.git/info/attributes');
    assert.equal(diff.err, `agneto: while others worked for a run, somebody changed filter.p.clean in ${config}, ${attributes}: git may start what that names\n`
      + '  help: it is put back when their call ends, or, where the run was killed, by \'agneto resume\'; what is committed can be seen with git\n');
    const args = {
      resume: ['resume', 'last', '--non-interactive'], run: ['run', '-w', 'next', '--non-interactive'],
      abort: ['abort', 'last'], clean: ['clean', 'last', '--force'],
    }[command];
    const end = await agneto(repo, args);
    assert.equal(end.status, exit.complete, end.said);
    assert.match(end.said, new RegExp(`who worked for run \\S+ when it was killed changed filter\\.p\\.clean in ${config}, which is as it was again`));
    assert.equal(existsSync(join(repo.home, 'STARTED')), false, `${command}: git has started what the agent named`);
    assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => name.endsWith('.settings')), []);
    if (command !== 'clean') assert.equal((await agneto(repo, ['diff', 'last', '--stat'])).status, exit.complete);
    repo.pass();
  }
});
