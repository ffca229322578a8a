// A run of a real program as an agent becomes a cassette, which plays to the same path and the same
// files, and with the faults that such programs show. docs/recording.md itself is played by howto.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';

const files = {
  'greet': 'echo Hello\n',
  '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, tools/ask.sh]}}\n',
  // It has more to say the second time.
  'tools/ask.sh': `cat > /dev/null
echo "Let me see."
sleep 0.3
echo more >> greet
echo "VERDICT: DONE"
`,
  'flow.yaml': `agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit, idle: 3s, tries: 2}}
initial: CODING
states:
  CODING:
    agent: {name: coder, verdicts: {DONE: {}}}
    on: {DONE: GATE, error.timeout: SILENT, error: BROKEN}
  GATE:
    ask: {question: Is it good, options: {GOOD: "Yes", AGAIN: "No"}}
    on: {GOOD: KEEPING, AGAIN: CODING}
  KEEPING:
    workspace: {commit: {message: More}}
    on: {ok: FINE, any: BROKEN}
  FINE: {final: true}
  SILENT: {final: true, status: failed}
  BROKEN: {final: true, status: failed}
`,
  'coder.lua': `return {prompt = function(m)
  return "In run " .. m.run.id .. " with the token " .. m.inputs.task .. ": " .. m.workspace.diff
end}
`,
};

const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const run = (repo, ...args) => agneto(repo, ['run', secret, '-w', 'flow.yaml', ...args]);
const play = (repo, ...args) => run(repo, '--cassette', 'said.yaml', ...args);

// A run that was sent back once, recorded in said.yaml. Its path.
async function record(repo) {
  const first = await run(repo, '--non-interactive', '--record', 'said.yaml');
  assert.equal(first.status, exit.suspended, first.said);
  assert.match(first.err, /^agneto: recorded in \/.*\/project\/said\.yaml\n$/);
  const begun = readFileSync(join(repo.dir, 'said.yaml'), 'utf8');
  assert.equal(begun.match(/- agent: coder/g).length, 1);
  for (const answer of ['AGAIN', 'GOOD']) {
    const next = await agneto(repo, ['resume', 'last', '--answer', answer]);
    assert.match(next.err, /^agneto: recorded in /);
  }
  return newest(repo);
}
const newest = async (repo) => {
  const {path, branch} = JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out);
  return {path: path.map((step) => [step.from, step.to, step.event]), tree: repo.git('rev-parse', `${branch}^{tree}`)};
};

test('a run that was suspended and resumed is recorded whole, and plays to the same', async (t) => {
  const repo = makeRepo(t, {files});
  const recorded = await record(repo);
  const said = readFileSync(join(repo.dir, 'said.yaml'), 'utf8');
  assert.equal(said.match(/- agent: coder/g).length, 2);
  assert.ok(!said.includes(secret));
  assert.match(said, /In run \{agneto\.run\} with the token \[redacted: sk-…6789\]:\n/);
  assert.match(said, /at: \d+ms, text: Let me see\./);
  assert.match(said, /^answers: .*AGAIN.*GOOD/m);
  const alone = await agneto(repo, ['record', 'last']);
  assert.equal(alone.out, said);

  const played = await play(repo, '--json');
  assert.equal(played.status, exit.complete, played.said);
  assert.deepEqual(await newest(repo), recorded);
  const texts = played.out.trim().split('\n').map(JSON.parse).filter((event) => event.kind === 'agent.text' || event.type === 'agent.text');
  assert.equal(texts.length >= 2, true, played.said);
  repo.pass();
});

test('at speed 1 a recorded silence is as long as it was', async (t) => {
  const repo = makeRepo(t, {files: {...files, 'tools/ask.sh': files['tools/ask.sh'].replace('sleep 0.3', 'sleep 0.8')}});
  await record(repo);
  const begin = Date.now();
  const played = await play(repo, '--speed', '1');
  assert.equal(played.status, exit.complete, played.said);
  assert.ok(Date.now() - begin >= 1600, `${Date.now() - begin} ms`);
  repo.pass();
});

test('what an agent has edited before it hangs or exits is undone, and the next try plays on', async (t) => {
  const repo = makeRepo(t, {files});
  const recorded = await record(repo);
  for (const fault of ['hang', 'exit']) {
    const played = await play(repo, '--fault', `${fault}@CODING#2`);
    assert.equal(played.status, exit.complete, played.said);
    assert.match(played.out, new RegExp(`injected: ${fault}@CODING#2\\n.*(no output for 3s|exit status 1: as --fault exit@CODING#2 has it)`), played.said);
    assert.deepEqual(await newest(repo), recorded);
  }
  repo.pass();
});

test('faults take the ways that a workflow has for them', async (t) => {
  const repo = makeRepo(t, {files});
  await record(repo);
  const faults = async (...list) => {
    const played = await play(repo, ...list.flatMap((fault) => ['--fault', fault]));
    assert.equal(played.status, exit.failed, played.said);
    return JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out).outcome;
  };
  assert.equal(await faults('hang@CODING', 'hang@coder'), 'SILENT');
  assert.equal(await faults('exit@coder', 'exit@coder'), 'BROKEN');
  assert.equal(await faults('garbage@CODING', 'garbage@CODING', 'garbage@CODING'), 'BROKEN');
  repo.pass();
});

test('a slow agent is slow, and not silent', async (t) => {
  const repo = makeRepo(t, {files});
  await record(repo);
  const begin = Date.now();
  const played = await play(repo, '--fault', 'slow=2s@CODING');
  assert.equal(played.status, exit.complete, played.said);
  assert.ok(Date.now() - begin >= 2000);
  repo.pass();
});

test('a fault that never strikes is told', async (t) => {
  const repo = makeRepo(t, {files});
  await record(repo);
  const played = await play(repo, '--fault', 'exit@CODING#3');
  assert.equal(played.status, exit.complete, played.said);
  assert.equal(played.err, 'agneto: --fault exit@CODING#3 was not injected: no attempt that it names was made\n');
  repo.pass();
});

test('a run that cannot be recorded at its end has failed, and says how it is recorded', async (t) => {
  const repo = makeRepo(t, {files: {...files, 'tools/ask.sh': `${files['tools/ask.sh']}rm -r ${'$'}(git rev-parse --git-common-dir)/../kept\n`,
    'flow.yaml': files['flow.yaml'].replace('DONE: GATE', 'DONE: KEEPING')}});
  mkdirSync(join(repo.dir, 'kept'));
  const file = join(repo.dir, 'kept/said.yaml');
  const ended = await run(repo, '--non-interactive', '--record', 'kept/said.yaml');
  assert.equal(ended.status, exit.failed, ended.said);
  const {run: id} = JSON.parse((await agneto(repo, ['runs', '--json', '--limit', '1'])).out);
  assert.match(ended.err, new RegExp(`^agneto: the run was not recorded in ${file}: cannot write .*\\n  when that is mended: agneto record ${id} -o FILE\\n$`));
  assert.equal((await agneto(repo, ['record', id, '-o', 'said.yaml'])).status, 0);
  assert.ok(existsSync(join(repo.dir, 'said.yaml')));
  repo.pass();
});

test('what cannot be recorded or played is refused before anything is paid for', async (t) => {
  const repo = makeRepo(t, {files});
  const refused = async (...args) => {
    const ended = await run(repo, ...args);
    assert.equal(ended.status, exit.usage, ended.said);
    return ended.err.replaceAll(repo.dir, 'DIR');
  };
  assert.equal(await refused('--record', 'none/said.yaml'),
    'agneto: --record: cannot write DIR/none/said.yaml: there is no such folder\n'
    + '  help: name a file in a folder that exists and that you may write to\n');
  assert.equal(await refused('--record', 'tools'),
    'agneto: --record: cannot write DIR/tools: it is a folder\n'
    + '  help: name a file in a folder that exists and that you may write to\n');
  assert.equal(await refused('--fault', 'hang@CODING'), "agneto: --fault requires --cassette\n  help: see 'agneto run --help'\n");
  assert.match((await agneto(repo, ['runs'])).out, /^no runs|^$/i);
  rmSync(join(repo.dir, '.agneto'), {recursive: true});
  repo.pass();
});
