// Queues of others in PostgreSQL. With `jobs`: how many jobs of one step four workers end a second that have been
// queued before. With `idle`: how soon a job is taken while there is nothing else to do, in milliseconds from just
// before it is submitted until its function is called. Both sides are in this one process.
//
//   node queues.mjs FOLDER-WITH-NODE_MODULES graphile-worker|pg-boss|pg-boss-notify|dbos jobs|idle ADDRESS
//
// ADDRESS is an empty database. Prints JSON: `version`, and `jobs_per_second`, or `p50` and `p99`. What is not said
// here is as its makers have it by default.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, peer, what, address] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];

const workers = 4, jobs = 2000, at_most = 15_000, singles = 50;
const payload = {rest: 'x'.repeat(1000)};
let taken = () => {};  // called by each job as it begins
const pgBoss = (notify) => async () => {
  const {PgBoss} = await load('pg-boss');
  const boss = new PgBoss({connectionString: address, useListenNotify: notify});
  boss.on('error', (error) => { throw error; });
  await boss.start();
  await boss.createQueue('bench', {notify});
  return {
    submit: () => boss.send('bench', payload),
    work: () => boss.work('bench', {localConcurrency: workers}, async () => taken()),
  };
};

const peers = {
  async 'graphile-worker'() {
    const {Logger, makeWorkerUtils, run} = await load('graphile-worker');
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({connectionString: address, logger});
    await utils.migrate();
    return {
      submit: () => utils.addJob('bench', payload),
      work: () => run({connectionString: address, concurrency: workers, noHandleSignals: true, logger, taskList: {bench: async () => taken()}}),
    };
  },
  'pg-boss': pgBoss(false),
  'pg-boss-notify': pgBoss(true),
  // A workflow of one step, which is recorded.
  async dbos() {
    const {DBOS, DBOSClient} = require('@dbos-inc/dbos-sdk');
    await DBOS.migrate(address);
    const client = await DBOSClient.create({systemDatabaseUrl: address});
    await client.registerQueue('bench', {workerConcurrency: workers});
    DBOS.setConfig({name: 'bench', systemDatabaseUrl: address, logLevel: 'error'});
    DBOS.registerWorkflow(async () => DBOS.runStep(async () => taken(), {name: 'step'}), {name: 'job'});
    return {
      submit: () => client.enqueue({workflowName: 'job', queueName: 'bench'}, payload),
      work: () => DBOS.launch(),
    };
  },
};

const {submit, work} = await peers[peer]();

// Of the jobs that are there, or of those that are taken in the time.
async function perSecond() {
  for (let i = 0; i < jobs; i += 10) await Promise.all(Array.from({length: 10}, submit));
  let done = 0;
  const begun = performance.now();
  const all = new Promise((resolve) => { taken = () => { if (++done === jobs) resolve(); }; });
  await work();
  await Promise.race([all, sleep(at_most)]);
  return {jobs_per_second: done / ((performance.now() - begun) / 1000)};
}

async function idle() {
  await work();
  const times = [];
  for (let i = 0; i <= singles; ++i) {
    await sleep(200 + Math.random() * 400);  // so that it comes at any time between two looks
    const begun = performance.now();
    const it = new Promise((resolve) => { taken = resolve; });
    await submit();
    await it;
    if (i > 0) times.push(performance.now() - begun);
  }
  return {p50: quantile(times, 0.5), p99: quantile(times, 0.99)};
}

const {version} = JSON.parse(readFileSync(path.join(folder, 'node_modules', {dbos: '@dbos-inc/dbos-sdk', 'pg-boss-notify': 'pg-boss'}[peer] ?? peer, 'package.json')));
console.log(JSON.stringify({peer, version, ...await {jobs: perSecond, idle}[what]()}));
process.exit(0);
