// A run in one terminal, and words to it from another.

import assert from 'node:assert/strict';
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program, start} from './lib/agneto.mjs';
import {flowRepo, play, suspended} from './lib/page.mjs';
import {greeter, makeRepo, testOfFile} from './lib/repo.mjs';
import {Terminal} from './lib/tmux.mjs';

const workflow = {
  '.agneto/workflows/gates.yaml': `agneto: 1
name: gates
inputs: {task: {type: string, main: true}}
context: {sent: {type: any}, words: ""}
initial: BOTH
on: {abort: ABORTED}
states:
  BOTH:
    parallel: true
    on: {done.state.BOTH: PLANNING, shortcut: {target: FINISHED, do: ctx.sent = event.data}}
    states:
      LEFT:
        initial: LEFT_GATE
        states:
          LEFT_GATE:
            ask: {question: "Go left?", options: {YES: Go, NO: {label: Stay, feedback: required}}}
            on: {YES: LEFT_DONE, NO: LEFT_DONE}
          LEFT_DONE: {final: true}
      RIGHT:
        initial: RIGHT_GATE
        states:
          RIGHT_GATE:
            ask: {question: "Go right?", options: {YES: Go, NO: Stay}}
            on: {YES: RIGHT_DONE, NO: RIGHT_DONE}
          RIGHT_DONE: {final: true}
  PLANNING:
    ask: {question: "What then?", text: required}
    on: {answered: {target: WRITING, do: ctx.words = event.text}}
  WRITING:
    run: {shell: 'echo "$WORDS" > words.txt', env: {WORDS: ctx.words}}
    on: {ok: COMMITTING, failed: FAILED}
  COMMITTING:
    workspace: {commit: {message: "Write it down"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
outputs: {sent: ctx.sent, words: ctx.words}
`,
};

const makeGates = (t) => makeRepo(t, {files: {...greeter, ...workflow}});
const open = (t, repo, args) => new Terminal(t, [program, ...args], {cwd: repo.dir, env: {...repo.env, TERM: 'xterm-256color'}});
const run = ['run', 'which way', '-w', 'gates'];
const lines = (text) => text.trimEnd().split('\n');

test('docs/live-runs.md says nothing that is not so', async (t) => {
  const repo = flowRepo(t);
  await play('live-runs.md', repo, await suspended(repo));
  repo.pass();
});

test('what a run starts does not steer it, and starts no other', async (t) => {
  const commands = ['answer last YES', 'send last go', 'abort last', 'suspend last', 'rewind last --to 1',
    'fork last --at 1', 'retry last', 'resume last', 'clean last', 'run -w sly'];
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/sly.yaml': `agneto: 1
name: sly
initial: TRYING
on: {go: {}}
states:
  TRYING:
    run: {shell: '${commands.map((each) => `(env -u AGNETO_GUARD setsid "$AGNETO" ${each}; echo "status $?") 2>&1 | head -3`).join('; ')}'}
    on: {ok: {target: DONE, do: 'said = event.output'}, failed: DONE}
  DONE: {final: true}
context: {said: ""}
outputs: {said: ctx.said}
`.replace('do: \'said', 'do: \'ctx.said')}});
  const tried = await agneto(repo, ['run', '-w', 'sly', '--json'], {env: {AGNETO: program}});
  assert.equal(tried.status, exit.complete, tried.said);
  const {outputs, run: id} = tried.out.trim().split('\n').map((line) => JSON.parse(line)).at(-1);
  const refused = `agneto: this was started by what run ${id} started itself, and agents neither start nor steer runs\n`
    + '  help: a person does that, in a terminal of their own\n';
  assert.equal(outputs.said, `${refused}status ${exit.usage}\n`.repeat(commands.length));
});

test('a question is asked where somebody wants to answer it', async (t) => {
  const repo = makeGates(t);
  await agneto(repo, [...run, '--non-interactive']);
  const asks = open(t, repo, ['answer', 'last']);
  await asks.shows(/Which question do you answer\?[^]*Go left\?[^]*Go right\?[^]*\n>\s*$/);
  asks.type('2');
  asks.send('Enter');
  await asks.shows(/── \S*RIGHT_GATE ──\n👤 Go right\?\n[^👤]*\n>\s*$/u);
  asks.type('YES');
  asks.send('Enter');
  assert.equal(await asks.ended(), exit.complete, asks.screen());
  assert.match(asks.screen(), /answered: YES; nobody works on the run now, so it is taken when it goes on:\n {4}agneto resume /);

  // The other one is the only one now; while it is asked, somebody else is faster.
  const slow = open(t, repo, ['answer', 'last']);
  await slow.shows(/Go left\?[^👤]*\n>\s*$/u);
  slow.type('half an ans');
  assert.equal((await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'YES'])).status, exit.complete);
  assert.equal(await slow.ended(), exit.usage, slow.screen());
  assert.match(slow.screen(), /half an ans\n {2}\(what you have typed is not taken\)\nagneto: \S*LEFT_GATE#1 is answered already: YES by /);

  const live = start(repo, ['resume', 'last', '--json']);
  await live.says(/"question":"What then\?"/);
  await live.ended;
  const left = open(t, repo, ['answer', 'last']);
  await left.shows(/What then\?\n.*opens your editor\):\s*$/);
  left.send('C-d');
  assert.equal(await left.ended(), exit.failed, left.screen());
  assert.match(left.screen(), /\nagneto: nothing was answered\n/);
  repo.pass();
});

test('what is half typed when a question goes is not for the shell', async (t) => {
  const repo = makeGates(t);
  const words = [program, ...run].map((word) => `'${word}'`).join(' ');
  const terminal = new Terminal(t, ['sh', '-c', `${words}; printf 'shell> '; read -r line; echo "it got <$line>"`],
    {cwd: repo.dir, env: {...repo.env, TERM: 'xterm-256color'}});
  await terminal.shows(/Go left\?[\s\S]*\n>\s*$/);
  terminal.type('rm -r');
  await terminal.shows(/> rm -r\s*$/);
  await agneto(repo, ['suspend', 'last']);
  await terminal.shows(/> rm -r\n {2}\(the run stops here; the question stays open; what you have typed is not taken\)\n[^]*shell> $/m);
  terminal.send('Enter');
  await terminal.shows(/it got <>/);
  repo.pass();
});

test('what is answered elsewhere is not asked here any more, and the other way round', async (t) => {
  const repo = makeGates(t);
  const terminal = open(t, repo, run);
  await terminal.shows(/Go left\?[\s\S]*\n>\s*$/);

  assert.match((await agneto(repo, ['runs', '--status', 'waiting'])).out, /^which-way-\S+ {2}waiting for you {2}[-\d]+ [:\d]+ {2}which way\n$/);
  assert.match((await agneto(repo, ['show', 'last'])).out, /^status {4}waiting for you$/m);
  for (const command of [['runs'], ['show', 'last']]) {
    assert.equal(JSON.parse((await agneto(repo, [...command, '--json'])).out).waits_for, 'person');
  }
  assert.match((await agneto(repo, ['log', 'last'])).out, /\n\n {2}Go left\?\n {2}events that are taken here: shortcut \(agneto send which-way-\S+ EVENT\)\n {4}agneto answer \S+ \S*LEFT_GATE#1 YES {3}# Go\n/);

  const unclear = await agneto(repo, ['answer', 'last', 'YES']);
  assert.equal(unclear.status, exit.usage, unclear.said);
  assert.match(unclear.err, /has 2 open questions\n {2}help: name one of BOTH#1\/LEFT_GATE#1, BOTH#1\/RIGHT_GATE#1|has 2 open questions\n {2}help: name one of LEFT_GATE#1, RIGHT_GATE#1/);
  const wordless = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'NO']);
  assert.equal(wordless.status, exit.usage, wordless.said);
  assert.match(wordless.err, /that does not answer \S*LEFT_GATE#1: NO needs words; give them with --feedback TEXT/);

  const muddled = await agneto(repo, ['answer', 'last', 'NO', '--text', 'too far']);
  assert.match(muddled.err, /^agneto: the words that go with NO are given by --feedback, not by --text\n/, muddled.said);
  const many = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'NO', 'too', 'far']);
  assert.match(many.err, /^agneto: an answer is one option, but was given LEFT_GATE NO too far\n {2}help: agneto answer RUN \[QUESTION\] OPTION, or /, many.said);

  const left = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'NO', '--feedback', 'too far']);
  assert.equal(left.status, exit.complete, left.said);
  assert.match(left.out, /^\S*LEFT_GATE#1: Go left\?\nanswered: NO\n$/);
  await terminal.shows(/\(answered elsewhere: NO\)[\s\S]*Go right\?[\s\S]*\n>\s*$/);

  const late = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'YES']);
  assert.equal(late.status, exit.usage, late.said);
  assert.match(late.err, /^agneto: \S*LEFT_GATE#1 was answered at [-\d]+ [:\d]+: NO by \S+\n {2}help: open now: \S*RIGHT_GATE#1\n$/);
  const never = await agneto(repo, ['answer', 'last', 'NO_GATE', 'YES']);
  assert.match(never.err, /has no open question 'NO_GATE'\n {2}help: its open question is \S*RIGHT_GATE#1\n$/);

  terminal.type('YES');
  terminal.send('Enter');
  await terminal.shows(/What then\?[\s\S]*opens your editor\):\s*$/);
  const words = await agneto(repo, ['answer', 'last', '--text', 'Straight on.']);
  assert.equal(words.status, exit.complete, words.said);
  assert.equal(await terminal.ended(), exit.complete, terminal.screen());
  assert.match(terminal.screen(), /answered elsewhere: in words/);
  assert.match(terminal.screen(), /Straight on\./);
  repo.pass();
});

test('an answer that waits for the run is shown', async (t) => {
  const repo = makeGates(t);
  const end = await agneto(repo, [...run, '--non-interactive']);
  assert.equal(end.status, exit.suspended, end.said);
  const id = JSON.parse((await agneto(repo, ['runs', '--json'])).out).run;
  await agneto(repo, ['answer', id, 'LEFT_GATE', 'NO', '--feedback', 'too far']);
  const shown = (await agneto(repo, ['show', id])).out;
  assert.match(shown, new RegExp(`question  Go left\\?\n  id      LEFT_GATE#1\n  answer  NO by \\S+ at [-\\d]+ [:\\d]+\n  go on   agneto resume ${id}\nquestion  Go right\\?\n  id      RIGHT_GATE#1\n  events  shortcut \\(agneto send ${id} EVENT\\)\n    agneto answer ${id} RIGHT_GATE#1 YES   # Go\n`), shown);
  const [left, right] = JSON.parse((await agneto(repo, ['show', id, '--json'])).out).questions;
  assert.deepEqual([left.answered.option, left.answered.feedback, right.answered], ['NO', 'too far', undefined]);
  repo.pass();
});

testOfFile('the FIFO is the owner\'s only, and gone when the run is', async (t) => {
  const repo = makeGates(t);
  const terminal = open(t, repo, run);
  await terminal.shows(/Go left\?[\s\S]*\n>\s*$/);
  const folder = join(repo.dir, '.agneto/worktrees');
  const fifo = readdirSync(folder).find((name) => name.endsWith('.wakeup'));
  const stat = statSync(join(folder, fifo));
  assert.ok(stat.isFIFO());
  assert.equal(stat.mode & 0o777, 0o600);
  assert.equal((await agneto(repo, ['abort', 'last'])).status, exit.complete);
  assert.equal(await terminal.ended(), exit.aborted, terminal.screen());
  assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith('.wakeup')), []);
  repo.pass();
});

test('an event, a suspension and an abort reach a run in another terminal', async (t) => {
  const repo = makeGates(t);
  const first = open(t, repo, run);
  await first.shows(/Go left\?[\s\S]*\n>\s*$/);

  const unknown = await agneto(repo, ['send', 'last', 'shortcat']);
  assert.equal(unknown.status, exit.usage, unknown.said);
  assert.match(unknown.err, /nothing in this workflow takes an event 'shortcat'\n {2}help: did you mean 'shortcut'\?/);
  const noJson = await agneto(repo, ['send', 'last', 'shortcut', '--data', '{status: green}']);
  assert.match(noJson.err, /--data is not JSON: unexpected at character 2/, noJson.said);
  const own = await agneto(repo, ['send', 'last', 'abort']);
  assert.match(own.err, /'abort' is not sent: it ends the run\n {2}help: use 'agneto abort RUN'/, own.said);

  const suspended = await agneto(repo, ['suspend', 'last']);
  assert.equal(suspended.status, exit.complete, suspended.said);
  assert.match(suspended.out, /^suspended: \S+\ngo on: agneto resume \S+\n$/);
  assert.equal(await first.ended(), exit.suspended, first.screen());
  const twice = await agneto(repo, ['suspend', 'last']);
  assert.match(twice.out, /^nobody works on run \S+: suspended by \S+\ngo on: /, twice.said);

  // To a run that nobody works on: kept until it goes on.
  const noted = await agneto(repo, ['send', 'last', 'shortcut', '--data', '{"status": "green"}']);
  assert.match(noted.out, /^noted: shortcut; nobody works on the run now, so it is sent when it goes on:\n {4}agneto resume \S+\n$/, noted.said);
  const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  assert.match(resumed.out, /green/);

  const ended = await agneto(repo, ['answer', 'last', 'YES']);
  assert.equal(ended.status, exit.usage, ended.said);
  assert.match(ended.err, /has ended: complete \(FINISHED\)/);
  repo.pass();
});

test('an answer to a run that nobody works on is taken when it goes on', async (t) => {
  const repo = makeGates(t);
  const suspended = await agneto(repo, [...run, '--non-interactive']);
  assert.equal(suspended.status, exit.suspended, suspended.said);

  const left = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'YES']);
  assert.equal(left.status, exit.complete, left.said);
  assert.match(left.out, /answered: YES; nobody works on the run now, so it is taken when it goes on:\n {4}agneto resume \S+\n$/);
  const again = await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'NO', '--feedback', 'no']);
  assert.equal(again.status, exit.usage, again.said);
  assert.match(again.err, /LEFT_GATE#1 is answered already: YES by \S+ at /);

  // The other one with --resume: both are taken, and the run goes on here.
  const right = await agneto(repo, ['answer', 'last', 'RIGHT_GATE', 'NO', '--resume']);
  assert.equal(right.status, exit.suspended, right.said);
  assert.match(right.out, /What then\?/);
  const words = await agneto(repo, ['answer', 'last', '--text', 'On.', '--resume']);
  assert.equal(words.status, exit.complete, words.said);
  repo.pass();
});

test('an answer to an owner that was killed before it could take it is not lost', async (t) => {
  const repo = makeGates(t);
  const terminal = open(t, repo, run);
  await terminal.shows(/Go left\?[\s\S]*\n>\s*$/);
  const owner = repo.processes().find(({command}) => command.includes('which way') && command.startsWith(program));
  process.kill(owner.pid, 'SIGSTOP');
  const answering = start(repo, ['answer', 'last', 'RIGHT_GATE', 'YES']);
  await answering.says(/Go right\?/);
  process.kill(owner.pid, 'SIGKILL');
  const answered = await answering.ended;
  assert.equal(answered.status, exit.complete, answered.said);
  assert.match(answered.out, /nobody works on the run now/);
  assert.equal((await agneto(repo, ['answer', 'last', 'LEFT_GATE', 'YES'])).status, exit.complete);
  const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(resumed.status, exit.suspended, resumed.said);
  assert.match(resumed.out, /What then\?/);
  repo.pass();
});

test('a run that nobody works on is aborted where the command is', async (t) => {
  const repo = makeGates(t);
  assert.equal((await agneto(repo, [...run, '--non-interactive'])).status, exit.suspended);
  const aborted = await agneto(repo, ['abort', 'last']);
  assert.equal(aborted.status, exit.complete, aborted.said);
  assert.deepEqual(lines(aborted.out).map((line) => line.replace(/which-way-\S+/, 'RUN')), ['aborted: RUN (ABORTED)']);
  const again = await agneto(repo, ['abort', 'last']);
  assert.equal(again.status, exit.usage, again.said);
  assert.match(again.err, /has ended: aborted \(ABORTED\)/);
  repo.pass();
});
