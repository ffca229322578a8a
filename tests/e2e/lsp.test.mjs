// The language server, driven by the protocol's own client library.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {test} from 'node:test';

import {agneto, exit, program} from './lib/agneto.mjs';
import {Editor, protocol} from './lib/editor.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const files = {
  '.agneto/workflows/flow.yaml': `agneto: 1
name: flow
agents:
  coder: {hooks: ../scripts/coder.lua}
initial: CODING
states:
  CODING:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: DELIVERING, error: FAILED}
  DELIVERING:
    machine: deliver.yaml
    on: {SENT: DONE, error: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  '.agneto/workflows/deliver.yaml': 'agneto: 1\nname: deliver\ninitial: SENT\nstates:\n  SENT: {final: true}\n',
  '.agneto/scripts/coder.lua': 'return {prompt = function(m) return "Do it" end}\n',
};
const flow = '.agneto/workflows/flow.yaml';
const deliver = '.agneto/workflows/deliver.yaml';
const hooks = '.agneto/scripts/coder.lua';

test('diagnostics follow what is typed, in every file that it concerns', async (t) => {
  const repo = makeRepo(t, {files});
  const editor = await Editor.start(repo);
  assert.equal(editor.server.serverInfo.name, 'agneto');
  await editor.open(flow);
  await editor.open(hooks);
  await editor.shows(flow, []);

  await editor.edit(flow, 'OK: DELIVERING', 'OK: DELIVERIN');
  const [found] = await editor.shows(flow, ['E203/undefined-target']);
  assert.equal(found.message, "there is no state 'DELIVERIN'\nhelp: did you mean 'DELIVERING'?");
  assert.deepEqual(found.range, {start: {line: 8, character: 13}, end: {line: 8, character: 22}});
  assert.ok(existsSync(fileURLToPath(found.codeDescription.href)), found.codeDescription.href);
  await editor.edit(flow, 'OK: DELIVERIN', 'OK: DELIVERING');
  await editor.shows(flow, []);

  await editor.edit(hooks, 'prompt', 'promt');
  await editor.shows(hooks, []);
  const [unusable] = await editor.shows(flow, ['E415/hooks']);
  assert.match(unusable.message, /prompt/);
  await editor.edit(hooks, 'promt', 'prompt');
  await editor.shows(flow, []);

  await editor.open(deliver);
  await editor.edit(deliver, 'initial: SENT', 'initial: DONE');
  await editor.edit(deliver, '  SENT:', '  DONE:');
  await editor.shows(deliver, []);
  await editor.shows(flow, ['W413/untaken-outcome']);
  assert.equal(await editor.end(), 0);
  repo.pass();
});

test("a team's own rules are told as they are typed", async (t) => {
  const rule = '.agneto/lint/names.lua';
  const repo = makeRepo(t, {files: {...files, [rule]: `return {
  id = "TEAM-1", summary = "a name of which nobody knows what it means",
  check = function(workflow, report)
    for _, agent in ipairs(workflow.agents) do
      if agent.name == "coder" then report(agent, "who is that?") end
    end
  end,
}
`}});
  const editor = await Editor.start(repo);
  await editor.open(flow);
  const [found] = await editor.shows(flow, ['TEAM-1/names']);
  assert.equal(found.message, 'who is that?');
  assert.deepEqual(found.range.start, {line: 3, character: 2});
  await editor.open(rule);
  await editor.edit(rule, 'agent.name == "coder"', 'agent.nmae.first == "coder"');
  const [wrong] = await editor.shows(rule, ['E135/team-rule']);
  assert.match(wrong.message, /^attempt to index a nil value \(field 'nmae'\)/);
  await editor.edit(rule, 'agent.nmae.first == "coder"', 'agent.name == "reviewer"');
  await editor.shows(rule, []);
  await editor.shows(flow, []);
  assert.equal(await editor.end(), 0);
  repo.pass();
});

test('a package that was changed and a link that leads out are told in an editor, and by lint --fix', async (t) => {
  const repo = makeRepo(t, {files});
  repo.write({'kit/package.yaml': 'agneto: 1\ndescription: Delivering\n', 'kit/deliver.yaml': repo.read(deliver)});
  repo.commit('A package');
  const added = await agneto(repo, ['add', './/kit@main']);
  assert.equal(added.status, exit.complete, added.said);
  repo.write({[flow]: repo.read(flow).replace('machine: deliver.yaml', 'machine: kit/deliver.yaml')});
  const shown = async (rules) => {
    const editor = await Editor.start(repo);
    await editor.open(flow);
    await editor.shows(flow, rules);
    await editor.end();
    const fixed = await agneto(repo, ['lint', '--fix', flow]);
    assert.deepEqual([...fixed.out.matchAll(/error: .* \[(\S+)\]/g)].map(([, rule]) => rule), rules, fixed.said);
  };
  await shown([]);
  repo.write({'.agneto/packages/kit/deliver.yaml': repo.read(deliver).replace('SENT', 'GONE')});
  await shown(['E614/package']);
  repo.write({[flow]: repo.read(flow).replace('machine: kit/deliver.yaml', 'machine: link.yaml'), 'outside.yaml': repo.read(deliver)});
  symlinkSync('../../outside.yaml', join(repo.dir, '.agneto/workflows/link.yaml'));
  await shown(['E602/outside-root']);
  repo.pass();
});

test('hover, definition, references and symbols', async (t) => {
  const repo = makeRepo(t, {files});
  const editor = await Editor.start(repo);
  await editor.open(flow);
  await editor.shows(flow, []);
  const {HoverRequest, DefinitionRequest, ReferencesRequest, DocumentSymbolRequest} = protocol;
  const ask = (request, params) => editor.connection.sendRequest(request.type, params);

  const hover = await ask(HoverRequest, editor.at(flow, 'OK: DELIVERING', 5));
  assert.equal(hover.contents.value, '**DELIVERING**: atomic state, delegates to `deliver.yaml`\n\nReached from:\n- line 9: `CODING` on `OK`');
  const [state] = await ask(DefinitionRequest, editor.at(flow, 'OK: DELIVERING', 5));
  assert.deepEqual(state, {uri: editor.uri(flow), range: {start: {line: 9, character: 2}, end: {line: 9, character: 12}}});
  const [machine] = await ask(DefinitionRequest, editor.at(flow, 'deliver.yaml', 1));
  assert.equal(machine.uri, editor.uri(deliver));
  const [hook] = await ask(DefinitionRequest, editor.at(flow, 'coder.lua', 1));
  assert.deepEqual(hook, {uri: editor.uri(hooks), range: {start: {line: 0, character: 8}, end: {line: 0, character: 14}}});
  const found = await ask(ReferencesRequest, {...editor.at(flow, '  FAILED', 3), context: {includeDeclaration: false}});
  assert.deepEqual(found.map(({range}) => range.start.line), [8, 11]);
  const symbols = await ask(DocumentSymbolRequest, {textDocument: {uri: editor.uri(flow)}});
  assert.deepEqual(symbols.map(({name}) => name), ['coder', 'CODING', 'DELIVERING', 'DONE', 'FAILED']);
  assert.equal(await editor.end(), 0);
  repo.pass();
});

test('completion in a line that is half typed', async (t) => {
  const repo = makeRepo(t, {files});
  const editor = await Editor.start(repo);
  await editor.open(flow);
  await editor.shows(flow, []);
  const {CompletionRequest} = protocol;
  const labels = async (...where) =>
    (await editor.connection.sendRequest(CompletionRequest.type, editor.at(flow, ...where))).map(({label}) => label);
  await editor.edit(flow, 'OK: DELIVERING, error: FAILED}', 'OK: {target: ');
  assert.deepEqual(await labels('OK: {target: ', 13), ['CODING', 'DELIVERING', 'DONE', 'FAILED']);
  await editor.edit(flow, 'OK: {target: ', 'OK: DELIVERING, e');
  assert.ok((await labels('OK: DELIVERING, e', 17)).includes('error'));
  await editor.edit(flow, 'initial: CODING', 'initial: CODING\ndes');
  const items = await editor.connection.sendRequest(CompletionRequest.type, editor.at(flow, '\ndes', 4));
  const item = items.find(({label}) => label === 'description');
  assert.deepEqual(item.textEdit, {range: {start: {line: 5, character: 0}, end: {line: 5, character: 3}}, newText: 'description: '});
  assert.equal(await editor.end(), 0);
  repo.pass();
});

test('a final state is renamed in its machine and in the one that delegates to it', async (t) => {
  const repo = makeRepo(t, {files});
  const editor = await Editor.start(repo);
  await editor.open(deliver);
  await editor.shows(deliver, []);
  const {PrepareRenameRequest, RenameRequest} = protocol;
  const where = editor.at(deliver, 'initial: SENT', 10);
  const ready = await editor.connection.sendRequest(PrepareRenameRequest.type, where);
  assert.equal(ready.placeholder, 'SENT');
  let edit;
  while (!edit) {
    edit = await editor.connection.sendRequest(RenameRequest.type, {...where, newName: 'GONE'})
      .catch((error) => assert.match(error.message, /still being looked for; try again in a moment$/));
  }
  const at = (line, from, to) => ({range: {start: {line, character: from}, end: {line, character: to}}, newText: 'GONE'});
  assert.deepEqual(edit.changes, {
    [editor.uri(deliver)]: [at(2, 9, 13), at(4, 2, 6)],
    [editor.uri(flow)]: [at(11, 9, 13)],
  });
  await assert.rejects(editor.connection.sendRequest(RenameRequest.type, {...where, newName: '1st'}),
    {message: "'1st' is no state's name: write letters, digits, '_' and '-', not first a digit or '-'"});
  assert.equal(await editor.end(), 0);
  repo.pass();
});

test('the bundled workflow has nothing to show, and a client that leaves takes the server with it', async (t) => {
  const repo = makeRepo(t, {files: {
    'workflows/agneto.yaml': readFileSync(`${root}/workflows/agneto.yaml`, 'utf8'),
    'workflows/execution.yaml': readFileSync(`${root}/workflows/execution.yaml`, 'utf8'),
    ...Object.fromEntries(['bean_counter', 'coder', 'curmudgeon', 'planner', 'prompts', 'refiner', 'reviewer', 'super_reviewer']
      .map((name) => [`scripts/${name}.lua`, readFileSync(`${root}/scripts/${name}.lua`, 'utf8')])),
  }});
  const editor = await Editor.start(repo);
  await editor.open('workflows/agneto.yaml');
  await editor.open('scripts/prompts.lua');
  await editor.shows('workflows/agneto.yaml', []);
  await editor.shows('scripts/prompts.lua', []);
  editor.child.stdin.end();
  assert.equal(await editor.ended, 1);
  repo.pass();
});

// Neovim before 0.8 has the same under other names.
const shim = `
vim.fs = vim.fs or {
  find = function() return {vim.fn.getcwd() .. "/.git"} end,
  dirname = function(path) return vim.fn.fnamemodify(path, ":h") end,
}
vim.lsp.start = vim.lsp.start or function(config)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
`;

// Says what it shows, and again after a line was edited and not saved.
const script = `
local function shown()
  local lines = {}
  for _, found in ipairs(vim.diagnostic.get(0)) do
    lines[#lines + 1] = found.lnum .. ":" .. found.col .. " " .. found.message:gsub("\\n.*", "")
  end
  return table.concat(lines, "; ")
end
local function say(waited) io.stdout:write(waited and shown() or "nothing came", "\\n") end
say(vim.wait(60000, function() return shown() ~= "" end))
vim.api.nvim_buf_set_lines(0, 8, 9, true, {"    on: {OK: DELIVERIN, error: FAILED}"})
say(vim.wait(60000, function() return shown():find("DELIVERIN'", 1, true) end))
vim.cmd("qall!")
`;

test('Neovim, set up as the page on editors says', async (t) => {
  const repo = makeRepo(t, {files: {...files, [flow]: files[flow].replace('OK: DELIVERING', 'OK: "\u{1F600}ä", NO: DON')}});
  const page = readFileSync(`${root}/docs/editors.md`, 'utf8');
  const [, init] = page.match(/```lua\n([^]*?)```/);
  repo.write({'init.lua': shim + init.replace('{"agneto", "lsp"}', `{"${program}", "lsp"}`), 'script.lua': script});
  const {status, stdout, stderr} = spawnSync('nvim', ['--headless', '-n', '-u', 'init.lua', '-c', 'luafile script.lua', flow], {
    cwd: repo.dir, env: repo.env, encoding: 'utf8', timeout: 180_000,
  });
  assert.equal(stdout, "8:13 there is no state '\u{1F600}ä'; 8:27 there is no state 'DON'\n8:13 there is no state 'DELIVERIN'\n", stderr);
  assert.equal(status, 0, stderr);
  repo.pass();
});
