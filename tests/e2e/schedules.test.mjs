// Runs that `agneto serve` begins by itself, on the real clock: each minute is due for a minute.

import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {serve, until} from './lib/served.mjs';

const minute = 60_000;
const config = '.agneto/config.yaml';
const files = (schedules) => ({
  ...greeter,
  [config]: `schedules:\n${schedules}`,
  '.agneto/workflows/note.yaml': `agneto: 1
name: note
inputs: {task: {type: string, main: true}, loud: {type: boolean, default: false}}
initial: NOTING
states:
  NOTING:
    run: {shell: 'echo "$TASK $LOUD" >> "$HOME/noted"', env: {TASK: inputs.task, LOUD: inputs.loud}}
    on: {ok: DONE, failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
});

const lines = async (repo, ...args) => (await agneto(repo, [...args, '--json'])).out.trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('a schedule makes a run of its time, which says where it comes from', async (t) => {
  const repo = makeRepo(t, {files: files('  often: {cron: "* * * * *", timezone: UTC, workflow: note, task: look around, inputs: {loud: true}, priority: 2}\n')});
  const begun = Math.floor(Date.now() / minute) * minute;
  const [before] = await lines(repo, 'schedules');
  assert.deepEqual(Object.keys(before), ['cron', 'name', 'next', 'task', 'timezone', 'workflow']);
  assert.equal((await agneto(repo, ['schedules'])).out, 'often  next now  * * * * * (UTC)  note\n', 'a server makes what came less than a minute ago');
  assert.ok(Date.parse(before.next) <= Date.now() && Date.parse(before.next) >= begun, before.next);
  const server = serve(t, repo);
  await server.says(/look-around-[0-9a-f]{4}  complete/);
  const [{last, next}] = await lines(repo, 'schedules');
  assert.equal(last.status, 'complete');
  assert.ok(Date.parse(last.due) >= begun && Date.parse(last.due) <= Date.now(), last.due);
  assert.ok(Date.parse(next) > Date.now() && Date.parse(next) <= Date.now() + minute, next);
  assert.match((await agneto(repo, ['schedules'])).out, /^often  next \d{4}-\d\d-\d\d \d\d:\d\d(:00)?  \* \* \* \* \* \(UTC\)  note\n/);
  assert.match((await agneto(repo, ['schedules'])).out, new RegExp(`\\n       last .*  ${last.run}  complete\\n$`));
  assert.match((await agneto(repo, ['log', last.run])).out, /queued by schedule often: look around\n/);
  assert.match(readFileSync(join(repo.home, 'noted'), 'utf8'), /^look around true\n/);
  server.kill('SIGTERM');
  await server.ended;
  repo.pass();
});

test('a server that is killed at any point makes one run of a time', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const repo = makeRepo(t, {files: files(names.map((name) => `  ${name}: {cron: "* * * * *", workflow: note, task: ${name}, overlap: queue}\n`).join(''))});
  const first = Math.floor(Date.now() / minute);
  for (let kill = 0; kill < 16; ++kill) {
    const server = serve(t, repo);
    await sleep(10 * kill);
    server.kill('SIGKILL');
    await server.ended;
  }
  const server = serve(t, repo);
  await until(async () => (await lines(repo, 'schedules')).every(({last}) => last?.status === 'complete'));
  server.kill('SIGTERM');
  await server.ended;
  const minutes = Math.floor(Date.now() / minute) - first + 1;
  const runs = await lines(repo, 'runs');
  for (const name of names) {
    const made = runs.filter((run) => run.task === name);
    assert.ok(made.length >= 1 && made.length <= minutes, `${made.length} runs of ${name} in ${minutes} minutes`);
    assert.ok(made.every((run) => run.status === 'complete'), JSON.stringify(made));
  }
  repo.pass();
});

test('what cannot be made is said by the server, its log, the list and lint', async (t) => {
  const repo = makeRepo(t, {files: files('  often: {cron: "* * * * *", workflow: nte, task: x}\n')});
  const linted = await agneto(repo, ['lint', config]);
  assert.equal(linted.out, `${config}:2:40: error: there is no workflow 'nte' [E465/bad-schedule]
  often: {cron: "* * * * *", workflow: nte, task: x}
                                       ^~~
  help: did you mean 'note'?
`, linted.said);
  const server = serve(t, repo);
  const log = join(repo.dir, '.agneto/log/agneto.log');
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('scheduled run cannot be queued'));
  assert.match(readFileSync(log, 'utf8'), /scheduled run cannot be queued.*schedule often .*there is no workflow 'nte'/);
  assert.match((await agneto(repo, ['schedules'])).out, /^often  next now .*\n {7}makes no run: there is no workflow 'nte'\n$/);
  assert.equal((await agneto(repo, ['runs'])).out, 'No runs here yet. Start one: agneto run "what is to be done"\n');
  repo.write({[config]: 'schedules:\n  often: {cron: "* * * * *", workflow: note, task: x}\n'});
  await agneto(repo, ['submit', 'y', '-w', 'note']);
  await server.says(/x-[0-9a-f]{4}  complete/);
  assert.ok(!(await agneto(repo, ['schedules'])).out.includes('makes no run'));
  server.kill('SIGTERM');
  assert.equal((await server.ended).err, "agneto: schedule 'often' makes no run: there is no workflow 'nte'\n  help: 'agneto lint .agneto/config.yaml' shows where\n", 'once');
  repo.pass();
});

const wrong = {
  'cron: "@daily", workflow: note, task: x, timezone: Europe/Lodon': ["there is no time zone 'Europe/Lodon'", "did you mean 'Europe/London'?"],
  'cron: "@daily", workflow: note, task: x, inputs: {laud: true}': ["workflow 'note' has no input 'laud'", "did you mean 'loud'?"],
  'cron: "@daily", workflow: note, task: x, inputs: {loud: maybe}': ["input 'loud' must be boolean, not 'maybe'", "workflow 'note' takes task (string, required), loud (boolean)"],
  'cron: "@daily", workflow: note': ["workflow 'note' needs a task", "write what is to be done behind 'task'"],
  'cron: "@hourly", workflow: note, task: x, jitter: 1h': ['the jitter is not shorter than the time between two runs', 'make it shorter'],
  'cron: 0 0 31 2 *, workflow: note, task: x': ["'0 0 31 2 *' never comes", 'no month that it names has such a day'],
};

test('lint finds what is wrong with a schedule', async (t) => {
  const repo = makeRepo(t, {files: files('')});
  for (const [text, [message, help]] of Object.entries(wrong)) {
    repo.write({[config]: `schedules: {one: {${text}}}\n`});
    const end = await agneto(repo, ['lint', config]);
    assert.match(end.out, new RegExp(`^${config.replaceAll('.', '\\.')}:1:\\d+: error: `));
    assert.ok(end.out.includes(`: error: ${message} [E465/bad-schedule]\n`), end.said);
    assert.ok(end.out.endsWith(`\n  help: ${help}\n`), end.said);
    assert.equal(end.status, 1);
  }
  assert.equal((await agneto(repo, ['schedules'])).status, exit.usage);
  const page = readFileSync(join(root, 'docs/serve.md'), 'utf8');
  const examples = [...page.matchAll(/^    # \.agneto\/config\.yaml\n((?:    .*\n)+)/gm)].map(([, block]) => block.replaceAll(/^    /gm, ''));
  assert.ok(examples.length >= 3);
  for (const text of examples) {
    repo.write({[config]: text});
    const end = await agneto(repo, ['lint', config]);
    assert.equal(end.status, 0, `${text}${end.said}`);
  }
  repo.write({[config]: ''});
  assert.equal((await agneto(repo, ['schedules'])).out, "There are no schedules here: 'schedules' in .agneto/config.yaml makes some\n");
  repo.pass();
});
