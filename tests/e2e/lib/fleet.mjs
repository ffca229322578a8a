// A hub, a database, and machines that share nothing but these: each has a home, a cache and a folder
// of its own.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {agneto, start} from './agneto.mjs';
import {postgresql} from './postgresql.mjs';
import {greeter, makeRepo} from './repo.mjs';

// Programs and agents write down outside of any machine what they do, as `TASK STEP TIME`, and may be
// held: `note STEP`, `hold STEP` (the first time alone, until release(STEP)). Where two of a task are at work at the
// same time, `alone` writes down the step `both`.
const tools = `note() { echo "$TASK $1 $(date +%s%3N)" >> "$FLEET/notes"; }
hold() { [ -e "$FLEET/held-$1" ] || { touch "$FLEET/held-$1"; while [ ! -e "$FLEET/go-$1" ]; do sleep 0.05; done; }; }
alone() { exec 9>"$FLEET/lock-$TASK"; flock -n 9 || note both; }
`;

// `database`: {uri, query} of another one than its own.
export function makeFleet(t, files, {config = '', database = postgresql().database()} = {}) {
  const {uri, query} = database;
  const settings = `hub: origin
provider: command
providers:
  command: {argv: [sh, -c, 'TASK=$(sed -n "s/^Task: //p"); . "$FLEET/tools"; . ./edit.sh; echo Done.']}
${config}`;
  const repo = makeRepo(t, {files: {...greeter, '.agneto/config.yaml': settings, ...files}, env: {AGNETO_JOURNAL: uri}});
  const folder = dirname(repo.dir);
  const fleet = new Fleet(t, repo, folder, query);
  repo.env.FLEET = folder;
  writeFileSync(join(folder, 'tools'), tools);
  fleet.hub('init', '-q', '--bare', '-b', 'main');
  repo.git('remote', 'add', 'origin', join(folder, 'hub.git'));
  repo.git('push', '-q', 'origin', 'main');
  return fleet;
}

class Fleet {
  constructor(t, repo, folder, query) {
    Object.assign(this, {t, repo, folder, query});
    this.machines = [];
    t.after(() => { for (const machine of this.machines) machine.kill(); });
  }

  // git in the hub.
  hub(...args) {
    const where = join(this.folder, 'hub.git');
    mkdirSync(where, {recursive: true});
    return execFileSync('git', args, {cwd: where, env: this.repo.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']}).trimEnd();
  }

  // What the hub has, without what is of no run.
  refs() { return this.hub('for-each-ref', '--format=%(refname)', 'refs/agneto', 'refs/heads/agneto').split('\n').filter((ref) => ref !== ''); }

  machine(name, {config, env = {}} = {}) {
    const machine = new Machine(this, name, env);
    if (config !== undefined) {
      mkdirSync(join(machine.dir, '.agneto'), {recursive: true});
      writeFileSync(join(machine.dir, '.agneto/config.yaml'), config);
    }
    this.machines.push(machine);
    return machine;
  }

  async submit(...args) {
    const said = await agneto(this.repo, ['submit', ...args, '--json']);
    assert.equal(said.status, 0, said.said);
    return JSON.parse(said.out).run;
  }

  // [{task, step, time}], in the order in which they were written.
  notes() {
    const file = join(this.folder, 'notes');
    return (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []).map((line) => {
      const [task, step, time] = line.split(' ');
      return {task, step, time: Number(time)};
    });
  }
  note(task, step) { appendFileSync(join(this.folder, 'notes'), `${task} ${step} ${Date.now()}\n`); }
  is_held(step) { return existsSync(join(this.folder, `held-${step}`)); }
  release(step) { writeFileSync(join(this.folder, `go-${step}`), ''); }
}

class Machine {
  constructor(fleet, name, env) {
    this.fleet = fleet;
    this.name = name;
    this.dir = join(fleet.folder, name, 'folder');
    this.home = join(fleet.folder, name, 'home');
    this.env = {...fleet.repo.env, HOME: this.home, XDG_CACHE_HOME: join(fleet.folder, name, 'cache'), ...env};
    for (const folder of [this.dir, this.home]) mkdirSync(folder, {recursive: true});
  }

  // Begins to take up runs, for as long as the test goes on; resolves once it does.
  async work(...args) {
    this.worker = start(this, ['worker', ...args], {limit: Infinity});
    this.out = '';
    this.worker.child.stdout.on('data', (text) => { this.out += text; });
    await this.worker.says(/^working on runs that travel through a hub; Ctrl\+C ends that\n/);
    return this;
  }

  worker_said() { return this.out; }
  log() {
    const file = join(this.dir, '.agneto/log/agneto.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }
  get pid() { return this.worker.child.pid; }

  // Whatever runs on it: [{pid, command}].
  processes() {
    const found = [];
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${this.home}`)) continue;
        found.push({pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()});
      } catch {
        // It ended meanwhile, or belongs to somebody else.
      }
    }
    return found.filter((process) => process.command !== '');
  }

  signal(signal, which = () => true) {
    for (const {pid} of this.processes().filter(which)) {
      try { process.kill(pid, signal); } catch { /* gone already */ }
    }
  }

  // Its power is cut. Others cannot see that its processes are gone, as they would from the same machine.
  fail() {
    for (let i = 0; i < 2; ++i) this.signal('SIGSTOP');
    try {
      if (this.worker) this.fleet.query(`UPDATE agneto.leases SET process = 'of another machine' WHERE owner LIKE 'process ${this.pid} on %'`);
    } catch { /* the database is away */ }
    this.kill();
  }
  // All of it ends at once.
  kill() {
    this.signal('SIGSTOP');
    for (let i = 0; i < 2; ++i) this.signal('SIGKILL');
  }

  guards() { return this.processes().filter(({command}) => /agneto-guard/.test(command)); }

  // It is a new one by the next time.
  forget() {
    for (const folder of [this.env.XDG_CACHE_HOME, this.home, this.dir]) rmSync(folder, {recursive: true, force: true});
    for (const folder of [this.dir, this.home]) mkdirSync(folder, {recursive: true});
  }

  // Asked to end, it does.
  async end() {
    this.worker.kill('SIGTERM');
    const end = await this.worker.ended;
    assert.equal(end.status, 0, end.said);
    return end;
  }
}

