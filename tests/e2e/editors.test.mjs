// What editors are given beside the language server: definitions of the hook API for
// lua-language-server, held against what the program gives to hooks and drivers and takes from them,
// and snippets, which are filled in and linted.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const definitions = (name) => read(`scripts/editors/lua/${name}.lua`);
const page = read('docs/editors.md');

// The fields of a class, those of the class that it inherits from with them. Sorted.
function fields(file, name) {
  const text = definitions(file);
  const [, parent, body] = text.match(new RegExp(`^---@class ${name.replaceAll('.', '\\.')}(?:: (\\S+))?\\n((?:---@field .*\\n)*)`, 'm'));
  const own = [...body.matchAll(/^---@field (\w+)\??/gm)].map(([, field]) => field);
  return [...own, ...(parent ? fields(file, parent) : [])].sort();
}

// The functions of a module with their parameters: "section(title, body)". Sorted.
const functions = (text) => [...text.matchAll(/^function \w+\.(\w+\(.*?\))/gm)].map(([, signature]) => signature).sort();

const probe = `
local json = require "json"
local agneto = require "agneto"
local test = require "test"

local function keys(value)
  local names = {}
  for name in pairs(value) do names[#names + 1] = name end
  return names
end

local function at(path)
  local value = _ENV
  for name in path:gmatch("[^.]+") do value = value[name] end
  return value
end

return {
  prompt = function(m)
    local there, workspace = {}, m.workspace  -- which is among the keys from then on
    for _, path in ipairs(m.ctx.paths) do
      local found, value = pcall(at, path)
      if found and value ~= nil then there[#there + 1] = path end
    end
    return json.encode {
      there = there, agneto = keys(agneto), json = keys(json), test = keys(test), call = keys(m),
      run = keys(m.run), workspace = keys(workspace), changes = keys(workspace.chunk),
      verdict = keys(m.verdicts[1]), field = keys(m.verdicts[1].fields[2]),
    }
  end,
}`;

// Agent `told` fails once, since only then there is a last error; `driver` says what its driver is told;
// the drivers of the others return what nobody knows, and are told what is known.
const driver = `
local json = require "json"
local made = {
  command = {strange = 1},
  answer = {answer = {strange = 1}},
  edit = {answer = {edits = {{strange = 1}}}},
  event = {argv = {"echo"}},
}

return {
  command = function(call)
    if made[call.agent] then return made[call.agent] end
    if call.agent == "told" and call.attempt == 1 then return {answer = {error = "not yet"}} end
    local names = {}
    for name in pairs(call) do names[#names + 1] = name end
    return {answer = {text = json.encode {verdict = "OK", said = json.encode(names)}}}
  end,
  event = function() return {strange = 1} end,
}`;

const agents = ['told', 'command', 'answer', 'edit', 'event'];
const stock = {
  _G: ['_G', '_VERSION', 'assert', 'collectgarbage', 'dofile', 'error', 'getmetatable', 'ipairs', 'load', 'loadfile', 'next',
    'pairs', 'pcall', 'print', 'rawequal', 'rawget', 'rawlen', 'rawset', 'require', 'select', 'setmetatable', 'tonumber',
    'tostring', 'type', 'warn', 'xpcall'],
  coroutine: ['close', 'create', 'isyieldable', 'resume', 'running', 'status', 'wrap', 'yield'],
  debug: ['getinfo'],
  io: ['open'],
  math: ['abs', 'acos', 'asin', 'atan', 'ceil', 'cos', 'deg', 'exp', 'floor', 'fmod', 'huge', 'log', 'max', 'maxinteger', 'min',
    'mininteger', 'modf', 'pi', 'rad', 'random', 'randomseed', 'sin', 'sqrt', 'tan', 'tointeger', 'type', 'ult'],
  os: ['time'],
  package: ['path'],
  string: ['byte', 'char', 'dump', 'find', 'format', 'gmatch', 'gsub', 'len', 'lower', 'match', 'pack', 'packsize', 'rep',
    'reverse', 'sub', 'unpack', 'upper'],
  table: ['concat', 'insert', 'move', 'pack', 'remove', 'sort', 'unpack'],
  utf8: ['char', 'charpattern', 'codepoint', 'codes', 'len', 'offset'],
};
const path = (library, name) => (library === '_G' ? name : `${library}.${name}`);
const paths = [...Object.entries(stock).flatMap(([library, names]) => names.map((name) => path(library, name))), 'null'];

async function given(t) {
  const repo = makeRepo(t, {files: {
    '.agneto/scripts/probe.lua': probe,
    '.agneto/scripts/providers/probing.lua': driver,
    '.agneto/workflows/probe.yaml': `agneto: 1
name: probe
context: {paths: ${JSON.stringify(paths)}}
agents:
${agents.map((agent) => `  ${agent}: {hooks: ../scripts/probe.lua, tries: ${agent === 'told' ? 2 : 1}}`).join('\n')}
initial: S0
states:
${agents.map((agent, i) => `  S${i}: {agent: {name: ${agent}, verdicts: {OK: {said: string, where: {type: {fields: {line: integer}, optional: true}, description: Its place}}}}, on: {OK: S${i + 1}, error: S${i + 1}}}`).join('\n')}
  S${agents.length}: {final: true}
`}});
  const run = await agneto(repo, ['run', '-w', 'probe', '--agent', 'probing', '--non-interactive']);
  assert.equal(run.status, exit.complete, run.said);
  const {calls} = JSON.parse((await agneto(repo, ['export', 'last'])).out);
  const told = calls[0].attempts.at(-1);
  const known = Object.fromEntries(calls.slice(1).map((call) => [call.agent, call.data.message.match(/unknown field 'strange'; known fields: (.*)$/)[1].split(', ').sort()]));
  repo.pass();
  return {hooks: JSON.parse(told.prompt.split('\n')[0]), call: JSON.parse(JSON.parse(told.reply.text).said), known};
}

test('the definitions are what hooks and drivers are given', async (t) => {
  const {hooks, call, known} = await given(t);
  for (const [name, found] of [['Call', 'call'], ['Run', 'run'], ['Workspace', 'workspace'], ['Changes', 'changes'], ['Verdict', 'verdict'], ['Field', 'field']]) {
    assert.deepEqual(fields('hooks', `agneto.${name}`), hooks[found].sort(), name);
  }
  for (const module of ['agneto', 'json', 'test']) {
    assert.deepEqual(functions(definitions(module)).map((signature) => signature.match(/^\w+/)[0]), hooks[module].sort(), module);
  }
  for (const module of ['agneto', 'outage', 'test']) assert.deepEqual(functions(definitions(module)), functions(read(`scripts/lib/${module}.lua`)), module);
  assert.deepEqual(fields('drivers', 'agneto.DriverCall'), call.sort());
  for (const [name, found] of [['DriverCommand', 'command'], ['DriverAnswer', 'answer'], ['DriverEdit', 'edit'], ['DriverEvent', 'event']]) {
    assert.deepEqual(fields('drivers', `agneto.${name}`), known[found], name);
  }

  // Libraries that are not there are switched off on the page, and of the others it says what is not.
  const settings = JSON.parse(page.match(/```json\n(\{\n {2}"runtime\.version"[^]*?)```/)[1]);
  const off = Object.keys(settings['runtime.builtin']);
  const defined = [...definitions('hooks').matchAll(/^(?:function )?(\w+)(?:\(| = )/gm)].map(([, name]) => name);
  const there = new Set(hooks.there);
  for (const library of Object.keys(stock)) {
    const some = stock[library].some((name) => there.has(path(library, name)));
    assert.equal(off.includes(library), !some, library);
  }
  assert.deepEqual(defined.filter((name) => !there.has(name)), []);
  assert.deepEqual(['null', 'require'].filter((name) => !defined.includes(name)), []);
  const missing = paths.filter((one) => !there.has(one) && !off.includes(one.split('.')[0]));
  const [, said] = page.match(/there is no ([^]*?) in a hook/);
  assert.deepEqual([...said.matchAll(/`(.*?)`/g)].map(([, name]) => name), missing);
});

// As an editor inserts it: the defaults, the first of each choice.
const filled = (snippet) => snippet.body.join('\n')
  .replace(/\$\{\d+\|(.*?)\|\}/g, (all, choices) => choices.match(/^(?:\\.|[^,\\])*/)[0])
  .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, '$1')
  .replace(/\$\d/g, '')
  .replace(/\\([$}\\])/g, '$1');

const around = (name, state) => `agneto: 1
name: around
inputs: {task: {type: string, main: true}}
context: {note: "", tries: 0, items: {type: "[string]", default: [a, b]}}
agents: {worker: {hooks: ../scripts/worker.lua, access: edit}}
initial: ${name}
states:
${state.replace(/^(?=.)/gm, '  ')}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
outputs: {note: ctx.note, tries: ctx.tries, items: ctx.items, task: inputs.task}
`;

test('each snippet is right as it is inserted', async (t) => {
  const snippets = Object.values(JSON.parse(read('scripts/editors/agneto.code-snippets')));
  const named = Object.fromEntries(snippets.map((snippet) => [snippet.prefix, filled(snippet)]));
  assert.equal(Object.keys(named).length, snippets.length);
  const {'agneto-workflow': workflow, 'agneto-test': tests, ...states} = named;
  const worker = 'return {prompt = function(m) return m.inputs.task end}\n';
  const inner = 'agneto: 1\nname: inner\ninputs: {task: string}\ninitial: A\nstates:\n  A: {run: {argv: [echo, "{{inputs.task}}"]}, on: {ok: DONE, failed: FAILED, error: FAILED}}\n  DONE: {final: true}\n  FAILED: {final: true, status: failed}\n';
  const repo = makeRepo(t, {git: false, files: {
    '.agneto/config.yaml': 'lint: {rules: {unused-agent: off, unreachable-state: off, uncommitted-merge: off, empty-commit: off, never-assigned: off}}\n',  // of what is around them
    'scripts/worker.lua': worker,
    'workflows/my-workflow.yaml': workflow,
    'workflows/my-workflow.test.yaml': tests,
    'workflows/inner.yaml': inner,
    ...Object.fromEntries(Object.entries(states).map(([prefix, state]) => [`workflows/${prefix}.yaml`, around(state.match(/^\w+/)[0], state)]))}});
  const lint = await agneto(repo, ['lint', 'workflows']);
  assert.equal(lint.out, '', lint.said);
  assert.equal(lint.status, exit.complete, lint.said);
  const played = await agneto(repo, ['test', 'workflows']);
  assert.match(played.out, /\n1 passed\n$/);
  for (const prefix of Object.keys(named)) assert.ok(page.includes('`' + prefix + '`'), `docs/editors.md says nothing of ${prefix}`);
  repo.pass();
});
