// What runs need here, as `agneto doctor` finds it; of one run, see runs.test.mjs.

import assert from 'node:assert/strict';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {flowRepo} from './lib/page.mjs';
import {testOfFile} from './lib/repo.mjs';

// A home and a PATH with git and what is given: scripts by name.
function surroundings(t, programs) {
  const home = mkdtempSync(join(tmpdir(), 'agneto-home-'));
  t.after(() => rmSync(home, {recursive: true}));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim(), join(bin, 'git'));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {HOME: home, PATH: bin};
  for (const key of Object.keys(process.env)) {
    if (/^(ANTHROPIC|OPENAI|GEMINI|GOOGLE|CODEX|CLAUDE|OPENROUTER)_/.test(key)) env[key] = '';
  }
  return env;
}

const doctor = async (repo, env, status) => {
  const end = await agneto(repo, ['doctor', '--json'], {env});
  assert.equal(end.status, status, end.said);
  const {wrong, findings} = JSON.parse(end.out);
  assert.equal(wrong, status !== exit.complete);
  return Object.fromEntries(findings.map(({about, ...rest}) => [about, rest]));
};

test('a doctor finds who can work here, and who is signed in', async (t) => {
  const repo = flowRepo(t);
  const env = surroundings(t, {claude: 'echo "2.1.3 (Claude Code)"', codex: 'echo codex-cli 0.98.0'});
  const found = await doctor(repo, {...env, ANTHROPIC_API_KEY: 'k'}, exit.complete);
  assert.equal(found.repository.what, repo.dir);
  assert.match(found.git.what, /^\d+\.\d+/);
  assert.deepEqual(found.claude, {wrong: false, what: '2.1.3 (Claude Code); as far as one can tell, signed in by ANTHROPIC_API_KEY', help: ''});
  assert.deepEqual(found.codex, {wrong: false, what: 'codex-cli 0.98.0; nothing shows that somebody is signed in',
    help: "run 'codex login', or set OPENAI_API_KEY"});
  assert.deepEqual(found.gemini, {wrong: false, what: 'not installed', help: ''});

  mkdirSync(join(env.HOME, '.codex'));
  const credentials = (text) => writeFileSync(join(env.HOME, '.codex/auth.json'), text);
  const unsigned = (why) => ({wrong: false, what: `codex-cli 0.98.0; nothing shows that somebody is signed in: ~/.codex/auth.json ${why}`,
    help: "run 'codex login', or set OPENAI_API_KEY"});
  credentials(' \n');
  assert.deepEqual((await doctor(repo, env, exit.complete)).codex, unsigned('is empty'));
  for (const garbage of ['{}', 'no JSON', '{"OPENAI_API_KEY": null, "tokens": {}}']) {
    credentials(garbage);
    assert.deepEqual((await doctor(repo, env, exit.complete)).codex, unsigned('holds no credentials'), garbage);
  }
  credentials('{"OPENAI_API_KEY": null, "tokens": {"access_token": "t"}}');
  const text = await agneto(repo, ['doctor'], {env});
  assert.match(text.out, /^ {2}codex +codex-cli 0\.98\.0; as far as one can tell, signed in by ~\/\.codex\/auth\.json$/m);
  assert.match(text.out, /^ {2}journal +no runs yet$/m);
  assert.match(text.out, /\nall is well\n$/);
  repo.pass();
});

test('a doctor names locks that a git has left', async (t) => {
  const repo = flowRepo(t);
  const lock = join(repo.dir, '.git/refs/heads/main.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 1, 1);
  const found = await doctor(repo, surroundings(t, {claude: 'echo 2.1.3'}), exit.failed);
  assert.deepEqual(found.locks, {wrong: true, what: `a git that was killed has left ${lock}`, help: 'where no git is at work, remove it'});
  rmSync(lock);
  repo.pass();
});

test('a doctor says what is missing, and what to do about it', async (t) => {
  const repo = flowRepo(t, {'.agneto/config.yaml': 'agents:\n  coder: {provider: gemini}\n'});
  const broken = await doctor(repo, surroundings(t, {codex: 'exit 3'}), exit.failed);
  assert.deepEqual(broken.gemini, {wrong: true, what: 'is configured, but not on PATH', help: 'install it: npm install -g @google/gemini-cli'});
  assert.deepEqual(broken.codex, {wrong: true, what: "'codex --version' fails", help: 'install it anew: npm install -g @openai/codex'});

  writeFileSync(join(repo.dir, '.agneto/config.yaml'), 'agents: {all: {provider: 3, model: x, }}\nlimit: 3\n');
  const found = await doctor(repo, surroundings(t, {}), exit.failed);
  assert.ok(found.configuration.wrong);
  assert.match(found.configuration.what, /config\.yaml:\d+:\d+: error: /);
  assert.deepEqual(found.agents, {wrong: true, what: 'there is none', help: 'install one, for example with: npm install -g @anthropic-ai/claude-code'});
  repo.pass();
});

testOfFile('a doctor says that what should be the journal is something else', async (t) => {
  const repo = flowRepo(t);
  repo.write({'.agneto/runs.db': 'no database at all, and long enough to be looked at'});
  const found = await doctor(repo, surroundings(t, {}), exit.failed);
  assert.ok(found.journal.wrong);
  assert.match(found.journal.what, /is not a database/);
  repo.pass();
});

test('a doctor looks whether the program of a `command` provider can be run', async (t) => {
  const repo = flowRepo(t);
  const env = surroundings(t, {model: 'cat'});
  const told = async (argv, status) => {
    writeFileSync(join(repo.dir, '.agneto/config.yaml'), `agents: {all: {provider: command}}\nproviders: {command: {argv: ${argv}}}\n`);
    return (await doctor(repo, env, status)).command;
  };
  mkdirSync(join(repo.dir, '.agneto'), {recursive: true});
  assert.deepEqual(await told('[model, -x]', exit.complete), {wrong: false, what: "'model' is there", help: ''});
  assert.deepEqual(await told('[moddel]', exit.failed), {wrong: true, what: "'moddel' is not on PATH",
    help: "install it, or correct 'argv' in the configuration"});
  assert.deepEqual(await told('[./tools/ask.sh]', exit.failed), {wrong: true, what: `there is no file ${repo.dir}/tools/ask.sh`,
    help: "write it, or correct 'argv' in the configuration"});
  mkdirSync(join(repo.dir, 'tools'));
  writeFileSync(join(repo.dir, 'tools/ask.sh'), '#!/bin/sh\ncat\n');
  assert.deepEqual(await told('[./tools/ask.sh]', exit.failed), {wrong: true, what: `${repo.dir}/tools/ask.sh is not executable`,
    help: `chmod +x ${repo.dir}/tools/ask.sh`});
  chmodSync(join(repo.dir, 'tools/ask.sh'), 0o755);
  assert.deepEqual(await told('[./tools/ask.sh]', exit.complete), {wrong: false, what: "'./tools/ask.sh' is there", help: ''});
  repo.pass();
});

test('a doctor outside a repository says how to make one', async (t) => {
  const env = surroundings(t, {claude: 'echo 2'});
  const folder = {dir: env.HOME, env};
  const found = await doctor(folder, {}, exit.failed);
  assert.deepEqual(found.repository, {wrong: true, what: `${env.HOME}: not a git repository`,
    help: "go to your project's folder, or make this one a repository: git init && git add -A && git commit -m 'First commit'"});
});
