// `agneto mcp` with the client of the protocol's own SDK, and what stands in docs/mcp.md.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';

import {agneto, exit, program} from './lib/agneto.mjs';
import {clis} from './lib/clis.mjs';
import {startModelServer} from './lib/model-server.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {serve, token, until} from './lib/served.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const {Client} = require('@modelcontextprotocol/sdk/client/index.js');
const {StreamableHTTPClientTransport} = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const {StdioClientTransport} = require('@modelcontextprotocol/sdk/client/stdio.js');

const workflow = {
  '.agneto/workflows/gate.yaml': `agneto: 1
name: gate
description: Writes a line, and asks
inputs:
  task: {type: string, main: true, description: What is written}
  times: {type: integer, default: 1, minimum: 1, description: How often}
initial: WRITING
on: {hurry: COMMITTING}
states:
  WRITING:
    run: {shell: 'for i in $(seq "$TIMES"); do echo "$WORDS" >> words.txt; done', env: {WORDS: inputs.task, TIMES: inputs.times}}
    on: {ok: GATE, failed: FAILED}
  GATE:
    ask: {question: "Is that what you want?", show: inputs.task, options: {YES: Take it, NO: {label: Again, feedback: required}}}
    on: {YES: COMMITTING, NO: WRITING}
  COMMITTING:
    workspace: {commit: {message: "Write it down"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`,
};

// A client in the repository; what its server prints besides the protocol is an error of the client.
const connect = (t, repo) => connected(t, new StdioClientTransport({command: program, args: ['mcp'], cwd: repo.dir, env: repo.env, stderr: 'inherit'}));

// A client of the server that listens at that URL.
const connectTo = (t, url, bearer) =>
  connected(t, new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers: {authorization: `Bearer ${bearer}`}}}));

async function connected(t, transport) {
  const client = new Client({name: 'tester', version: '1'});
  const errors = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  t.after(() => client.close());
  const call = async (name, args = {}) => {
    const result = await client.callTool({name, arguments: args});
    assert.ok(!result.isError, `${name}: ${result.content[0]?.text}`);
    return result.structuredContent;
  };
  const refused = async (name, args = {}) => {
    const result = await client.callTool({name, arguments: args});
    assert.ok(result.isError, `${name}: ${JSON.stringify(result)}`);
    return result.content[0].text;
  };
  return {client, call, refused, errors};
}

// A server that listens, and where its MCP is.
async function listening(t, repo) {
  const [, url] = await serve(t, repo, ['--listen', '127.0.0.1:0']).says(/^API: (http:\/\/127\.0\.0\.1:\d+)\/api\/v1\/\n/);
  return `${url}/mcp`;
}

test('a client queues a run, sees its question, answers it, and reads what it changed', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const {client, call, refused, errors} = await connect(t, repo);
  assert.equal(client.getServerVersion().name, 'agneto');
  const {tools} = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.ok(names.includes('run_agneto') && names.includes('run_gate'), names.join());
  assert.deepEqual(tools.find((tool) => tool.name === 'run_gate').inputSchema.properties.inputs.properties.times,
    {type: 'integer', default: 1, minimum: 1, description: 'How often'});
  assert.deepEqual(await call('list_runs'), {runs: [], change: 0});

  assert.match(await refused('run_gate', {task: 'say hello', inputs: {times: 'often'}}), /^input 'times' must be integer, not 'often'\n/);
  const {run, status, served} = await call('run_gate', {task: 'say hello', inputs: {times: 2}});
  assert.deepEqual([status, served], ['queued', false]);
  await serve(t, repo).says(/^serving /);

  const shown = await until(async () => {
    const now = await call('show_run', {run});
    return now.status === 'parked' && now.waits_for === 'person' && now;
  });
  const [question] = shown.questions;
  assert.deepEqual([question.id, question.question, question.show, question.options.map((option) => option.name)],
    ['GATE#1', 'Is that what you want?', 'say hello', ['YES', 'NO']]);
  assert.deepEqual((await call('list_runs', {status: ['waiting']})).runs.map((each) => each.run), [run]);

  assert.equal(await refused('answer_question', {run, option: 'MAYBE'}), "that does not answer GATE#1: 'MAYBE' is not offered; choose one of YES, NO");
  assert.match(await refused('answer_question', {run, option: 'NO'}), /^that does not answer GATE#1: /);
  assert.equal((await call('answer_question', {run, question: 'GATE#1', option: 'YES'})).run, run);
  const done = await until(async () => {
    const now = await call('show_run', {run});
    return now.status === 'complete' && now;
  });
  assert.equal(done.outcome, 'FINISHED');
  assert.match(await refused('abort_run', {run}), /has ended: complete \(FINISHED\)\n'agneto show /);

  const {diff} = await call('read_diff', {run});
  assert.match(diff, /^diff --git a\/words\.txt b\/words\.txt\n[^]*\n\+say hello\n\+say hello\n$/);
  const {events} = await call('read_log', {run});
  const told = (await agneto(repo, ['log', run, '--json'])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(events, told);
  assert.match(JSON.stringify(events), /"[^"]+ \(tester\)"/, 'it is recorded who has answered through whom');

  const {resources} = await client.listResources();
  assert.deepEqual(resources.map((resource) => resource.uri), [`agneto://runs/${run}/log`, `agneto://runs/${run}/diff`]);
  const read = async (uri) => (await client.readResource({uri})).contents[0].text;
  assert.equal(await read(`agneto://runs/${run}/diff`), diff);
  assert.deepEqual((await read(`agneto://runs/${run}/log`)).trim().split('\n').map((line) => JSON.parse(line)), events);
  assert.deepEqual((await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate),
    ['agneto://runs/{run}/log', 'agneto://runs/{run}/diff']);
  await assert.rejects(client.readResource({uri: 'agneto://runs/none/log'}), {code: -32002});
  await assert.rejects(client.callTool({name: 'none'}), {code: -32602});
  assert.deepEqual(errors, []);
  repo.pass();
});

test('runs are suspended, resumed, sent events and aborted', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const {call} = await connect(t, repo);
  await serve(t, repo).says(/^serving /);
  const begin = async () => {
    const {run} = await call('run_gate', {task: 'say hello'});
    await until(async () => (await call('show_run', {run})).status === 'parked');
    return run;
  };
  const run = await begin();
  assert.equal((await call('suspend_run', {run})).status, 'suspended');
  await call('resume_run', {run});
  await until(async () => (await call('show_run', {run})).status === 'parked');
  await call('send_event', {run, name: 'hurry', data: {why: 'it is late'}});
  await until(async () => (await call('show_run', {run})).status === 'complete');
  const other = await begin();
  assert.equal((await call('abort_run', {run: other})).status, 'aborted');
  repo.pass();
});

test('over the network a token says what a client may do, and whose it is is recorded', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const [ben, ada, eve] = [await token(repo, 'Ben', 'answer'), await token(repo, 'Ada', 'admin'), await token(repo, 'Eve', 'read')];
  const url = await listening(t, repo);
  const admin = await connectTo(t, url, ada);
  const {run} = await admin.call('run_gate', {task: 'say hello'});
  await until(async () => (await admin.call('show_run', {run})).waits_for === 'person');

  const names = async ({client}) => (await client.listTools()).tools.map((tool) => tool.name);
  const looks = ['list_runs', 'show_run', 'read_log', 'read_diff'];
  const reader = await connectTo(t, url, eve);
  assert.deepEqual(await names(reader), looks);
  assert.equal(await reader.refused('answer_question', {run, option: 'YES'}), "the token 'Eve' is for 'read', and this needs 'answer'");
  assert.equal(await reader.refused('run_gate', {task: 'more'}), "the token 'Eve' is for 'read', and this needs 'submit'");
  const answers = await connectTo(t, url, ben);
  assert.deepEqual(await names(answers), [...looks, 'answer_question', 'send_event']);
  assert.equal(await answers.refused('abort_run', {run}), "the token 'Ben' is for 'answer', and this needs 'admin'");

  await answers.call('answer_question', {run, option: 'YES'});
  await until(async () => (await admin.call('show_run', {run})).status === 'complete');
  assert.match(JSON.stringify(await admin.call('read_log', {run})), /"Ben \(mcp\)"/);
  const uri = `agneto://runs/${run}/diff`;
  assert.match((await reader.client.readResource({uri})).contents[0].text, /^\+say hello$/m);
  assert.deepEqual([admin, answers, reader].flatMap(({errors}) => errors), []);
  repo.pass();
});

test('over the network what is no message, or from nobody known, is refused', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const bearer = await token(repo, 'Ada');
  const url = await listening(t, repo);
  const ask = async (body, {method = 'POST', headers = {}} = {}) => {
    const response = await fetch(url, {method, body, headers: {authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers}});
    const text = await response.text();
    return [response.status, text && JSON.parse(text)];
  };
  const wrong = (code, message) => ({jsonrpc: '2.0', id: null, error: {code, message}});
  const ping = line(1, 'ping');
  const pong = {jsonrpc: '2.0', id: 1, result: {}};
  assert.deepEqual(await ask(ping), [200, pong]);
  assert.deepEqual(await ask(JSON.stringify({jsonrpc: '2.0', method: 'notifications/initialized'})), [202, '']);
  assert.deepEqual(await ask('{"broken'), [400, wrong(-32700, 'the line is not JSON')]);
  assert.deepEqual(await ask(`[${ping},${ping}]`), [200, [pong, pong]], 'as clients of older versions may');
  assert.deepEqual(await ask(`[${Array(21).fill(ping).join()}]`), [400, wrong(-32600, '21 messages are too many at once: send at most 20')]);
  assert.equal((await ask(`[${ping}]`, {headers: {'mcp-protocol-version': '2025-06-18'}}))[0], 400);
  assert.deepEqual(await ask(ping, {headers: {'mcp-protocol-version': '1999-01-01'}}),
    [400, wrong(-32600, "this server does not speak version '1999-01-01' of the protocol")]);
  assert.equal((await ask(undefined, {method: 'GET'}))[0], 405);
  assert.equal((await ask(ping, {headers: {authorization: 'Bearer agneto_none'}}))[0], 401);
  assert.deepEqual(await ask(ping, {headers: {origin: 'https://evil.example'}}),
    [403, {title: 'this is for programs, and for no page of another server', status: 403}]);
  assert.deepEqual(await ask(ping, {headers: {origin: new URL(url).origin}}), [200, pong]);
  repo.pass();
});

const line = (id, method, params) => JSON.stringify({jsonrpc: '2.0', id, method, params});

test('it ends with its input, and nothing but answers is on standard output', async (t) => {
  const repo = makeRepo(t, {git: false, files: null});
  const ended = await agneto(repo, ['mcp'], {input: `{"broken\n${line(1, 'ping')}\n${line(2, 'resources/list')}\n\n${line(3, 'no/such')}`});
  assert.equal(ended.status, exit.complete, ended.said);
  assert.equal(ended.err, '');
  assert.deepEqual(ended.out.trim().split('\n').map((each) => JSON.parse(each)), [
    {jsonrpc: '2.0', id: null, error: {code: -32700, message: 'the line is not JSON'}},
    {jsonrpc: '2.0', id: 1, result: {}},
    {jsonrpc: '2.0', id: 2, result: {resources: []}},
    {jsonrpc: '2.0', id: 3, error: {code: -32601, message: "there is no method 'no/such'"}},
  ]);
  assert.ok(!repo.has('.agneto/runs.db'), 'who only looks makes no journal');
  repo.pass();
});

test('what a run starts looks at runs, and steers none', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow, '.agneto/workflows/sly.yaml': `agneto: 1
name: sly
initial: TRYING
states:
  TRYING:
    run: {shell: '"$AGNETO" mcp < "$CALLS"'}
    on: {ok: {target: DONE, do: 'ctx.said = event.output'}, failed: DONE}
  DONE: {final: true}
context: {said: ""}
outputs: {said: ctx.said}
`}});
  const queued = await agneto(repo, ['submit', 'say hello', '-w', 'gate', '--json']);
  const {run} = JSON.parse(queued.out);
  const call = (id, name, args) => line(id, 'tools/call', {name, arguments: args});
  const calls = ['answer_question', 'send_event', 'suspend_run', 'resume_run', 'abort_run'].map((name, i) => call(i, name, {run, name: name === 'send_event' ? 'hurry' : undefined}));
  repo.write({'calls.jsonl': [...calls, call(8, 'run_gate', {task: 'more'}), call(9, 'show_run', {run})].join('\n')});
  const tried = await agneto(repo, ['run', '-w', 'sly', '--json'], {env: {AGNETO: program, CALLS: join(repo.dir, 'calls.jsonl')}});
  assert.equal(tried.status, exit.complete, tried.said);
  const {outputs, run: id} = tried.out.trim().split('\n').map((each) => JSON.parse(each)).at(-1);
  const answers = outputs.said.trim().split('\n').map((each) => JSON.parse(each));
  for (const {result} of answers.slice(0, -1)) {
    assert.deepEqual(result, {isError: true, content: [{type: 'text',
      text: `this was started by what run ${id} started itself, and agents neither start nor steer runs\na person does that, in a terminal of their own`}]});
  }
  assert.equal(answers.length, 7);
  assert.equal(answers.at(-1).result.structuredContent.status, 'queued');
  repo.pass();
});

// Its Coder is told by a scripted model to queue a run, and to list those that there are.
async function queuedByClaude(t, repo, config, env = {}) {
  const server = await startModelServer({Coder: [{
    do: [{tool: 'mcp__agneto__run_gate', input: {task: 'say hello'}}, {tool: 'mcp__agneto__list_runs', input: {}}],
    reply: 'It is queued.',
  }]});
  t.after(() => server.close());
  const cli = clis.claude(server.url);
  repo.write({'.mcp.json': config});
  repo.write(cli.home, {under: repo.home});
  const claude = promisify(execFile)('claude', ['-p', 'You are the Coder. Queue it.', '--mcp-config', '.mcp.json', '--strict-mcp-config',
    '--allowedTools', 'mcp__agneto__run_gate,mcp__agneto__list_runs'],
  {cwd: repo.dir, env: {...repo.env, ...cli.env, ...env, PATH: `${dirname(program)}:${repo.env.PATH}`}, timeout: 120_000});
  claude.child.stdin.end();
  const {stdout} = await claude;
  assert.deepEqual(server.problems, []);
  assert.equal(stdout.trim(), 'It is queued.');
  const {run} = JSON.parse((await agneto(repo, ['runs', '--json'])).out);
  assert.match(run, /^say-hello-/);
  const [{results}] = server.callsOf('Coder');
  assert.deepEqual(results.map((result) => result.includes(run)), [true, true], results.join('\n'));
  return (await agneto(repo, ['log', run, '--json'])).out;
}

// What docs/mcp.md has clients read.
const configs = () => [...readFileSync(join(root, 'docs/mcp.md'), 'utf8').matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text]) => text);

test('Claude Code, set up as docs/mcp.md says, queues a run', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  assert.match(await queuedByClaude(t, repo, configs()[0]), /\(claude-code\)/);
  repo.pass();
});

test('Claude Code, set up as docs/mcp.md says, queues a run at a server', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const bearer = await token(repo, 'Ada', 'submit');
  const url = await listening(t, repo);
  const config = configs()[1].replace('http://127.0.0.1:8420/mcp', url);
  assert.match(await queuedByClaude(t, repo, config, {AGNETO_TOKEN: bearer}), /"Ada \(mcp\)"/);
  repo.pass();
});

test('docs/mcp.md names the tools that there are', async (t) => {
  const repo = makeRepo(t);
  const {client} = await connect(t, repo);
  const {tools} = await client.listTools();
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
  const table = page.match(/^\| tool [^]*?\n\n/m)[0];
  const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  assert.deepEqual(named.sort(), tools.map((tool) => tool.name).filter((name) => !name.startsWith('run_') || name === 'run_agneto').sort());
  repo.pass();
});
