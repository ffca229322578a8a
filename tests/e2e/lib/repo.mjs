// A throwaway git repository with a home of its own, and an environment in which nothing of this
// machine's is left but PATH.

import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {postgresql} from './postgresql.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const clis = join(root, 'build/e2e/node_modules/.bin');

// The program that the tests are about: agneto says hello, and a script tests it.
export const greeter = {
  'greet': '#!/bin/sh\n# Greets somebody.\necho "Hello, ${1:-world}!"\n',
  'test.sh': '#!/bin/sh\nset -e\n[ "$(sh greet)" = "Hello, world!" ]\n[ "$(sh greet Ada)" = "Hello, Ada!" ]\n',
};

// Where AGNETO_STORE is "postgresql", the runs of each repository are recorded in a database of its own.
const isInFile = process.env.AGNETO_STORE !== 'postgresql';

// A test of what is so only of the file that runs are recorded in. Where they are in a database there is no such test.
export const testOfFile = isInFile ? test : () => {};

// `t` is the test; the folder goes when it has passed and stays, named, when it has not. What
// was started in it ends.
// `files`: path -> text, committed on main. Without `files` there is no commit; `git: false`: no
// repository at all.
// `bare`: PATH has a few common programs and no agent.
export function makeRepo(t, {files = greeter, env = {}, git = true, bare = false} = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agneto-e2e-')));
  const database = isInFile ? undefined : postgresql().database();
  const repo = new Repo(folder, {
    PATH: bare ? fewPrograms(folder) : `${clis}:${process.env.PATH}`,
    HOME: join(folder, 'home'), LANG: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1', GIT_CONFIG_NOSYSTEM: '1',
    ...(database ? {AGNETO_JOURNAL: database.uri} : {}), ...env,
  }, database);
  mkdirSync(repo.home);
  mkdirSync(repo.dir);
  if (git) repo.git('init', '-q', '-b', 'main');
  if (files) {
    repo.write(files);
    if (git) repo.commit('Begin');
  }
  let passed = false;
  repo.pass = () => { passed = true; };
  t.after(() => {
    for (const child of repo.started) if (child.exitCode === null) child.kill('SIGKILL');
    // What these have started ends with them, and may write until then.
    if (passed) rmSync(folder, {recursive: true, force: true, maxRetries: 20});
    else t.diagnostic(`what it left behind is in ${folder}`);
  });
  return repo;
}

function fewPrograms(folder) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const program of ['git', 'sh', 'cat', 'sleep', 'head', 'tr', 'env', 'cp', 'mktemp', 'dirname', 'basename', 'yes']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], {encoding: 'utf8'}).trim(), join(bin, program));
  }
  return bin;
}

class Repo {
  constructor(folder, env, database) {
    this.dir = join(folder, 'project');
    this.home = env.HOME;
    this.bin = join(folder, 'bin');
    this.env = env;
    this.database = database;
    this.started = [];  // child processes, which end with the test
  }

  write(files, {under = this.dir} = {}) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(under, path)), {recursive: true});
      writeFileSync(join(under, path), text);
    }
  }

  read(path) { return readFileSync(join(this.dir, path), 'utf8'); }
  // A program for PATH, where it is bare.
  install(name, script) { writeFileSync(join(this.bin, name), script, {mode: 0o755}); }
  has(path) { return existsSync(join(this.dir, path)); }

  git(...args) {
    return execFileSync('git', args, {cwd: this.dir, env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']}).trimEnd();
  }

  commit(message) {
    this.git('add', '-A');
    this.git('-c', 'user.name=test', '-c', 'user.email=test@example.invalid', 'commit', '-q', '-m', message);
  }

  sh(command) {
    return execFileSync('sh', ['-c', command], {cwd: this.dir, env: this.env, encoding: 'utf8'});
  }

  // What its journal says to an SQL statement, as an object for each row.
  query(sql) {
    const as_json = sql.startsWith('SELECT') ? `SELECT json_agg(each) FROM (${sql}) AS each` : sql;
    const said = this.database
      ? this.database.query(`SET search_path = agneto; ${as_json}`)
      : execFileSync('sqlite3', ['-json', join(this.dir, '.agneto/runs.db'), sql], {encoding: 'utf8'});
    return JSON.parse(said || '[]');
  }

  loseJournal() {
    if (this.database) this.database.query('DROP SCHEMA agneto CASCADE');
    else for (const name of readdirSync(join(this.dir, '.agneto'))) if (name.startsWith('runs.db')) rmSync(join(this.dir, '.agneto', name));
  }

  // Whatever still runs in this repository: [{pid, command}].
  processes() {
    const found = [];
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
        if (cwd !== this.dir && !cwd.startsWith(`${this.dir}/`)) continue;
        found.push({pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()});
      } catch {
        // It ended meanwhile, or belongs to somebody else.
      }
    }
    return found.filter((process) => process.command !== '');
  }
}
