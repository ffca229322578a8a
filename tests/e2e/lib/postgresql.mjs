// A PostgreSQL of the test program's own, from Debian's package `postgresql`: on a socket in a folder
// that goes with it, and not waiting for the disk.

import {execFileSync} from 'node:child_process';
import {chownSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const installed = '/usr/lib/postgresql';
let server;

function startServer() {
  const version = readdirSync(installed).map(Number).sort((one, other) => other - one)[0];
  const folder = mkdtempSync(join(tmpdir(), 'agneto-postgresql-'));
  const is_root = process.getuid() === 0;  // who may not run it
  if (is_root) {
    const [user, group] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], {encoding: 'utf8'})));
    chownSync(folder, user, group);
  }
  const run = (program, ...args) => {
    const words = [join(installed, String(version), 'bin', program), ...args];
    if (is_root) words.unshift('setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups');
    return execFileSync(words[0], words.slice(1), {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
  };
  const data = join(folder, 'data');
  run('initdb', `--pgdata=${data}`, '--username=agneto', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions');
  const start = (...settings) => run('pg_ctl', '--pgdata', data, '--log', join(folder, 'log'), '--wait', '--options',
    ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=200', ...settings].map((setting) => `-c ${setting}`).join(' '), 'start');
  const stop = (mode = 'immediate') => run('pg_ctl', '--pgdata', data, '--wait', '--mode', mode, 'stop');
  start();
  process.on('exit', () => {
    try { stop(); } catch { /* gone already */ }
    rmSync(folder, {recursive: true, force: true});
  });
  let made = 0;
  const query = (database, sql) => run('psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--host', folder, '--username', 'agneto', '--dbname', database, '--command', sql).trimEnd();
  return {
    start, stop,
    // An empty one of a test's own.
    database() {
      const name = `journal_${++made}`;
      query('postgres', `CREATE DATABASE ${name}`);
      return {uri: `postgresql://agneto@/${name}?host=${folder}`, query: (sql) => query(name, sql)};
    },
  };
}

export const postgresql = () => server ??= startServer();
