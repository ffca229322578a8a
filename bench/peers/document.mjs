// What run.sh measured -> docs/benchmarks.md, on standard output.
//
//   node document.mjs FOLDER ROUNDS COMPILER
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [folder, rounds, compiler] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
const numbers = Array.from({ length: Number(rounds) }, (_, i) => i + 1);
const lines = (text) => text.trim().split('\n');

// ---- What was measured: by program and benchmark, the value of each round.

const ours = numbers.map((round) => JSON.parse(read(`agneto-${round}.json`)));
const peers = (name) => numbers.map((round) => lines(read(`${name}-${round}.jsonl`)).map(JSON.parse));
const xstate = peers('xstate');
const qt = peers('qt');
const langgraph = peers('langgraph');
const linters = peers('lint');

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

let widest = 0;  // difference between rounds

function settle(what, values) {
  if (values.some((value) => !Number.isFinite(value))) throw new Error(`nobody measured ${what}`);
  return median(values);
}

// Reads a value of our benchmark: `field` is a counter, or real_time in milliseconds.
function own(name, field = 'items_per_second') {
  const found = ours.map(({ benchmarks }) =>
    benchmarks.find((each) => each.name.replace(/\/(manual_time|real_time|iterations:\d+)/g, '') === name));
  for (const each of found) {
    if (each?.error_occurred) throw new Error(`${name}: ${each.error_message}`);
  }
  const values = found.map((each) => each?.[field]);
  if (field === 'items_per_second') {
    widest = Math.max(widest, Math.max(...values) / Math.min(...values) - 1);
  }
  return settle(`${name} ${field}`, values);
}

// Reads our benchmark's ratio to bare commits, which it computes itself.
const durable = (name, field) => own(`durable/${name}`, field);

const rate = (peer, bench) =>
  settle(bench, peer.map((round) => round.find((each) => each.bench === bench)?.events_per_second));

// A ratio of two of our own, formed in each round.
function ownRatio(over, under) {
  const value = (round, name) =>
    round.benchmarks.find((each) => each.name === name)?.items_per_second;
  return settle(`${over} ${under}`, ours.map((round) => value(round, over) / value(round, under)));
}

// ---- How it is written.

// Two digits are as much as such figures deserve: 0.23, 4.0, 17, 1,800.
function digits(value) {
  if (value === 0) return '0';
  if (value < 100) return Number(value.toPrecision(2)) < 10 ? value.toPrecision(2) : value.toFixed(0);
  return Number(value.toPrecision(2)).toLocaleString('en');
}
const millions = (value) => `${digits(value / 1e6)} M`;
const nanoseconds = (perSecond) => `${digits(1e9 / perSecond)} ns`;
const times = (value) => `${digits(value)}×`;
const percent = (value) => `${digits(100 * value)} %`;
const kilobytes = (value) => `${digits(value / 1024)} KiB`;
const milliseconds = (value) => `${digits(value)} ms`;
const microseconds = (value) => `${digits(value)} µs`;
const count = (value) => (Number.isInteger(value) ? String(value) : digits(value));

function table(head, rows, others = '---:') {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 ? '---' : others));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

// ---- The figures.

const charts = [
  ['ping_pong', 'Two states and back, no data'],
  ['counter', 'The same with a guard and a counter, in each one\'s own language'],
  ['nested', 'Three states left and three entered'],
].map(([bench, title]) => ({
  title,
  agneto: own(`event/${bench}`),
  xstate: rate(xstate, bench),
  qt: rate(qt, bench),
}));
const [pingPong, counter, nested] = charts;

const all = [
  ['ping_pong', 'Two states and back'],
  ['untaken', 'An event that nothing takes'],
  ['nested', 'Three states left and three entered'],
  ['regions_2', 'Two regions, each there and back'],
  ['regions_10', 'Ten regions'],
  ['counter', 'A guard and a counter in Lua'],
  ['data', 'An event with data, of which Lua adds up a field'],
  ['ring_10', 'Round 10 states'],
  ['ring_10000', 'Round 10,000 states'],
  ['tree_100', 'Round the 100 leaves of a tree, two levels'],
  ['tree_10000', 'Round the 10,000 leaves of a tree, four levels'],
  ['names_10', 'Two states, 10 names of events in turn'],
  ['names_10000', 'Two states, 10,000 names of events in turn'],
].map(([bench, title]) => ({
  bench,
  title,
  rate: own(`event/${bench}`),
  allocations: own(`event/${bench}`, 'allocations'),
}));

const floors = [
  ['A table of next states', 'table', 'ping_pong'],
  ['Lua through its C API: guard and action compiled, two protected calls', 'lua', 'counter'],
  ['The same with the checks that Agneto makes', 'lua_checked', 'counter'],
].map(([title, floor, bench]) => ({
  title,
  bench,
  rate: own(`floor/${floor}`),
  reached: ownRatio(`event/${bench}`, `floor/${floor}`),
}));
const checked = floors[2];

const larger = ownRatio('event/ring_10', 'event/ring_10000');
const waiting = {
  heap: own('runs/waiting', 'heap_bytes'),
  resident: own('runs/waiting', 'resident_bytes'),
  rate: own('runs/waiting'),
  allocations: own('runs/waiting', 'allocations'),
};
const bundled = own('bundled_workflow', 'real_time');
const loaded = [1000, 10000, 40000].map((states) => ({
  states,
  time: own(`generated/states/${states}`, 'real_time'),
  yaml: own(`generated/states/${states}`, 'yaml_ms'),
  load: own(`generated/states/${states}`, 'load/yaml'),
  all: own(`generated/states/${states}`, 'all/yaml'),
}));
const growth = loaded[2].time / loaded[2].states / (loaded[0].time / loaded[0].states);
const checkpointed = {
  rate: settle('LangGraph', langgraph.map(([round]) => round.steps_per_second)),
  ofBare: settle('LangGraph of bare', langgraph.map(([round]) => round.of_bare)),
};
const steps = ['one_run', 'many_runs'].map((name) => ({
  rate: durable(name, 'steps'),
  ofBare: durable(name, 'of_bare'),
  bare: durable(name, 'bare'),
}));
const [oneRun, manyRuns] = steps;
const resume = {
  time: durable('resume', 'real_time'), bytes: durable('resume', 'step_bytes'), late: durable('resume', 'late'),
};
// Whole programs on one file, in each round one after the other; ratios are formed in each round.
const linted = [
  ['bundled', 'The execution machine, with all that it can do'],
  ['1000', '1,000 states'],
  ['10000', '10,000 states'],
].map(([file, title]) => {
  const rounds = linters.map((round) => round.find((each) => each.file === file));
  const of = (peer) => (rounds[0]?.[peer] === undefined ? null : {
    time: settle(`${peer} ${file}`, rounds.map((each) => each[peer])),
    ratio: settle(`${peer} ${file}`, rounds.map((each) => each[peer] / each.agneto)),
  });
  return { title, agneto: of('agneto'), peers: ['ajv', 'yamllint', 'actions'].map(of) };
});
const withoutData = Math.max(...all.filter(({ bench }) => bench !== 'data')
  .map(({ allocations }) => allocations));

const targets = [
  ['Two states and back', '≥ 20 M events/s', millions(pingPong.agneto), pingPong.agneto >= 20e6],
  ['Guard and counter, of the Lua floor with the same checks', '≥ 50 %', `${(100 * checked.reached).toFixed(1)} %`,
    checked.reached >= 0.5],
  ['Guard and counter, of XState', '≥ 10×', times(counter.agneto / counter.xstate),
    counter.agneto >= 10 * counter.xstate],
  ['Three nested levels', '≥ 10 M events/s', millions(nested.agneto), nested.agneto >= 10e6],
  ['An event among 10,000 states, of one among 10', '≤ 2×', times(larger), larger <= 2],
  ['Allocations of an event without data', '0', count(withoutData), withoutData === 0],
  ['Loading the bundled workflow', '< 5 ms', milliseconds(bundled), bundled < 5],
  ['Loading 10,000 states, of the bare parse of their YAML', '≤ 2×', times(loaded[1].all),
    loaded[1].all <= 2],
  ['A state among 40,000 to load, of one among 1,000', '≤ 1.5×', times(growth), growth <= 1.5],
  ['A run of the bundled workflow that waits', '< 64 KiB', kilobytes(waiting.heap),
    waiting.heap < 64 * 1024],
  ['Durable steps of one run, of bare commits', '≥ 0.7', digits(oneRun.ofBare), oneRun.ofBare >= 0.7],
  ['Durable steps of 32 runs, of bare commits', '> 3×', times(manyRuns.ofBare), manyRuns.ofBare > 3],
  ['Durable steps of one run, of LangGraph, each of bare commits', '≥ 5×',
    times(oneRun.ofBare / checkpointed.ofBare), oneRun.ofBare >= 5 * checkpointed.ofBare],
  ['Taking up a run of 100,000 steps', '< 100 ms', milliseconds(resume.time), resume.time < 100],
  ['The journal, a step', '< 1 KiB', `${digits(resume.bytes)} bytes`, resume.bytes < 1024],
];
const missed = targets.filter(([, , , met]) => !met).length;

const context = ours[0].context;
const cpus = os.cpus();
const version = (name) => JSON.parse(read(`node_modules/${name}/package.json`)).version;

process.stdout.write(`# Benchmarks

Measured on ${context.date.slice(0, 10)} by \`./dev bench --peers\`, which wrote this page. To repeat
it, run that on a machine that does nothing else; \`./dev bench\` alone prints Agneto's own figures.

Agneto and its peers ran by turns, ${rounds} rounds; a figure is the median. A second is a second of CPU
time, so that other programs on the machine count less. Agneto's speed differed between rounds by up
to ${percent(widest)}; where two of its own figures are compared, that is within a round.

${table(['machine', ''], [
    ['processor', `${cpus[0].model.trim()}, ${cpus.length} cores`],
    ['system', `${os.type()} ${os.release()}`],
    ['load when it began', context.load_avg.length ? digits(context.load_avg[0]) : 'unknown'],
    ['compiler', compiler],
    ['Agneto', read('commit.txt').trim()],
    ['XState', `${version('xstate')}, Node.js ${process.versions.node}`],
    ['LangGraph', version('@langchain/langgraph')],
    ['Qt SCXML', qt[0].find((each) => each.version).version],
    ['ajv, yaml, action-validator', ['ajv', 'yaml', '@action-validator/cli'].map(version).join(', ')],
  ], '---')}

## What was aimed at

${missed === 0 ? 'All of it was reached.' : `Missed: ${missed} of ${targets.length}.`}

${table(['what', 'target', 'measured', ''],
    targets.map(([what, target, found, met]) => [what, target, found, met ? 'met' : '**missed**']))}

## Events a second, beside other interpreters

All load their chart at run time. XState's \`actor.send\` is called in a loop; Qt's events are
submitted by the hundred before its event loop runs, which is its fastest. Behind each peer's figure
is how many times faster Agneto is.

${table(['chart', 'Agneto', 'XState 5', 'Qt 6 SCXML'], charts.map((chart) => [
    chart.title,
    millions(chart.agneto),
    `${millions(chart.xstate)} (${times(chart.agneto / chart.xstate)})`,
    `${millions(chart.qt)} (${times(chart.agneto / chart.qt)})`,
  ]))}

## Above the floor

The least that could be paid, and how much of that speed is left. The checks are fresh limits and a
message handler for each call of Lua, and a comparison of the data with its declaration after it.

${table(['floor', 'events/s', 'Agneto reaches'], floors.map((floor) => [
    floor.title, millions(floor.rate), percent(floor.reached),
  ]))}

## One event

A call of the engine's \`step\`, from the event to the machine at rest, with all that every caller gets:
which transitions were taken, what was left and entered, what is to be done. Allocations are those of C++
and Lua together, once warm.

${table(['chart', 'events/s', 'an event', 'allocations'], all.map((each) => [
    each.title, millions(each.rate), nanoseconds(each.rate), count(each.allocations),
  ]))}

## Many runs

10,000 runs of \`workflows/agneto.yaml\` in one process, each in its execution machine and waiting for
an agent; then an event for each in turn, once round a chunk.

${table(['', ''], [
    ['memory of a run, on the heap', kilobytes(waiting.heap)],
    ['memory of a run, resident', kilobytes(waiting.resident)],
    ['events/s', millions(waiting.rate)],
    ['allocations of an event', count(waiting.allocations)],
  ])}

## Durable steps

Two states and back by themselves, every step in the journal before the next begins: SQLite, write-ahead
log, \`synchronous = FULL\`. A bare commit is one row of 100 bytes by SQLite itself, without anything
else. They went by turns, in wall time. LangGraph's checkpointer writes before the next step begins
(\`durability: 'sync'\`).

${table(['', 'steps/s', 'of bare commits'], [
    ['One run', digits(oneRun.rate), digits(oneRun.ofBare)],
    ['32 runs at once in one process', digits(manyRuns.rate), times(manyRuns.ofBare)],
    ['LangGraph, one run', digits(checkpointed.rate), digits(checkpointed.ofBare)],
    ['Bare commits', digits(oneRun.bare), '1'],
  ])}

A run of 100,000 steps is taken up in ${milliseconds(resume.time)} and takes ${digits(resume.bytes)} bytes a step; its last
steps took ${times(resume.late)} as long as its first. Of ten thousand runs in one journal all are listed in ${milliseconds(durable('list', 'real_time'))}, and one is found in
${microseconds(durable('find', 'real_time'))}.

## Loading

From the file to a machine that can be started, its Lua compiled. The bundled workflow, two files,
takes ${milliseconds(bundled)}. Of generated files with six lines a state:

${table(['states', 'bare parse of the YAML', 'all of it', 'a state', 'of the parse', 'without Lua'],
    loaded.map((each) => [
      each.states.toLocaleString('en'), milliseconds(each.yaml), milliseconds(each.time),
      microseconds(1e3 * each.time / each.states), times(each.all), times(each.load),
    ]))}

## Linting

Wall time of \`agneto lint FILE\`, a program from start to exit, beside others on the same file: the JSON
Schema alone, by ajv on what \`yaml\` reads, in a program that has started and has compiled the schema;
yamllint, which looks at YAML's form alone; and action-validator on a workflow for GitHub Actions with as
many jobs of as many lines. They went by turns. Behind each is how many times as long it takes.

${table(['file', 'Agneto', 'ajv', 'yamllint', 'action-validator'], linted.map((each) => [
    each.title,
    milliseconds(each.agneto.time),
    ...each.peers.map((peer) => (peer ? `${milliseconds(peer.time)} (${times(peer.ratio)})` : '')),
  ]))}

## The program

Wall time, with everything that a run does: git, the journal, a process for each agent's call.

\`\`\`text
${read('whole.txt').trim()}
\`\`\`
`);
