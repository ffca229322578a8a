// The durable steps of others in PostgreSQL, which ../fleet_bench.cpp has done by turns with its own.
//
//   node postgresql.mjs FOLDER-WITH-NODE_MODULES langgraph|dbos ADDRESS
//
// It says `ready`; then a line `RUNS STEPS` has it do so many runs at once, each of so many steps, and it says
// `done`. As in fleet_bench.cpp a run goes back and forth between two places, and carries 1,000 bytes along, which
// do not change. What is not said here is as its makers have it by default.
import {createRequire} from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import {pathToFileURL} from 'node:url';

const [folder, peer, address] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const rest = 'x'.repeat(1000);

const peers = {
  // Its checkpoint is written before the next step begins.
  async langgraph() {
    const {Annotation, END, START, StateGraph} = await load('@langchain/langgraph');
    const {PostgresSaver} = await load('@langchain/langgraph-checkpoint-postgres');
    const saver = PostgresSaver.fromConnString(address);
    await saver.setup();
    const add = ({n}) => ({n: n + 1});
    const next = (other) => ({n, steps}) => (n < steps ? other : END);
    const graph = new StateGraph(Annotation.Root({n: Annotation(), steps: Annotation(), rest: Annotation()}))
      .addNode('ping', add)
      .addNode('pong', add)
      .addEdge(START, 'ping')
      .addConditionalEdges('ping', next('pong'), ['pong', END])
      .addConditionalEdges('pong', next('ping'), ['ping', END])
      .compile({checkpointer: saver});
    return async (id, steps) => {
      const end = await graph.invoke({n: 0, steps, rest}, {configurable: {thread_id: id}, recursionLimit: steps + 1, durability: 'sync'});
      if (end.n !== steps) throw new Error(`it made ${end.n} steps`);
    };
  },
  // It records what a step returns, and no state: that is had by running the workflow once more.
  async dbos() {
    const {DBOS} = require('@dbos-inc/dbos-sdk');
    DBOS.setConfig({name: 'bench', systemDatabaseUrl: address, logLevel: 'error'});
    const workflow = DBOS.registerWorkflow(async (steps, carried) => {
      let n = 0;
      for (let i = 0; i < steps; ++i) {
        const from = i % 2 ? 'PONG' : 'PING', to = i % 2 ? 'PING' : 'PONG';
        n = (await DBOS.runStep(async () => ({
          n: n + 1, event: {name: 'tick', kind: 'external', data: null}, effects: [], transitions: [{event: 'tick', from, to: [to]}],
        }), {name: from})).n;
      }
      return n + 0 * carried.length;
    }, {name: 'steps'});
    await DBOS.launch();
    return async (id, steps) => {
      const end = await (await DBOS.startWorkflow(workflow, {workflowID: id})(steps, rest)).getResult();
      if (end !== steps) throw new Error(`it made ${end} steps`);
    };
  },
};

const run = await peers[peer]();
let made = 0;
console.log('ready');
for await (const line of readline.createInterface({input: process.stdin})) {
  const [runs, steps] = line.split(' ').map(Number);
  await Promise.all(Array.from({length: runs}, () => run(`run-${++made}`, steps)));
  console.log('done');
}
process.exit(0);
