// Commands against a server: what they print, and how they end, is as it is here.

import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer, request as httpRequest} from 'node:http';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, start} from './lib/agneto.mjs';
import {makeServed, runs, serve, submit, until} from './lib/served.mjs';

// A server with a token, and a folder elsewhere from which it is asked.
async function reached(t, repo, scope = 'admin') {
  const id = await submit(repo, 'say hello', '-w', 'gate');
  const made = await agneto(repo, ['token', 'make', 'Ada', '--scope', scope]);
  const token = made.out.trim().split('\n').at(-1).trim();
  const server = serve(t, repo, ['--listen', '127.0.0.1:0']);
  const [, url] = await server.says(/^API: (http:\S+)\/api\/v1\/\n/);
  const elsewhere = join(repo.home, 'elsewhere');
  mkdirSync(elsewhere);
  const there = (args, {env = {}, ...more} = {}) => start(repo, args, {cwd: elsewhere, env: {AGNETO_SERVER: url, AGNETO_TOKEN: token, ...env}, ...more});
  return {id, token, url, server, there, ended: (...args) => there(args).ended};
}

// The same command here and there says the same, but for how long a question's deadline still is.
const timeless = (text) => String(text).replaceAll(/"left":\d+/g, '"left":0').replaceAll(/\bin (\d+[hms] ?)+\(/g, 'in a while (');

async function same(repo, ended, args) {
  const here = await agneto(repo, args);
  const there = await ended(...args);
  for (const what of ['out', 'err', 'status']) assert.equal(timeless(there[what]), timeless(here[what]), `${args.join(' ')}: ${what}\n${there.said}`);
  return there;
}

test('runs, show, log and wait say of a server\'s runs what they say there', async (t) => {
  const repo = makeServed(t);
  const {id, server, ended} = await reached(t, repo);
  assert.equal((await agneto(repo, ['wait', id])).status, exit.suspended);
  for (const args of [
    ['runs'], ['runs', '--json'], ['runs', '--status', 'waiting'], ['runs', '--status', 'complete'], ['runs', '--text', 'HELLO', '--limit', '1'],
    ['runs', '--since', '1h', '--json'], ['runs', '--workflow', 'nope'],
    ['show', id], ['show', 'last', '--json'], ['show', id.slice(0, 6)], ['show', 'nope'], ['show', 'say-hello-0000'],
    ['log', id], ['log', id, '--json'], ['log', id, '--prompts'], ['log', id, '--full', 'NO#1'],
    ['wait', id], ['wait', id, '--json'], ['wait', 'nope'], ['wait', id, '--timeout', 'x'],
    ['answer', id, 'MAYBE'], ['answer', id, 'NO'], ['answer', id, 'YES', 'YES', 'YES'], ['answer', id, 'OTHER#1', 'YES'],
    ['send', id, 'nothing'], ['send', id, 'YES'], ['send', id, 'abort'], ['send', id, 'x', '--data', '{'],
    ['submit', 'x', '-w', 'gat'], ['submit', '-w', 'gate'], ['workers'], ['workers', '--json'],
  ]) await same(repo, ended, args);
  const diff = await ended('diff', id);
  assert.equal(diff.out.replace(/^index .*\n/m, ''), (await agneto(repo, ['diff', id])).out.replace(/^index .*\n/m, ''));
  assert.match(diff.out, /^\+say hello$/m);
  assert.equal((await ended('diff', id, '--stat')).err,
    "agneto: '--stat' is for git, which works on files here\n  help: leave it out: a server tells the whole diff\n");
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('what is submitted, answered, suspended, resumed, sent and aborted from elsewhere is done, and says so as it does here', async (t) => {
  const repo = makeServed(t);
  const {id, server, ended, there} = await reached(t, repo);
  assert.equal((await ended('wait', id)).out, `${id}: waiting for you: agneto answer ${id}\n`);
  const answered = await ended('answer', id, 'NO', '--feedback', ' louder');
  assert.equal(answered.out, 'GATE#1: Is that what you want?\nanswered: NO\n', answered.said);
  const followed = there(['log', '-f', id]);
  await followed.says(/Is that what you want[^]*Is that what you want/);
  await until(async () => (await runs(repo))[id].status === 'parked');
  const late = await ended('answer', id, 'GATE#1', 'NO', '--feedback', 'x');
  const here = await agneto(repo, ['answer', id, 'GATE#1', 'NO', '--feedback', 'x']);
  assert.equal(late.err, here.err);
  assert.match(late.err, /^agneto: GATE#1 was answered at /);
  assert.equal((await ended('answer', id, 'YES')).out, 'GATE#2: Is that what you want?\nanswered: YES\n');
  assert.equal((await ended('wait', id)).out, `${id}: complete (FINISHED)\n`);
  assert.match((await followed.ended).out, /FINISHED \(complete\)/);
  const [answer] = (await agneto(repo, ['log', id, '--json'])).out.trim().split('\n').map((line) => JSON.parse(line)).filter((event) => event.type === 'question.answered');
  assert.equal(answer.name, 'Ada', 'the name of the token is in the record');

  const queued = await ended('submit', 'say bye', '-w', 'gate', '--priority', '3');
  const [, second] = queued.out.match(/^queued: (say-bye-[0-9a-f]{4})\nfollow it: agneto log -f \1\n$/);
  assert.equal((await runs(repo))[second].priority, 3);
  await ended('wait', second);
  assert.equal((await ended('suspend', second)).out, `suspended: ${second}\ngo on: agneto resume ${second}\n`);
  assert.equal((await runs(repo))[second].status, 'suspended');
  await same(repo, ended, ['suspend', second]);
  assert.equal((await ended('resume', second, '--update')).status, exit.usage);
  assert.equal((await ended('resume', second)).out, `queued: ${second}\nfollow it: agneto log -f ${second}\n`);
  assert.equal((await ended('wait', second)).status, exit.suspended);
  assert.match((await ended('abort', second)).out, new RegExp(`^aborted: ${second} \\(aborted\\)\nits work: git log -p main\\.\\.agneto/${second}|^aborted: ${second} \\(aborted\\)\n`));
  await same(repo, ended, ['abort', second]);
  await same(repo, ended, ['resume', second, '--detach']);
  server.kill('SIGTERM');
  await server.ended;
  const gone = await ended('runs');
  assert.match(gone.err, /^agneto: cannot ask http:\/\/127\.0\.0\.1:\d+: .*\n {2}help: is a server there\? It is started by 'agneto serve --listen ADDRESS:PORT'\n$/);
  assert.equal(gone.status, exit.failed);
  repo.pass();
});

test('a token that may only look changes nothing, and what cannot be reached is said', async (t) => {
  const repo = makeServed(t);
  const {id, token, url, server, there, ended} = await reached(t, repo, 'read');
  await ended('wait', id);
  for (const args of [['answer', id, 'YES'], ['suspend', id], ['abort', id], ['submit', 'x', '-w', 'gate'], ['send', id, 'x'], ['resume', id]]) {
    const refused = await ended(...args);
    assert.match(refused.err, /: the token 'Ada' is for 'read', and this needs '(answer|submit|admin)'\n$/);
    assert.equal(refused.status, exit.failed, refused.said);
  }
  assert.equal((await runs(repo))[id].status, 'parked');
  const file = join(repo.home, 'token');
  writeFileSync(file, `${token}\n`);
  assert.equal((await there(['--server', url, '--token-file', file, 'runs'], {env: {AGNETO_TOKEN: '', AGNETO_SERVER: ''}}).ended).status, 0);
  assert.equal((await there([`--server=${url}/`, 'runs']).ended).status, 0);
  assert.equal((await there([`--server=${url}/api/v1/`, 'runs']).ended).status, 0);
  for (const [args, env, error] of [
    [['runs'], {AGNETO_TOKEN: ''}, `agneto: there is no token for ${url}\n  help: set AGNETO_TOKEN, or give --token-file FILE; on the server 'agneto token make NAME' prints one\n`],
    [['runs'], {AGNETO_TOKEN: 'wrong'}, `agneto: ${url}: this token is nobody's here\n  help: it is mistyped or revoked, or of another repository; 'agneto token make NAME' makes one\n`],
    [['runs'], {AGNETO_TOKEN: 'a\r\nX-Other: b'}, "agneto: that is no token\n  help: 'agneto token make NAME' prints one, on the server\n"],
    [['runs'], {AGNETO_SERVER: 'ftp://x'}, "agneto: --server 'ftp://x' is no address of a server\n  help: write such as https://agneto.example.com or http://127.0.0.1:8420\n"],
    [['runs'], {AGNETO_SERVER: 'http://agneto.example.com'}, 'agneto: your token would go to agneto.example.com without being encrypted\n  help: reach it by https, or by a tunnel: ssh -L 8420:127.0.0.1:8420 agneto.example.com\n'],
    [['--server', '', 'runs'], {AGNETO_SERVER: ''}, 'agneto: --server names no address, and the runs here are not those that it is to be about\n  help: write such as https://agneto.example.com, or leave --server out\n'],
    [['graph', '--server', url], {}, "agneto: 'agneto graph' works on files here\n  help: leave --server out\n"],
    [['--server', url, 'graph'], {}, "agneto: 'agneto graph' works on files here\n  help: leave --server out\n"],
    [['submit', 'x', '--max-calls', '3'], {}, 'agneto: a limit is for runs here, and is not sent to a server\n  help: leave it out; a server has workflows by name, and limits in its configuration\n'],
  ]) {
    const refused = await there(args, {env}).ended;
    assert.equal(refused.err, error);
    assert.equal(refused.out, '');
    assert.notEqual(refused.status, 0);
  }
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('whoever waits goes on over a restart of the server', async (t) => {
  const repo = makeServed(t);
  const {id, url, server, there, ended} = await reached(t, repo, 'admin');
  await ended('wait', id);
  const following = there(['log', '-f', id]);
  await following.says(/parked: a question waits/);
  server.kill('SIGKILL');
  await server.ended.catch(() => {});
  const again = serve(t, repo, ['--listen', `127.0.0.1:${new URL(url).port}`]);
  await again.says(/^API: /);
  assert.equal((await ended('answer', id, 'YES')).status, 0);
  const end = await following.ended;
  assert.equal(end.status, 0, end.said);
  assert.match(end.out, /complete/);
  again.kill('SIGTERM');
  await again.ended;
  repo.pass();
});

test('a task whose answer is lost on the way is queued once', async (t) => {
  const repo = makeServed(t);
  const {token, url, server, ended} = await reached(t, repo);
  const keys = [];
  const between = createServer((request, response) => {
    const forward = httpRequest(url + request.url, {method: request.method, headers: {...request.headers, host: 'localhost'}}, (answer) => {
      if (request.method === 'POST') keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) {
        answer.resume().on('end', () => response.destroy());
      } else {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      }
    });
    request.pipe(forward);
  });
  await new Promise((resolve) => between.listen(0, '127.0.0.1', resolve));
  t.after(() => between.close());
  const before = Object.keys(await runs(repo));
  const said = await start(repo, ['submit', 'say bye', '-w', 'gate', '--json'], {env: {AGNETO_SERVER: `http://127.0.0.1:${between.address().port}`, AGNETO_TOKEN: token}}).ended;
  assert.equal(said.status, 0, said.said);
  const made = Object.keys(await runs(repo)).filter((id) => !before.includes(id));
  assert.deepEqual(made, [JSON.parse(said.out).run]);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  await ended('submit', 'say bye', '-w', 'gate');
  assert.equal(Object.keys(await runs(repo)).length, before.length + 2, 'another task has another key');
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('what answers to a task with something else is not believed', async (t) => {
  const repo = makeServed(t);
  let answer;
  const other = createServer((request, response) => response.end(answer));
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const url = `http://127.0.0.1:${other.address().port}`;
  for (answer of ['<html>', '[]', '{}', '{"run": 1}', '{"run": "x\\u001b[2J", "remarks": []}', '{"run": "a b"}', '{"run": "../x"}']) {
    const {out, err, status} = await start(repo, ['submit', 'say hello', '-w', 'gate'], {env: {AGNETO_SERVER: url, AGNETO_TOKEN: 'secret'}}).ended;
    assert.deepEqual([out, err, status], ['', `agneto: ${url} answers with 200, and not as a server of agneto does\n  help: is that where 'agneto serve --listen' says that it is?\n`, exit.failed], answer);
  }
  repo.pass();
});

test('a redirect is not followed, and nobody else is believed', async (t) => {
  const repo = makeServed(t);
  const seen = [];
  const other = createServer((request, response) => {
    seen.push([request.url, request.headers.authorization]);
    if (request.url.startsWith('/moved')) response.writeHead(302, {Location: '/api/v1/runs'}).end();
    else if (request.url.startsWith('/evil')) response.writeHead(409, {'Content-Type': 'application/problem+json'}).end(JSON.stringify({title: 'no\x1b[2J', detail: 'x\x07y', exit: 99}));
    else response.end('<html>hello</html>');
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const url = `http://127.0.0.1:${other.address().port}`;
  const ask = (where) => start(repo, ['runs'], {env: {AGNETO_SERVER: url + where, AGNETO_TOKEN: 'secret'}}).ended;
  assert.equal((await ask('/moved')).err, `agneto: ${url}/moved leads to another address (302), to which your token is not sent\n  help: give the address of the server itself\n`);
  assert.equal(seen.length, 1);
  assert.equal((await ask('')).err, `agneto: ${url} answers with 200, and not as a server of agneto does\n  help: is that where 'agneto serve --listen' says that it is?\n`);
  const evil = await ask('/evil');
  assert.equal(evil.err, 'agneto: no\n  help: xy\n');
  assert.equal(evil.status, exit.failed);
  repo.pass();
});
