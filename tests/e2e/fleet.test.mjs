// Runs that are recorded in PostgreSQL: docs/fleet.md, and what is done to them from elsewhere.

import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';

import {agneto, exit, start} from './lib/agneto.mjs';
import {postgresql} from './lib/postgresql.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {makeServed, runs, serve, submit, until} from './lib/served.mjs';

delete process.env.AGNETO_STORE;  // each test says where its runs are

const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
const sql = (name) => page.match(new RegExp(`^\`\`\`sql ${name}\n([^]*?)^\`\`\`$`, 'm'))[1];
// What the workflow `slow` has said so far.
const begun = (repo) => existsSync(join(repo.home, 'begun')) ? readFileSync(join(repo.home, 'begun'), 'utf8') : '';
const ticking = {
  '.agneto/workflows/ticking.yaml': `agneto: 1
name: ticking
inputs: {task: {type: string, main: true}}
initial: TICKING
states:
  TICKING:
    run: {shell: 'while [ ! -e "$HOME/go" ]; do echo "$$ $(date +%s%3N)" >> "$HOME/ticks"; echo tick >> ticks.txt; sleep 0.1; done'}
    on: {ok: DONE, failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
};
// When each of its programs was at work, in the order in which they began.
const ticks = (repo) => {
  const times = new Map();
  const file = join(repo.home, 'ticks');
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []) {
    const [program, time] = line.split(' ').map(Number);
    times.set(program, [...times.get(program) ?? [], time]);
  }
  return [...times.values()];
};
const lease_over = (query) => Number(query('SELECT floor(extract(epoch FROM until) * 1000) FROM agneto.leases WHERE run IN (SELECT id FROM agneto.runs)'));
const as = (uri, role) => uri.replace('agneto@', `${role}@`);

// A database that is the page's owner's, whose roles are all that tests have of them.
let are_there = false;
function owned() {
  const {uri, query} = postgresql().database();
  if (!are_there) query(sql('roles') + sql('tenants'));
  are_there = true;
  query(`ALTER DATABASE ${query('SELECT current_database()')} OWNER TO agneto_owner`);
  return {uri, query};
}

test('the roles of docs/fleet.md have what they need, and no more', async (t) => {
  const {uri, query} = owned();
  const repo = makeServed(t);
  const [owner, worker, reader] = ['owner', 'worker', 'reader'].map((role) => as(uri, `agneto_${role}`));
  assert.match((await agneto(repo, ['runs', '--journal', worker])).err, /^agneto: cannot use the journal '.*': permission denied for database \w+\n  help: let somebody who may grant that to this user; see docs\/fleet\.md\n$/);
  assert.equal((await agneto(repo, ['runs', '--journal', owner])).status, 0);
  query(`SET ROLE agneto_owner; ${sql('grants')}`);

  const begun = await agneto(repo, ['run', 'say hello', '-w', 'gate', '--non-interactive', '--journal', worker]);
  assert.equal(begun.status, exit.suspended, begun.said);
  const [{run: id}] = (await agneto(repo, ['runs', '--json', '--journal', reader])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.match((await agneto(repo, ['show', id, '--journal', reader])).out, /Is that what you want\?/);
  assert.match((await agneto(repo, ['answer', id, 'YES', '--journal', reader])).err, /^agneto: cannot use the journal '.*': permission denied for table leases\n/);
  const token = await agneto(repo, ['token', 'make', 'ada', '--journal', worker]);
  assert.equal(token.status, 0, token.said);
  assert.equal((await agneto(repo, ['token', 'revoke', 'ada', '--journal', worker])).status, 0);
  const ended = await agneto(repo, ['resume', id, '--answer', 'YES', '--journal', worker]);
  assert.equal(ended.status, exit.complete, ended.said);
  assert.throws(() => query('SET ROLE agneto_worker; UPDATE agneto.entries SET kind = kind'));
  assert.throws(() => query('SET ROLE agneto_worker; DELETE FROM agneto.entries'));
  assert.ok(!repo.has('.agneto/runs.db'));
  repo.pass();
});

test('the tenants of docs/fleet.md have their own servers, runs and tokens', async (t) => {
  const {uri, query} = owned();
  const superuser = makeRepo(t, {env: {AGNETO_JOURNAL: uri}});
  assert.equal((await agneto(superuser, ['runs', '--journal', as(uri, 'agneto_owner')])).status, 0);
  query(`SET ROLE agneto_owner; ${sql('grants')} ${sql('admits')}`);
  const repos = {}, ids = {}, tokens = {};
  for (const tenant of ['acme', 'bolt']) {
    const repo = repos[tenant] = makeServed(t, {'.agneto/config.yaml': `journal: ${as(uri, tenant)}\n`});
    repo.server = serve(t, repo, ['--listen', '127.0.0.1:0']);
    [, repo.api] = await repo.server.says(/^API: (.*)\/\n/);
    ids[tenant] = await submit(repo, `say hello to ${tenant}`, '-w', 'gate');
    await until(async () => (await runs(repo))[ids[tenant]].status === 'parked');
    tokens[tenant] = (await agneto(repo, ['token', 'make', 'ada', '--json'])).out;
  }
  for (const [tenant, other] of [['acme', 'bolt'], ['bolt', 'acme']]) {
    const repo = repos[tenant];
    assert.deepEqual(Object.keys(await runs(repo)), [ids[tenant]]);
    assert.equal((await agneto(repo, ['show', ids[other]])).err, `agneto: there is no run '${ids[other]}' here\n  help: known runs: ${ids[tenant]}; see 'agneto runs'\n`);
    assert.equal((await agneto(repo, ['workers', '--json'])).out.trim().split('\n').length, 1);
    const {token} = JSON.parse(tokens[tenant]);
    const asked = (where) => fetch(`${where.api}/runs`, {headers: {authorization: `Bearer ${token}`}});
    assert.equal((await asked(repo)).status, 200);
    assert.equal((await asked(repos[other])).status, 401);
    const answered = await agneto(repo, ['answer', ids[tenant], 'YES']);
    assert.equal(answered.status, 0, answered.said);
  }
  const refused = await agneto(superuser, ['runs']);
  assert.match(refused.err, /^agneto: the journal '.*' belongs to several tenants, and the role agneto would see what is everybody's\n  help: connect as a role that is neither a superuser nor has BYPASSRLS\n$/);
  for (const {server} of Object.values(repos)) {
    server.kill('SIGTERM');
    assert.equal((await server.ended).status, exit.complete);
  }
  for (const repo of [superuser, ...Object.values(repos)]) repo.pass();
});

test('a run that a server works on is seen and answered from another machine', async (t) => {
  const {uri} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`});
  const elsewhere = makeRepo(t, {env: {AGNETO_JOURNAL: uri}});
  const server = serve(t, repo);
  await server.says(/serving/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await until(async () => (await runs(elsewhere))[id].status === 'parked');
  assert.match((await agneto(elsewhere, ['show', id])).out, /Is that what you want\?/);
  const answered = await agneto(elsewhere, ['answer', id, 'YES']);
  assert.equal(answered.status, 0, answered.said);
  const end = await agneto(elsewhere, ['wait', id]);
  assert.equal(end.out, `${id}: complete (FINISHED)\n`, end.said);
  assert.match((await agneto(elsewhere, ['log', id])).out, /FINISHED \(complete\)/);
  assert.equal(repo.git('show', `agneto/${id}:words.txt`), 'say hello');
  const other = await submit(elsewhere, 'say hello', '-w', join(repo.dir, '.agneto/workflows/gate.yaml'));
  assert.match((await agneto(elsewhere, ['show', other])).out, /^waits +nobody serves this folder: agneto serve$/m);
  for (const one of [repo, elsewhere]) assert.ok(!one.has('.agneto/runs.db'));
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, exit.complete);
  repo.pass();
  elsewhere.pass();
});

test('a server that has nothing to do asks the database for next to nothing', async (t) => {
  const {uri, query} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`});
  const server = serve(t, repo, ['--listen', '127.0.0.1:0']);
  const [, api] = await server.says(/^API: (.*)\/\n/);
  const id = await submit(repo, 'say hello', '-w', 'gate');
  await until(async () => (await runs(repo))[id].status === 'parked');
  await sleep(12_000);  // by then it was looked at what was written, and all of that is counted
  const transactions = () => Number(query('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()'));
  const before = transactions();
  await sleep(10_000);
  // It says that it is there, and by that sees that something was written.
  const asked = transactions() - before;
  assert.ok(asked >= 5 && asked <= 40, `${asked} transactions in ten seconds`);
  // And is there as soon as there is something.
  const {token} = JSON.parse((await agneto(repo, ['token', 'make', 'ada', '--json'])).out);
  const stream = await fetch(`${api}/events`, {headers: {authorization: `Bearer ${token}`}});
  const told = stream.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = (await told.next()).value;
  await sleep(3000);  // so long nobody writes
  const begun = Date.now();
  const answered = await agneto(repo, ['answer', id, 'YES']);
  assert.equal(answered.status, 0, answered.said);
  while (!/"status":\s*"complete"/.test(text)) text += (await told.next()).value;
  assert.ok(Date.now() - begun < 15_000, text);  // six seconds of which the run rests
  await told.return();
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, 0);
  repo.pass();
});

test('what a server that was killed had at work goes on with the next one once its lease is over', async (t) => {
  const {uri, query} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`});
  const first = serve(t, repo);
  await first.says(/serving/);
  const id = JSON.parse((await agneto(repo, ['submit', 'once', '-w', 'slow', '--json'])).out).run;
  await until(() => begun(repo).includes('once'));
  first.kill('SIGKILL');
  await first.ended;
  query("UPDATE agneto.leases SET process = 'of another machine'");
  assert.equal((await runs(repo))[id].status, 'running', 'it may still be there, as far as anybody knows');
  await until(async () => (await runs(repo))[id].status === 'interrupted');
  const second = serve(t, repo);
  repo.write({go: ''}, {under: repo.home});
  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
  second.kill('SIGTERM');
  await second.ended;
  repo.pass();
});

// As where its machine hangs, or its network is cut and its clock goes on.
test('a server that is stopped loses its run, and nothing of it works on that by then', async (t) => {
  const {uri, query} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`, ...ticking});
  const first = serve(t, repo);
  await first.says(/serving/);
  const id = await submit(repo, 'tick', '-w', 'ticking');
  await until(() => ticks(repo)[0]?.at(-1) - ticks(repo)[0]?.[0] > 12_000);  // for longer than a lease that nobody renews
  first.kill('SIGSTOP');
  await sleep(200);  // until what it had said to the database is done there
  const over = lease_over(query);
  assert.match((await agneto(repo, ['resume', id])).err, /^agneto: run .* is being worked on by process /);
  assert.match(readFileSync(`/proc/${first.child.pid}/stat`, 'utf8'), /\) T /);

  await until(async () => (await runs(repo))[id].status === 'interrupted');
  const left = ticks(repo)[0].at(-1);
  assert.ok(left < over - 500, `it was at work ${over - left} ms before its lease was over`);
  const second = start(repo, ['resume', id, '--non-interactive']);
  await until(() => ticks(repo)[1]?.length > 5);
  assert.ok(ticks(repo)[1][0] >= over);
  first.kill('SIGCONT');
  await until(() => /run has another owner .* is left alone/.test(readFileSync(join(repo.dir, '.agneto/log/agneto.log'), 'utf8')));
  const now = ticks(repo)[1].length;
  await until(() => ticks(repo)[1].length > now + 5);
  assert.ok(readFileSync(join(repo.dir, '.agneto/worktrees', id, 'ticks.txt'), 'utf8').trim().split('\n').length >= now, 'what the second one has changed is there');
  repo.write({go: ''}, {under: repo.home});
  const end = await second.ended;
  assert.equal(end.status, exit.complete, end.said);
  assert.equal(ticks(repo).length, 2, 'each of the two began it once');
  assert.equal(ticks(repo)[0].at(-1), left);
  first.kill('SIGTERM');
  assert.equal((await first.ended).status, exit.complete);
  assert.equal((await agneto(repo, ['doctor', id])).status, 0);
  repo.pass();
});

test('whoever cannot renew a lease ends its programs and leaves the run alone', async (t) => {
  const {uri, query} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`, ...ticking});
  const first = start(repo, ['run', 'tick', '-w', 'ticking', '--non-interactive']);
  await until(() => ticks(repo).length === 1);
  query('ALTER TABLE agneto.leases RENAME TO mislaid');
  const over = lease_over((sql) => query(sql.replace('leases', 'mislaid')));
  const end = await first.ended;
  query('ALTER TABLE agneto.mislaid RENAME TO leases');
  const left = ticks(repo)[0].at(-1);
  assert.ok(left < over - 500, `it was at work ${over - left} ms before its lease was over`);
  const [id] = Object.keys(await runs(repo));
  assert.equal(end.status, exit.failed, end.said);
  assert.ok(end.err.endsWith(`agneto: run ${id} is left alone: its lease could not be renewed in time, so its programs were ended before another process may take it
  help: nothing more is written here; look at it with 'agneto show ${id}'
`), end.said);
  repo.write({go: ''}, {under: repo.home});
  const again = await agneto(repo, ['resume', id, '--non-interactive']);
  assert.equal(again.status, exit.complete, again.said);
  assert.equal(ticks(repo)[0].at(-1), left);
  repo.pass();
});

test('a run goes on where the database is restarted under it', async (t) => {
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${postgresql().database().uri}\n`});
  const server = serve(t, repo);
  await server.says(/serving/);
  const id = JSON.parse((await agneto(repo, ['submit', 'once', '-w', 'slow', '--json'])).out).run;
  await until(() => begun(repo).includes('once'));
  postgresql().stop();
  postgresql().start();
  repo.write({go: ''}, {under: repo.home});
  const end = await agneto(repo, ['wait', id]);
  assert.equal(end.out, `${id}: complete (DONE)\n`, end.said);
  assert.equal(begun(repo).trim(), 'once');
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('an address with a password is refused wherever it is given, and not said', async (t) => {
  const repo = makeServed(t);
  const uri = 'postgresql://ada:hush-hush@db.example.invalid/runs';
  const refused = `agneto: the address of the journal has a password in it, which others could read
  help: leave it out, and give it by ~/.pgpass, by a service in ~/.pg_service.conf or by PGPASSWORD
`;
  assert.equal((await agneto(repo, ['runs', '--journal', uri])).err, refused);
  assert.equal((await agneto(repo, ['runs'], {env: {AGNETO_JOURNAL: uri}})).err, refused);
  repo.write({'.agneto/config.yaml': `journal: ${uri}\n`});
  assert.equal((await agneto(repo, ['runs'])).err, refused);
  const linted = await agneto(repo, ['lint', '.agneto/config.yaml']);
  assert.match(linted.out, /config\.yaml: the address of the journal has a password in it/);
  assert.doesNotMatch(linted.said, /hush-hush/);
  repo.write({'.agneto/config.yaml': 'journal: [\n'});
  assert.match((await agneto(repo, ['runs'])).err, /^agneto: it cannot be read in .*config\.yaml where the journal is\n  help: agneto doctor says what is wrong in it\n$/);
  repo.pass();
});

test('runs move from a file to a database and back, and go on there alone', async (t) => {
  const {uri} = postgresql().database();
  const repo = makeServed(t);
  const begin = async (task) => {
    const begun = await agneto(repo, ['run', task, '-w', 'gate', '--non-interactive']);
    assert.equal(begun.status, exit.suspended, begun.said);
    return Object.keys(await runs(repo))[0];
  };
  const ended = await begin('say bye');
  assert.equal((await agneto(repo, ['resume', ended, '--answer', 'YES'])).status, exit.complete);
  const open = await begin('say hello');
  const import_ = (...words) => agneto(repo, ['import', ...words]);
  const moved = await import_('.agneto/runs.db', '--journal', uri);
  assert.equal(moved.out + moved.err, `imported: ${ended}\nimported: ${open}\n`);
  assert.equal((await import_('.agneto/runs.db', '--journal', uri)).out, `there already: ${ended}\nthere already: ${open}\n`);
  assert.match((await agneto(repo, ['show', open])).out, new RegExp(`^status +aborted \\(moved to ${uri.replace('?', '\\?')}\\)$`, 'm'));
  const record = async (id, ...where) => JSON.parse((await agneto(repo, ['export', id, ...where])).out).entries;
  assert.deepEqual(await record(ended, '--journal', uri), await record(ended));
  assert.equal((await agneto(repo, ['doctor', open, '--journal', uri])).status, 0);
  const done = await agneto(repo, ['resume', open, '--answer', 'YES', '--journal', uri]);
  assert.equal(done.status, exit.complete, done.said);
  assert.equal(repo.git('show', `agneto/${open}:words.txt`), 'say hello');

  const there = await import_(uri, open);
  assert.equal(there.out + there.err, `there already: ${open}\n`, 'where it was, it has ended');
  assert.equal((await import_('.agneto/runs.db')).err, `agneto: that is the journal of this folder, to which runs are to come
  help: say where they are to be by --journal, or 'journal' in .agneto/config.yaml
`);
  assert.equal((await import_('nothing.db', '--journal', uri)).err, `agneto: there is no journal 'nothing.db'
  help: name a file such as .agneto/runs.db, or a database as postgresql://…
`);
  const later = await begin('say it');
  const elsewhere = makeRepo(t);
  const refused = await agneto(elsewhere, ['import', join(repo.dir, '.agneto/runs.db'), later, '--journal', uri]);
  assert.deepEqual([refused.status, refused.err], [exit.failed, `agneto: the work of run ${later} is not in the repository ${elsewhere.dir}
  help: import it in the checkout that it was begun in
`]);
  assert.equal((await runs(repo))[later].status, 'suspended');
  repo.pass();
  elsewhere.pass();
});

test('the ten commands of docs/fleet.md take somebody from a laptop to three workers', async (t) => {
  const {uri} = postgresql().database();  // createdb
  const walk = page.match(/^```console walk\n([^]*?)^```$/m)[1].trim().split('\n').map((line) => line.replace(/^\$ /, ''));
  assert.equal(walk.length, 10);
  const repo = makeRepo(t, {files: greeter});
  const hub = join(repo.home, 'hub.git');
  const sh = (command, folder = repo) => promisify(execFile)('sh', ['-c', command], {cwd: folder.dir, env: folder.env});
  await sh(`git init --bare --quiet --initial-branch=main ${hub} && git remote add origin ${hub} && git push --quiet -u origin main && mkdir .agneto`);
  repo.env.AGNETO_JOURNAL = uri;
  for (const name of ['one', 'two', 'three']) {
    const machine = {...repo, dir: join(repo.home, name), env: {...repo.env, XDG_CACHE_HOME: join(repo.home, name, 'cache')}};
    mkdirSync(machine.dir);
    const worker = start(machine, walk[2].split(' ').slice(1));
  }
  await sh(walk[3]);
  await sh(walk[4]);
  const submitted = walk[5].match(/^agneto submit "(.*)" --auto-merge$/)[1];
  const queued = await agneto(repo, ['submit', submitted, '--auto-merge', '--cassette', join(root, 'scripts/demo/cassette.yaml'), '--input', 'verify=sh test.sh']);
  assert.equal(queued.status, 0, queued.said);
  await until(async () => (await agneto(repo, walk[6].split(' ').slice(1))).out.match(/^\S+  worker, \d of 2 runs/gm)?.length === 3);
  // It asks more than once, and is answered the first time as the page says.
  const shown = async () => (await agneto(repo, ['show', 'last'])).out;
  let answers = walk[7].split(' ').slice(1);
  await until(async () => {
    const now = await shown();
    if (/^status +complete/m.test(now)) return true;
    if (!/^status +waiting for you/m.test(now)) return false;
    answers ??= now.match(/agneto (answer \S+ \S+ [A-Z_]+) /)?.[1].split(' ');
    if (!answers) return false;  // what was answered has not been taken yet
    const answered = await agneto(repo, answers);
    assert.equal(answered.status, 0, answered.said + now);
    answers = null;
    return false;
  });
  assert.equal((await agneto(repo, walk[8].split(' ').slice(1))).status, 0);
  await sh(walk[9]);
  assert.match((await sh('sh greet --shout Ada')).stdout, /^HELLO, ADA!$/m);
  repo.pass();
});
