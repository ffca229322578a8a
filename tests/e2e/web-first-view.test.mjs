// What somebody gets who opens a page for the first time. How soon it is there is measured by ./dev bench --serve.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {servePages} from './lib/browser.mjs';
import {firstView} from './lib/lighthouse.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';
import {until} from './lib/served.mjs';

const workflows = {
  '.agneto/workflows/gate.yaml': `agneto: 1
name: gate
inputs: {task: {type: string, main: true}}
workspace: none
initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    on: {YES: DONE}
  DONE: {final: true}
`,
};

test('the first view is small, and accessible as Lighthouse sees it', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflows}});
  const served = await servePages(t, repo);
  let run;
  for (let i = 0; i < 40; ++i) run = (await served.ask('POST', '/runs', {body: {task: `look at part ${i}`, workflow: 'gate'}})).json.run;
  await until(async () => (await served.ask('GET', '/server')).json.runs.parked === 40);
  for (const path of ['/', `/runs/${run}`]) {
    const view = await firstView(`${served.url}${path}#token=${served.as.Ada}`);  // signed in as by a link
    t.diagnostic(`${path}: ${JSON.stringify(view)}`);
    assert.equal(view.accessibility, 100, view.failed.join(', '));
    assert.ok(view.kB < 110 && view.requests < 20, JSON.stringify(view));
  }
  await served.end();
  repo.pass();
});
