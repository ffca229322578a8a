// A real CLI whose model server is away, or refuses.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {clis} from './lib/clis.mjs';
import {startModelServer} from './lib/model-server.mjs';
import {makeRepo} from './lib/repo.mjs';

const files = {
  '.agneto/workflows/fix.yaml': `agneto: 1
name: fix
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit, tries: 1}}
initial: WORKING
states:
  WORKING: {agent: coder, on: {done: DONE, error: GIVEN_UP}}
  DONE: {final: true}
  GIVEN_UP: {final: true, status: failed}
`,
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "You are the Coder.\\n" .. m.inputs.task end}\n',
};

async function repoWith(t, play, config = '', cli = 'claude') {
  const server = await startModelServer({Coder: play});
  t.after(() => server.close());
  const {env, home} = clis[cli](server.url);
  const repo = makeRepo(t, {env, files: {...files, '.agneto/config.yaml': `provider: ${cli}\n${config}`}});
  repo.write(home, {under: repo.home});
  return {repo, server};
}

const run = ['run', 'fix it', '-w', 'fix', '--non-interactive'];

test('an overloaded model server is waited for, and what is waited for is shown', async (t) => {
  const {repo, server} = await repoWith(t, (nth) => (nth <= 3 ? {status: 529, message: 'Overloaded'} : {reply: 'done'}));
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.complete, result.said);
  assert.match(result.out, /API Error: Repeated 529 Overloaded errors\..*; asking again in \d/);
  assert.equal(server.calls.length, 4);
  repo.pass();
});

test('one that stays away suspends the run, which a resume goes on with', async (t) => {
  let away = true;
  const {repo} = await repoWith(t, () => (away ? {status: 529, message: 'Overloaded'} : {reply: 'done'}), 'patience: 0s\n');
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.suspended, result.said);
  assert.match(result.out, /agent 'coder' \(claude\): API Error: Repeated 529 /);
  away = false;
  const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  repo.pass();
});

test('a key that is refused suspends the run at once and says what to do', async (t) => {
  let refused = true;
  const {repo} = await repoWith(t, () => (refused ? {status: 401, message: 'invalid x-api-key'} : {reply: 'done'}));
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.suspended, result.said);
  assert.match(result.out, /agent 'coder' \(claude\): the model server answered 401 \(authentication_failed\); log in with 'claude', or check ANTHROPIC_API_KEY/);
  refused = false;
  const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  repo.pass();
});

// These wait as long as the server says, without a word, and for longer than a call may take.
for (const cli of ['codex', 'opencode']) {
  test(`a call whose time is up while ${cli} waits for its server has found that away`, async (t) => {
    let away = true;
    const {repo} = await repoWith(t, () => (away ? {status: 429, message: 'slow down', after: 3600} : {reply: 'done'}), 'patience: 0s\n', cli);
    repo.write({'.agneto/workflows/fix.yaml': files['.agneto/workflows/fix.yaml'].replace('tries: 1', 'tries: 1, timeout: 30s')});
    const result = await agneto(repo, run);
    assert.equal(result.status, exit.suspended, result.said);
    assert.match(result.out, new RegExp(`suspended: agent 'coder' \\(${cli}\\): .*(429|slow down).*; not done after 30s\n`));
    away = false;
    const resumed = await agneto(repo, ['resume', 'last', '--non-interactive']);
    assert.equal(resumed.status, exit.complete, resumed.said);
    repo.pass();
  });
}

// These ask again by themselves, for minutes.
for (const [cli, note] of [['gemini', /WORKING +the model server answered 503; trying again\n/],
  ['opencode', /WORKING +a request failed: \S.*\n/]]) {
  test(`what ${cli} asks again for is told`, async (t) => {
    const {repo} = await repoWith(t, (nth) => (nth <= 1 ? {status: 503, message: 'busy'} : {reply: 'done'}), '', cli);
    const result = await agneto(repo, run);
    assert.equal(result.status, exit.complete, result.said);
    assert.match(result.out, note);
    assert.match((await agneto(repo, ['log', 'last'])).out, note);
    repo.pass();
  });
}

test('a gateway that refuses a key without a code suspends a run with Gemini', async (t) => {
  const {repo} = await repoWith(t, () => ({status: 401, message: 'no key'}), '', 'gemini');
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.suspended, result.said);
  assert.match(result.out, /agent 'coder' \(gemini\): .*no key.*; log in with 'gemini', or check GEMINI_API_KEY/);
  repo.pass();
});
