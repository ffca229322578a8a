// What the program says, whole, when it is given what it cannot use, and what it leaves behind.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program, start} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';
import {makeTeam, smooth} from './lib/team.mjs';

// Its words, with what differs between machines and runs replaced.
const plain = (text, repo) => text
  .replaceAll(repo.dir, 'DIR').replace(/[\w-]+-[0-9a-f]{4}\b/g, 'RUN').replace(/\d\d:\d\d:\d\d/g, 'TIME')
  .replace(/\(?[\d.]+(ms|s)\)?/g, 'SPAN').replace(/\d+ instructions/, 'MANY instructions');

function untouched(repo) {
  assert.equal(repo.git('status', '--porcelain'), '');
  assert.equal(repo.git('branch', '--format=%(refname:short)'), 'main');
  assert.equal(repo.git('worktree', 'list').split('\n').length, 1);
  assert.deepEqual(repo.processes(), []);
  if (repo.has('.agneto/worktrees')) assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')), []);
}

async function refuses(repo, args, message, {check = untouched} = {}) {
  const end = await agneto(repo, args);
  assert.equal(plain(end.err, repo), message, end.said);
  assert.equal(end.out, '', end.said);
  assert.equal(end.status, exit.usage, end.said);
  check(repo);
}

test('a folder that is no git repository', async (t) => {
  const repo = makeRepo(t, {git: false});
  await refuses(repo, ['run', 'x'],
    'agneto: DIR: not a git repository\n'
    + "  help: go to your project's folder, or make this one a repository: git init && git add -A && git commit -m 'First commit'\n",
    {check: () => assert.equal(repo.has('.agneto'), false)});
  repo.pass();
});

test('a repository without commits', async (t) => {
  const repo = makeRepo(t, {files: null});
  await refuses(repo, ['run', 'x', '--agent', 'command'],
    'agneto: DIR: the current branch has no commits yet\n'
    + "  help: a run needs a commit to start from: git add -A && git commit -m 'First commit'\n",
    {check: () => assert.equal(repo.has('.agneto'), false)});
  repo.pass();
});

test('a current folder that is gone', async (t) => {
  const repo = makeRepo(t, {git: false});
  const end = spawnSync('/bin/sh', ['-c', 'mkdir gone && cd gone && rmdir ../gone && "$0" runs', program],
    {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
  assert.equal(end.stderr, 'agneto: the current folder is not there any more: No such file or directory\n  help: go to one that is, such as: cd ~\n');
  assert.equal(end.status, exit.usage);
  repo.pass();
});

test('an unknown base', async (t) => {
  const repo = makeRepo(t);
  makeTeam(repo, {});
  await refuses(repo, ['run', 'x', '--base', 'mian'],
    "agneto: there is no branch, tag or commit 'mian' to start from\n  help: did you mean 'main'?\n");
  repo.pass();
});

test('no provider on PATH, a provider without its program, an unknown provider', async (t) => {
  const repo = makeRepo(t, {bare: true});
  await refuses(repo, ['run', 'x'],
    'agneto: there is no agent on PATH: looked for claude, codex, opencode, gemini\n'
    + "  help: install one, for example Claude Code with 'npm install -g @anthropic-ai/claude-code' or Codex with "
    + "'npm install -g @openai/codex'; './dev demo' shows a run without any\n");
  await refuses(repo, ['run', 'x', '--agent', 'codex'],
    "agneto: the provider 'codex' needs the program 'codex', which is not on PATH\n"
    + "  help: install it with 'npm install -g @openai/codex', or choose another provider with --agent\n");
  await refuses(repo, ['run', 'x', '--agent', 'clade'],
    "agneto: there is no provider 'clade'\n  help: did you mean 'claude'?\n");
  repo.pass();
});

test('a provider without what it works with leaves nothing behind', async (t) => {
  const repo = makeRepo(t, {bare: true});
  await refuses(repo, ['run', 'x', '--agent', 'offline'],
    "agneto: the provider 'offline' answers from a cassette; name one: --cassette FILE\n"
    + '  help: do that, or choose another provider with --agent\n');
  await refuses(repo, ['run', 'x', '--agent', 'command'],
    "agneto: the provider 'command' does not know what to run; say so in .agneto/config.yaml: "
    + "'providers: {command: {argv: [PROGRAM, ARGUMENT, ...]}}'\n"
    + '  help: do that, or choose another provider with --agent\n');
  repo.pass();
});

test('a cassette that is not there, and questions to nobody', async (t) => {
  const repo = makeRepo(t, {bare: true});
  await refuses(repo, ['run', 'x', '--cassette', 'none.yaml'],
    'agneto: cannot read the cassette DIR/none.yaml\n  help: check the path given to --cassette\n');
  await refuses(repo, ['run', 'x', '--cassette', 'none.yaml', '--interactive'],
    'agneto: --interactive asks you at a terminal, and there is none\n  help: leave it out, and the cassette answers\n');
  repo.pass();
});

test('a task without quotes, a task given twice, a bound below its least', async (t) => {
  const repo = makeRepo(t, {bare: true});
  await refuses(repo, ['run', 'fix', 'the', 'bug'],
    'agneto: run takes one TASK, but was given 3 words\n  help: quote it: agneto run "fix the bug"\n');
  await refuses(repo, ['run', 'x', '--input', 'task=y'],
    'agneto: the task was given twice: in your words and with --input task\n  help: give it once\n');
  const bound = await agneto(repo, ['run', 'x', '--input', 'max_chunks=-1']);
  assert.match(bound.err, /^agneto: input 'max_chunks' must be at least 1, not -1\n/, bound.said);
  assert.equal(bound.status, exit.usage, bound.said);
  untouched(repo);
  repo.pass();
});

test('what cannot be printed is no success', async (t) => {
  const repo = makeRepo(t, {bare: true});
  const sound = await agneto(repo, ['runs']);
  assert.equal(sound.status, exit.complete, sound.said);
  assert.throws(() => execFileSync('sh', ['-c', `'${program}' runs >/dev/full`], {cwd: repo.dir, env: repo.env, stdio: 'pipe'}),
    (error) => error.status === exit.failed && /cannot write to standard output/.test(error.stderr));
  // Neither is it a crash where an error cannot be told.
  assert.throws(() => execFileSync('sh', ['-c', `'${program}' show nope 2>/dev/full`], {cwd: repo.dir, env: repo.env, stdio: 'pipe'}), {status: exit.usage});
  // A reader that has had enough (head) is no failure: not a word.
  assert.equal(execFileSync('sh', ['-c', `{ '${program}' runs | true; } 2>&1`], {cwd: repo.dir, env: repo.env, encoding: 'utf8'}), '');
  repo.pass();
});

test('a task file that is empty, and one that is not there', async (t) => {
  const repo = makeRepo(t, {files: {'empty.md': ' \n'}});
  await refuses(repo, ['run', '--file', 'empty.md'],
    'agneto: the task file empty.md is empty\n  help: write in it what is to be done\n');
  await refuses(repo, ['run', '--file', 'none.md'],
    'agneto: cannot read the task file none.md\n  help: check the path given to --file\n');
  repo.pass();
});

// A workflow of one agent that fails at the first trouble, by the fake `claude` on PATH.
const one = ({verdicts = '{OK: {}}', timeout = '1m', idle = '1m', hooks = 'return {prompt = function(m) return "Do it." end}'} = {}) => ({
  '.agneto/workflows/one.yaml': `agneto: 1
name: one
inputs:
  task: {type: string, main: true}
context: {why: ""}
agents:
  worker: {hooks: ../scripts/worker.lua, access: edit, tries: 1, timeout: ${timeout}, idle: ${idle}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: ${verdicts}}
    on:
      OK: DONE
      error: {target: FAILED, do: ctx.why = event.name .. "; " .. event.message}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
outputs: {reason: ctx.why}
`,
  '.agneto/scripts/worker.lua': hooks,
});

// The run's outcome line, and that nothing of it still runs.
async function outcome(t, {files, claude = 'cat >/dev/null', limit = 60_000}) {
  const repo = makeRepo(t, {bare: true, files});
  repo.install('claude', `#!/bin/sh\n${claude}\n`);
  const end = await agneto(repo, ['run', 'x', '-w', 'one', '--agent', 'claude'], {limit});
  assert.deepEqual(repo.processes(), [], end.said);
  assert.equal(repo.git('status', '--porcelain'), '', end.said);
  repo.pass();
  return {...end, line: plain(end.out.match(/^(DONE|FAILED) .*$/m)?.[0] ?? end.said, repo)};
}

const result = (text) => JSON.stringify({type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's', total_cost_usd: 0});

test('a CLI that exits 1', async (t) => {
  const end = await outcome(t, {files: one(), claude: 'cat >/dev/null; echo "no credit left" >&2; exit 1'});
  assert.equal(end.line, "FAILED (failed): error.exit; agent 'worker' (claude) failed: no credit left");
  assert.equal(end.status, exit.failed);
});

test('a CLI that prints garbage', async (t) => {
  const end = await outcome(t, {files: one(), claude: 'cat >/dev/null; head -c 20000 /dev/urandom; echo; echo "{]"; exit 0'});
  assert.equal(end.line, "FAILED (failed): error.exit; agent 'worker' (claude) failed: claude ended with exit status 0 and no result");
});

test('a CLI that prints nothing', async (t) => {
  const end = await outcome(t, {files: one(), claude: 'cat >/dev/null'});
  assert.equal(end.line, "FAILED (failed): error.exit; agent 'worker' (claude) failed: claude ended with exit status 0 and no result");
});

test('a CLI that hangs, and its children', async (t) => {
  const end = await outcome(t, {files: one({idle: '1s'}), claude: 'sleep 1000 & sleep 1000'});
  assert.equal(end.line, "FAILED (failed): error.timeout; agent 'worker' (claude) failed: no output for SPAN");
});

test('a CLI that is busy for ever', async (t) => {
  const end = await outcome(t, {files: one({timeout: '2s'}), claude: 'cat >/dev/null; while true; do echo "{}"; sleep 0.1; done'});
  assert.equal(end.line, "FAILED (failed): error.timeout; agent 'worker' (claude) failed: not done after SPAN");
});

test('a CLI that never exits after its result', async (t) => {
  const end = await outcome(t, {files: one(), claude: `cat >/dev/null; echo '${result('VERDICT: OK')}'; sleep 1000 & sleep 1000`});
  assert.equal(end.line, 'DONE (complete)');
});

test('a CLI that prints 100 MB on one line', async (t) => {
  const end = await outcome(t, {files: one(), claude: `cat >/dev/null; yes | tr -d '\\n' | head -c 100000000; echo; echo '${result('VERDICT: OK')}'`});
  assert.equal(end.line, 'DONE (complete)');
});

test('a verdict that was not declared', async (t) => {
  const end = await outcome(t, {files: one(), claude: `cat >/dev/null; echo '${result('VERDICT: MAYBE')}'`});
  assert.equal(end.line, "FAILED (failed): error.unparsed; agent 'worker' (claude) gave no usable verdict in 3 replies; "
    + "of the last: the verdict 'MAYBE' is not one of those declared; expected one of OK");
});

test('a hook that throws, one that loops for ever, one that eats memory', async (t) => {
  const throws = await outcome(t, {files: one({hooks: 'return {prompt = function(m) error("no prompt today") end}'})});
  assert.equal(throws.line, 'FAILED (failed): error.lua; DIR/.agneto/scripts/worker.lua:1: no prompt today');
  const loops = await outcome(t, {files: one({hooks: 'return {prompt = function(m) while true do pcall(function() while true do end end) end end}'})});
  assert.equal(loops.line, 'FAILED (failed): error.lua; DIR/.agneto/scripts/worker.lua:1: this does not come to an end (stopped after MANY instructions)');
  const eats = await outcome(t, {files: one({hooks: 'return {prompt = function(m) local t = "x"; while true do t = t .. t end end}'})});
  assert.equal(eats.line, 'FAILED (failed): error.lua; DIR/.agneto/scripts/worker.lua:1: this needs more memory than it may have (256 MB)');
});

test('a hook with a syntax error', async (t) => {
  const repo = makeRepo(t, {bare: true, files: one({hooks: 'return {\n  prompt = function(m) return "Do it." end end\n}\n'})});
  repo.install('claude', '#!/bin/sh\nexit 1\n');
  await refuses(repo, ['run', 'x', '-w', 'one', '--agent', 'claude'], 
    "DIR/.agneto/scripts/worker.lua:2:3: error: '}' expected (to close '{' at line 1) near 'end' [E415/hooks]\n"
    + '  prompt = function(m) return "Do it." end end\n'
    + '  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n'
    + 'DIR/.agneto/workflows/one.yaml:7:19: note: these hooks are used here\n'
    + '  worker: {hooks: ../scripts/worker.lua, access: edit, tries: 1, timeout: 1m, idle: 1m}\n'
    + '                  ^~~~~~~~~~~~~~~~~~~~~\n');
  repo.pass();
});

const machine = (states) => `agneto: 1\nname: m\ninitial: A\nstates:\n${states}`;

const mistakes = {
  'tab.yaml': [machine('\tA: {final: true}\n'), `\
tab.yaml:5:1: error: a tab cannot indent YAML [E106/yaml-tab]
\tA: {final: true}
^
  help: indent with spaces
`],
  'duplicate.yaml': [machine('  A: {final: true}\n  A: {final: true}\n'), `\
duplicate.yaml:6:3: error: duplicate key 'A' [E110/duplicate-key]
  A: {final: true}
  ^
  help: remove one of the two, or rename it
duplicate.yaml:5:3: note: first defined here
  A: {final: true}
  ^
`],
  'unknown-key.yaml': [machine('  A: {onn: {go: DONE}}\n  DONE: {final: true}\n'), `\
unknown-key.yaml:5:7: error: a state has no key 'onn' [E121/unknown-key]
  A: {onn: {go: DONE}}
      ^~~
  help: did you mean 'on'?
`],
  'missing-target.yaml': [machine('  A:\n    on: {go: DOEN}\n  DONE: {final: true}\n'), `\
missing-target.yaml:6:14: error: there is no state 'DOEN' [E203/undefined-target]
    on: {go: DOEN}
             ^~~~
  help: did you mean 'DONE'?
`],
  'bomb.yaml': [machine('  A: {entry: [&a "x = 1", *a]}\n'), `\
bomb.yaml:5:15: error: anchors ('&a') are not supported [E108/yaml-alias]
  A: {entry: [&a "x = 1", *a]}
              ^~
  help: write the value out; quote a text that begins with '&'
bomb.yaml:5:27: error: aliases ('*a') are not supported [E108/yaml-alias]
  A: {entry: [&a "x = 1", *a]}
                          ^~
  help: write the value out; quote a text that begins with '*'
bomb.yaml:5:27: error: 'entry' must be Lua statements, found nothing [E124/wrong-kind]
  A: {entry: [&a "x = 1", *a]}
                          ^~
`],
  'deep.yaml': [`agneto: 1\nname: ${'['.repeat(10_000)}\n`, `\
deep.yaml:2:135: error: nested more than 256 levels deep [E105/yaml-depth]
…${'['.repeat(120)}…
${' '.repeat(41)}^
  help: move the inner part to a machine of its own
`],
};

for (const [name, [text, message]] of Object.entries(mistakes)) {
  test(`agneto lint ${name}`, async (t) => {
    const repo = makeRepo(t, {files: {[name]: text}});
    const end = await agneto(repo, ['lint', name]);
    assert.equal(end.out, message, end.said);
    assert.equal(end.err, '');
    assert.equal(end.status, 1, end.said);
    await refuses(repo, ['run', 'x', '-w', `./${name}`], message.replaceAll(new RegExp(`^${name}:`, 'gm'), `DIR/${name}:`));
    repo.pass();
  });
}

test('two runs at once in one repository both work', async (t) => {
  const repo = makeRepo(t);
  makeTeam(repo, smooth());
  const runs = [1, 2].map(() => start(repo, ['run', 'let greet shout', '--non-interactive']));
  for (const end of await Promise.all(runs.map((run) => run.ended))) assert.equal(end.status, exit.complete, end.said);
  assert.equal(repo.git('branch', '--list', 'agneto/*').split('\n').length, 2);
  repo.pass();
});
