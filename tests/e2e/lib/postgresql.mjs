// A PostgreSQL of the program's own, from Debian's package `postgresql`: on a socket in a folder that
// goes with it. Benchmarks use it, too.

import {execFileSync, spawn} from 'node:child_process';
import {chownSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const installed = '/usr/lib/postgresql';
let server;

// Its newest version here, and where that one's programs are.
export const version = () => readdirSync(installed).map(Number).sort((one, other) => other - one)[0];
export const programs = () => join(installed, String(version()), 'bin');

// The same command, run by `postgres` where we are root, whom PostgreSQL refuses, and a folder of that user's.
const is_root = process.getuid() === 0;
export const asPostgres = (words) => is_root ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...words] : words;
export function giveToPostgres(folder) {
  if (!is_root) return;
  const [user, group] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], {encoding: 'utf8'})));
  chownSync(folder, user, group);
}

// With its own settings but for those given, so that it waits for the disk unless they say otherwise.
export function startPostgresql(settings = []) {
  const folder = mkdtempSync(join(tmpdir(), 'agneto-postgresql-'));
  giveToPostgres(folder);
  const words = (program, args) => asPostgres([join(programs(), program), ...args]);
  const run = (program, ...args) => {
    const [first, ...rest] = words(program, args);
    return execFileSync(first, rest, {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28});
  };
  const data = join(folder, 'data'), log = join(folder, 'log');
  run('initdb', `--pgdata=${data}`, '--username=agneto', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions');
  const start = (...more) => run('pg_ctl', '--pgdata', data, '--log', log, '--wait', '--options',
    ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=200', ...settings, ...more].map((setting) => `-c ${setting}`).join(' '), 'start');
  const stop = (mode = 'immediate') => run('pg_ctl', '--pgdata', data, '--wait', '--mode', mode, 'stop');
  start();
  process.on('exit', () => {
    try { stop(); } catch { /* gone already */ }
    rmSync(folder, {recursive: true, force: true});
  });
  const psql = (database, sql) => ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--host', folder, '--username', 'agneto', '--dbname', database, '--command', sql];
  const query = (sql, database = 'postgres') => run('psql', ...psql(database, sql)).trimEnd();
  const uri = (database) => `postgresql://agneto@/${database}?host=${folder}`;
  let made = 0;
  return {
    version: version(), folder, log, start, stop, uri, query,
    // An empty one of a test's own.
    database() {
      const name = `journal_${++made}`;
      query(`CREATE DATABASE ${name}`);
      return {uri: uri(name), query: (sql) => query(sql, name)};
    },
    // What is written to its input goes to that statement, a COPY … FROM STDIN.
    copy(sql, database = 'postgres') {
      const [first, ...rest] = words('psql', psql(database, sql));
      const child = spawn(first, rest, {cwd: folder, stdio: ['pipe', 'inherit', 'inherit']});
      child.ended = new Promise((resolve, reject) => child.on('close', (status) => status === 0 ? resolve() : reject(new Error(`psql ended with ${status}`))));
      return child;
    },
  };
}

// The one that all tests of this program share. It does not wait for the disk.
export const postgresql = () => server ??= startPostgresql(['fsync=off']);
