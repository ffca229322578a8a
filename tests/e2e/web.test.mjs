// The pages of `agneto serve --listen`, in a real browser.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {browsers, servePages, violations} from './lib/browser.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';

const read = (name) => readFileSync(join(root, 'scripts/demo', name), 'utf8');
const indented = read('cassette.yaml').replace(/^(?=.)/gm, '      ');

const change = {
  '.agneto/workflows/change.yaml': `agneto: 1
name: change
description: Writes a line, and asks
inputs: {task: {type: string, main: true, description: What is written}}
context: {feedback: ""}
initial: WRITING
states:
  WRITING:
    run: {shell: 'echo "$WORDS" >> words.txt; sed -i s/Hello/Hi/ greet', env: {WORDS: inputs.task .. ctx.feedback}}
    on: {ok: GATE, failed: FAILED}
  GATE:
    ask:
      question: "Is that what you want?"
      show: '"Greets with **Hi**."'
      options: {YES: Take it, NO: {label: "No, change it", feedback: required}}
    on: {YES: COMMITTING, NO: {target: WRITING, do: ctx.feedback = event.feedback}}
  COMMITTING:
    workspace: {commit: {message: "Write it down"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`,
};

test('a task goes from its submission to the merge in a browser alone', async (t) => {
  const repo = makeRepo(t, {files: {
    'greet': read('project/greet'), 'test.sh': read('project/test.sh'), 'README.md': read('project/README.md'),
    '.agneto/config.yaml': `provider: offline\nproviders:\n  offline:\n    cassette:\n${indented}`,
  }});
  const served = await servePages(t, repo);
  const page = await browsers(t).sign(served, 'Ada');
  assert.match(await page.title(), /^Runs · project · Agneto$/);

  await page.getByRole('button', {name: 'New task'}).click();
  const form = page.getByRole('form', {name: 'New task'});
  await form.getByRole('textbox', {name: /^Task/}).fill('add a --shout flag');
  await form.getByText('Inputs, branch and priority').click();
  await form.getByRole('textbox', {name: /^verify/}).fill('sh test.sh');
  await form.getByRole('checkbox', {name: /^Merge/}).check();
  await form.getByRole('button', {name: 'Queue it'}).click();
  await page.getByRole('heading', {level: 1, name: 'add a --shout flag'}).waitFor();
  const run = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1));

  const refinement = page.getByRole('region', {name: 'Question: Is this what you want done?'});
  await refinement.getByText('Without the option nothing changes.').waitFor();
  await page.waitForFunction(() => /^\(1\) /.test(document.title));
  // By the keyboard, as it says there.
  await page.keyboard.press('1');
  await page.keyboard.press('Control+Enter');

  const plan = page.getByRole('region', {name: 'Question: Carry out this plan?'});
  await plan.getByRole('radio', {name: /Yes, after I have edited it/}).check();
  const text = plan.getByRole('textbox', {name: 'The text'});
  await page.waitForFunction(() => document.querySelector('.edit')?.value.startsWith('# Plan: --shout'));
  await text.fill('# Plan: --shout\n\nAs the person says.');
  await plan.getByRole('button', {name: /^Answer: Yes, after/}).click();
  await plan.waitFor({state: 'detached'});

  await page.locator('.title .badge.complete').waitFor({timeout: 40_000});
  await page.getByText('CODE_REVIEWER 2 replies').waitFor();
  assert.match(await page.locator('dl.facts').innerText(), /Outcome\s+TASK_COMPLETE[^]*Calls\s+24/);
  await page.locator('.graph svg').waitFor();
  await page.getByRole('tab', {name: 'Changes'}).click();
  await page.getByRole('radio', {name: /Let greet shout/}).check();
  await page.locator('tr.add', {hasText: '--shout)'}).waitFor();
  assert.equal(repo.git('log', '--format=%s', '-1', 'main'), 'Add --shout to greet');
  assert.equal(repo.sh('sh greet --shout Ada'), 'HELLO, ADA!\n');
  const {json: log} = await served.ask('GET', `/runs/${run}/log?limit=1000`);
  const answers = log.entries.filter((entry) => entry.kind === 'answer').map(({body}) => [body.option, body.name, body.edited]);
  assert.deepEqual(answers, [['REFINEMENT_COMPLETE', 'Ada', undefined], ['PLAN_EDITED', 'Ada', '# Plan: --shout\n\nAs the person says.']]);
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('comments on lines become the feedback, and whoever comes later is told who has answered', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...change}});
  const served = await servePages(t, repo, {Ada: 'answer', Ben: 'answer', Root: 'admin'});
  const {json: {run}} = await served.ask('POST', '/runs', {by: 'Root', body: {task: 'say hello', workflow: 'change'}});
  const {sign} = browsers(t);
  const ada = await sign(served, 'Ada', `/runs/${run}`);
  const ben = await sign(served, 'Ben', `/runs/${run}`);
  const gate = (page) => page.getByRole('region', {name: 'Question: Is that what you want?'});
  const file = (page, path) => gate(page).locator('details.file', {has: page.locator('.path', {hasText: path})});

  await gate(ada).getByRole('radio', {name: /No, change it/}).check();
  await gate(ada).getByRole('button', {name: 'Answer: No, change it'}).click();
  await gate(ada).getByRole('alert').getByText('This answer needs words: yours, or a comment on a line').waitFor();
  // A comment by the mouse, and one by the keyboard.
  await file(ada, 'words.txt').locator('tr.add .text').click();
  await ada.getByRole('textbox', {name: 'Comment on words.txt, line 1'}).fill('Say it louder.');
  await file(ada, 'greet').getByRole('button', {name: 'Comment on line 1: #!/bin/sh'}).focus();
  for (let i = 0; i < 2; ++i) await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('Enter');
  await ada.getByRole('textbox', {name: 'Comment on greet, removed line 3'}).pressSequentially('Keep this.');
  await ada.keyboard.press('Escape');
  // It is folded to its text, from where the keyboard goes on, and can be edited again.
  const folded = file(ada, 'greet').locator('tr.comment');
  assert.equal(await folded.locator('.said').innerText(), 'Keep this.');
  assert.equal(await folded.locator('textarea').count(), 0);
  assert.match(await ada.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Comment on removed line 3: /);
  await folded.getByRole('button', {name: 'Edit the comment on greet, removed line 3'}).click();
  await ada.keyboard.type(' Please.');
  await folded.getByRole('button', {name: 'Done'}).click();
  assert.equal(await folded.locator('.said').innerText(), 'Keep this. Please.');
  await ada.keyboard.press('Enter');
  for (let i = 0; i < ' Please.'.length; ++i) await ada.keyboard.press('Backspace');
  await ada.keyboard.press('Escape');
  await ada.reload();
  assert.equal(await folded.locator('.said').innerText(), 'Keep this.');
  await gate(ada).getByText('2 comments on lines go with it:').waitFor();
  await gate(ada).getByRole('textbox', {name: 'Your words'}).fill('Thank you.');
  await file(ben, 'words.txt').locator('tr.add .text').click();
  await ben.getByRole('textbox', {name: 'Comment on words.txt, line 1'}).fill('Of no use.');
  await gate(ada).getByRole('button', {name: 'Answer: No, change it'}).click();

  const expected = 'greet:3 (removed): Keep this.\n> echo "Hello, ${1:-world}!"\n\nwords.txt:1: Say it louder.\n> say hello\n\nThank you.';
  const over = ben.getByRole('region', {name: 'Not open any more: Is that what you want?'});
  await over.getByText(`Ada answered NO: “${expected}”`, {exact: true}).waitFor();
  await over.getByText('What you wrote was not sent.').waitFor();
  // What was judged is not there any more. What they are asked now stands above that.
  await over.locator('time').waitFor();
  assert.ok(await over.evaluate((it) => it === document.activeElement), 'the focus is nowhere');
  await over.locator('summary', {hasText: 'What you wrote'}).click();
  await over.getByText('words.txt:1: Of no use.', {exact: true}).waitFor();
  await file(ben, 'words.txt').getByText('say hellogreet:3 (removed): Keep this.').waitFor();
  assert.equal(await over.locator('.material, .file, .prose, input').count(), 0);
  assert.deepEqual(await ben.locator('.gate').evaluateAll((all) => all.map((each) => each.id)), ['gate', '']);
  assert.deepEqual(await violations(ben), []);
  await over.getByRole('button', {name: 'Close'}).click();
  await over.waitFor({state: 'detached'});
  await file(ada, 'words.txt').getByText('say hellogreet:3 (removed): Keep this.').waitFor();
  const {json: log} = await served.ask('GET', `/runs/${run}/log`);
  assert.equal(log.entries.find((entry) => entry.kind === 'answer').body.feedback, expected);

  // Now Ben hears of nothing, and answers what was answered.
  await ben.reload();
  await gate(ben).getByRole('radio', {name: /Take it/}).check();
  await ben.route('**/events', (route) => route.abort());
  await ben.route(`**/api/v1/runs/${run}`, (route) => route.abort());
  await served.end();
  await served.again();
  assert.equal((await served.ask('POST', `/runs/${run}/answer`, {by: 'Ada', body: {option: 'YES'}})).status, 200);
  await ben.unroute(`**/api/v1/runs/${run}`);
  await gate(ben).getByRole('button', {name: 'Answer: Take it'}).click({noWaitAfter: true}).catch(() => {});
  await over.getByText('Ada answered YES', {exact: true}).waitFor();
  await ada.locator('.title .badge.complete').waitFor();
  assert.equal(repo.git('log', '--format=%s', '-1', `agneto/${run}`), 'Write it down');
  for (const page of [ada, ben]) assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('a page goes on where it was when its server comes back, and does without a stream', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...change}});
  const served = await servePages(t, repo);
  const submit = async (task) => (await served.ask('POST', '/runs', {body: {task, workflow: 'change'}})).json.run;
  const {sign} = browsers(t);
  const page = await sign(served, 'Ada');
  await page.getByText('live', {exact: true}).waitFor();
  const first = await submit('the first one');
  await page.locator('.shelf.waiting').getByRole('link', {name: 'the first one'}).waitFor();
  const other = await sign(served, 'Ada', `/runs/${first}`);
  await other.getByText('live', {exact: true}).waitFor();

  await served.end();
  for (const each of [page, other]) await each.getByText('The server does not answer. What you see is as it was.').waitFor();
  await other.getByRole('radio', {name: /Take it/}).check();
  await other.getByRole('button', {name: 'Answer: Take it'}).click();
  await other.getByRole('alert').getByText('The server does not answer. Your answer is kept here; send it again when it does.').waitFor();
  await served.again();
  await submit('the second one');
  await other.getByText('The server does not answer. What you see').waitFor({state: 'detached'});
  await other.getByRole('button', {name: 'Answer: Take it'}).click();
  await page.locator('.shelf.waiting').getByRole('link', {name: 'the second one'}).waitFor();
  await page.locator('.shelf.done').getByRole('link', {name: 'the first one'}).waitFor();
  await other.locator('.title .badge.complete').waitFor();
  await other.getByText('COMMITTING → FINISHED').waitFor();
  for (const each of [page, other]) await each.getByText('The server does not answer.').waitFor({state: 'detached'});

  const without = await sign(served, 'Ada', '/?status=waiting');
  await without.route('**/events', (route) => route.abort());
  await without.reload();
  await without.getByText('This page gets no live news here, so it asks every five seconds.').waitFor();
  await submit('the third one');
  await without.locator('.shelf.waiting').getByRole('link', {name: 'the third one'}).waitFor();
  await served.end();
  repo.pass();
});

test('a page that the server refuses something tries again, and says so', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...change}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'the only one', workflow: 'change'}});
  const {sign} = browsers(t);
  const page = await sign(served, 'Ada', '/schedules');
  const refuse = (status) => (route) => route.fulfill({status, contentType: 'application/problem+json', body: JSON.stringify({title: 'it is busy', detail: 'try again later'})});
  const row = page.locator('.shelf.waiting').getByRole('link', {name: 'the only one'});
  await page.route('**/api/v1/runs?*', refuse(500));
  await page.goto(served.url);
  await page.getByText('The server answers with an error: it is busy: try again later. What you see is as it was.').waitFor();
  await page.unroute('**/api/v1/runs?*');
  await row.waitFor();
  await page.getByText('live', {exact: true}).waitFor();
  assert.equal(await page.getByText('it is busy').count(), 0);

  // What the server is too busy for is asked for again.
  let busy = 0;
  await page.route(/\/workflows\/change\/graph/, (route) => { ++busy; return refuse(503)(route); }, {times: 1});
  await page.goto(`${served.url}/workflows/change`);
  await page.locator('.graph svg').waitFor();
  assert.equal(busy, 1);
  assert.equal(await page.getByText('it is busy').count(), 0);

  // Of a run, half of what is needed may come at first.
  for (const [path, answer] of [[`**/api/v1/runs/${run}`, refuse(503)], [`**/api/v1/runs/${run}/log?*`, refuse(503)], [`**/api/v1/runs/${run}/log?*`, (route) => route.abort()]]) {
    const other = await sign(served, 'Ada', '/schedules');
    await other.route(path, answer);
    await other.goto(`${served.url}/runs/${run}`);
    await other.locator('main .failure').getByText(/^(it is busy: try again later|the server does not answer)$/).waitFor();
    await other.unroute(path);
    await other.getByRole('radio', {name: /Take it/}).waitFor();
    await other.getByText('live', {exact: true}).waitFor();
  }
  await page.goto(`${served.url}/runs/nothing`);
  await page.locator('main .failure').getByText(/there is no run 'nothing'/).waitFor();

  // Where thousands wait at their gates, those that are parked for other reasons are behind them.
  const parked = (nth, more = {waits_for: 'person'}) => ({run: `r${nth}`, workflow: 'change', task: `task ${nth}`, status: 'parked', priority: 0, outcome: '', base: '', branch: '',
    created: new Date(Date.UTC(2026, 0, 1) - nth * 3_600_000).toISOString(), updated: '', ...more});
  const answers = (at, limit) => Array.from({length: limit}, (_, nth) => parked(at + nth, [2000, 2030, 6000].some((from) => at + nth >= from && at + nth < from + 25) ? {} : undefined));
  const limits = [];
  await page.route('**/api/v1/runs?status=parked&*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const at = query.has('before') ? Number(query.get('before').slice(1)) + 1 : 0;
    limits.push(Number(query.get('limit')));
    const runs = answers(at, limits.at(-1));
    return route.fulfill({json: {change: 1, runs, next: runs.at(-1).run}});
  });
  await page.goto(`${served.url}/?status=parked`);
  const shelf = page.locator('.shelf.parked');
  await shelf.locator('li').nth(24).waitFor();
  assert.deepEqual(limits, [25, 500, 500, 500, 500]);
  assert.equal(await shelf.getByText(/have not been looked at/).count(), 0);
  await shelf.getByRole('button', {name: 'Show more'}).click();
  await shelf.locator('li').nth(49).waitFor();
  assert.equal(await shelf.locator('li').last().locator('.task').innerText(), 'task 2054');
  const note = shelf.getByText(/^Runs from before .* have not been looked at\.$/);
  const before = await note.innerText();
  await shelf.getByRole('button', {name: 'Look further back'}).click();
  await page.waitForFunction((text) => !document.body.innerText.includes(text), before);
  await note.waitFor();
  assert.equal(limits.length, 5 + 2 + 5);
  assert.equal(await shelf.locator('li').count(), 50);
  await page.route('**/api/v1/runs?status=parked&*', (route) => route.fulfill({json: {change: 1, runs: [parked(0)], next: 'r0'}}));
  await page.goto(`${served.url}/?status=parked`);
  await shelf.getByText(/^There is none so far\. Runs from before .* have not been looked at\.$/).waitFor();
  await page.getByRole('button', {name: 'Look further back'}).waitFor();
  assert.equal(await page.locator('.shelf.parked h2').innerText(), 'Parked');
  await served.end();
  repo.pass();
});

test('what may be used stands beside what is used, and what scenarios visit beside the workflow', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...change, '.agneto/config.yaml': 'limits: {calls: 7, cost: 2.5, tokens: 1000, time: 2h}\nserve: {runs: 3, workflows: {change: 2}}\n',
    '.agneto/workflows/change.test.yaml': `agneto-test: 1
defaults: {inputs: {task: say hello}}
cases:
  - name: it is taken
    steps:
      - {at: WRITING, outcome: ok}
      - {at: GATE, answer: "YES"}
      - {at: COMMITTING, outcome: ok}
    expect: {outcome: FINISHED}
  - name: it is another end
    steps: [{at: WRITING, outcome: ok}]
    expect: {outcome: FINISHED}
`}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'the only one', workflow: 'change'}});
  const page = await browsers(t).sign(served, 'Ada', `/runs/${run}`);
  await page.getByRole('radio', {name: /Take it/}).waitFor();
  assert.match(await page.locator('dl.facts').innerText(), /Calls\s+0 of 7\s+Cost\s+\$0\.00 of \$2\.50\s+Tokens\s+0 read, 0 written, of 1,000\s+At work\s+[\d.]+ s of 2 h 0 min/);

  await page.goto(`${served.url}/workflows/change`);
  const covered = page.getByRole('region', {name: 'What its scenarios visit'});
  await covered.getByText('2 cases of .agneto/workflows/change.test.yaml, of which these fail:').waitFor();
  await covered.getByRole('listitem').getByText('it is another end').waitFor();
  await covered.getByText("4 of 5 states, 3 of 6 transitions, 0 of 0 guards' results, 0 of 0 verdicts").waitFor();
  await covered.getByText('never entered: FAILED').waitFor();
  await covered.getByText('never taken: GATE, NO → WRITING').waitFor();
  await covered.getByRole('link', {name: '.agneto/workflows/change.yaml:16'}).click();
  assert.match(await page.locator('.source .shown').innerText(), /on: \{YES: COMMITTING, NO:/);
  await page.getByRole('checkbox', {name: /what its scenarios visit/}).check();
  await page.locator('.graph svg').getByText(/NO never/).waitFor();
  assert.deepEqual(await violations(page), []);

  repo.write({'.agneto/workflows/bare.yaml': change['.agneto/workflows/change.yaml'].replace('name: change', 'name: bare')});
  await page.goto(`${served.url}/workflows/bare`);
  await covered.getByText(/^There are no scenarios of this workflow, .* They stand in \.agneto\/workflows\/bare\.test\.yaml/).waitFor();
  assert.equal(await page.getByRole('checkbox', {name: /what its scenarios visit/}).count(), 0);
  assert.deepEqual(await violations(page), []);

  await page.goto(`${served.url}/server`);
  await page.getByText(/^At most 3 runs at the same time; at most 2 of change\./).waitFor();
  const workers = page.getByRole('group', {name: 'Who takes up runs'}).locator('tbody tr');
  const cells = async () => (await workers.locator('th, td').allInnerTexts()).map((text) => text.trim());
  await workers.first().waitFor();
  const [name, kind, busy, at, has] = await cells();
  assert.match(name, /^(process |[\w.-]+\/)\d+$/);
  assert.match(has, new RegExp(`:${repo.dir}$`));
  assert.deepEqual([kind, busy, at, await workers.count()], ['server', '0 of 3', '', 1]);
  const machine = {name: 'tiger/4711', kind: 'worker', folder: '/srv', version: '0.1.0', since: '2026-11-27T07:00:00.000Z', slots: 2, runs: [run], labels: ['claude', 'gpu'], ends: true};
  await page.route('**/api/v1/workers', (route) => route.fulfill({json: {workers: [{...machine, name: 'lion/12', runs: [], ends: false}, machine]}}));
  await page.reload();
  await workers.nth(1).waitFor();
  assert.deepEqual((await cells()).slice(6, 11), ['tiger/4711\n\nIt takes up nothing more.', 'worker', '1 of 2', run, 'claude gpu']);
  assert.equal(await workers.nth(1).locator('time').getAttribute('datetime'), machine.since);
  await workers.getByRole('link', {name: run}).click();
  await page.getByRole('heading', {level: 1, name: 'the only one'}).waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('the picture follows at once, and is asked for once a second at most', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/walk.yaml': `agneto: 1
name: walk
inputs: {task: {type: string, main: true}}
context: {n: 0}
workspace: none
initial: GATE
states:
  GATE:
    ask: {question: "Go on?", options: {YES: Go on}}
    on: {YES: WALKING}
  WALKING:
    entry: ctx.n = ctx.n + 1
    after: [{delay: 200ms, target: NEXT}]
  NEXT:
    always:
      - {guard: ctx.n >= 15, target: RESTING}
      - WALKING
  RESTING:
    after: [{delay: 1h, target: DONE}]
  DONE: {final: true}
`}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'go for a walk', workflow: 'walk'}});
  const page = await browsers(t).sign(served, 'Ada', `/runs/${run}`);
  const active = page.locator('.graph .node.active');
  await active.getByText('GATE', {exact: true}).waitFor();
  const asked = [];
  page.on('request', (request) => { if (/\/graph$/.test(request.url())) asked.push(Date.now()); });
  await page.getByRole('radio', {name: /Go on/}).check();
  const since = Date.now();
  await page.getByRole('button', {name: 'Answer: Go on'}).click();
  await active.getByText('RESTING', {exact: true}).waitFor();
  t.diagnostic(`asked for after ${asked.map((time) => time - since)} ms`);
  // The first is there before the second that its successor waits for.
  assert.ok(asked[0] - since < 900, `${asked[0] - since} ms after the answer`);
  assert.ok(asked.length >= 3, `${asked.length} pictures`);
  for (const [nth, time] of asked.entries()) assert.ok(nth === 0 || time - asked[nth - 1] > 600, `${time - asked[nth - 1]} ms after the one before`);

  // One that takes longer than that to come is shown nevertheless.
  const {json: {run: slow}} = await served.ask('POST', '/runs', {body: {task: 'go for another', workflow: 'walk'}});
  await page.goto(`${served.url}/runs/${slow}`);
  await active.getByText('GATE', {exact: true}).waitFor();
  await page.route(/\/graph$/, async (route) => {
    const response = await route.fetch();
    await sleep(1300);
    await route.fulfill({response}).catch(() => {});
  });
  assert.equal((await served.ask('POST', `/runs/${slow}/answer`, {body: {option: 'YES'}})).status, 200);
  await active.getByText('WALKING', {exact: true}).waitFor();
  await active.getByText('RESTING', {exact: true}).waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('a large picture begins where the run is, or at its top left, and has one ground by day and by night', async (t) => {
  const places = [...'ABCDEFGHI'];
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/wide.yaml': `agneto: 1
name: wide
inputs: {task: {type: string, main: true}}
workspace: none
initial: GATE
states:
  GATE:
    ask: {question: "Where to?", options: {${places.map((place) => `TO_${place}: ${place}`).join(', ')}}}
    on: {${places.map((place) => `TO_${place}: AT_THE_PLACE_${place}`).join(', ')}}
${places.map((place) => `  AT_THE_PLACE_${place}:
    after: [{delay: 1h, target: DONE}]`).join('\n')}
  DONE: {final: true}
`}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'go there', workflow: 'wide'}});
  const {sign, open} = browsers(t);
  const page = await sign(served, 'Ada', '/workflows/wide', {colorScheme: 'dark'});
  const frame = page.locator('.graph .frame');
  await frame.locator('svg').waitFor();
  assert.ok(await frame.evaluate((it) => it.scrollWidth > it.clientWidth + 100), 'it is not large');
  assert.deepEqual(await frame.evaluate((it) => [it.scrollLeft, it.scrollTop]), [0, 0]);

  for (const place of ['A', 'I']) {
    await page.goto(`${served.url}/runs/${run}`);
    await page.getByRole('radio', {name: new RegExp(`TO_${place}`)}).check();
    await page.getByRole('button', {name: `Answer: ${place}`}).click();
    const active = frame.locator('.node.active', {hasText: `AT_THE_PLACE_${place}`});
    await active.waitFor();
    const [inner, outer] = [await active.boundingBox(), await frame.boundingBox()];
    assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height, JSON.stringify({place, inner, outer}));
    if (place === 'A') {
      const {json: {entries}} = await served.ask('GET', `/runs/${run}/log`);
      const {seq} = entries.find(({body}) => body.effects?.some((effect) => effect.effect === 'ask'));
      for (const [path, body] of [['rewind', {to: seq}], ['resume', {}]]) assert.equal((await served.ask('POST', `/runs/${run}/${path}`, {body})).status, 200);
    }
  }

  // Made smaller than its frame, it has bands at its sides: their colour is that of its own corner.
  const blank = await open();
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({colorScheme});
    for (let i = 0; i < 8; ++i) await page.getByRole('button', {name: 'Smaller'}).click();
    const [svg, box] = [await frame.locator('svg').boundingBox(), await frame.boundingBox()];
    assert.ok(svg.x > box.x + 20, 'there are no bands');
    const colours = await blank.evaluate(async ([png, points]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return points.map(([x, y]) => String(context.getImageData(x, y, 1, 1).data));
    }, [(await frame.screenshot()).toString('base64'), [[10, 10], [svg.x - box.x + 5, 10]]]);
    assert.equal(colours[0], colours[1], colorScheme);
  }
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('long lists come a page at a time', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/loop.yaml': `agneto: 1
name: loop
inputs: {task: {type: string, main: true}}
context: {n: 0}
workspace: none
initial: ROUND
states:
  ROUND:
    after: [{delay: 1ms, target: NEXT}]
  NEXT:
    entry: ctx.n = ctx.n + 1
    always:
      - {guard: ctx.n >= 400, target: RESTING}
      - ROUND
  RESTING:
    after: [{delay: 1h, target: DONE}]
  DONE: {final: true}
`, '.agneto/workflows/rest.yaml': `agneto: 1
name: rest
inputs: {task: {type: string, main: true}}
workspace: none
initial: RESTING
states:
  RESTING:
    after: [{delay: 1h, target: DONE}]
  DONE: {final: true}
`}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'go round', workflow: 'loop'}});
  for (let i = 0; i < 60; ++i) await served.ask('POST', '/runs', {body: {task: `rest ${i}`, workflow: 'rest'}});
  for (const end = Date.now() + 30_000; ; await sleep(50)) {
    const {json: {runs}} = await served.ask('GET', '/server');
    if (runs.parked === 61) break;
    assert.ok(Date.now() < end, JSON.stringify(runs));
  }
  const page = await browsers(t).sign(served, 'Ada', '/?status=parked');
  const rows = page.locator('.shelf.parked li');
  await page.getByRole('button', {name: 'Show more'}).waitFor();
  assert.equal(await rows.count(), 25);
  for (const many of [50, 61]) {
    await page.getByRole('button', {name: 'Show more'}).click();
    await page.waitForFunction((expected) => document.querySelectorAll('.shelf.parked li').length === expected, many);
  }
  await page.getByRole('searchbox', {name: 'Search'}).fill('REST 5');
  await page.waitForFunction(() => document.querySelectorAll('.shelf.parked li').length === 11);
  assert.match(page.url(), /[?&]text=REST\+5/);
  await page.goto(`${served.url}/`);
  await page.locator('.shelf.parked li').first().waitFor();
  assert.equal(await page.locator('.nothing').innerText(), '');
  await page.getByRole('searchbox', {name: 'Search'}).fill('no such thing');
  await page.getByText('No run has “no such thing” in its task or its id.', {exact: true}).waitFor();
  await page.getByRole('combobox', {name: 'Workflow'}).selectOption('rest');
  await page.getByText('No run of rest has “no such thing” in its task or its id.', {exact: true}).waitFor();
  await page.getByRole('searchbox', {name: 'Search'}).fill('rest 7');
  await page.locator('.shelf.parked li').first().waitFor();
  assert.equal(await page.locator('.nothing').innerText(), '');

  await page.goto(`${served.url}/runs/${run}`);
  const entries = page.locator('ol.entries > li');
  await entries.first().waitFor();
  const {json: {newest}} = await served.ask('GET', `/runs/${run}`);
  assert.ok(newest > 400, `${newest} entries`);
  assert.equal(await entries.last().getAttribute('value'), String(newest));
  assert.ok(await entries.count() <= 100);
  await page.getByRole('button', {name: 'Show earlier ones'}).click();
  await page.waitForFunction((first) => document.querySelector('ol.entries > li')?.value <= first, newest - 199);
  await page.getByRole('spinbutton', {name: 'Go to'}).fill('50');
  await page.keyboard.press('Enter');
  await page.locator('ol.entries > li[value="50"]').waitFor();
  assert.equal(await page.locator(`ol.entries > li[value="${newest}"]`).count(), 0);
  // The machine's data as it was then.
  const step = page.locator('ol.entries > li.step').first();
  await step.locator('summary').click();
  await step.getByRole('button', {name: 'Data after this'}).click();
  await step.locator('.machines .value').getByText(/^n$/).first().waitFor();
  await page.getByRole('button', {name: 'To the newest'}).click();
  await page.locator(`ol.entries > li[value="${newest}"]`).waitFor();
  await page.getByRole('tab', {name: 'Data'}).click();
  await page.locator('.machines').getByText('loop is in RESTING').waitFor();
  await page.locator('.machines summary').getByText('1 key', {exact: true}).first().waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('a program that failed shows its exit status and what it printed', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/fail.yaml': `agneto: 1
name: fail
inputs: {task: {type: string, main: true}}
workspace: none
initial: BUILDING
states:
  BUILDING:
    run: {shell: 'seq 1 200; echo "<b>src/a.c:3</b>: error: boom" >&2; exit 3'}
    on: {ok: DONE, failed: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`}});
  const served = await servePages(t, repo);
  const {json: {run}} = await served.ask('POST', '/runs', {body: {task: 'build it', workflow: 'fail'}});
  const page = await browsers(t).sign(served, 'Ada', `/runs/${run}`);
  const entry = page.locator('ol.entries > li', {hasText: 'BUILDING → FAILED'});
  await entry.getByText('BUILDING: failed: exit status 3', {exact: true}).waitFor();
  assert.equal(await entry.locator('pre').innerText(), '196\n197\n198\n199\n200\n<b>src/a.c:3</b>: error: boom');
  await entry.locator('summary').click();
  await page.waitForFunction(() => document.querySelector('.opened pre'));
  assert.match(await entry.locator('pre').innerText(), /^1\n2\n3\n[^]*\n200\n<b>src\/a\.c:3<\/b>: error: boom$/);
  assert.ok((await entry.locator('pre').boundingBox()).height < 600);
  assert.ok(await entry.locator('pre').evaluate((it) => it.scrollTop > 0 && it.scrollHeight - it.scrollTop - it.clientHeight < 2), 'its end is not seen');
  await page.getByRole('tab', {name: 'Data'}).click();
  await page.locator('.machines summary').getByText('fail has ended').waitFor();
  // Nothing happens in it any more.
  assert.equal(await page.locator('.title .live').count(), 0);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});
