// Runs steered in a browser, and what it says to somebody who looks elsewhere.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {browsers, servePages} from './lib/browser.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';

const workflow = `agneto: 1
name: ask
inputs: {task: {type: string, main: true}}
context: {name: ""}
initial: NAMING
on: {hurry: DONE}
states:
  NAMING:
    ask: {question: "What is it to be called?", text: required}
    on: {answered: {target: WRITING, do: ctx.name = event.text}}
  WRITING:
    run: {shell: 'echo "$NAME" > name.txt', env: {NAME: ctx.name}}
    on: {ok: GATE, failed: FAILED}
  GATE:
    ask:
      question: Is that right?
      options: {YES: Take it, SAY: {label: "Yes, and I say something", feedback: optional}, EDIT: {label: Another name, edit: ctx.name}}
    on: {YES: DONE, SAY: DONE, EDIT: DONE}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`;

async function asked(t) {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/ask.yaml': workflow}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'name it', workflow: 'ask'}});
  return {repo, served, run, page: await browsers(t).sign(served, 'Ada', `/runs/${run}`)};
}

test('a run is answered in words, suspended, resumed, rewound, forked, sent an event and aborted', async (t) => {
  const {repo, served, run, page} = await asked(t);
  const badge = (name) => page.locator(`.title .badge.${name}`);
  const said = (text) => page.locator('.toasts').getByText(text);
  const gate = page.getByRole('region', {name: 'Question: Is that right?'});
  const dialog = page.getByRole('dialog');

  const naming = page.getByRole('region', {name: 'Question: What is it to be called?'});
  await naming.getByRole('button', {name: 'Answer'}).click();
  await naming.getByRole('alert').getByText('that does not answer NAMING#1: it asks for words, and there are none').waitFor();
  await naming.getByRole('textbox', {name: 'Your words'}).fill('Ada');
  await page.keyboard.press('Control+Enter');
  await gate.waitFor();

  // It waits for somebody as long as it is not suspended.
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  await page.getByRole('button', {name: 'Suspend …'}).click();
  await dialog.getByRole('checkbox', {name: /Let what is under way end first/}).uncheck();
  await dialog.getByRole('button', {name: 'Suspend it'}).click();
  await badge('suspended').waitFor();
  assert.equal((await served.ask('GET', '/runs?status=waiting')).json.runs.length, 1);
  await page.waitForFunction(() => !document.title.startsWith('('));
  await page.getByRole('button', {name: 'Resume'}).click();
  await badge('waiting').waitFor();
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  // Its question is on this page, so nobody needs to be told of it.
  assert.equal(await said(`${run} waits for you`).count(), 0);

  // Back to where the name was asked for; the step that led from there is undone.
  const step = page.locator('ol.entries > li.step', {hasText: 'NAMING → WRITING'});
  const before = page.locator('ol.entries > li', {hasText: 'asks: What is it to be called?'});
  await before.locator('summary').click();
  await before.getByRole('button', {name: 'Rewind to here …'}).click();
  await dialog.getByText('What came after it is undone, files and all.').waitFor();
  await dialog.getByRole('button', {name: 'Cancel'}).click();
  await dialog.waitFor({state: 'detached'});
  await before.getByRole('button', {name: 'Fork from here …'}).click();
  await dialog.getByRole('button', {name: 'Fork it'}).click();
  await said('Forked; the new run is suspended').waitFor();
  await badge('suspended').waitFor();
  const fork = new URL(page.url()).pathname.split('/').at(-1);
  assert.notEqual(fork, run);
  await page.getByRole('button', {name: 'Abort …'}).click();
  await dialog.getByRole('button', {name: 'Abort it'}).click();
  await badge('aborted').waitFor();
  assert.equal((await served.ask('GET', `/runs/${fork}`)).json.status, 'aborted');

  await page.goto(`${served.url}/runs/${run}`);
  await before.locator('summary').click();
  await before.getByRole('button', {name: 'Rewind to here …'}).click();
  await dialog.getByRole('button', {name: 'Rewind it'}).click();
  await badge('suspended').waitFor();
  await page.locator('li.undone', {hasText: 'NAMING → WRITING'}).waitFor();
  assert.equal(await step.count(), 1);
  await page.getByRole('button', {name: 'Resume'}).click();
  await naming.getByRole('button', {name: 'hurry'}).click();
  await dialog.getByRole('button', {name: 'Send it'}).click();
  await badge('complete').waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('comments that an answer does not take are not lost without a word', async (t) => {
  const {repo, served, run, page} = await asked(t);
  await served.ask('POST', `/runs/${run}/answer`, {body: {feedback: 'Ada'}});
  const gate = page.getByRole('region', {name: 'Question: Is that right?'});
  await gate.locator('tr.add .text').click();
  await page.keyboard.type('Better: Grace');
  await gate.getByRole('radio', {name: /^Take it YES/}).check();
  await gate.getByText('This answer takes no words, so your 1 comment would not be sent.').waitFor();
  await gate.getByRole('radio', {name: /and I say something/}).check();
  await gate.getByText('1 comment on lines goes with it:').waitFor();
  await gate.getByRole('button', {name: /^Answer/}).click();
  await page.locator('.title .badge.complete').waitFor();
  await page.locator('ol.entries').getByText('Ada answered SAY').waitFor();
  await served.end();
  repo.pass();
});

test('what was written for a question is not sent to one that is asked anew after a rewind', async (t) => {
  const {repo, served, run, page} = await asked(t);
  const post = async (path, body) => assert.equal((await served.ask('POST', `/runs/${run}/${path}`, {body})).status, 200, path);
  const old = page.getByRole('region', {name: 'Not open any more: Is that right?'});
  const open = page.getByRole('region', {name: 'Question: Is that right?'});
  const text = open.getByRole('textbox', {name: 'The text'});
  const isText = (value) => page.waitForFunction((wanted) => [...document.querySelectorAll('.edit')].at(-1)?.value === wanted, value);
  const again = async (name) => {
    const {json: {entries}} = await served.ask('GET', `/runs/${run}/log`);
    const {seq} = entries.find(({body}) => body.effects?.some((effect) => effect.effect === 'ask' && effect.path === 'NAMING#1'));
    await post('rewind', {to: seq});
    await post('resume', {});
    await post('answer', {feedback: name});
  };
  await post('answer', {feedback: 'Ada'});
  await open.locator('tr.add .text').click();
  await page.keyboard.type('Better: Grace');
  await open.getByRole('radio', {name: /^Another name/}).check();
  await isText('Ada');
  await again('Grace');
  await old.getByText('What you wrote was not sent.').waitFor();
  await open.locator('tr.add', {hasText: 'Grace'}).waitFor();
  assert.equal(await open.getByText('Better: Grace').count(), 0);
  assert.equal(await open.getByRole('radio', {checked: true}).count(), 0);
  assert.equal(await page.locator('#gate').count(), 1);
  assert.equal(await page.locator('#gate.over').count(), 0);
  await old.getByRole('button', {name: 'Close'}).click();
  await old.waitFor({state: 'detached'});

  // What an option edits is the text of now, unless somebody has changed it; and that is kept over a reload.
  await open.getByRole('radio', {name: /^Another name/}).check();
  await isText('Grace');
  await again('Hedy');
  await open.locator('tr.add', {hasText: 'Hedy'}).waitFor();
  assert.deepEqual([await open.count(), await old.count()], [1, 0]);
  await open.getByRole('radio', {name: /^Another name/}).check();
  await isText('Hedy');
  await text.fill('Hedy L.');
  await page.reload();
  await isText('Hedy L.');
  await open.getByRole('button', {name: /^Answer/}).click();
  await page.locator('.title .badge.complete').waitFor();
  const {json: {entries}} = await served.ask('GET', `/runs/${run}/log`);
  assert.deepEqual(entries.filter(({kind, path}) => kind === 'answer' && path === 'GATE#1').map(({body}) => [body.option, body.edited]), [['EDIT', 'Hedy L.']]);
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('who looks elsewhere is notified of a run that waits, once, and led to its question', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/ask.yaml': workflow}});
  const served = await servePages(t, repo);
  const page = await browsers(t).open();
  await page.addInitScript(() => {
    globalThis.notices = [];
    globalThis.away = false;
    Object.defineProperty(document, 'hidden', {get: () => globalThis.away});
    globalThis.Notification = class {
      static permission = 'default';
      static async requestPermission() { return 'granted'; }
      constructor(title, options) { globalThis.notices.push({title, ...options, click: () => this.onclick()}); }
      close() {}
    };
  });
  await page.goto(`${served.url}/#token=${served.as.Ada}`);
  await page.getByRole('button', {name: 'Notify me'}).click();
  await page.getByRole('button', {name: 'Notify me'}).waitFor({state: 'detached'});
  await page.getByText('live', {exact: true}).waitFor();
  await page.evaluate(() => { globalThis.away = true; });
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'name it', workflow: 'ask'}});
  await page.waitForFunction(() => globalThis.notices.length > 0);
  await page.waitForFunction(() => document.title.startsWith('(1) '));
  assert.deepEqual(await page.evaluate(() => globalThis.notices.map(({title, body, tag}) => ({title, body, tag}))),
    [{title: 'project: a run waits for you', body: 'name it', tag: run}]);
  await page.evaluate(() => { globalThis.away = false; globalThis.notices[0].click(); });
  await page.getByRole('region', {name: 'Question: What is it to be called?'}).waitFor();
  assert.equal(new URL(page.url()).hash, '#gate');
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});
