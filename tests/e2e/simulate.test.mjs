// agneto simulate: as a program among others, and as a debugger at a terminal.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';

import {agneto, exit, program} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';
import {Terminal} from './lib/tmux.mjs';

const flow = `agneto: 1
name: flow
inputs: {task: {type: string, main: true}, rounds: {type: integer, default: 2}}
context: {asked: false}
initial: WORKING
states:
  WORKING:
    entry: ctx.asked = run.interactive
    run: {argv: [make, "{{inputs.task}}"]}
    on: {ok: WAITING, failed: FAILED, error: FAILED}
  WAITING:
    after: {5m: DONE}
    on: {again: WORKING}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`;

const folder = (t) => makeRepo(t, {git: false, files: {'flow.yaml': flow}, bare: true});
const lines = (end) => end.out.trim().split('\n').map((line) => JSON.parse(line));

test('events from standard input, a JSON line each, without git or an agent', async (t) => {
  const repo = folder(t);
  const input = '# first\nok\n\n{"event": "x", "from": "WORKING"}\n{"advance": "5m"}\nagain\n';
  const end = await agneto(repo, ['simulate', 'flow.yaml', '--input', 'task=it', '--json', '--events', '-', '--non-interactive'], {input});
  assert.equal(end.status, exit.complete, end.said);
  assert.deepEqual(lines(end).map((line) => [line.input, line.event, line.handled, ...line.configuration]), [
    [0, null, true, 'WORKING'], [2, 'ok', true, 'WAITING'], [4, 'x', false, 'WAITING'], [5, 'after', true, 'DONE'], [6, 'again', false, 'DONE']]);
  assert.deepEqual(lines(end)[0].context, {asked: false});
  assert.deepEqual(lines(end)[0].effects.map(({kind, name, argv}) => [kind, name, ...argv]), [['run', 'WORKING', 'make', 'it']]);
  assert.equal(end.err, "<stdin>:4: no activity runs at 'WORKING'; running: none\n");
  assert.equal(repo.has('.agneto'), false);
  repo.pass();
});

const calling = `agneto: 1
name: calling
agents: {coder: {hooks: coder.lua}, reviewer: {hooks: coder.lua}}
initial: CODING
states:
  CODING: {agent: coder, on: {done: REVIEWING, error: DONE}}
  REVIEWING: {agent: reviewer, on: {done: DONE, error: DONE}}
  DONE: {final: true}
`;

test('a call has the provider and the model of the configuration', async (t) => {
  const repo = makeRepo(t, {git: false, bare: true, files: {'calling.yaml': calling, 'coder.lua': 'return {prompt = function(m) return "Do it" end}\n'}});
  const called = async () => {
    const end = await agneto(repo, ['simulate', 'calling.yaml', '--json', '--events', '-'], {input: '{"event": "done", "from": "CODING"}\n'});
    assert.equal(end.status, exit.complete, end.said);
    return lines(end).flatMap((line) => line.effects).filter(({kind}) => kind === 'agent').map(({name, provider, model}) => [name, provider, model]);
  };
  assert.deepEqual(await called(), [['coder', 'auto', null], ['reviewer', 'auto', null]]);
  repo.write({'.agneto/config.yaml': 'provider: claude\nmodel: opus\nagents: {reviewer: {provider: codex}}\n'});
  assert.deepEqual(await called(), [['coder', 'claude', 'opus'], ['reviewer', 'codex', null]]);
  repo.write({'.agneto/config.yaml': 'modle: opus\n'});
  const refused = await agneto(repo, ['simulate', 'calling.yaml', '--json', '--events', '-']);
  assert.match(refused.err, /^\.agneto\/config\.yaml:1:1: error: unknown key 'modle' in config\.yaml \[E121\/unknown-key\]\n/);
  assert.equal(refused.status, exit.usage, refused.said);
  repo.pass();
});

test('what cannot be used is explained, and is status 2', async (t) => {
  const repo = folder(t);
  repo.write({'wrong.yaml': 'agneto: 1\nname: wrong\ninitial: A\nstates: {A: {on: {go: B}}}\n', 'events.txt': 'ok\ngo on\n'});
  const refuses = async (args, message) => {
    const end = await agneto(repo, ['simulate', ...args]);
    assert.equal(end.err, message, end.said);
    assert.equal(end.status, exit.usage, end.said);
  };
  await refuses(['flow.yaml'], "agneto: input 'task' is missing; its type is string\n  help: workflow 'flow' takes task (string, required), rounds (integer)\n");
  await refuses(['flow.yaml', '-i', 'task=x', '-i', 'rounds=many'], "agneto: input 'rounds' must be integer, not 'many'\n  help: workflow 'flow' takes task (string, required), rounds (integer)\n");
  await refuses(['flow.yaml', '-i', 'task=x', '--events', 'none.txt'], "agneto: cannot read the events file none.txt\n  help: give the path of a file with one event a line, or '-' for standard input\n");
  await refuses(['flow.yaml', '-i', 'task=x', '--events', 'events.txt'],
    'agneto: events.txt:2: \'go on\' is no event\'s name\n  help: write an event\'s name, {"event": NAME, "data": …, "from": PATH} or {"advance": "5s"}\n');
  const linted = await agneto(repo, ['lint', 'wrong.yaml']);
  assert.match(linted.out, /^wrong\.yaml:4:\d+: error: /);
  await refuses(['wrong.yaml'], linted.out);
  repo.pass();
});

test('events without end, and nobody who reads what comes of them', async (t) => {
  const repo = folder(t);
  for (const mode of ['', '--json']) {
    const end = spawnSync('/bin/sh', ['-c', `yes ok | "$0" simulate flow.yaml -i task=it ${mode} | head -n 1`, program],
      {cwd: repo.dir, env: {...repo.env, PATH: process.env.PATH}, encoding: 'utf8', timeout: 60_000});
    assert.equal(end.signal, null);
    assert.match(end.stderr, /agneto: cannot write to standard output\n$/);
    assert.match(end.stdout, /^(start|\{.*"input":0.*\})\n$/);
  }
  repo.pass();
});

test('the bundled workflow by its name', async (t) => {
  const repo = folder(t);
  const end = await agneto(repo, ['simulate', 'agneto', '--input', 'task=x'], {input: 'abort\n'});
  assert.equal(end.status, exit.complete, end.said);
  assert.match(end.out, /^start\n  TASK_INIT → .*\n  \+ agent refiner  REFINER#1\n[\s\S]*\nabort  input 1\n[\s\S]*\n  ends as .* \(aborted\)/);
  repo.pass();
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`a person plays it at a terminal (${TERM})`, async (t) => {
    const repo = folder(t);
    const terminal = new Terminal(t, [program, 'simulate', 'flow.yaml', '-i', 'task=it'], {cwd: repo.dir, env: {...repo.env, TERM}});
    const keys = TERM !== 'dumb';
    const enter = async (text, pattern) => {
      terminal.type(text);
      terminal.send('Enter');
      await terminal.shows(pattern);
    };
    await terminal.shows(/WORKING\n  run WORKING ends in ok, failed  from WORKING#1\n  ok → WAITING .*[\s\S]*'help' lists the commands\.\n>\s*$/);
    if (keys) {
      terminal.type('o');
      terminal.send('Tab');
      await terminal.shows(/\n> ok\s*$/);
      terminal.type('fr');
      terminal.send('Tab', 'Tab', 'Enter');
      await terminal.shows(/> ok from WORKING#1\s*\nok  input 1\n/);
    } else {
      await enter('ok from WORKING', /ok  input 1\n/);
    }
    await terminal.shows(/WAITING\n  again → WORKING .*\n  in 5m → DONE .*\n>\s*$/);
    await enter('go on', /unreadable JSON at column 1[\s\S]*help: write EVENT.*\n>\s*$/);
    await enter('advance 5m', /ends as DONE \(complete\)\n  was in DONE\n\n>\s*$/);
    await enter('undo', /> undo\nWAITING\n  again → WORKING .*\n  in 5m → DONE .*\n>\s*$/);
    if (keys) {
      terminal.type('quit');
      await terminal.shows(/> quit\s*$/);  // Ctrl+C takes with it what was not read yet
      terminal.send('C-c');
      await terminal.shows(/> quit\s*\n>\s*$/);
    }
    await enter('save events.txt', /saved; play it with --events events\.txt\n>\s*$/);
    terminal.send('C-d');
    assert.equal(await terminal.ended(), exit.complete);
    assert.match(repo.read('events.txt'), /^# agneto simulate flow\.yaml --input 'task=it'\n\{"event":"ok","from":"WORKING(#1)?"\}\n$/);
    repo.pass();
  });
}
