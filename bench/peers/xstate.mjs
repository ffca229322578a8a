// XState's speed with the charts of ../charts.cpp, as its documentation says to write them.
//
//   node xstate.mjs FOLDER-WITH-NODE_MODULES
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.resolve(process.argv[2], 'package.json'));
const { assign, createActor, setup } = require('xstate');

const twoStates = (way) => ({
  initial: 'A',
  states: { A: { on: { go: way('B') } }, B: { on: { go: way('A') } } },
});

const side = (from, to) => ({
  initial: `${from}1`,
  states: {
    [`${from}1`]: {
      initial: `${from}11`,
      states: { [`${from}11`]: { on: { go: `#chart.${to}` } } },
    },
  },
});

const machines = {
  ping_pong: setup({}).createMachine(twoStates((target) => target)),
  counter: setup({
    guards: { below: ({ context }) => context.n < 1000000000 },
    actions: { count: assign({ n: ({ context }) => context.n + 1 }) },
  }).createMachine({
    context: { n: 0 },
    ...twoStates((target) => ({ target, guard: 'below', actions: 'count' })),
  }),
  nested: setup({}).createMachine({
    id: 'chart',
    initial: 'A',
    states: { A: side('A', 'B'), B: side('B', 'A') },
  }),
};

// Takes the smaller of wall and CPU time: other programs do not count, nor do the collector's threads.
function clock() {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min((performance.now() - wall) / 1e3, (user + system) / 1e6);
  };
}

const event = { type: 'go' };

function sendFor(actor, seconds) {
  const elapsed = clock();
  let sent = 0;
  do {
    for (let i = 0; i < 1000; ++i) actor.send(event);
    sent += 1000;
  } while (elapsed() < seconds);
  return { sent, rate: sent / elapsed() };
}

for (const [bench, machine] of Object.entries(machines)) {
  const actor = createActor(machine).start();
  actor.send(event);
  if (!JSON.stringify(actor.getSnapshot().value).startsWith(bench === 'nested' ? '{"B"' : '"B"')) {
    throw new Error(`${bench}: the event was not taken`);
  }
  const warm = sendFor(actor, 0.5);
  const { sent, rate } = sendFor(actor, 1);
  if (bench === 'counter' && actor.getSnapshot().context.n !== 1 + warm.sent + sent) {
    throw new Error(`${bench}: events were lost`);
  }
  console.log(JSON.stringify({ bench, events_per_second: Math.round(rate) }));
}
