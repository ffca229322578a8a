// What an agent may use besides what its access allows: `tools` of the configuration, and what is told
// of a tool that was denied or failed. With the real CLIs, a scripted model and an MCP server.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {clis} from './lib/clis.mjs';
import {startModelServer} from './lib/model-server.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const flow = {
  '.agneto/workflows/look.yaml': `agneto: 1
name: look
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: read-only, tries: 1}}
initial: WORKING
states:
  WORKING: {agent: coder, on: {done: DONE, error: GIVEN_UP}}
  DONE: {final: true}
  GIVEN_UP: {final: true, status: failed}
`,
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "You are the Coder.\\n" .. m.inputs.task end}\n',
};
const run = ['run', 'look it up', '-w', 'look', '--non-interactive'];
const server = join(root, 'tests/e2e/fixtures/mcp-server.mjs');
const advice = "see 'tools' in .agneto/config.yaml";

// How each CLI is given an MCP server, by files of the home folder and of the repository; what the
// model calls that server's tool, what `tools` calls it, and all of that server's.
const json = (value) => JSON.stringify(value);
const stdio = {command: 'node', args: [server]};
const ways = {
  claude: {
    repository: {'.mcp.json': json({mcpServers: {lab: stdio}})},
    home: {'.claude/settings.json': json({enableAllProjectMcpServers: true})},
    step: {tool: 'mcp__lab__look', input: {what: 'x'}}, name: 'mcp__lab__look', all: 'mcp__lab__*',
  },
  codex: {
    append: {'.codex/config.toml': `\n[mcp_servers.lab]\ncommand = "node"\nargs = [${json(server)}]\n`},
    step: {tool: 'exec', input: "text(JSON.stringify(await tools.mcp__lab__look({what: 'x'})))"},
    name: 'mcp__lab__look', all: 'mcp__lab__*',
  },
  gemini: {
    settings: {'.gemini/settings.json': {mcpServers: {lab: stdio}}},
    step: {tool: 'mcp_lab_look', input: {what: 'x'}}, name: 'mcp_lab_look', all: 'mcp_lab_*',
  },
  opencode: {
    repository: {'opencode.json': json({mcp: {lab: {type: 'local', command: ['node', server], enabled: true}}, permission: {'lab_*': 'deny'}})},
    step: {tool: 'lab_look', input: {what: 'x'}}, name: 'lab_look', all: 'lab_*',
  },
};

async function repoWith(t, name, {step = ways[name].step, config = ''} = {}) {
  const way = ways[name];
  const model = await startModelServer({Coder: () => ({do: [step], reply: 'I looked.'})});
  t.after(() => model.close());
  const {env, home} = clis[name](model.url);
  for (const [file, text] of Object.entries(way.append ?? {})) home[file] += text;
  for (const [file, more] of Object.entries(way.settings ?? {})) home[file] = json({...JSON.parse(home[file]), ...more});
  const repo = makeRepo(t, {env, files: {...flow, ...way.repository, '.agneto/config.yaml': `provider: ${name}\n${config}`}});
  repo.write({...home, ...way.home}, {under: repo.home});
  return {repo, model};
}

for (const [name, way] of Object.entries(ways)) {
  test(`${name}: a tool of an MCP server is denied, and that is told`, async (t) => {
    const {repo, model} = await repoWith(t, name);
    const result = await agneto(repo, run);
    assert.equal(result.status, exit.complete, result.said);
    assert.doesNotMatch(model.calls[0].results.join(), /found x/);
    assert.match(result.out, new RegExp(`WORKING .*denied: ${way.name} \\(${advice}\\)`), result.said);
    assert.match((await agneto(repo, ['log', 'last'])).out, new RegExp(`denied: ${way.name} \\(${advice}\\)`));
    assert.match((await agneto(repo, ['show', 'last'])).out, new RegExp(`^denied    coder: ${way.name}\n          ${advice}$`, 'm'));
    const shown = JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out);
    assert.deepEqual(shown.denied, [{agent: 'coder', tool: way.name, times: 1}]);
    repo.pass();
  });

  for (const given of [way.name, way.all]) {
    test(`${name}: 'tools: ["${given}"]' allows it`, async (t) => {
      const {repo, model} = await repoWith(t, name, {config: `tools: ["${given}"]\n`});
      const result = await agneto(repo, run);
      assert.equal(result.status, exit.complete, result.said);
      assert.match(model.calls[0].results.join(), /found x/, result.said);
      assert.doesNotMatch(result.out, /denied/);
      repo.pass();
    });
  }
}

test('a tool that its provider cannot give is refused before the run begins', async (t) => {
  const {repo} = await repoWith(t, 'codex', {config: 'agents: {coder: {tools: [WebFetch]}}\n'});
  const refused = `.agneto/config.yaml:2:25: error: agent 'coder' (codex) cannot be given the tool 'WebFetch': it is not web_search, mcp__SERVER__TOOL or mcp__SERVER__* [E458/unusable-setting]
agents: {coder: {tools: [WebFetch]}}
                        ^~~~~~~~~~
  help: correct it, leave it out, or choose another provider
`;
  for (const more of [[], ['--dry-run']]) {
    const result = await agneto(repo, [...run, ...more]);
    assert.deepEqual([result.err.replace(`${repo.dir}/`, ''), result.status], [refused, exit.usage], result.said);
  }
  // They are no names of another provider's.
  repo.write({'empty.yaml': 'agneto-cassette: 1\ncalls: [{agent: coder, reply: well}]\n'});
  const other = await agneto(repo, [...run, '--cassette', 'empty.yaml']);
  assert.equal(other.status, exit.complete, other.said);
  repo.pass();
});

test('tools that were denied or failed are told once an attempt, and counted', async (t) => {
  const repo = makeRepo(t, {files: flow});
  repo.write({
    'cassette.yaml': `agneto-cassette: 1
calls:
  - agent: coder
    reply: I looked.
    output:
      - {tool: WebFetch}
      - {tool_denied: WebFetch}
      - {tool_denied: WebFetch}
      - {tool_denied: WebSearch}
      - {tool_failed: "edit: greet"}
`});
  const result = await agneto(repo, [...run, '--cassette', 'cassette.yaml']);
  assert.equal(result.status, exit.complete, result.said);
  assert.equal(result.out.match(/denied: WebFetch/g).length, 1, result.said);
  assert.match(result.out, /WORKING +failed: edit: greet\n/);
  const {out} = await agneto(repo, ['show', 'last']);
  assert.match(out, new RegExp(`^denied    coder: WebFetch \\(2 times\\), WebSearch\n          ${advice}\nfailed    coder: edit: greet\n`, 'm'));
  repo.pass();
});

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test('Claude Code keeps its commands in a sandbox where the recipe of the page is followed', {skip: !(has('bwrap') && has('socat')) && 'needs bubblewrap and socat'}, async (t) => {
  const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');
  const recipe = page.match(/^### Claude Code in a sandbox$[^]*?^```yaml\n([^]*?)^```$/m)[1];
  const {repo, model} = await repoWith(t, 'claude', {config: recipe, step: {
    tool: 'Bash', input: {command: 'echo in > inside; echo out > "$HOME/outside"; cat inside', description: 'scripted', dangerouslyDisableSandbox: true}}});
  repo.write({'.agneto/workflows/look.yaml': flow['.agneto/workflows/look.yaml'].replace('read-only', 'edit')});
  repo.commit('Edit');
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.complete, result.said);
  assert.match(model.calls[0].results.join(), /outside[^]*\nin$/, result.said);
  assert.equal(existsSync(join(repo.home, 'outside')), false);
  repo.pass();
});

// Codex says in its last words what it likes.
test('an edit that Codex could not write is told', async (t) => {
  const {repo} = await repoWith(t, 'codex', {step: {
    tool: 'exec',
    input: 'text(await tools.apply_patch("*** Begin Patch\\n*** Add File: greet/x\\n+hello\\n*** End Patch\\n"))'}});
  repo.write({greet: 'echo hello\n', '.agneto/workflows/look.yaml': flow['.agneto/workflows/look.yaml'].replace('read-only', 'edit')});
  repo.commit('A file where the patch wants a folder');
  const result = await agneto(repo, run);
  assert.match(result.out, /failed: edit: \S*greet\/x/, result.said);
  repo.pass();
});

test('an agent that may only read runs the tests that it is given, and what they write is undone', async (t) => {
  const {repo, model} = await repoWith(t, 'claude', {
    config: 'agents: {coder: {tools: ["Bash(sh test.sh)"]}}\n',
    step: {tool: 'Bash', input: {command: 'sh test.sh', description: 'scripted'}}});
  repo.write({'test.sh': 'echo left > left.txt\necho passed\n'});
  repo.commit('A test that leaves something behind');
  const result = await agneto(repo, run);
  assert.equal(result.status, exit.complete, result.said);
  assert.match(model.calls[0].results.join(), /passed/, result.said);
  assert.match(result.out, /coder may only read, but changed files: undone/);
  assert.equal(repo.sh('find .agneto -name left.txt'), '');
  repo.pass();
});
