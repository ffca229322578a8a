// Runs that are recorded in PostgreSQL: docs/fleet.md, and what is done to them from elsewhere.

import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {postgresql} from './lib/postgresql.mjs';
import {makeRepo, root} from './lib/repo.mjs';
import {makeServed, runs, serve, until} from './lib/served.mjs';

delete process.env.AGNETO_STORE;  // each test says where its runs are

const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
const sql = (name) => page.match(new RegExp(`^\`\`\`sql ${name}\n([^]*?)^\`\`\`$`, 'm'))[1];
// What the workflow `slow` has said so far.
const begun = (repo) => existsSync(join(repo.home, 'begun')) ? readFileSync(join(repo.home, 'begun'), 'utf8') : '';
const as = (uri, role) => uri.replace('agneto@', `${role}@`);

test('the roles of docs/fleet.md have what they need, and no more', async (t) => {
  const {uri, query} = postgresql().database();
  const repo = makeServed(t);
  query(sql('roles'));
  query(`ALTER DATABASE ${query('SELECT current_database()')} OWNER TO agneto_owner`);
  const [owner, worker, reader] = ['owner', 'worker', 'reader'].map((role) => as(uri, `agneto_${role}`));
  assert.match((await agneto(repo, ['runs', '--journal', worker])).err, /^agneto: cannot use the journal '.*': permission denied for database \w+\n  help: let somebody who may grant that to this user; see docs\/fleet\.md\n$/);
  assert.equal((await agneto(repo, ['runs', '--journal', owner])).status, 0);
  query(`SET ROLE agneto_owner; ${sql('grants')}`);

  const begun = await agneto(repo, ['run', 'say hello', '-w', 'gate', '--non-interactive', '--journal', worker]);
  assert.equal(begun.status, exit.suspended, begun.said);
  const [{run: id}] = (await agneto(repo, ['runs', '--json', '--journal', reader])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.match((await agneto(repo, ['show', id, '--journal', reader])).out, /Is that what you want\?/);
  assert.match((await agneto(repo, ['answer', id, 'YES', '--journal', reader])).err, /^agneto: cannot use the journal '.*': permission denied for table inbox\n/);
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

test('a run that a server works on is seen and answered from another machine', async (t) => {
  const {uri} = postgresql().database();
  const repo = makeServed(t, {'.agneto/config.yaml': `journal: ${uri}\n`});
  const elsewhere = makeRepo(t, {env: {AGNETO_JOURNAL: uri}});
  const server = serve(t, repo);
  await server.says(/serving/);
  const queued = await agneto(elsewhere, ['submit', 'say hello', '-w', join(repo.dir, '.agneto/workflows/gate.yaml'), '--json']);
  assert.equal(queued.status, 0, queued.said);
  const id = JSON.parse(queued.out).run;
  await until(async () => (await runs(elsewhere))[id].status === 'parked');
  assert.match((await agneto(elsewhere, ['show', id])).out, /Is that what you want\?/);
  const answered = await agneto(elsewhere, ['answer', id, 'YES']);
  assert.equal(answered.status, 0, answered.said);
  const end = await agneto(elsewhere, ['wait', id]);
  assert.equal(end.out, `${id}: complete (FINISHED)\n`, end.said);
  assert.match((await agneto(elsewhere, ['log', id])).out, /FINISHED \(complete\)/);
  assert.equal(repo.git('show', `agneto/${id}:words.txt`), 'say hello');
  for (const one of [repo, elsewhere]) assert.ok(!one.has('.agneto/runs.db'));
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, exit.complete);
  repo.pass();
  elsewhere.pass();
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
