// Runs that are recorded in a PostgreSQL whose primary is killed, again and again, and whose place Patroni gives to
// another one: docs/fleet.md.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto} from './lib/agneto.mjs';
import {makeFleet} from './lib/fleet.mjs';
import {startPatroni} from './lib/patroni.mjs';
import {programs} from './lib/postgresql.mjs';
import {root} from './lib/repo.mjs';
import {until} from './lib/served.mjs';

delete process.env.AGNETO_STORE;  // they are all in this database

// What docs/fleet.md says to set.
const [, block] = readFileSync(join(root, 'docs/fleet.md'), 'utf8').match(/^```yaml patroni\n([^]*?)^```/m);
const settings = Object.fromEntries(block.trim().split('\n').map((line) => line.split(': ')).map(([key, value]) => [key, JSON.parse(value)]));

const steps = 12;
const files = {
  // Two that do the same step at the same time would find each other.
  '.agneto/workflows/count.yaml': `agneto: 1
name: count
inputs: {task: {type: string, main: true}}
context: {n: 0}
initial: COUNTING
states:
  COUNTING:
    entry: ctx.n = ctx.n + 1
    run:
      shell: '. "$FLEET/tools"; alone; note "$N"; sleep 0.3'
      env: {TASK: inputs.task, N: tostring(ctx.n)}
    on: {ok: [{guard: "ctx.n < ${steps}", target: COUNTING}, {target: DONE}], failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  '.agneto/workflows/hear.yaml': `agneto: 1
name: hear
inputs: {task: {type: string, main: true}}
context: {last: 0}
initial: HEARING
states:
  HEARING: {after: [{delay: 10h, target: LATE}], on: {say: {do: ctx.last = event.data}, stop: DONE}}
  DONE: {final: true}
  LATE: {final: true, status: failed}
`,
};

// What people do with runs while the database comes and goes, and what was acknowledged to them.
class People {
  ids = {};     // by their tasks
  seen = {};    // by run: its entries, as JSON
  said = [];    // what was sent to the run that hears it
  refused = 0;  // what was not acknowledged, so that it was done or not
  is_over = false;

  constructor(fleet) { Object.assign(this, {fleet, repo: fleet.repo}); }

  // What it says; nothing: it could not be done.
  async ask(...args) {
    const {status, out, err} = await agneto(this.repo, args);
    if (status === 0 || /it is noted, and will be taken$/m.test(err)) return out;
    assert.match(err, /^agneto: (cannot reach|the connection to) the journal/, `agneto ${args.join(' ')} ended with ${status}: ${err}`);
    ++this.refused;
    return undefined;
  }

  async submit(task, workflow) {
    const out = await this.ask('submit', task, '-w', workflow, '--json');
    if (out) this.ids[task] = JSON.parse(out).run;
    return this.ids[task];
  }

  async runs() {
    const out = await this.ask('runs', '--json');
    return out?.trim().split('\n').map((line) => JSON.parse(line));
  }

  async entries(run) {
    const out = await this.ask('export', run);
    return out && JSON.parse(out).entries.map((entry) => JSON.stringify(entry));
  }

  begin() {
    this.at_work = Promise.all([this.keep_busy(4), this.look(), this.talk()]);
    this.at_work.catch((error) => { this.error = error; });
  }

  async keep_busy(most) {
    for (let i = 1; !this.is_over; await sleep(300)) {
      const open = (await this.runs())?.filter(({status}) => ['queued', 'running', 'parked'].includes(status));
      if (open && open.length < most) await this.submit(`task-${i++}`, 'count');
    }
  }

  async look() {
    for (let i = 0; !this.is_over; await sleep(300)) {
      const runs = Object.values(this.ids).slice(-5);
      const run = runs[i++ % runs.length];
      const entries = run && await this.entries(run);
      if (entries) this.seen[run] = entries;
    }
  }

  async talk() {
    for (let n = 1; !this.is_over; await sleep(200)) {
      if (await this.ask('send', this.hearing, 'say', '--data', `${n}`) !== undefined) this.said.push(n);
      ++n;
    }
  }

  async end() {
    this.is_over = true;
    await this.at_work;
    await until(async () => await this.ask('send', this.hearing, 'stop') !== undefined);
  }
}

// Says to one that was the primary: do this. Resolves to whether it says that it did.
function is_acknowledged_by(node, sql) {
  const uri = `postgresql://postgres@127.0.0.1:${node.port}/postgres?connect_timeout=60`;
  const psql = spawn(join(programs(), 'psql'), ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--command', sql, uri], {stdio: 'ignore'});
  return new Promise((resolve) => psql.on('close', (status) => resolve(status === 0)));
}

const befalls = {
  // The machine of the primary fails.
  async machine({patroni, primary}) {
    primary.signal('SIGKILL');
    await until(() => patroni.one_who_is('leader', primary), 60);
    return () => primary.start();
  },
  // Its PostgreSQL alone: its Patroni is there to start it again.
  async postgresql({primary}) {
    primary.signal('SIGKILL', {patroni: false});
    return () => {};
  },
  // It hangs, and goes on when another one has taken its place.
  async frozen({patroni, primary}) {
    for (let i = 0; i < 2; ++i) primary.signal('SIGSTOP');
    const acknowledged = is_acknowledged_by(primary, `CREATE TABLE written_by_${primary.name}_at_${Date.now()} ()`);
    await until(() => patroni.one_who_is('leader', primary), 60);
    return async () => {
      primary.signal('SIGCONT');
      assert.equal(await acknowledged, false, 'two were the primary at the same time');
    };
  },
  // The machine that has what the primary acknowledges.
  async standby({patroni}) {
    const standby = await until(() => patroni.one_who_is('sync_standby'));
    standby.signal('SIGKILL');
    await until(async () => {
      const next = await patroni.one_who_is('sync_standby', standby);
      return next && next !== standby;
    }, 60);
    return () => standby.start();
  },
};
const order = ['frozen', 'postgresql', 'machine', 'postgresql', 'machine', 'standby'];

// AGNETO_FAILOVERS: how many. What each takes is said.
test('whatever befalls the primary, what was acknowledged is there, and once', {timeout: 3_600_000}, async (t) => {
  const count = Number(process.env.AGNETO_FAILOVERS ?? 2);
  const begun = Date.now();
  const tell = (what) => t.diagnostic(`${((Date.now() - begun) / 1000).toFixed(1)} s: ${what}`);
  const patroni = await startPatroni(t, settings);
  tell('the databases are there');
  const fleet = makeFleet(t, files, {database: patroni.database('agneto')});
  const {repo} = fleet;
  const people = new People(fleet);
  people.hearing = await people.submit('listen', 'hear');
  const machines = await Promise.all(['one', 'two'].map((name) => fleet.machine(name).work('--slots', '3')));
  const has_ended = (error) => { people.error ??= error; };
  for (const {worker} of machines) worker.ended.then(({said}) => has_ended(new Error(`it has ended: ${said}`)), has_ended);
  people.begin();
  t.after(() => { people.is_over = true; });

  const notes = () => fleet.notes().length;
  const goes_on = async (seconds) => {
    const before = notes();
    await until(() => {
      if (people.error) throw people.error;
      return notes() > before + 3;
    }, seconds);
  };
  const times = [];
  for (let i = 0; i < count; ++i) {
    const what = order[i % order.length];
    await patroni.is_whole(120);
    await goes_on(60);
    const primary = await until(() => patroni.one_who_is('leader'));
    const at = Date.now();
    const mend = await befalls[what]({patroni, primary});
    await goes_on(90);
    times.push({what, at});
    tell(`${what} of ${primary.name}: gone on after ${((Date.now() - at) / 1000).toFixed(1)} s`);
    await mend();
  }
  await people.end();
  await until(async () => (await people.runs())?.every(({status}) => status === 'complete'), 120);
  tell('all runs are complete');

  // All that was acknowledged is there.
  const all = await people.runs();
  const entries = {};
  for (const {run} of all) entries[run] = await people.entries(run);
  for (const [task, run] of Object.entries(people.ids)) assert.ok(entries[run], `run ${run} of ${task} was acknowledged, and is lost`);
  let seen = 0;
  for (const [run, before] of Object.entries(people.seen)) {
    assert.deepEqual(entries[run].slice(0, before.length), before, `what was seen of ${run} is not there`);
    seen += before.length;
  }
  const of = (run, kind) => entries[run].map((entry) => JSON.parse(entry)).filter((entry) => entry.kind === kind);
  const heard = of(people.hearing, 'macrostep').map(({body}) => body.event).filter((event) => event?.name === 'say').map(({data}) => data);
  assert.deepEqual(people.said.filter((n) => !heard.includes(n)), [], 'it was said, and never heard');
  assert.equal(new Set(heard).size, heard.length, `heard twice: ${heard.filter((n, i) => heard.indexOf(n) !== i)}`);

  // Nothing was done twice.
  const written = fleet.notes();
  assert.deepEqual(written.filter(({step}) => step === 'both'), [], 'two did the same step at the same time');
  let again = 0;
  for (const {run, task} of all.filter(({workflow}) => workflow === 'count')) {
    const outcomes = of(run, 'macrostep').filter(({body}) => body.event?.kind === 'outcome');
    assert.deepEqual(outcomes.map(({path}) => path), Array.from({length: steps}, (_, n) => `COUNTING#${n + 1}`), run);
    const commands = of(run, 'command');
    for (let n = 1; n <= steps; ++n) {
      const done = written.filter((note) => note.task === task && note.step === `${n}`).map(({time}) => time);
      const ordered = commands.filter(({path}) => path === `COUNTING#${n}`).length;
      assert.ok(done.length >= 1 && done.length <= ordered, `step ${n} of ${run} was done ${done.length} times, and ordered ${ordered} times`);
      assert.ok(done.at(-1) <= Date.parse(outcomes[n - 1].time), `step ${n} of ${run} was done when it had its outcome`);
      again += done.length - 1;
    }
    const sound = await agneto(repo, ['doctor', run]);
    assert.equal(sound.status, 0, sound.said);
  }

  // The longest time in which nothing was written; it ends before the next thing befalls them.
  const moments = Object.values(entries).flat().map((entry) => Date.parse(JSON.parse(entry).time)).sort((one, other) => one - other);
  const pauses = {};
  times.forEach(({what, at}, i) => {
    const until_next = times[i + 1]?.at ?? Infinity;
    const longest = Math.max(...moments.map((moment, k) => moment >= at && moment < until_next ? moment - moments[k - 1] : 0));
    (pauses[what] ??= []).push((longest / 1000).toFixed(1));
  });
  for (const [what, seconds] of Object.entries(pauses)) tell(`longest pauses, ${what}: ${seconds.join(', ')} s`);
  tell(`${all.length} runs, ${moments.length} entries; ${Object.keys(people.ids).length} runs, ${seen} entries and ${people.said.length} messages were acknowledged, ${people.refused} times nothing was; ${again} steps were begun again`);
  await Promise.all(machines.map((machine) => machine.end()));
  patroni.pass();
  repo.pass();
});
