// How an agent is reached, as a workflow says it: with the real CLIs, a scripted model and an MCP server.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {clis} from './lib/clis.mjs';
import {startModelServer} from './lib/model-server.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const server = join(root, 'tests/e2e/fixtures/mcp-server.mjs');
const flow = (settings, call = '') => ({
  '.agneto/workflows/look.yaml': `agneto: 1
name: look
inputs: {task: {type: string, main: true}}
agents:
  coder: {hooks: coder.lua, access: read-only, tries: 1, ${settings}}
initial: WORKING
states:
  WORKING: {agent: {name: coder${call}}, on: {done: DONE, error: GIVEN_UP}}
  DONE: {final: true}
  GIVEN_UP: {final: true, status: failed}
`,
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "You are the Coder.\\n" .. m.inputs.task end}\n',
});
const run = ['run', 'look it up', '-w', 'look', '--non-interactive'];
const lab = `mcp: {lab: {command: [node, "${server}"], env: {LOG_LEVEL: debug}}}`;

// What the model calls the server's tool; the settings that the CLI takes; what a request says of them.
const ways = {
  claude: {
    step: {tool: 'mcp__lab__look', input: {what: 'x'}},
    settings: 'model: claude-opus-4-5, effort: high, args: [--max-turns, "7"], env: {ANTHROPIC_CUSTOM_HEADERS: "x-agneto: seen"}',
    said: /"model":"claude-opus-4-5/,
  },
  codex: {
    step: {tool: 'exec', input: "text(JSON.stringify(await tools.mcp__lab__look({what: 'x'})))"},
    settings: 'effort: low, args: [-c, "model_reasoning_summary=none"], env: {CODEX_QUIET: "1"}',
    said: /"reasoning":\{"effort":"low"/,
  },
  gemini: {  // which takes servers from its own settings alone
    settings: 'model: gemini-2.5-flash, args: [--debug], env: {LOG_LEVEL: debug}',
    said: /gemini-2\.5-flash/,
  },
  opencode: {
    step: {tool: 'lab_look', input: {what: 'x'}},
    settings: 'model: local/scripted, effort: high, args: [--title, a title], env: {LOG_LEVEL: debug}',
    said: /"model":"scripted"/,
  },
};

for (const [name, way] of Object.entries(ways)) {
  test(`${name} is given what a workflow says`, async (t) => {
    let requests = '';
    const model = await startModelServer(
      {Coder: () => ({do: way.step ? [way.step] : [], reply: 'I looked.'})}, {log: (what, text) => { requests += `${what} ${text}\n`; }});
    t.after(() => model.close());
    const {env, home} = clis[name](model.url);
    const repo = makeRepo(t, {env, files: flow(`provider: ${name}${way.step ? `, ${lab}` : ''}`, `, ${way.settings}`)});
    repo.write(home, {under: repo.home});
    const linted = await agneto(repo, ['lint', '.agneto/workflows', '--fail-on', 'error']);
    assert.equal(linted.status, 0, linted.said);

    const result = await agneto(repo, run);
    assert.equal(result.status, exit.complete, result.said + requests.slice(0, 3000));
    if (way.step) assert.match(model.calls[0].results.join(), /found x/, result.said);
    assert.doesNotMatch(result.out, /denied/);
    assert.match(requests, way.said);
    const log = JSON.parse((await agneto(repo, ['log', 'last', '--json'])).out.split('\n').find((line) => line.includes('"agent.started"')));
    assert.equal(log.effort, way.settings.match(/effort: (\w+)/)?.[1]);
    repo.pass();
  });
}

test('a CLI is given a server at an address', async (t) => {
  let asked = '';
  const model = await startModelServer({Coder: () => ({reply: 'I looked.'})}, {log: (what) => { asked += `${what}\n`; }});
  t.after(() => model.close());
  for (const name of Object.keys(ways).filter((each) => ways[each].step)) {
    const {env, home} = clis[name](model.url);
    const repo = makeRepo(t, {env, files: flow(`provider: ${name}, mcp: {docs: {url: "${model.url}/mcp/${name}", headers: {X-Team: web}}}`)});
    repo.write(home, {under: repo.home});
    const result = await agneto(repo, run);
    assert.equal(result.status, exit.complete, result.said);
    assert.match(asked, new RegExp(`POST /mcp/${name}`), `${name}: ${asked}`);
    repo.pass();
  }
});

test('what a provider cannot be given is refused by lint and before a run', async (t) => {
  const repo = makeRepo(t, {files: flow('provider: gemini, effort: high')});
  const refused = `.agneto/workflows/look.yaml:5:84: error: agent 'coder' (gemini) cannot be given 'effort': its provider does not pass it on [E458/unusable-setting]
  coder: {hooks: coder.lua, access: read-only, tries: 1, provider: gemini, effort: high}
                                                                                   ^~~~
  help: correct it, leave it out, or choose another provider
`;
  const linted = await agneto(repo, ['lint']);
  assert.equal(linted.out.split('\n\n')[0].replace(/\n*$/, '\n'), refused, linted.said);
  for (const more of [[], ['--dry-run']]) {
    const end = await agneto(repo, [...run, ...more]);
    assert.equal(end.err.replaceAll(`${repo.dir}/`, ''), refused, end.said);
    assert.equal(end.status, exit.usage, end.said);
  }
  // Another provider has other words.
  repo.write({'.agneto/config.yaml': 'workflows: {look: {provider: claude}}\n', 'one.yaml': 'agneto-cassette: 1\ncalls: [{agent: coder, reply: well}]\n'});
  assert.equal((await agneto(repo, ['lint'])).status, 0);
  const played = await agneto(repo, [...run, '--cassette', 'one.yaml']);
  assert.equal(played.status, exit.complete, played.said);
  repo.pass();
});

test('the effort of a call is shown and recorded, and what else it was made with', async (t) => {
  const repo = makeRepo(t, {files: {
    ...flow('provider: command, model: large, effort: high, args: [--fast], env: {TEAM: web}, mcp: {docs: {url: "https://docs.example.com/mcp"}}'),
    '.agneto/config.yaml': 'providers: {command: {argv: [sh, ask.sh]}}\n',
    'ask.sh': 'cat > /dev/null\necho "$1 $AGNETO_MODEL $AGNETO_EFFORT $TEAM $AGNETO_MCP"\n',
  }});
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.complete, result.said);
  assert.match(result.out, /WORKING +coder is at work \(command large, effort high\)/);
  const log = (await agneto(repo, ['log', 'last'])).out;
  assert.match(log, /coder is at work \(command large, effort high\)/);
  assert.match((await agneto(repo, ['show', 'last'])).out, /^agents    command\nmodels    coder: command large, effort high\neffort /m);
  assert.deepEqual(JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out).models,
    [{agent: 'coder', provider: 'command', model: 'large', effort: 'high'}]);
  const full = (await agneto(repo, ['log', 'last', '--full', 'WORKING'])).out;
  assert.match(full, /prompt to WORKING, attempt 1; arguments --fast; variables TEAM; MCP servers docs\n/);
  assert.match(full, /--fast large high web \{"docs":\{"url":"https:\/\/docs\.example\.com\/mcp"\}\}/);
  const dry = await agneto(repo, [...run, '--dry-run']);
  assert.match(dry.out, /asks coder, by command large, effort high, read-only/);
  repo.pass();
});
