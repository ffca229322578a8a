// The API of `agneto serve --listen`: what schemas/api.yaml says, held against the server by a validating proxy.

import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import net from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit, start} from './lib/agneto.mjs';
import {flowRepo} from './lib/page.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {serve as startServer, token, until} from './lib/served.mjs';
import {makeTeam} from './lib/team.mjs';

const bin = join(root, 'build/e2e/node_modules/.bin');
const api = join(root, 'schemas/api.yaml');

const workflow = {
  '.agneto/workflows/gate.yaml': `agneto: 1
name: gate
description: Writes a line, and asks
inputs: {task: {type: string, main: true, description: What is written}}
context: {feedback: ""}
initial: WRITING
on: {hurry: COMMITTING}
states:
  WRITING:
    run: {shell: 'echo "$WORDS" >> words.txt', env: {WORDS: inputs.task .. ctx.feedback}}
    on: {ok: GATE, failed: FAILED}
  GATE:
    ask: {question: "Is that what you want?", options: {YES: Take it, NO: {label: Again, feedback: required}}}
    after: [{delay: 1h, target: LATE}]
    on: {YES: COMMITTING, NO: {target: WRITING, do: ctx.feedback = event.feedback}}
  COMMITTING:
    workspace: {commit: {message: "Write it down"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  LATE: {final: true, status: failed}
  FAILED: {final: true, status: failed}
limits: {calls: 20, time: 1h}
`,
  '.agneto/workflows/gate.test.yaml': `agneto-test: 1
defaults: {inputs: {task: say hello}}
cases:
  - name: it is taken
    steps:
      - {at: WRITING, outcome: ok}
      - {at: GATE, answer: "YES"}
      - {at: COMMITTING, outcome: ok}
    expect: {outcome: FINISHED}
  - name: it cannot be written
    steps: [{at: WRITING, outcome: failed}]
    expect: {outcome: FINISHED}
`,
};

// A repository with a server, which ends with the test; `ask` asks it as `admin`.
const schedules = {'.agneto/config.yaml': `limits: {calls: 5, cost: 2.5}
serve: {runs: 2, workflows: {gate: 2}}
schedules:
  yearly: {cron: "@yearly", timezone: Europe/London, task: say happy new year, workflow: gate}
`};
const served = (t) => serve(t, makeRepo(t, {files: {...greeter, ...workflow, ...schedules}}));

async function serve(t, repo) {
  const admin = await token(repo, 'Ada', 'admin');
  const server = startServer(t, repo, ['--listen', '127.0.0.1:0']);
  const [, url] = await server.says(/^API: (http:\/\/127\.0\.0\.1:\d+\/api\/v1)\/\n/);
  const port = Number(new URL(url).port);
  const ask = async (method, path, {body, as = admin, at = url, headers = {}} = {}) => {
    const response = await fetch(`${at}${path}`, {
      method,
      headers: {...(as ? {authorization: `Bearer ${as}`} : {}), ...(body ? {'content-type': 'application/json'} : {}), ...headers},
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined};
  };
  return {repo, server, url, port, ask, admin};
}

test('docs/api.md says nothing that is not so', async (t) => {
  const repo = flowRepo(t);
  makeTeam(repo, {coder: [{do: 'echo hello > hello.txt', fields: {verdict: 'DONE', summary: 'Say hello'}, last: true}]});
  const {url, admin} = await serve(t, repo);
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const [, session] = page.match(/^```console\n([^]*?)^```$/m);
  let run = 'say-hello-3f2a';
  for (const [, command, printed] of session.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
    const say = () => execFileSync('sh', ['-c', command.replaceAll('say-hello-3f2a', run)],
      {encoding: 'utf8', env: {...process.env, API: url, TOKEN: admin}}).replaceAll(run, 'say-hello-3f2a');
    if (command.includes('-d ') && command.includes('task')) {
      run = say().trim();
      assert.match(run, /^say-hello-[0-9a-f]{4}$/);
    } else if (command.includes('-d ')) {
      assert.equal(say(), printed, command);
    } else {
      await until(() => say() === printed);
    }
  }
  repo.pass();
});

const waiting = (ask, run) => until(async () => {
  const {json} = await ask('GET', `/runs/${run}`);
  return json.waits_for === 'person' && json.status === 'parked' && json;
});

test('the description is one that others can read', () => {
  execFileSync(join(bin, 'redocly'), ['lint', '--skip-rule', 'info-license-url', api], {stdio: 'pipe', env: {...process.env, REDOCLY_TELEMETRY: 'off'}});
});

test('a task from submit to its end, with everything that is said held against the description', async (t) => {
  const {repo, url, ask: direct} = await served(t);
  const prism = spawn(join(bin, 'prism'), ['proxy', api, url, '--errors', '--port', '0', '--cors=false'], {stdio: ['ignore', 'pipe', 'pipe']});
  t.after(() => prism.kill('SIGKILL'));
  let said = '';
  prism.stdout.on('data', (text) => { said += text; });
  const at = await until(() => said.match(/listening on (http:\/\/[^\s\x1b]+)/)?.[1]);
  const ask = (method, path, options = {}) => direct(method, path, {...options, at});
  const good = async (...request) => {
    const response = await ask(...request);
    assert.ok(response.status < 300, `${request[0]} ${request[1]}: ${response.status} ${response.text}`);
    return response.json ?? response.text;
  };

  const before = await good('GET', '/runs');
  assert.deepEqual(before, {runs: [], change: 0});
  const made = await ask('POST', '/runs', {body: {task: 'say hello', workflow: 'gate', priority: 2}});
  assert.equal(made.status, 201, made.text);
  const id = made.json.run;
  assert.match(id, /^say-hello-[0-9a-f]{4}$/);
  assert.equal(made.headers.get('location'), `/api/v1/runs/${id}`);
  assert.deepEqual([made.json.priority, made.json.status], [2, 'queued']);

  const asked = await waiting(ask, id);
  assert.deepEqual(asked.questions.map((question) => [question.id, question.question, question.options.map((option) => option.name)]),
    [['GATE#1', 'Is that what you want?', ['YES', 'NO']]]);
  assert.deepEqual(asked.outstanding, ['GATE#1']);
  assert.deepEqual(asked.limits, {calls: 5, cost: 2.5, time: 3_600_000}, 'the configuration goes before the workflow');
  assert.deepEqual((await good('GET', '/questions')).questions.map((question) => [question.run, question.id]), [[id, 'GATE#1']]);
  assert.match(await good('GET', `/runs/${id}/diff`), /^\+say hello$/m);

  const wrong = await ask('POST', `/runs/${id}/answer`, {body: {option: 'NO'}});
  assert.deepEqual(wrong.json, {title: 'that does not answer GATE#1: NO needs words; give them with --feedback TEXT', status: 409});
  await good('POST', `/runs/${id}/answer`, {body: {option: 'NO', feedback: ' louder'}});
  assert.equal((await waiting(ask, id)).questions[0].id, 'GATE#2');
  const log = await good('GET', `/runs/${id}/log`);
  const given = log.entries.find((entry) => entry.kind === 'answer');
  assert.deepEqual([given.body.by, given.body.name, given.body.feedback], ['elsewhere', 'Ada', ' louder']);
  assert.deepEqual((await good('GET', `/runs/${id}/log?after=1&limit=1`)).entries.map((entry) => entry.seq), [2]);

  const rest = log.entries.filter((entry) => entry.kind === 'macrostep' && entry.seq < given.seq).at(-1).seq;
  const now = await good('GET', `/runs/${id}/data`);
  assert.deepEqual(now.machines, [{path: '', machine: 'gate', states: ['GATE'], data: {ctx: {feedback: ' louder'}, inputs: {task: 'say hello'}}}]);
  assert.deepEqual((await good('GET', `/runs/${id}/data?at=${rest}`)).machines[0].data.ctx, {feedback: ''});
  const picture = await good('GET', `/runs/${id}/graph`);
  assert.match(picture, /class="node active">\s*<title>n\d+<\/title>[^]*?>GATE</);
  assert.equal(picture.match(/class="node active"/g).length, 1);
  assert.match(picture, />\s*NO ×1 at 0:\d\d\s*</);
  assert.deepEqual((await good('GET', `/runs/${id}/commits`)).commits, []);
  const fork = await ask('POST', `/runs/${id}/fork`, {body: {at: rest}});
  assert.equal(fork.status, 201, fork.text);
  assert.equal(fork.json.status, 'suspended');
  await good('POST', `/runs/${fork.json.run}/resume`);
  await waiting(ask, fork.json.run);
  assert.equal((await good('POST', `/runs/${fork.json.run}/event`, {body: {name: 'hurry'}})).run, fork.json.run);
  await until(async () => (await good('GET', `/runs/${fork.json.run}`)).status === 'complete');

  assert.equal((await good('POST', `/runs/${id}/suspend`, {body: {}})).status, 'suspended');
  assert.equal((await good('POST', `/runs/${id}/rewind`, {body: {to: rest}})).status, 'suspended');
  const undone = await good('GET', `/runs/${id}/graph`);
  assert.doesNotMatch(undone, />\s*NO ×1/, 'what a rewind undoes does not count');
  assert.match(undone, />\s*ok ×1 at 0:\d\d\s*</);
  assert.equal((await good('POST', `/runs/${id}/resume`)).status, 'queued');
  await waiting(ask, id);
  await good('POST', `/runs/${id}/answer`, {body: {question: 'GATE#1', option: 'YES'}});
  await until(async () => (await good('GET', `/runs/${id}`)).status === 'complete');
  assert.equal(repo.git('show', `agneto/${id}:words.txt`), 'say hello');
  assert.deepEqual((await good('GET', `/runs/${id}/files`)).files, ['words.txt']);
  const {commits} = await good('GET', `/runs/${id}/commits`);
  assert.deepEqual(commits.map((commit) => [commit.commit, commit.subject]), [[repo.git('rev-parse', `agneto/${id}`), 'Write it down']]);
  assert.match(await good('GET', `/runs/${id}/diff?commit=${commits[0].commit}`), /^\+say hello$/m);
  const foreign = await ask('GET', `/runs/${id}/diff?commit=${repo.git('rev-parse', 'HEAD')}`);
  assert.deepEqual(foreign.json, {
    title: `run ${id} has no commit '${repo.git('rev-parse', 'HEAD')}'`, status: 404, detail: `/runs/${id}/commits lists those that it has`,
  });

  const late = await ask('POST', `/runs/${id}/abort`);
  assert.equal(late.status, 409);
  assert.equal(late.json.title, `run ${id} has ended: complete (FINISHED)`);
  const third = (await good('POST', '/runs', {body: {task: 'say bye', workflow: 'gate'}})).run;
  await waiting(ask, third);
  assert.equal((await good('POST', `/runs/${third}/abort`)).status, 'aborted');

  const all = await good('GET', '/runs');
  assert.deepEqual(all.runs.map((run) => run.run), [third, fork.json.run, id]);
  const first = await good('GET', '/runs?limit=2');
  assert.equal(first.next, fork.json.run);
  assert.deepEqual((await good('GET', `/runs?limit=2&before=${first.next}`)).runs.map((run) => run.run), [id]);
  assert.deepEqual((await good('GET', '/runs?text=BYE')).runs.map((run) => run.run), [third]);
  assert.deepEqual((await good('GET', '/runs?status=aborted,failed')).runs.map((run) => run.run), [third]);
  assert.deepEqual((await good('GET', '/runs?status=waiting')).runs, []);
  const flows = (await good('GET', '/workflows')).workflows;
  assert.deepEqual(flows.find((flow) => flow.workflow === 'gate').inputs, [{name: 'task', main: true, description: 'What is written'}]);
  const gate = await good('GET', '/workflows/gate');
  assert.deepEqual([gate.runs, gate.files.map((file) => file.file)], [true, ['.agneto/workflows/gate.yaml']]);
  assert.equal(gate.files[0].text, workflow['.agneto/workflows/gate.yaml']);
  assert.deepEqual(gate.findings, []);
  assert.match(await good('GET', '/workflows/gate/graph'), />COMMITTING</);
  const covered = await good('GET', '/workflows/gate/coverage');
  assert.deepEqual([covered.tests, covered.cases, covered.failed], ['.agneto/workflows/gate.test.yaml', 2, ['it cannot be written']]);
  const [machine] = covered.machines;
  assert.deepEqual([machine.file, machine.machine, machine.summary.states, machine.summary.transitions],
    ['.agneto/workflows/gate.yaml', 'gate', {covered: 5, total: 6, percent: 83}, {covered: 4, total: 8, percent: 50}]);
  assert.deepEqual(machine.states.filter((state) => !state.entered), [{state: 'LATE', line: 20, entered: 0}]);
  assert.deepEqual(machine.transitions.find((transition) => transition.trigger === 'YES'), {from: 'GATE', to: ['COMMITTING'], trigger: 'YES', line: 15, taken: 1});
  const shown = await good('GET', '/workflows/gate/graph?covered=true');
  assert.match(shown, />\s*YES ×1\s*</);
  assert.match(shown, />\s*NO never\s*</);
  const {files} = await good('GET', '/workflows/agneto');
  assert.deepEqual(files.map((file) => file.file), ['workflows/agneto.yaml', 'workflows/execution.yaml']);
  const bundled = await good('GET', '/workflows/agneto/coverage');
  assert.deepEqual([bundled.tests, bundled.failed, bundled.machines.map((each) => [each.file, each.summary.transitions.percent])],
    ['workflows/agneto.test.yaml', [], [['workflows/agneto.yaml', 100]]], 'execution has tests of its own');
  assert.deepEqual((await good('GET', '/schedules')).schedules, [{
    name: 'yearly', workflow: 'gate', task: 'say happy new year', cron: '@yearly', timezone: 'Europe/London',
    next: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`}]);
  const about = await good('GET', '/server');
  assert.deepEqual(about.token, {name: 'Ada', scope: 'admin'});
  assert.deepEqual(about.runs, {queued: 0, running: 0, parked: 0, suspended: 0});
  assert.deepEqual(about.places, {runs: 2, workflows: {gate: 2}, providers: {}});

  const {workers: [server, ...others]} = await until(async () => {
    const told = await good('GET', '/workers');
    return told.workers[0].runs.length === 0 && told;  // in a database after some seconds
  });
  assert.match(server.name, /^(process |[\w.-]+\/)\d+$/);
  assert.match(server.labels.at(-1), new RegExp(`^[^:]+:${repo.dir}$`));
  assert.deepEqual([server.kind, server.folder, server.slots, server.runs, server.ends, others], ['server', repo.dir, 2, [], false, []]);
  const needy = (await good('POST', '/runs', {body: {task: 'say hi', workflow: 'gate', needs: ['gpu']}})).run;
  const waits = await good('GET', `/runs/${needy}`);
  assert.deepEqual([waits.status, waits.needs, waits.why_queued], ['queued', ['gpu'], 'it needs gpu, which no worker has']);
  assert.deepEqual((await good('GET', '/runs')).runs.map((run) => run.needs), [['gpu'], undefined, undefined, undefined]);
  assert.equal((await good('POST', `/runs/${needy}/abort`)).status, 'aborted');
  repo.pass();
});

test('the same request with the same key queues one run', async (t) => {
  const {repo, server, ask} = await served(t);
  const body = {task: 'say hello', workflow: 'gate'};
  const send = (key, more = {}) => ask('POST', '/runs', {body, headers: {'idempotency-key': key}, ...more});
  const all = await Promise.all(Array.from({length: 6}, () => send('a-key')));
  assert.deepEqual(all.map((each) => each.status).sort(), [200, 200, 200, 200, 200, 201], all[0].text);
  const [run, ...others] = new Set(all.map((each) => each.json.run));
  assert.deepEqual(others, []);
  const again = await send('a-key');
  assert.deepEqual([again.status, again.json.run, again.json.remarks, again.headers.get('location')], [200, run, [], `/api/v1/runs/${run}`]);
  const other = await send('a-key', {body: {...body, task: 'say bye'}});
  assert.deepEqual([other.status, other.json.title, other.json.detail], [422, 'this Idempotency-Key came with another request', 'give each request a key of its own']);
  const atOnce = await Promise.all([1, 2, 3].map((nth) => send('another-key', {body: {...body, task: `task ${nth}`}})));
  assert.deepEqual(atOnce.map((each) => each.status).sort(), [201, 422, 422]);
  for (const key of ['a b', 'x'.repeat(101), 'a,b']) {
    const {json, status} = await send(key);
    assert.deepEqual([status, json.title, json.detail], [422, 'Idempotency-Key is one word of at most 100 characters', 'send one that nobody else sends, such as a UUID']);
  }
  const lea = (await agneto(repo, ['token', 'make', 'lea', '--scope', 'submit'])).out.trim();
  for (const made of [await send('a-ke'), await send('a-key', {as: lea}), await ask('POST', '/runs', {body})]) assert.equal(made.status, 201);
  assert.equal((await ask('GET', '/runs')).json.runs.length, 5);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('a token does what it is for, and no more', async (t) => {
  const {repo, url, ask} = await served(t);
  const by = {
    read: await token(repo, 'reader', 'read'), answer: await token(repo, 'phone', 'answer'), submit: await token(repo, 'bot', 'submit'),
  };
  assert.equal((await agneto(repo, ['token', 'make', 'bot'])).err,
    "agneto: there is a token 'bot' already\n  help: take another name, or revoke that one: agneto token revoke bot\n");
  const {json: {run}} = await ask('POST', '/runs', {body: {task: 'say hello', workflow: 'gate'}, as: by.submit});
  await waiting(ask, run);
  const before = (await ask('GET', `/runs/${run}/log`)).json;

  const needs = {answer: [['answer', {option: 'YES'}], ['event', {name: 'hurry'}]], admin: [['suspend'], ['resume'], ['abort'], ['rewind', {to: 1}], ['fork', {at: 1}]]};
  for (const [scope, actions] of Object.entries(needs)) {
    for (const [action, body] of actions) {
      const refused = await ask('POST', `/runs/${run}/${action}`, {body: body ?? {}, as: by.read});
      assert.deepEqual(refused.json, {title: `the token 'reader' is for 'read', and this needs '${scope}'`, status: 403});
    }
  }
  assert.equal((await ask('POST', '/runs', {body: {task: 'x', workflow: 'gate'}, as: by.answer})).status, 403);
  assert.equal((await ask('POST', `/runs/${run}/abort`, {as: by.submit})).status, 403);
  assert.deepEqual((await ask('GET', `/runs/${run}/log`, {as: by.read})).json, before, 'a reader has changed something');
  assert.equal((await ask('GET', '/runs')).json.runs.length, 1);

  for (const as of [null, 'agneto_', 'x'.repeat(5000), by.read.slice(0, -1)]) {
    const nobody = await ask('GET', '/runs', {as});
    assert.equal(nobody.status, 401);
    assert.equal(nobody.headers.get('www-authenticate'), 'Bearer');
  }
  assert.equal((await ask('POST', `/runs/${run}/answer`, {body: {option: 'YES'}, as: by.answer})).status, 200);
  assert.match((await agneto(repo, ['token', 'list'])).out, /^admin .* {2}Ada\nsubmit .* {2}bot\nanswer .* {2}phone\nread .* {2}reader\n$/);
  const following = messages(`${url}/events`, by.read, {headers: {'last-event-id': '0'}});
  await following.next();
  const ended = (async () => { for await (const message of following) assert.ok(message); })();
  assert.equal((await agneto(repo, ['token', 'revoke', 'reader'])).out, 'revoked: reader\n');
  assert.equal((await ask('GET', '/runs', {as: by.read})).status, 401);
  await ended;
  assert.equal((await agneto(repo, ['token', 'revoke', 'readers'])).status, exit.usage);
  for (const hidden of Object.values(by)) {
    assert.ok(!(await agneto(repo, ['export', 'last'])).out.includes(hidden));
    assert.equal(repo.sh(`grep -rla ${hidden} .agneto || true`), '', 'a token is kept somewhere');
  }
  repo.pass();
});

// The messages of a stream of events, as they come: {id, event, data}.
async function* messages(url, as, {headers = {}, signal} = {}) {
  const response = await fetch(url, {headers: {authorization: `Bearer ${as}`, ...headers}, signal});
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const fields = Object.fromEntries(text.slice(0, end).split('\n').filter((line) => !line.startsWith(':')).map((line) => line.split(/: (.*)/s)));
      if (fields.data) yield {...fields, data: JSON.parse(fields.data)};
    }
  }
}

test('a workflow is told with what is wrong in it', async (t) => {
  const {repo, ask} = await served(t);
  repo.write({'.agneto/workflows/broken.yaml': workflow['.agneto/workflows/gate.yaml'].replace('ok: GATE', 'ok: GAT')});
  const {json, text} = await ask('GET', '/workflows/broken');
  assert.ok(json?.findings, text);
  assert.deepEqual([json.workflow, json.runs, json.description], ['broken', false, undefined]);
  assert.deepEqual(json.findings.map(({severity, message, help, file, line, column}) => [severity, message, help, file, line, column]),
    [['error', "there is no state 'GAT'", "did you mean 'GATE'?", '.agneto/workflows/broken.yaml', 11, 14]]);
  const undrawn = await ask('GET', '/workflows/broken/graph');
  assert.deepEqual(undrawn.json, {title: "the workflow 'broken' has mistakes", status: 409, detail: "'agneto lint' tells them"});
  assert.deepEqual((await ask('GET', '/workflows/broken/coverage')).json, undrawn.json);

  repo.write({'.agneto/workflows/bare.yaml': workflow['.agneto/workflows/gate.yaml'].replace('name: gate', 'name: bare')});
  assert.deepEqual((await ask('GET', '/workflows/bare/coverage')).json, {tests: '.agneto/workflows/bare.test.yaml', cases: 0, failed: [], machines: []});
  assert.deepEqual((await ask('GET', '/workflows/bare/graph?covered=true')).json, {title: "the workflow 'bare' has no scenario tests", status: 409});
  repo.write({'.agneto/workflows/bare.test.yaml': 'agneto-test: 1\ncases: [{nam: x}]\n'});
  const unplayed = (await ask('GET', '/workflows/bare/coverage')).json;
  assert.deepEqual([unplayed.title, unplayed.status], ["the scenarios of 'bare' cannot be played", 409]);
  assert.match(unplayed.detail, /bare\.test\.yaml:2:\d+: error: unknown key 'nam'/);
  repo.pass();
});

test('pages are for everybody, and take nothing from elsewhere', async (t) => {
  const {repo, url, port} = await served(t);
  const get = (path, options) => fetch(new URL(path, url), options);
  for (const path of ['/', '/runs/some-run-3f2a', '/workflows/%2e%2e%2f%2e%2e%2fetc%2fpasswd']) {
    const page = await get(path);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path);
    assert.match(page.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'$/);
    assert.equal(page.headers.get('set-cookie'), null);
    assert.equal(page.headers.get('access-control-allow-origin'), null);
    assert.match(await page.text(), /^<!doctype html>/i);
  }
  const first = await get('/');
  assert.equal((await get('/', {headers: {'if-none-match': first.headers.get('etag')}})).status, 304);
  assert.equal((await get('/assets/none.js')).status, 404);
  // As they come over the wire; what fetches here unpacks it.
  const script = (await first.text()).match(/\/assets\/main-\w+\.js/)[0];
  const sent = {};
  for (const encoding of ['gzip, deflate, br', 'br', 'gzip;q=0', 'deflate, GZIP; q=0.5']) {
    const answer = await get(script, {headers: {'accept-encoding': encoding}});
    sent[encoding] = answer.headers.get('content-encoding');
    assert.deepEqual([answer.headers.get('content-type'), answer.headers.get('vary')], ['text/javascript; charset=utf-8', 'Accept-Encoding']);
    assert.equal(await answer.text(), readFileSync(join(root, 'build/web', script), 'utf8'), encoding);
  }
  assert.deepEqual(sent, {'gzip, deflate, br': 'gzip', br: null, 'gzip;q=0': null, 'deflate, GZIP; q=0.5': 'gzip'});
  assert.equal((await get('/', {method: 'POST', body: 'x'})).status, 405);
  const named = await new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'));
    let got = '';
    socket.on('data', (data) => { got += data; }).on('close', () => resolve(got));
  });
  assert.match(named, /^HTTP\/1.1 421 /);
  repo.pass();
});

test('a stream of events misses nothing and repeats nothing, however often a client connects again', async (t) => {
  const {repo, url, ask, admin} = await served(t);
  const changes = [];
  const watching = new AbortController();
  const watched = (async () => {
    for await (const message of messages(`${url}/events`, admin, {signal: watching.signal})) changes.push(message);
  })().catch(() => {});
  await sleep(100);
  const {json: {run}} = await ask('POST', '/runs', {body: {task: 'say hello', workflow: 'gate'}});
  await waiting(ask, run);

  const heard = [];
  let last = '';
  // One message, then a new connection.
  const hear = async (enough) => {
    for (;;) {
      const hanging = new AbortController();
      const timer = setTimeout(() => hanging.abort(), 10_000);
      try {
        for await (const message of messages(`${url}/runs/${run}/events`, admin, {headers: last ? {'last-event-id': last} : {}, signal: hanging.signal})) {
          heard.push(message);
          last = message.id;
          break;
        }
      } finally {
        clearTimeout(timer);
        hanging.abort();
      }
      if (enough(heard.at(-1))) return;
    }
  };
  await hear((message) => message.event === 'run.parked');
  await ask('POST', `/runs/${run}/answer`, {body: {option: 'YES'}});
  await hear((message) => message.event === 'run.finished');
  const told = (await agneto(repo, ['log', run, '--json'])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(heard.map((message) => [message.event, message.data.seq, message.data.time]), told.map((event) => [event.type, event.seq, event.time]));
  assert.equal(new Set(heard.map((message) => message.id)).size, heard.length);

  await until(() => changes.at(-1)?.data.status === 'complete');
  watching.abort();
  await watched;
  assert.deepEqual(changes.map((message) => message.event), changes.map(() => 'run'));
  assert.equal(changes[0].data.run, run);
  const ids = changes.map((message) => Number(message.id));
  assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other));
  repo.pass();
});

test('requests that are wrong are refused, and say why', async (t) => {
  const {repo, port, ask, admin} = await served(t);
  for (const [method, path, body, status, title] of [
    ['GET', '/runs/nope', undefined, 404, "there is no run 'nope'"],
    ['GET', '/runs/..%2F..%2Fetc', undefined, 404, "there is no run '../../etc'"],
    ['GET', '/workflows/gat', undefined, 404, "there is no workflow 'gat'"],
    ['GET', '/workflows/..%2F..%2Fetc%2Fpasswd', undefined, 404, "there is no workflow '../../etc/passwd'"],
    ['GET', '/workflows/gate/graph?depth=x', undefined, 422, "'depth' is no whole number from 0 on"],
    ['GET', '/nothing', undefined, 404, 'there is nothing at this address'],
    ['DELETE', '/runs', undefined, 405, 'this is not done by DELETE'],
    ['GET', '/runs?limit=x', undefined, 422, "'limit' is no whole number from 1 on"],
    ['GET', '/runs?limit=1&limit=2', undefined, 400, "the query says 'limit' twice"],
    ['GET', '/runs/nope/log?after=1&after=1', undefined, 400, "the query says 'after' twice"],
    ['GET', '/events?after=-5', undefined, 422, "'-5' is no id of an event"],
    ['GET', '/events?after=x', undefined, 422, "'x' is no id of an event"],
    ['GET', '/runs?before=nope', undefined, 422, "there is no run 'nope'"],
    ['GET', '/runs?status=wating', undefined, 422, "there is no status 'wating'"],
    ['GET', '/runs?staus=waiting', undefined, 422, "unknown 'staus' in the query"],
    ['POST', '/runs', {task: 1}, 422, "'task' is no text"],
    ['POST', '/runs', {tsk: 'x'}, 422, "unknown key 'tsk'"],
    ['POST', '/runs', {task: 'x', workflow: '../../x.yaml'}, 422, "there is no workflow '../../x.yaml'"],
    ['POST', '/runs', {task: 'x', workflow: '.agneto/config.yaml'}, 422, "there is no workflow '.agneto/config.yaml'"],
    ['POST', '/runs', {task: 'x', workflow: '.git/config'}, 422, "there is no workflow '.git/config'"],
    ['POST', '/runs', {task: 'x', workflow: 'gat'}, 422, "there is no workflow 'gat'"],
    ['POST', '/runs', {task: 'x', workflow: 'gate', priority: 1000}, 422, "'priority' is from -100 to 100"],
    ['POST', '/runs', {task: 'x', workflow: 'gate', needs: 'gpu'}, 422, "'needs' is no list of texts"],
    ['POST', '/runs', {task: 'x', workflow: 'gate', needs: ['A GPU']}, 422, "a run cannot need 'A GPU', which is no label"],
    ['GET', '/workers?kind=server', undefined, 422, "unknown 'kind' in the query"],
  ]) {
    const refused = await ask(method, path, {body});
    assert.deepEqual([refused.status, refused.json.title, refused.headers.get('content-type')], [status, title, 'application/problem+json'], `${method} ${path}`);
  }

  // As a page of somebody else's would, whose name leads to this machine.
  const raw = (text) => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (data) => { got += data; }).on('close', () => resolve(got)).on('error', () => resolve(got));
    setTimeout(() => socket.destroy(), 2000);
  });
  const twofold = '{"task": "x", "workflow": "gate", "workflow": "quick"}';
  assert.match(await raw(`POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin}\r\nConnection: close\r\nContent-Length: ${twofold.length}\r\n\r\n${twofold}`),
    /^HTTP\/1\.1 400 [^]*"title":"the request's body says 'workflow' twice"/);
  const post = `POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin}\r\n`;
  const long = await raw(`${post}Content-Length: 2000000\r\n\r\n{`);
  assert.match(long, /^HTTP\/1\.1 413 [^]*\nConnection: close\r\n[^]*\r\n\r\n\{"status":413,"title":"a request's body has at most 1048576 bytes"\}\n$/, 'before it is all there');
  const chunks = `100000\r\n${'x'.repeat(0x100000)}\r\n1\r\n`;
  assert.equal(await raw(`${post}Transfer-Encoding: chunked\r\n\r\n${chunks}x`), '', 'cut off');
  assert.match(await raw(`${post}Transfer-Encoding: chunked\r\n\r\n${chunks.slice(0, -3)}0\r\n\r\n`), /^HTTP\/1\.1 422 /, 'just as long as it may be');
  assert.equal((await ask('GET', '/runs')).json.runs.length, 0);
  assert.match(await raw('GET /api/v1/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 421 /);
  assert.match(await raw('GET /api/v1/runs HTTP/1.1\r\nHost: 127.evil.example\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 421 /);
  assert.match(await raw('GET /api/v1/runs HTTP/1.1\r\nHost: localhost:80\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 401 /);
  assert.match(await raw('GET /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 4(00|21) /);
  const twice = await raw('POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(twice, /^HTTP\/1\.1 400 /);
  assert.equal(twice.match(/^HTTP\/1/gm).length, 1, 'one request was taken for two');
  assert.match(await raw('GARBAGE\r\n\r\n'), /^(HTTP\/1\.[01] 400 |$)/);
  assert.match(await raw(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`), /^(HTTP\/1\.[01] 4\d\d |$)/);
  assert.match(await raw('POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\nConnection: close\r\n\r\n'), /^(HTTP\/1\.[01] 4\d\d |$)/);
  assert.equal((await ask('GET', '/server')).status, 200, 'it still serves');
  repo.pass();
});

test('slow and idle clients take nothing from others', async (t) => {
  const {repo, url, port, ask, admin} = await served(t);
  const sockets = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const connect = (text) => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => { socket.write(text); resolve(); });
    socket.on('error', resolve);
    sockets.push(socket);
  });
  for (let i = 0; i < 500; ++i) await connect('GET /api/v1/runs HTTP/1.1\r\nHost: loc');
  for (let i = 0; i < 500; ++i) await connect(`GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${admin}\r\n\r\n`);
  const begun = Date.now();
  for (let i = 0; i < 20; ++i) assert.equal((await ask('GET', '/runs')).status, 200);
  assert.ok(Date.now() - begun < 10_000, 'others wait for idle clients');
  assert.ok(url);
  repo.pass();
});

test('what is served is for this machine alone, unless somebody has made a token', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflow}});
  const refused = await agneto(repo, ['serve', '--listen', '0.0.0.0:0']);
  assert.equal(refused.err, 'agneto: --listen 0.0.0.0:0 would let others reach this server, and there is no token yet\n'
    + '  help: make one: agneto token make NAME; and have a proxy speak TLS in front of it, which --host and --trusted-proxy name\n');
  await token(repo, 'Ada', 'read');
  assert.equal((await agneto(repo, ['serve', '--listen', 'example.com:80'])).err,
    "agneto: 'example.com' is no address\n  help: write one such as 127.0.0.1 or ::1, and not a name\n");
  const open = start(repo, ['serve', '--listen', '0.0.0.0:0']);
  await open.says(/^API: http:\/\/0\.0\.0\.0:\d+\/api\/v1\/\nwhat is said there is not encrypted: have a proxy speak TLS in front of it, which --host and --trusted-proxy name\n/);
  open.kill('SIGTERM');
  assert.equal((await open.ended).status, exit.complete);
  repo.pass();
});
