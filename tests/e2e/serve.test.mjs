// Runs that nobody sits in front of: queued by `agneto submit`, worked on by `agneto serve`.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {postgresql} from './lib/postgresql.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';
import {makeServed, runs, serve, submit, until} from './lib/served.mjs';
import {makeTeam, smooth} from './lib/team.mjs';

test('a task is queued, worked on by a server, parked at its gate, answered, and parked for a timer', async (t) => {
  const repo = makeServed(t);
  const queued = await agneto(repo, ['submit', 'say hello', '-w', 'gate']);
  const [, id] = queued.out.match(/^queued: (say-hello-[0-9a-f]{4})\nnobody serves this folder, so that it waits: agneto serve\n$/);
  assert.equal((await runs(repo))[id].status, 'queued');
  assert.match((await agneto(repo, ['show', id])).out, /^status +queued$/m);
  assert.match((await agneto(repo, ['log', id])).out, /queued by .*: say hello\n$/);
  assert.equal(repo.git('branch', '--list', 'agneto/*'), '', 'nothing is made for a run that waits');

  const server = serve(t, repo);
  await server.says(new RegExp(`${id}  begins: say hello\n.*${id}  asks: Is that what you want\\?\n.*${id}  parked: a question waits for an answer\n`));
  const waited = await agneto(repo, ['wait', id]);
  assert.equal(waited.out, `${id}: waiting for you: agneto answer ${id}\n`);
  assert.equal(waited.status, exit.suspended);
  const {status, waits_for: whom, wake} = (await runs(repo))[id];
  assert.deepEqual([status, whom], ['parked', 'person']);
  assert.ok(Math.abs(Date.parse(wake) - Date.now() - 3_600_000) < 60_000, wake);
  assert.match((await agneto(repo, ['runs'])).out, new RegExp(`^${id}  waiting for you  `));
  assert.match((await agneto(repo, ['show', id])).out, new RegExp(`^ +agneto answer ${id} GATE#1 YES +# Take it$`, 'm'));

  const answered = await agneto(repo, ['answer', id, 'NO', '--feedback', ' louder']);
  assert.equal(answered.out, 'GATE#1: Is that what you want?\nanswered: NO\n', answered.said);
  await until(async () => (await agneto(repo, ['show', id])).out.includes('GATE#2'));
  await until(async () => (await runs(repo))[id].status === 'parked');
  await agneto(repo, ['answer', id, 'YES']);
  await until(async () => /parked until \d\d:\d\d:\d\d/.test((await agneto(repo, ['runs'])).out));

  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (FINISHED)\n`);
  assert.equal(end.status, exit.complete);
  assert.equal(repo.git('show', `agneto/${id}:words.txt`), 'say hello\nsay hello louder');
  assert.match((await agneto(repo, ['log', id])).out, /parked: a timer runs\n.* goes on\n[^]*FINISHED \(complete\)/);

  server.kill('SIGTERM');
  assert.equal((await server.ended).status, exit.complete);
  repo.pass();
});

test('what a server that was killed had at work goes on with the next one, and nothing is done twice', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.coder = [script.coder[0], {...script.coder[1], last: false, hold: true}, {...script.coder[1], last: false}];
  const team = makeTeam(repo, script);
  const first = serve(t, repo);
  await first.says(/serving the runs of /);
  const id = await submit(repo, 'let greet shout', '--auto-merge', '--non-interactive');
  await team.held('coder', 2);
  first.kill('SIGKILL');
  await first.ended;
  assert.equal((await runs(repo))[id].status, 'interrupted');

  const second = serve(t, repo);
  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (TASK_COMPLETE)\n`, end.said);
  assert.equal(repo.read('greet').match(/shouting/g).length, 1, 'an edit was made twice');
  assert.deepEqual(team.calls().map((call) => call.agent), [
    'planner', 'curmudgeon', 'bean_counter', 'coder', 'reviewer', 'coder', 'coder', 'reviewer', 'bean_counter', 'super_reviewer']);
  second.kill('SIGTERM');
  await second.ended;
  repo.pass();
});

test('a server that is told to stop lets what is under way end, and queues the rest for the next one', async (t) => {
  const repo = makeServed(t);
  const first = serve(t, repo);
  await first.says(/serving/);
  const id = await submit(repo, 'first', '-w', 'slow');
  await until(() => existsSync(join(repo.home, 'begun')));
  const stopping = start(repo, ['serve', '--stop']);
  await stopping.says(/^process \d+ takes up nothing more; it waits for what is under way\n/);
  const late = await submit(repo, 'second', '-w', 'slow');
  await agneto(repo, ['runs']);
  writeFileSync(join(repo.home, 'go'), '');
  assert.match((await stopping.ended).out, /\nstopped\n$/);
  assert.equal((await first.ended).status, exit.complete);
  const left = await runs(repo);
  assert.equal(left[late].status, 'queued');
  assert.ok(['queued', 'complete'].includes(left[id].status), left[id].status);

  const second = serve(t, repo);
  assert.equal((await agneto(repo, ['wait', id, late])).status, exit.complete);
  assert.equal(readFileSync(join(repo.home, 'begun'), 'utf8'), 'first\nsecond\n', 'a program was started twice');
  second.kill('SIGTERM');
  await second.ended;
  repo.pass();
});

test('what is under way when the grace is over is cut off, undone and queued again', async (t) => {
  const repo = makeServed(t);
  const first = serve(t, repo, ['--grace', '100ms']);
  await first.says(/serving/);
  const id = await submit(repo, 'first', '-w', 'slow');
  await until(() => existsSync(join(repo.home, 'begun')));
  first.kill('SIGTERM');
  assert.match((await first.ended).out, new RegExp(`${id}  queued: the server was stopped\n$`));
  assert.equal((await runs(repo))[id].status, 'queued');
  writeFileSync(join(repo.home, 'go'), '');
  const second = serve(t, repo);
  assert.equal((await agneto(repo, ['wait', id])).status, exit.complete);
  second.kill('SIGTERM');
  await second.ended;
  repo.pass();
});

test('a run whose provider is away is parked, and its place is for others until it is asked again', async (t) => {
  const repo = makeServed(t, {
    '.agneto/config.yaml': 'serve: {runs: 1}\n',
    '.agneto/scripts/providers/busy.lua': `return {
  command = function(call)
    return {argv = {"sh", "-c", 'echo asked >> "$HOME/asked"; test -e "$HOME/back"'}}
  end,
  finish = function(_, status, errors)
    if status ~= 0 then return {away = "the server is full", wait = 6} end
    return {result = "done"}
  end,
}
`,
    '.agneto/workflows/ask.yaml': `agneto: 1
name: ask
agents: {worker: {provider: busy, access: read-only, prompt: worker.md}}
initial: WORKING
states:
  WORKING: {agent: worker, on: {done: DONE, error: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
    '.agneto/workflows/worker.md': 'Do it.\n',
  });
  const away = await submit(repo, '-w', 'ask');
  serve(t, repo);
  await until(async () => (await runs(repo))[away].status === 'parked');
  assert.match((await agneto(repo, ['show', away])).out, /a provider is away: worker: the server is full/);
  const other = await submit(repo, 'say hello', '-w', 'gate');
  await until(async () => (await runs(repo))[other].waits_for === 'person');
  repo.write({back: ''}, {under: repo.home});
  await until(async () => (await runs(repo))[away].status === 'complete');
  assert.equal(readFileSync(join(repo.home, 'asked'), 'utf8'), 'asked\nasked\n');
  repo.pass();
});

test('the configuration says how many runs are worked on, and is read again when it changes', async (t) => {
  const repo = makeServed(t, {'.agneto/config.yaml': 'serve: {runs: 1}\n'});
  const low = await submit(repo, 'low', '-w', 'slow', '--priority', '-1');
  const high = await submit(repo, 'high', '-w', 'slow', '--priority', '1');
  const why = async () => (await agneto(repo, ['show', low])).out.match(/^waits +(.*)$/m)?.[1];
  assert.equal(await why(), 'nobody serves this folder: agneto serve');
  const server = serve(t, repo);
  await server.says(new RegExp(`${high}  begins`));
  await until(async () => Object.values(await runs(repo)).map((run) => run.status).join() === 'running,queued');
  assert.equal(await why(), 'as many runs are worked on as may be at a time (1, by serve.runs)');
  assert.equal(JSON.parse((await agneto(repo, ['show', low, '--json'])).out).why_queued, await why());
  const more = await submit(repo, 'more', '-w', 'slow');
  repo.write({'.agneto/config.yaml': 'serve: {runs: 2}\n'});
  await server.says(new RegExp(`${more}  begins`));
  writeFileSync(join(repo.home, 'go'), '');
  assert.equal((await agneto(repo, ['wait', low, high, more])).status, exit.complete);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('who leaves a run to others is told what is to be started for it', async (t) => {
  const repo = makeServed(t, {}, {AGNETO_JOURNAL: postgresql().database().uri});
  const hub = join(repo.home, 'hub.git');
  repo.git('clone', '-q', '--bare', '.', hub);
  const told = async (...args) => {
    const {out, said} = await agneto(repo, ['submit', 'say hello', '-w', 'gate', ...args]);
    const found = out.match(/^queued: (say-hello-[0-9a-f]{4})\n(.*)\n$/);
    assert.ok(found, said);
    return {id: found[1], what: found[2]};
  };
  assert.equal((await told()).what, 'nobody serves this folder, so that it waits: agneto serve');

  repo.write({'.agneto/config.yaml': `hub: ${hub}\n`});
  const {id, what} = await told();
  assert.equal(what, 'no worker is there, so that it waits: agneto worker');
  const waited = await agneto(repo, ['wait', id, '--timeout', '200ms']);
  assert.match(waited.err, new RegExp(`^no worker is there, so that ${id} waits: agneto worker\n`));

  const elsewhere = join(repo.home, 'elsewhere');
  mkdirSync(elsewhere);
  const worker = start(repo, ['worker'], {cwd: elsewhere});
  await until(async () => (await runs(repo))[id].waits_for === 'person');
  assert.equal((await told('--needs', 'gpu')).what, 'it needs gpu, which no worker has, so that it waits');
  repo.write({'.agneto/config.yaml': '{}\n'});
  assert.equal((await told()).what, 'nobody serves this folder, so that it waits: agneto serve', 'a worker does not');
  assert.equal((await agneto(repo, ['answer', id, 'YES'])).status, 0);
  assert.equal((await agneto(repo, ['wait', id])).out, `${id}: complete (FINISHED)\n`);
  worker.kill('SIGTERM');
  assert.equal((await worker.ended).status, exit.complete);
  repo.pass();
});

test('while there is a mistake in the configuration nothing is taken up, and nothing is lost', async (t) => {
  const repo = makeServed(t, {'.agneto/config.yaml': 'serve: {runs: 1}\n'});
  const server = serve(t, repo);
  await server.says(/serving/);
  repo.write({'.agneto/config.yaml': 'serve: {runs: 1x}\n'});
  const valid = 'serve: {runs: 1}\n';
  const refused = await agneto(repo, ['submit', 'say hello', '-w', 'gate']);
  assert.match(refused.err, /config\.yaml:1:15: error: 'serve\.runs' must be a whole number above 0/);
  repo.write({'.agneto/config.yaml': valid});
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await agneto(repo, ['wait', id]);
  repo.write({'.agneto/config.yaml': 'serve: {runs: 1x}\n'});
  await agneto(repo, ['answer', id, 'YES']);
  await sleep(1500);
  assert.equal((await runs(repo))[id].status, 'parked', 'it was suspended for what is not its own');
  repo.write({'.agneto/config.yaml': valid});
  assert.equal((await agneto(repo, ['wait', id])).out, `${id}: complete (FINISHED)\n`);
  server.kill('SIGTERM');
  assert.match((await server.ended).err, /config\.yaml:1:15: error: 'serve\.runs' must be a whole number above 0/);
  repo.pass();
});

test('a folder that is no repository is not served, and stays as it is', async (t) => {
  const repo = makeRepo(t, {files: greeter, git: false});
  const [served, run] = [await agneto(repo, ['serve']), await agneto(repo, ['run', 'say hello'])];
  assert.equal(served.err, `agneto: ${repo.dir}: not a git repository\n  help: go to your project's folder, or make this one a repository: git init && git add -A && git commit -m 'First commit'\n`);
  assert.deepEqual([served.err, served.status], [run.err, run.status]);
  assert.ok(!existsSync(join(repo.dir, '.agneto')));
  repo.pass();
});

test('runs are suspended, aborted and gone on with while they wait for a server', async (t) => {
  const repo = makeServed(t);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  assert.equal((await agneto(repo, ['suspend', id])).out, `suspended: ${id}\ngo on: agneto resume ${id}\n`);
  assert.equal((await runs(repo))[id].status, 'suspended');
  const back = await agneto(repo, ['resume', id, '--detach']);
  assert.match(back.out, new RegExp(`^queued: ${id}\na server works here from now on \\(process \\d+\\); end it: agneto serve --stop\nfollow it: agneto log -f ${id}\n$`));
  assert.equal((await agneto(repo, ['wait', id])).status, exit.suspended);
  const parked = await agneto(repo, ['suspend', id]);
  assert.equal(parked.status, 0, parked.said);
  assert.match((await agneto(repo, ['runs'])).out, /suspended: waiting for you/);
  const here = await agneto(repo, ['resume', id, '--answer', 'YES', '--non-interactive']);
  assert.match(here.out, /FINISHED \(complete\)/, here.said);

  const second = await submit(repo, 'say bye', '-w', 'gate');
  await agneto(repo, ['wait', second]);
  assert.match((await agneto(repo, ['abort', second])).out, new RegExp(`^aborted: ${second} \\(aborted\\)\n`));
  assert.match((await agneto(repo, ['serve'])).err, /^agneto: .* is served already, by process \d+ on host /);
  assert.match((await agneto(repo, ['serve', '--stop'])).out, /\nstopped\n$/);
  assert.equal((await agneto(repo, ['serve', '--stop'])).out, 'nobody serves this folder\n');

  const third = await submit(repo, 'say nothing', '-w', 'gate');
  assert.match((await agneto(repo, ['abort', third])).out, new RegExp(`^aborted: ${third} \\(aborted by `));
  assert.equal((await agneto(repo, ['resume', third, '--detach'])).err,
    `agneto: run ${third} has ended: aborted (${(await runs(repo))[third].outcome})\n`
    + `  help: 'agneto show ${third}' shows how; 'agneto rewind' goes back in it\n`);
  repo.pass();
});

test('a server that is killed again and again loses no run and makes no commit twice', async (t) => {
  const repo = makeServed(t, {'.agneto/workflows/steps.yaml': `agneto: 1
name: steps
inputs: {task: {type: string, main: true}}
context: {n: 0}
initial: WRITING
states:
  WRITING:
    run: {shell: 'sleep 0.1; echo "$N" > "$N.txt"', env: {N: ctx.n}}
    on: {ok: COMMITTING, failed: FAILED}
  COMMITTING:
    workspace: {commit: {message: "Step {{ctx.n}}"}}
    on:
      ok:
        - {guard: ctx.n < 4, target: RESTING, do: ctx.n = ctx.n + 1}
        - DONE
      failed: FAILED
  RESTING:
    after: [{delay: 200ms, target: WRITING}]
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`});
  const ids = [];
  for (let i = 0; i < 6; ++i) ids.push(await submit(repo, `task ${i}`, '-w', 'steps'));
  for (let kills = 0; kills < 12; ++kills) {
    const server = serve(t, repo);
    await server.says(/serving/);
    await sleep(50 + 90 * kills);
    server.kill('SIGKILL');
    await server.ended;
  }
  const server = serve(t, repo);
  const end = await agneto(repo, ['wait', ...ids]);
  assert.equal(end.status, exit.complete, end.said);
  for (const id of ids) {
    assert.equal(repo.git('log', '--format=%s', `main..agneto/${id}`), 'Step 4\nStep 3\nStep 2\nStep 1\nStep 0', id);
    assert.equal((await agneto(repo, ['doctor', id])).status, 0);
  }
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('a run that cannot begin is suspended with the reason, and the next one begins', async (t) => {
  const repo = makeServed(t);
  repo.git('branch', 'old');
  const id = await submit(repo, 'say hello', '-w', 'gate', '--base', 'old');
  repo.git('branch', '-D', 'old');
  const next = await submit(repo, 'say bye', '-w', 'gate');
  const server = serve(t, repo);
  const said = await agneto(repo, ['wait', id]);
  assert.match(said.out, new RegExp(`^${id}: suspended: there is no branch, tag or commit 'refs/heads/old' to start from`));
  assert.equal((await agneto(repo, ['wait', next])).out, `${next}: waiting for you: agneto answer ${next}\n`);
  repo.git('branch', 'old');
  await agneto(repo, ['resume', id, '--detach']);
  assert.equal((await agneto(repo, ['wait', id])).out, `${id}: waiting for you: agneto answer ${id}\n`);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('what cannot be submitted is refused at once, and leaves nothing', async (t) => {
  const repo = makeServed(t);
  for (const [args, error] of [
    [['submit', 'x', '-w', 'gat'], "agneto: there is no workflow 'gat'\n  help: did you mean 'gate'?\n"],
    [['submit', 'x', '-w', 'gate', '--base', 'nope'], /^agneto: there is no branch, tag or commit 'nope' to start from\n/],
    [['submit', '-w', 'gate'], 'agneto: there is no task\n  help: say what is to be done: agneto run "fix the login redirect", or --file FILE\n'],
    [['wait', 'nope'], /^agneto: there are no runs here\n/],
  ]) {
    const refused = await agneto(repo, args);
    assert.equal(refused.status, exit.usage, refused.said);
    typeof error === 'string' ? assert.equal(refused.err, error) : assert.match(refused.err, error);
  }
  assert.equal((await agneto(repo, ['runs'])).out, 'No runs here yet. Start one: agneto run "what is to be done"\n');
  const id = await submit(repo, 'say hello', '-w', 'gate');
  const waited = await agneto(repo, ['wait', id, '--timeout', '200ms']);
  assert.equal(waited.err, `nobody serves this folder, so that ${id} waits: agneto serve\n`
    + 'agneto: after 200ms 1 of 1 runs has not come to an end or a question\n  help: \'agneto runs\' shows how they stand\n');
  assert.equal(waited.status, exit.failed);
  repo.pass();
});
