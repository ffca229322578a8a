// What befalls three machines and the database that they share, at random: docs/fleet.md.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {agneto} from './lib/agneto.mjs';
import {makeFleet} from './lib/fleet.mjs';
import {postgresql} from './lib/postgresql.mjs';
import {until} from './lib/served.mjs';
import {startWay} from './lib/way.mjs';

delete process.env.AGNETO_STORE;  // they are all in a database

const lease = 10_000;

const small = {
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "Task: " .. m.inputs.task end}\n',
  '.agneto/workflows/small.yaml': `agneto: 1
name: small
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit, tries: 1}}
initial: FIRST
states:
  FIRST: {run: {shell: '. "$FLEET/tools"; alone; note first; sleep 0.5', env: {TASK: inputs.task}}, on: {ok: EDITING, failed: FAILED}}
  EDITING: {agent: coder, on: {done: SECOND, error: FAILED}}
  SECOND: {run: {shell: '. "$FLEET/tools"; alone; note second; echo half >> "$TASK.txt"; sleep 0.5; sed -i /half/d "$TASK.txt"', env: {TASK: inputs.task}}, on: {ok: COMMITTING, failed: FAILED}}
  COMMITTING: {workspace: {commit: {message: "Edit {{inputs.task}}"}}, on: {ok: MERGING, failed: FAILED}}
  MERGING: {workspace: {merge: {message: "Merge {{inputs.task}}", squash: false}}, on: {ok: DONE, conflict: FAILED, failed: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  'edit.sh': 'alone\nnote edit\necho half >> "$TASK.txt"\nsleep 1\necho "whole $TASK" >> "$TASK.txt"\nsed -i /half/d "$TASK.txt"\n',
};

// Numbers from 0 to 1, the same for the same seed.
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// The environment of programs whose clock is so many seconds ahead; what they measure is not.
const clock = (seconds) => ({LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1', FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`, DONT_FAKE_MONOTONIC: '1'});

// As long as there is something to do.
const four_at_a_time = (something) => Promise.all(Array.from({length: 4}, async () => { while (await something()); }));

// AGNETO_FLEET_RUNS: how many runs; AGNETO_FLEET_SEED: what befalls them.
test('whatever befalls three machines and their database, each run is done, and once', {timeout: 1_800_000}, async (t) => {
  const count = Number(process.env.AGNETO_FLEET_RUNS ?? 12);
  const seed = Number(process.env.AGNETO_FLEET_SEED ?? Date.now() % 100_000);
  const number = numbers(seed);
  const any = (list) => list[Math.floor(number() * list.length)];
  const server = postgresql();
  const way = await startWay(t, server.folder);
  const {uri, query} = server.database();
  const fleet = makeFleet(t, small, {database: {uri: uri.replace(server.folder, way.folder), query}});
  const {repo} = fleet;
  const begun = Date.now();
  const tell = (what) => t.diagnostic(`${((Date.now() - begun) / 1000).toFixed(1)} s: ${what}`);
  const slots = count < 100 ? 2 : 6;
  tell(`seed ${seed}, ${count} runs, ${slots} slots each`);

  const ids = {};
  let made = 0;
  await four_at_a_time(async () => {
    if (made === count) return false;
    const task = `task-${++made}`;
    ids[await fleet.submit(task, '-w', 'small')] = task;
    return true;
  });
  tell('all are queued');
  const machines = [['one', 0], ['two', -250], ['three', 430]].map(([name, ahead]) => fleet.machine(name, {env: clock(ahead)}));
  let standstill;  // as long as there is one
  const work = async (machine) => {
    await standstill;  // a worker that cannot reach the journal does not begin
    machine.is_frozen = false;
    await machine.work('--slots', `${slots}`);
  };
  await Promise.all(machines.map(work));
  const states = () => Object.fromEntries(fleet.query('SELECT id, status, outcome FROM agneto.runs').split('\n').map((line) => {
    const [id, status, outcome] = line.split('|');
    return [id, {status, outcome}];
  }));
  const is_done = () => Object.values(states()).every(({status}) => !['queued', 'running', 'parked'].includes(status));

  const befalls = {
    async worker(machine) {
      machine.worker.kill('SIGKILL');
      await machine.worker.ended;
      await work(machine);
    },
    async machine(machine) {
      machine.fail();
      if (number() < 0.5) machine.forget();
      await work(machine);
    },
    async end(machine) {
      if (machine.is_frozen) return;
      await Promise.all([machine.end(), sleep(number() * 300).then(() => machine.worker.kill('SIGTERM'))]);
      await work(machine);
    },
    // What runs under them is left, and whoever comes next on this machine ends it.
    async guards(machine) {
      const guards = machine.guards();
      machine.worker.kill('SIGKILL');
      for (const {pid} of guards) {
        try { process.kill(pid, 'SIGKILL'); } catch { /* gone already */ }
      }
      await machine.worker.ended;
      await work(machine);
    },
    freeze(machine) {
      if (machines.some((other) => other.is_frozen)) return;
      const {worker} = machine;
      machine.is_frozen = true;
      worker.kill('SIGSTOP');
      sleep(lease + 2_000 + 1_000 * number()).then(() => {
        worker.kill('SIGCONT');
        if (machine.worker === worker) machine.is_frozen = false;
      });
    },
    // As where what stands between them and the database is begun anew.
    network() { way.cut(); },
    // Its answers are late: mostly by less than a lease's time.
    slowness() {
      standstill ??= way.stand_still(number() < 0.2 ? lease + 2_000 : 4_000 * number()).then(() => { standstill = undefined; });
    },
    sessions() {
      fleet.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    },
    database() {
      server.stop();
      server.start();
    },
  };
  const times = Object.fromEntries(Object.keys(befalls).map((what) => [what, 0]));
  const most = 1000 * Math.max(20, 2 * count);
  while (!is_done() && Date.now() - begun < most) {
    await sleep(200 + 1_300 * number());
    const [what, machine] = [any(Object.keys(befalls)), any(machines)];
    if (count < 100) tell(`${what} of ${machine.name}`);
    ++times[what];
    await befalls[what](machine);
  }
  tell(`nothing more befalls them; ${Object.entries(times).map(([what, often]) => `${what} ${often}`).join(', ')}`);
  await until(is_done, 60 + 2 * count);
  tell('all is done');

  assert.deepEqual(states(), Object.fromEntries(Object.keys(ids).map((id) => [id, {status: 'complete', outcome: 'DONE'}])));
  const ended = fleet.query(`SELECT r.id, string_agg(e.path, ' ' ORDER BY e.seq) FROM agneto.entries e JOIN agneto.runs r ON r.number = e.run
    WHERE e.kind = 'macrostep' AND e.body::jsonb -> 'event' ->> 'kind' = 'outcome' GROUP BY r.id`);
  assert.deepEqual(ended.split('\n').sort(), Object.keys(ids).sort().map((id) => `${id}|FIRST#1 EDITING#1 SECOND#1 COMMITTING#1 MERGING#1`), 'a step has ended twice, or not at all');
  assert.deepEqual(fleet.hub('log', '--format=%(trailers:key=Agneto-Effect,valueonly,separator=%x20)', 'main').split('\n').filter((line) => line !== '').sort(),
    Object.keys(ids).flatMap((id) => [`${id}/COMMITTING#1`, `${id}/MERGING#1`]).sort(), 'a run was merged twice, or not at all');
  const refs = new Set(fleet.refs());
  const was_main = new Set(fleet.hub('rev-list', '--first-parent', 'main').split('\n'));
  const done = Object.fromEntries(Object.values(ids).map((task) => [task, []]));
  for (const {task, step} of fleet.notes()) done[task].push(step);
  for (const [id, task] of Object.entries(ids)) {
    assert.equal(fleet.hub('show', `main:${task}.txt`), `whole ${task}`);
    // None of them has outlived its lease: else two would have been at work, or in another order.
    assert.match(done[task].join(' '), /^first( first)*( edit)+( second)+$/);
    for (const ref of [`refs/heads/agneto/${id}`, ...['base', 'last', 'turn'].map((name) => `refs/agneto/${id}/${name}`)]) assert.ok(refs.delete(ref), `${ref} is missing`);
    assert.ok(was_main.has(fleet.hub('rev-parse', `refs/agneto/${id}/base^{commit}`)), `${id} began where the hub's main never was`);
  }
  const unknown = [...refs].filter((ref) => !Object.keys(ids).some((id) => ref.includes(`/${id}/`)));
  assert.deepEqual(unknown, []);
  const again = fleet.notes().length - 3 * count;
  const to_look_at = Object.keys(ids);
  await four_at_a_time(async () => {
    const id = to_look_at.pop();
    if (!id) return false;
    const looked = await agneto(repo, ['doctor', id]);
    assert.equal(looked.status, 0, looked.said);
    return true;
  });
  tell(`all is as it should be; ${again} steps were begun again`);
  fleet.hub('fsck', '--connectivity-only');
  await Promise.all(machines.map((machine) => machine.end()));
  for (const machine of machines) assert.deepEqual(machine.processes(), []);
  const cleaned = await agneto(repo, ['clean', '--ended'], {limit: Infinity});
  assert.equal(cleaned.status, 0, cleaned.said);
  assert.deepEqual(fleet.refs(), []);
  const forgotten = await agneto(repo, ['clean', '--ended', '--records'], {limit: Infinity});
  assert.equal(forgotten.status, 0, forgotten.said);
  assert.equal(fleet.query('SELECT count(*) FROM agneto.runs'), '0');
  repo.pass();
});
