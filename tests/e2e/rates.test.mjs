// How often a server is asked, by whom, and what a proxy in front of it says of that.

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeServed, serve, submit, until} from './lib/served.mjs';

async function reached(t, args = [], listen = '127.0.0.1:0') {
  const repo = makeServed(t);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  const token = async (name) => (await agneto(repo, ['token', 'make', name, '--scope', 'admin'])).out.trim();
  const [ada, lea] = [await token('ada'), await token('lea')];
  const server = serve(t, repo, ['--listen', listen, ...args]);
  const [, url] = await server.says(/^API: (http:\S+)\n/);
  const ask = (path, as, {headers = {}, body} = {}) => fetch(`${url}${path}`, {method: body ? 'POST' : 'GET', body,
    headers: {...(as ? {authorization: `Bearer ${as}`} : {}), ...headers}});
  return {repo, id, ada, lea, server, url: `${url}server`, ask, end: async () => { server.kill('SIGTERM'); await server.ended; repo.pass(); }};
}

// How many of so many requests, which are sent at once over one connection, are answered with that status.
async function answeredWith(status, url, token, count) {
  const {hostname, port, pathname} = new URL('nothing', url);
  const socket = net.connect(Number(port), hostname);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('error', () => {});  // whoever asks too often is hung up on
  const ended = once(socket, 'close');
  socket.write(`${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`);
  await ended;
  return text.split(`HTTP/1.1 ${status} `).length - 1;
}

const problem = async (response) => [response.status, (await response.json()).title];

test('who asks without a good token again and again is told to wait, and nobody else is', async (t) => {
  const {ada, ask, end} = await reached(t);
  for (let i = 0; i < 20; ++i) assert.equal((await ask('server', `agneto_${i}`)).status, 401);
  const refused = await ask('server', 'agneto_x');
  assert.match(refused.headers.get('retry-after'), /^[12]$/);
  assert.deepEqual(await problem(refused), [429, 'that was asked too often']);
  assert.equal((await ask('server', ada)).status, 200);
  await end();
});

test('a token is good for so many requests at once; a stream is one, and another token has its own', async (t) => {
  const {ada, lea, url, ask, end} = await reached(t);
  const stream = await ask('events', ada);
  assert.equal(stream.status, 200);
  let good = 0;
  do good += await answeredWith(404, url, ada, 400); while ((await ask('nothing', ada)).status !== 429 && good < 6000);
  assert.ok(good >= 1900 && good < 6000, good);
  assert.equal((await ask('server', lea)).status, 200);
  await stream.body.cancel();
  await end();
});

test('a proxy that is trusted says who it is, and nobody else does', async (t) => {
  const {repo, id, ada, url, ask, end} = await reached(t, ['--trusted-proxy', '127.0.0.1', '--user-header', 'X-Forwarded-User']);
  const from = (address) => ({headers: {'x-forwarded-for': address}});
  for (let i = 0; i < 20; ++i) assert.equal((await ask('server', 'agneto_x', from('203.0.113.7'))).status, 401);
  assert.equal((await ask('server', 'agneto_x', from('203.0.113.7'))).status, 429);
  assert.equal((await ask('server', 'agneto_x', from('198.51.100.9, 203.0.113.7, 127.0.0.1'))).status, 429, 'what a client itself says counts for nothing');
  const lines = await new Promise((resolve) => http.get(url, {headers: {'x-forwarded-for': ['192.0.2.1', '203.0.113.7']}}, resolve));
  assert.equal(lines.resume().statusCode, 429, 'nor does it in a line of its own');
  assert.equal((await ask('server', 'agneto_x', from('203.0.113.8'))).status, 401);
  await agneto(repo, ['wait', id]);
  const answered = await ask(`runs/${id}/answer`, ada, {body: '{"option": "YES"}', headers: {'content-type': 'application/json', 'x-forwarded-user': 'Grace\x09Hopper'}});
  assert.equal(answered.status, 200);
  const answer = (await agneto(repo, ['log', id, '--json'])).out.trim().split('\n').map((line) => JSON.parse(line)).find((event) => event.type === 'question.answered');
  assert.match(answer.name, /^Grace.Hopper \(ada\)$/);
  await end();
});

test('a proxy writes an address with a port or without, and what is none counts as its own', async (t) => {
  const {ask, end} = await reached(t, ['--trusted-proxy', '::ffff:127.0.0.1', '--trusted-proxy', '2001:db8:ffff::1']);
  const refused = async (times, ...addresses) => {
    for (let i = 0; i < times; ++i) {
      const {status} = await ask('server', 'agneto_x', {headers: {'x-forwarded-for': addresses[i % addresses.length]}});
      if (status === 429) return i;
    }
    return undefined;
  };
  assert.ok(await refused(40, '203.0.113.7:567', '203.0.113.7', '::ffff:203.0.113.7', '[::ffff:203.0.113.7]:80') >= 20);
  assert.ok(await refused(40, '[2001:db8::1]:80', '2001:db8::2', '2001:DB8:0:0:5::3, 2001:db8:ffff::1') >= 20);
  assert.equal(await refused(10, '2001:db8:0:1::1'), undefined, 'another network');
  assert.ok(await refused(40, 'unknown', '_hidden', '203.0.113.8, unknown', '1.2.3.4.5') >= 20);
  assert.equal(await refused(10, '203.0.113.8'), undefined);
  await end();
});

const other = Object.values(networkInterfaces()).flat().find((one) => !one.internal && one.family === 'IPv4')?.address;

test('one address takes so many connections, and leaves others the rest', {skip: !other && 'no network'}, async (t) => {
  const {repo, ada, url, end} = await reached(t, [], '0.0.0.0:0');
  const {port} = new URL(url);
  const sockets = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  let closed = 0;
  const connect = () => new Promise((resolve) => {
    const socket = net.connect(Number(port), other, resolve);
    socket.on('error', () => {}).on('close', () => { ++closed; });
    sockets.push(socket);
  });
  for (let i = 0; i < 510; ++i) await connect();
  await until(() => closed === 10);
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/server`, {headers: {authorization: `Bearer ${ada}`}})).status, 200);
  assert.equal(readFileSync(join(repo.dir, '.agneto/log/agneto.log'), 'utf8').match(/too many connections at a time/g).length, 1);
  await end();
});

test('who sends a request byte by byte is cut off, and who listens is not', async (t) => {
  const {ada, url, end} = await reached(t);
  const listening = await fetch(url.replace('/server', '/events'), {headers: {authorization: `Bearer ${ada}`}});
  const begun = Date.now();
  await new Promise((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('GET /api/v1/server HTTP/1.1\r\nHost: localhost\r\n'));
    const more = setInterval(() => socket.write('X'), 500);
    socket.on('error', () => {}).on('close', () => { clearInterval(more); resolve(); });
    socket.resume();
    setTimeout(() => socket.destroy(), 40_000).unref();
  });
  const seconds = (Date.now() - begun) / 1000;
  assert.ok(seconds > 28 && seconds < 36, `after ${seconds} s`);
  const reader = listening.body.getReader();
  for (let told = ''; !told.includes('still here');) {
    const {value, done} = await reader.read();
    assert.ok(!done, 'the stream has ended');
    told += Buffer.from(value).toString();
  }
  await reader.cancel();
  await end();
});

test('what says nothing of a proxy is refused', async (t) => {
  const repo = makeServed(t);
  for (const [args, error] of [
    [['--trusted-proxy', '127.0.0.0/8'], "--trusted-proxy '127.0.0.0/8' is no address\n  help: write one such as 127.0.0.1 or ::1, and neither a name nor a network"],
    [['--host', 'http://x/'], "--host 'http://x/' is no name of a host\n  help: write one such as agneto.example.com"],
    [['--trusted-proxy', '::1', '--user-header', 'a:b'], "--user-header 'a:b' is no name of a header\n  help: write one such as X-Forwarded-User"],
  ]) {
    const refused = await agneto(repo, ['serve', '--listen', '127.0.0.1:0', ...args]);
    assert.deepEqual([refused.status, refused.err], [exit.usage, `agneto: ${error}\n`]);
  }
  repo.pass();
});

test('without a proxy nobody says who they are', async (t) => {
  const {repo, id, ada, ask, end} = await reached(t);
  await agneto(repo, ['wait', id]);
  await ask(`runs/${id}/answer`, ada, {body: '{"option": "YES"}', headers: {'content-type': 'application/json', 'x-forwarded-user': 'Mallory'}});
  const answer = (await agneto(repo, ['log', id, '--json'])).out.trim().split('\n').map((line) => JSON.parse(line)).find((event) => event.type === 'question.answered');
  assert.equal(answer.name, 'ada');
  assert.equal((await agneto(repo, ['serve', '--user-header', 'X-User'])).status, exit.usage);
  await end();
});
