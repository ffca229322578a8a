// What Lighthouse says of the pages, at its setting for desktops, in Debian's Chromium.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';

import {chromium, servePages} from './lib/browser.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {until} from './lib/served.mjs';

const modules = join(root, 'build/e2e/node_modules');
const {default: lighthouse, desktopConfig} = await import(join(modules, 'lighthouse/core/index.js'));
const {launch} = await import(join(modules, 'chrome-launcher/dist/index.js'));

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

const longest_load = 4000;  // ms; a page that follows a stream always loads something
const most_tries = 3;  // on a machine that does other things, too

// Signed in anew each time, as by a link.
async function measured(t, served, path) {
  const browser = await launch({chromePath: chromium(), chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking']});
  try {
    const {lhr} = await lighthouse(`${served.url}${path}#token=${served.as.Ada}`, {port: browser.port, onlyCategories: ['performance', 'accessibility'], maxWaitForLoad: longest_load, disableFullPageScreenshot: true, logLevel: 'error'}, desktopConfig);
    const {categories, audits} = lhr;
    const failed = Object.values(audits).filter(({score, scoreDisplayMode}) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative').map(({id, displayValue}) => `${id} ${displayValue ?? ''}`.trim());
    const found = {
      performance: Math.round(categories.performance.score * 100), accessibility: Math.round(categories.accessibility.score * 100),
      firstPaint: Math.round(audits['first-contentful-paint'].numericValue), failed, error: lhr.runtimeError?.message,
    };
    t.diagnostic(`${path}: ${JSON.stringify(found)}`);
    return found;
  } finally {
    browser.kill();
  }
}

test('the first view is there within a second, fast and accessible as Lighthouse sees it', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...workflows}});
  const served = await servePages(t, repo);
  let run;
  for (let i = 0; i < 40; ++i) run = (await served.ask('POST', '/runs', {body: {task: `look at part ${i}`, workflow: 'gate'}})).json.run;
  await until(async () => (await served.ask('GET', '/server')).json.runs.parked === 40);
  for (const path of ['/', `/runs/${run}`]) {
    const tries = [];
    const isGood = ({performance, firstPaint}) => performance >= 95 && firstPaint < 1000;
    while (tries.length < most_tries && !tries.some(isGood)) tries.push(await measured(t, served, path));
    assert.ok(tries.some(isGood), JSON.stringify(tries));
    for (const {accessibility, failed} of tries) assert.equal(accessibility, 100, failed.join(', '));
  }
  await served.end();
  repo.pass();
});
