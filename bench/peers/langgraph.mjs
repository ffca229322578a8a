// LangGraph's durable steps: two nodes and back, a checkpoint in SQLite after each, written before
// the next begins (`durability: 'sync'`). By turns with bare commits, as ../durable_bench.cpp.
//
//   node langgraph.mjs FOLDER-WITH-NODE_MODULES
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(path.resolve(process.argv[2]), 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');

const turns = 15;
const steps = 400;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agneto-bench.'));
const saver = SqliteSaver.fromConnString(path.join(folder, 'graph.db'));
saver.setup();
saver.db.pragma('journal_mode = WAL');
saver.db.pragma('synchronous = FULL');

const Database = saver.db.constructor;
const bare = new Database(path.join(folder, 'bare.db'));
bare.pragma('journal_mode = WAL');
bare.pragma('synchronous = FULL');
bare.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
const insert = bare.prepare('INSERT INTO rows (text) VALUES (?)');
const text = 'x'.repeat(100);

const add = ({ n }) => ({ n: n + 1 });
const next = (other) => ({ n }) => (n < steps ? other : END);
const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
  .addNode('ping', add)
  .addNode('pong', add)
  .addEdge(START, 'ping')
  .addConditionalEdges('ping', next('pong'), ['pong', END])
  .addConditionalEdges('pong', next('ping'), ['ping', END])
  .compile({ checkpointer: saver });

function commit(rows) {
  const start = performance.now();
  for (let i = 0; i < rows; ++i) insert.run(text);
  return performance.now() - start;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rates = [];
const ratios = [];
for (let turn = 0; turn <= turns; ++turn) {
  const before = commit(steps / 2);
  const start = performance.now();
  const end = await graph.invoke({ n: 0 }, {
    configurable: { thread_id: `run-${turn}` },
    recursionLimit: steps + 1,
    durability: 'sync',
  });
  const rate = (1e3 * steps) / (performance.now() - start);
  if (end.n !== steps) throw new Error(`it made ${end.n} steps`);
  const bareRate = (1e3 * steps) / (before + commit(steps / 2));
  if (turn === 0) continue;
  rates.push(rate);
  ratios.push(rate / bareRate);
}
console.log(JSON.stringify({
  bench: 'durable/one_run', steps_per_second: median(rates), of_bare: median(ratios),
}));
saver.db.close();
bare.close();
fs.rmSync(folder, { recursive: true });
