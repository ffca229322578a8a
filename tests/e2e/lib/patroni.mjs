// Three PostgreSQL servers that Patroni keeps available, and the etcd that it asks: from Debian's packages, on free
// ports of this machine. What one of them has acknowledged, another one has as well.

import {execFileSync, spawn} from 'node:child_process';
import {closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

import {asPostgres, giveToPostgres, programs} from './postgresql.mjs';
import {until} from './served.mjs';

const local = '127.0.0.1';

// So many ports on which nobody listens.
async function freePorts(count) {
  const servers = await Promise.all(Array.from({length: count}, () => new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject).listen(0, local, () => resolve(server));
  })));
  return Promise.all(servers.map((server) => new Promise((resolve) => {
    const {port} = server.address();
    server.close(() => resolve(port));
  })));
}

// `settings`: Patroni's own, beside these.
export async function startPatroni(t, settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'agneto-patroni-'));
  giveToPostgres(folder);
  const [clients, peers, ...ports] = await freePorts(8);
  const etcd = run(folder, 'etcd', ['/usr/bin/etcd', '--name', 'etcd', '--data-dir', join(folder, 'etcd'), '--log-level', 'warn', '--enable-v2',
    '--listen-client-urls', `http://${local}:${clients}`, '--advertise-client-urls', `http://${local}:${clients}`,
    '--listen-peer-urls', `http://${local}:${peers}`, '--initial-advertise-peer-urls', `http://${local}:${peers}`,
    '--initial-cluster', `etcd=http://${local}:${peers}`]);
  const nodes = ['one', 'two', 'three'].map((name, i) => new Node(folder, name, {etcd: clients, rest: ports[i], port: ports[3 + i]}, settings));
  const patroni = new Patroni(folder, nodes);
  let passed = false;
  patroni.pass = () => { passed = true; };
  const end = () => {
    for (const node of nodes) node.signal('SIGKILL');
    etcd.kill('SIGKILL');
  };
  process.on('exit', end);
  t.after(() => {
    end();
    process.off('exit', end);
    if (passed) rmSync(folder, {recursive: true, force: true});
    else t.diagnostic(`what the databases left behind is in ${folder}`);
  });
  for (const node of nodes) node.start();
  await patroni.is_whole(90);
  return patroni;
}

// Starts it; what it says is in a file of that name.
function run(folder, name, words, env = {}) {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const [first, ...rest] = asPostgres(words);
  const child = spawn(first, rest, {cwd: folder, stdio: ['ignore', log, log], env: {PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder, ...env}});
  closeSync(log);
  return child;
}

const children = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter((child) => child !== '').map(Number);
  } catch {
    return [];  // it ended meanwhile
  }
};

class Node {
  constructor(folder, name, {etcd, rest, port}, settings) {
    Object.assign(this, {folder, name, port});
    this.rest = `http://${local}:${rest}`;
    this.data = join(folder, name);
    const user = (username) => ({username, password: 'none'});
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({
      scope: 'agneto',
      name,
      etcd: {host: `${local}:${etcd}`},  // with etcd3, a Patroni before 3.0.3 that hung takes the lock from its next owner
      restapi: {listen: `${local}:${rest}`, connect_address: `${local}:${rest}`},
      watchdog: {mode: 'off'},
      bootstrap: {
        dcs: {...settings, postgresql: {use_pg_rewind: true, parameters: {max_connections: 100, fsync: 'off'}}},
        initdb: [{encoding: 'UTF8'}, {locale: 'C'}, {auth: 'trust'}, 'no-sync'],
      },
      postgresql: {
        listen: `${local}:${port}`,
        connect_address: `${local}:${port}`,
        data_dir: this.data,
        bin_dir: programs(),
        pgpass: join(folder, `${name}.pgpass`),
        authentication: {superuser: user('postgres'), replication: user('replicator')},
        parameters: {unix_socket_directories: folder},
        pg_hba: ['local all all trust', `host all all ${local}/32 trust`, `host replication all ${local}/32 trust`],
        basebackup: ['no-sync', {checkpoint: 'fast'}],
      },
    }));
  }

  start() {
    this.patroni = run(this.folder, this.name, ['/usr/bin/patroni', join(this.folder, `${this.name}.yaml`)]);
  }

  // The first process of PostgreSQL, where there is one.
  postmaster() {
    try {
      const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.data) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  // All of PostgreSQL, and its Patroni or not.
  signal(signal, {patroni = true} = {}) {
    const send = (pid) => {
      try { process.kill(pid, signal); } catch { /* gone already */ }
    };
    if (patroni && this.patroni?.exitCode === null) for (const pid of [this.patroni.pid, ...children(this.patroni.pid)]) send(pid);
    const postmaster = this.postmaster();
    if (postmaster) for (const pid of [...children(postmaster), postmaster].reverse()) send(pid);
  }

  // What Patroni says of all of them: {name: {role, state, …}}. Nothing: it is not there.
  async cluster() {
    try {
      const answer = await fetch(`${this.rest}/cluster`, {signal: AbortSignal.timeout(2000)});
      return Object.fromEntries((await answer.json()).members.map((member) => [member.name, member]));
    } catch {
      return undefined;
    }
  }
}

class Patroni {
  constructor(folder, nodes) { Object.assign(this, {folder, nodes}); }

  // Of all of them.
  uri(database, user = 'agneto') {
    return `postgresql://${user}@${this.nodes.map(({port}) => `${local}:${port}`).join(',')}/${database}`;
  }

  // A new one, of a role that may do nothing else.
  database(name) {
    this.query('CREATE ROLE agneto LOGIN', 'postgres', 'postgres');
    this.query(`CREATE DATABASE ${name} OWNER agneto ENCODING 'UTF8' TEMPLATE template0`, 'postgres', 'postgres');
    return {uri: this.uri(name), query: (sql) => this.query(sql, name)};
  }

  query(sql, database, user) {
    return execFileSync(join(programs(), 'psql'), ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--command', sql, `${this.uri(database, user)}?target_session_attrs=read-write`],
      {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28}).trimEnd();
  }

  // The one of that role now, as one of the others says; nothing: there is none, or nobody says so.
  async one_who_is(role, but) {
    for (const node of this.nodes.filter((one) => one !== but)) {
      const cluster = await node.cluster();
      const found = cluster && Object.values(cluster).find((member) => member.role === role && member.state !== 'stopped');
      if (found && found.name !== but?.name) return this.nodes.find(({name}) => name === found.name);
    }
    return undefined;
  }

  // All three are at work, and one of them has whatever the first one acknowledges.
  is_whole(seconds = 60) {
    return until(async () => {
      const cluster = Object.values(await this.nodes[0].cluster() ?? {});
      const roles = cluster.map(({role}) => role).sort().join(' ');
      const works = cluster.every(({state, lag}) => ['running', 'streaming'].includes(state) && (lag ?? 0) < 1 << 20);
      return roles === 'leader replica sync_standby' && works || sleep(300).then(() => false);
    }, seconds);
  }
}
