// A person at a terminal: every kind of gate, Ctrl+C and what it offers, coming back to a run.

import assert from 'node:assert/strict';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, program} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';
import {makeTeam, smooth} from './lib/team.mjs';
import {Terminal} from './lib/tmux.mjs';

// The question is the last on the screen, and waits for a line.
const asks = (question) => new RegExp(`👤 ${question}[^👤]*\\n>\\s*$`, 'u');
const wantsWords = /\(one line; 'e' opens your editor\):\s*$/;

async function answer(terminal, question, option, words) {
  await terminal.shows(asks(question));
  terminal.type(option);
  terminal.send('Enter');
  if (words === undefined) return;
  await terminal.shows(wantsWords);
  terminal.type(words);
  terminal.send('Enter');
}

const open = (t, repo, args) => new Terminal(t, [program, ...args], {cwd: repo.dir, env: {...repo.env, TERM: 'xterm-256color'}});

test('a person answers every kind of gate', async (t) => {
  const repo = makeRepo(t);
  repo.env.PAGER = 'cat';
  repo.env.EDITOR = 'sh -c \'echo "And be kind." >> "$0"\'';
  const team = makeTeam(repo, {
    refiner: [
      {fields: {verdict: 'QUESTION', question: 'Loud or very loud?'}},
      {fields: {verdict: 'REFINED', description: 'Let greet shout very loud.'}},
    ],
    planner: [
      {fields: {verdict: 'PLAN_CREATED', plan: 'Plan one.'}},
      {fields: {verdict: 'PLAN_CREATED', plan: 'Plan two.'}},
      {fields: {verdict: 'PLAN_CREATED', plan: 'Plan three.'}},
    ],
    curmudgeon: [{fields: {verdict: 'CURMUDGEON_APPROVED'}}],
    bean_counter: [
      {fields: {verdict: 'CHUNK_READY', title: 'Shout', description: 'All of it.'}},
      {fields: {verdict: 'TASK_COMPLETED', summary: 'greet shouts.'}},
      {fields: {verdict: 'TASK_COMPLETED', summary: 'Nothing was left to do.'}},
    ],
    coder: [
      {fields: {verdict: 'PLAN_PROPOSED', proposal: 'Proposal one.'}},
      {fields: {verdict: 'PLAN_PROPOSED', proposal: 'Proposal two.'}},
      {do: 'echo one >> greet', fields: {verdict: 'CODE_APPLIED', summary: 'Change one'}},
      {do: 'echo two >> greet', fields: {verdict: 'CODE_APPLIED', summary: 'Change two'}},
    ],
    reviewer: [
      {fields: {verdict: 'PLAN_NEEDS_HUMAN', reason: 'Is loud allowed?'}},
      {fields: {verdict: 'PLAN_NEEDS_HUMAN', reason: 'Is it still?'}},
      {fields: {verdict: 'CODE_NEEDS_HUMAN', reason: 'Is the code loud?'}},
      {fields: {verdict: 'CODE_NEEDS_HUMAN', reason: 'Is it loud now?'}},
    ],
    super_reviewer: [
      {fields: {verdict: 'SUPER_REVIEW_NEEDS_HUMAN', concerns: 'Nobody asked the neighbours.'}},
      {fields: {verdict: 'SUPER_REVIEW_NEEDS_HUMAN', concerns: 'Nobody asked them yet.'}},
    ],
  });
  const terminal = open(t, repo, ['run', 'let greet shout']);

  // Words where only words are wanted.
  await terminal.shows(/Loud or very loud\?[\s\S]*opens your editor\):\s*$/);
  terminal.type('very loud');
  terminal.send('Enter');

  await answer(terminal, 'Is this what you want done\\?', 'REFINEMENT_COMPLETE');
  await answer(terminal, 'Carry out this plan\\?', 'CURMUDGEON_SIMPLIFY', 'Say it simpler.');

  // A mistyped answer is no answer; the pager shows all; the editor's text is the plan.
  await terminal.shows(/Plan two\.[\s\S]*\n>\s*$/);
  terminal.type('maybe');
  terminal.send('Enter');
  await terminal.shows(/'maybe' is none of these; type a key or a name\./);
  await terminal.shows(asks('Carry out this plan\\?'));
  terminal.type('v');
  terminal.send('Enter');
  await terminal.shows(asks('Carry out this plan\\?'));
  terminal.type('e');
  terminal.send('Enter');

  const plan = "Is this the way to do 'Shout'\\?";
  await answer(terminal, plan, 'PLAN_REVISION_REQUESTED', 'Try another way.');
  await terminal.shows(/Is it still\?/);
  await answer(terminal, plan, 'PLAN_APPROVED');

  const code = "Is the change for 'Shout' good\\?";
  await answer(terminal, code, 'CODE_REVISION_REQUESTED', 'Louder.');
  await terminal.shows(/Is it loud now\?/);
  await answer(terminal, code, 'CODE_APPROVED');

  const whole = 'The Super-Reviewer needs you to decide\\. Is the work good enough\\?';
  await answer(terminal, whole, 'HUMAN_RETRY', 'Ask the neighbours.');
  await terminal.shows(/Plan three\./);
  await answer(terminal, 'Carry out this plan\\?', 'CURMUDGEON_APPROVED');
  await terminal.shows(/Nobody asked them yet\./);
  await answer(terminal, whole, 'HUMAN_APPROVED');

  assert.equal(await terminal.ended(), exit.complete, terminal.screen());
  const prompts = (agent) => team.calls().filter((call) => call.agent === agent).map((call) => call.prompt);
  assert.match(prompts('refiner')[1], /very loud/);
  assert.match(prompts('planner')[0], /Let greet shout very loud\./);
  assert.match(prompts('planner')[1], /Plan one\.[\s\S]*Say it simpler\./);
  assert.match(prompts('bean_counter')[0], /Plan two\.\s*And be kind\./);
  assert.match(prompts('coder')[1], /Try another way\./);
  assert.match(prompts('coder')[3], /Louder\./);
  assert.match(prompts('planner')[2], /Ask the neighbours\./);
  assert.equal(prompts('curmudgeon').length, 1, 'a plan that a person has reviewed is not for the Curmudgeon');
  const branch = repo.git('branch', '--list', 'agneto/*', '--format=%(refname:short)');
  assert.match(repo.git('show', `${branch}:greet`), /\none\ntwo$/);
  assert.equal(repo.git('status', '--porcelain'), '');
  repo.pass();
});

test('Ctrl+C pauses: an instruction reaches the next agent, suspending ends the call, abort keeps the branch', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.refiner = [{fields: {verdict: 'REFINED', description: 'Let greet shout.'}, hold: true}];
  script.planner = [{fields: {verdict: 'PLAN_CREATED', plan: 'Plan one.'}}];
  script.curmudgeon = [{hold: true}, {fields: {verdict: 'CURMUDGEON_APPROVED'}}];
  script.coder[0].hold = true;
  const team = makeTeam(repo, script);
  const paused = /Paused\. What now\?[^👤]*\n>\s*$/u;

  // Instruct.
  const first = open(t, repo, ['run', 'let greet shout']);
  await team.held('refiner');
  first.send('C-c');
  await first.shows(paused);
  first.type('i');
  first.send('Enter');
  await first.shows(wantsWords);
  first.type('Mention the tea.');
  first.send('Enter');
  team.release('refiner');
  await answer(first, 'Is this what you want done\\?', 'REFINEMENT_CANCELLED');

  // Suspend, in the middle of a call.
  await team.held('curmudgeon');
  assert.match(team.calls().find((call) => call.agent === 'planner').prompt, /Mention the tea\./);
  first.send('C-c');
  await first.shows(/Paused\. What now\?(?![\s\S]*Paused\.)[^👤]*\n>\s*$/u);
  first.type('s');
  first.send('Enter');
  assert.equal(await first.ended(), exit.suspended, first.screen());
  assert.match(first.screen(), /agneto resume \S+/);
  assert.deepEqual(repo.processes(), []);

  // Resume; the call is made again, the person is asked as before.
  const second = open(t, repo, ['resume', 'last']);
  await answer(second, 'Carry out this plan\\?', 'CURMUDGEON_APPROVED');
  assert.equal(team.calls().filter((call) => call.agent === 'planner').length, 1);

  // Abort.
  await team.held('coder');
  second.send('C-c');
  await second.shows(paused);
  second.type('a');
  second.send('Enter');
  await second.shows(/That ends the run for good\. Type 'abort' to do it:\s*$/);
  second.type('abort');
  second.send('Enter');
  assert.equal(await second.ended(), exit.aborted, second.screen());
  assert.deepEqual(repo.processes(), []);
  assert.match(repo.git('branch', '--list', 'agneto/*'), /agneto\//);
  repo.pass();
});

test('Ctrl+C twice suspends', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.refiner = [{hold: true}];
  const team = makeTeam(repo, script);
  const terminal = open(t, repo, ['run', 'let greet shout']);
  await team.held('refiner');
  terminal.send('C-c');
  await terminal.shows(/Paused\. What now\?/);
  terminal.send('C-c');
  assert.equal(await terminal.ended(), exit.suspended, terminal.screen());
  assert.match(terminal.screen(), /agneto resume \S+/);
  assert.deepEqual(repo.processes(), []);
  repo.pass();
});

test('a gate that nobody is there to answer suspends, and is answered from the command line', async (t) => {
  const repo = makeRepo(t);
  const script = smooth();
  script.super_reviewer = [{fields: {verdict: 'SUPER_REVIEW_NEEDS_HUMAN', concerns: 'Who wants this?'}}];
  makeTeam(repo, script);

  const run = await agneto(repo, ['run', 'let greet shout', '--non-interactive', '--auto-merge']);
  assert.equal(run.status, exit.suspended, run.said);
  assert.match(run.out, /agneto resume \S+ --answer HUMAN_APPROVED/);

  const wrong = await agneto(repo, ['resume', 'last', '--answer', 'MAYBE']);
  assert.equal(wrong.status, exit.usage, wrong.said);
  assert.match(wrong.err, /HUMAN_APPROVED/);
  assert.equal(wrong.out, '', 'a run was taken up before its answer was checked');
  assert.match((await agneto(repo, ['runs'])).out, /  suspended: waiting for you  /);

  const idle = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(idle.status, exit.suspended, `a gate passed by being resumed: ${idle.said}`);

  const answered = await agneto(repo, ['resume', 'last', '--answer', 'HUMAN_APPROVED']);
  assert.equal(answered.status, exit.complete, answered.said);
  assert.equal(repo.git('log', '-1', '--format=%s', 'main~1'), 'Configure the team');
  repo.pass();
});

test('a key that aborts the run is asked about once more', async (t) => {
  const repo = makeRepo(t, {files: {
    '.agneto/workflows/ask.yaml': `agneto: 1
name: ask
initial: INSIDE
states:
  INSIDE: {machine: inside.yaml, on: {STOPPED: STOPPED, DONE: DONE}}
  DONE: {final: true}
  STOPPED: {final: true, status: aborted}
`,
    '.agneto/workflows/inside.yaml': `agneto: 1
name: inside
initial: GATE
states:
  GATE: {ask: {question: "Go on?", options: {GOOD: Go on, HALT: Stop it all}}, on: {GOOD: DONE, HALT: STOPPED}}
  DONE: {final: true}
  STOPPED: {final: true, status: aborted}
`,
  }});
  const terminal = open(t, repo, ['run', '-w', 'ask']);
  const sure = /That ends the run for good\. Abort it\? \[y\/N\]\s*$/;
  await answer(terminal, 'Go on\\?', '2');
  await terminal.shows(sure);
  terminal.send('Enter');
  await terminal.shows(/\[y\/N\][^]*\[g\]  Go on[^]*\n>\s*$/);
  terminal.type('2');
  terminal.send('Enter');
  await terminal.shows(sure);
  terminal.type('y');
  terminal.send('Enter');
  assert.equal(await terminal.ended(), exit.aborted, terminal.screen());
  repo.pass();
});

test('a terminal that becomes narrower keeps no status in what has scrolled out of it', async (t) => {
  const repo = makeRepo(t, {files: {
    '.agneto/config.yaml': 'providers:\n  command: {argv: [sh, -c, "while [ -e $HOLD ]; do sleep 0.05; done; echo done"]}\n',
    '.agneto/workflows/many.yaml': `agneto: 1
name: many
initial: EACH
states:
  EACH:
    for_each: {items: "{'north', 'south', 'east', 'west', 'up', 'down', 'left', 'right', 'in', 'out', 'over', 'under', 'here', 'there', 'far', 'near'}", as: word, machine: one.yaml, with: {word: word}}
    on: {any: DONE}
  DONE: {final: true}
`,
    '.agneto/workflows/one.yaml': `agneto: 1
name: one
inputs: {word: string}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
states:
  WORKING: {agent: {name: worker}, on: {any: DONE}}
  DONE: {final: true}
`,
    '.agneto/workflows/hook.lua': 'return {prompt = function(m) return m.inputs.word end}\n',
  }});
  const hold = join(repo.home, 'hold');
  writeFileSync(hold, '');
  const terminal = new Terminal(t, [program, 'run', '-w', 'many', '--agent', 'command'], {
    cwd: repo.dir, env: {...repo.env, HOLD: hold, TERM: 'xterm-256color'}, width: 100, height: 24});
  await terminal.shows(/6 more are at work/);
  for (const width of [80, 30, 60, 30]) {
    terminal.resize(width, 24);
    await sleep(500);  // it is drawn anew meanwhile, more than once
    assert.equal(terminal.screen().match(/6 more are at work/g).length, 1, terminal.screen());
  }
  rmSync(hold);
  assert.equal(await terminal.ended(), exit.complete, terminal.screen());
});
