// The demo, as the README has it: one command after cloning, without any agent installed.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';
import {Terminal} from './lib/tmux.mjs';

const script = join(root, 'scripts/demo/run.sh');

test('the offline demo merges a change and shows the path it took', (t) => {
  const repo = makeRepo(t, {files: null, git: false, bare: true});
  const demo = spawnSync('sh', [script, program], {
    cwd: repo.dir, env: {...repo.env, TMPDIR: repo.dir}, encoding: 'utf8', timeout: 120_000});
  const said = `${demo.stdout}\n${demo.stderr}`;
  assert.equal(demo.status, 0, said);
  assert.match(demo.stdout, /TASK_COMPLETE \(complete\)/, said);
  assert.match(demo.stdout, /path {4}.*TASK_PLANNING.*TASK_CURMUDGEONING.*TASK_EXECUTING.*TASK_COMPLETE/, said);
  assert.match(demo.stdout, /merged .*into main/, said);
  assert.match(demo.stdout, /HELLO, ADA!\n$/, said);
  repo.pass();
});

const taskGate = /Is this what you want done\?[^👤]*\n>\s*$/u;
const planGate = /Carry out this plan\?[^👤]*\n>\s*$/u;

// A person at its terminal.
class Demo extends Terminal {
  constructor(t) {
    const repo = makeRepo(t, {files: null, git: false, bare: true});
    super(t, ['sh', script, program, '--interactive'],
      {cwd: repo.dir, env: {...repo.env, TMPDIR: repo.dir, TERM: 'xterm-256color'}, height: 60});
    this.repo = repo;
  }

  async answer(question, ...lines) {
    await this.shows(question);
    for (const line of lines) {
      if (line !== lines[0]) await this.shows(/opens your editor\):\s*$/);
      this.type(line);
      this.send('Enter');
    }
  }
}

test('a pause and a plan that is to be changed do not keep the demo from its end', async (t) => {
  const demo = new Demo(t);
  await demo.shows(taskGate);
  demo.send('C-c');
  await demo.answer(/Paused\. What now\?[^👤]*\n>\s*$/u, 'c');
  await demo.answer(/Paused\.[^]*Is this what you want done\?[^👤]*\n>\s*$/u, 'n');
  await demo.answer(planGate, 'n', 'Leave out step 3.');
  await demo.answer(/recorded and cannot hear you[^]*Carry out this plan\?[^👤]*\n>\s*$/u, 'y');
  assert.equal(await demo.ended(), 0, demo.screen());
  assert.match(demo.screen(), /\n\$ sh greet --shout Ada\nHELLO, ADA!\n/);
  demo.repo.pass();
});

test('a demo that a person ends says so', async (t) => {
  const demo = new Demo(t);
  await demo.answer(taskGate, 'y');
  await demo.answer(planGate, 'n', 'Leave out step 3.');
  await demo.answer(/recorded and cannot hear you[^]*Carry out this plan\?[^👤]*\n>\s*$/u, 'n', 'Leave it out.');
  await demo.answer(/the plan of before once more[^]*Carry out this plan\?[^👤]*\n>\s*$/u, 'n', 'Out with it.');
  await demo.answer(/Out with it[^]*the plan of before once more[^]*Carry out this plan\?[^👤]*\n>\s*$/u, 'n', 'I insist.');
  await demo.shows(/I insist[^]*the plan of before once more[^]*Carry out this plan\?[^👤]*\n>\s*$/u);
  demo.send('C-c');
  await demo.answer(/Paused\. What now\?[^👤]*\n>\s*$/u, 'abort');
  assert.equal(await demo.ended(), 4, demo.screen());
  assert.match(demo.screen(), /Nothing was merged, so the demo ends here\. Its repository stays: \S*agneto-demo\./);
  demo.repo.pass();
});
