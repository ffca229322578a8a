// A server as a service: the socket that a manager hands over, and what the two say to each other.

import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program, start} from './lib/agneto.mjs';
import {root} from './lib/repo.mjs';
import {makeServed, serve, until} from './lib/served.mjs';

const has = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

const freePort = () => new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const {port} = probe.address();
    probe.close(() => resolve(port));
  });
});

test('the first request starts a server on the socket that was handed over', {skip: !has('systemd-socket-activate')}, async (t) => {
  const repo = makeServed(t);
  await agneto(repo, ['submit', 'say hello', '-w', 'gate']);
  const token = (await agneto(repo, ['token', 'make', 'Ada'])).out.trim();
  const port = await freePort();
  const environment = Object.entries(repo.env).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
  const manager = spawn('systemd-socket-activate', ['-l', `127.0.0.1:${port}`, ...environment, program, 'serve'],
    {cwd: repo.dir, env: repo.env, stdio: ['ignore', 'pipe', 'pipe']});
  t.after(() => manager.kill('SIGKILL'));
  let said = '';
  manager.stdout.setEncoding('utf8').on('data', (text) => { said += text; });
  const ask = () => fetch(`http://127.0.0.1:${port}/api/v1/runs`, {headers: {authorization: `Bearer ${token}`}}).then((answer) => answer.json(), () => undefined);
  const {runs} = await until(ask);
  assert.deepEqual(runs.map((run) => run.workflow), ['gate']);
  await until(() => new RegExp(`^API: http://127\\.0\\.0\\.1:${port}/api/v1/\nserving the runs of `).test(said));
  assert.equal((await agneto(repo, ['wait', 'last'])).status, exit.suspended, 'it works, too');
  const ended = new Promise((resolve) => manager.on('exit', resolve));
  manager.kill('SIGTERM');
  assert.equal(await ended, 0);
  repo.pass();
});

test('a manager is told that the server is ready, alive and ending', {skip: !has('socat')}, async (t) => {
  const repo = makeServed(t);
  const socket = join(repo.home, 'notify');
  const listener = spawn('socat', ['-u', `UNIX-RECV:${socket}`, '-']);
  t.after(() => listener.kill('SIGKILL'));
  let heard = '';
  listener.stdout.setEncoding('utf8').on('data', (text) => { heard += text; });
  await until(() => existsSync(socket));
  const server = start(repo, ['serve'], {env: {NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000'}});
  await until(() => /READY=1/.test(heard) && (heard.match(/WATCHDOG=1/g) ?? []).length > 1);
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, 0);
  await until(() => heard.includes('STOPPING=1'));
  repo.pass();
});

test('a socket that is asked for has to be there', async (t) => {
  const repo = makeServed(t);
  const refused = await agneto(repo, ['serve', '--listen', 'systemd']);
  assert.equal(refused.err, 'agneto: --listen systemd: no service manager has handed over a socket\n'
    + '  help: have a .socket unit start this, or write where to listen: 127.0.0.1:8420\n');
  assert.equal(refused.status, exit.usage);
  const server = serve(t, repo);
  await server.says(/^serving the runs of /);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('systemd can read the units', {skip: !has('systemd-analyze')}, () => {
  for (const unit of ['agneto@.service', 'agneto@.socket']) {
    const told = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', '--recursive-errors=no', join(root, 'scripts/systemd', unit)], {encoding: 'utf8', env: {...process.env, XDG_RUNTIME_DIR: '/tmp'}});
    // The program is found where the package puts it.
    const wrong = told.stderr.split('\n').filter((line) => line.includes('agneto@') && !/Command agneto is not executable/.test(line));
    assert.deepEqual(wrong, [], told.stderr);
  }
});
