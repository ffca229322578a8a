// What the pages do not do: run or load what an agent wrote, or let a token do more than it is for. And whom they
// keep out: nobody who has a small screen, no mouse, or a screen reader.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {agneto} from './lib/agneto.mjs';
import {browsers, servePages, violations} from './lib/browser.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';
import {makeTeam} from './lib/team.mjs';

// Nobody listens there; whatever asks for it is seen.
const elsewhere = 'http://127.0.0.1:9';
const hostile = `# Look

### At this

# And

## At that

<img src=${elsewhere}/img onerror="window.pwned = 1">
<script>window.pwned = 2</script><style>body { background: url(${elsewhere}/style) }</style>
<iframe src="${elsewhere}/frame"></iframe><svg onload="window.pwned = 3"><image href="${elsewhere}/svg"/></svg>

![a picture](${elsewhere}/picture) [a script](javascript:window.pwned=4) [data](data:text/html,<script>pwned</script>)
[a page](https://example.com/there "x\\" onmouseover=\\"pwned") <a href="javascript:window.pwned=5">raw</a> [local](/api/v1/runs)

<form action="${elsewhere}/form"><input name=a></form> <b onclick="window.pwned=6">bold</b>`;

const workflow = `agneto: 1
name: ask
description: '<img src=${elsewhere}/graph onerror=alert(1)>'
inputs: {task: {type: string, main: true}}
agents: {writer: {access: edit, prompt: Write something.}}
context: {said: ""}
initial: ASKING
states:
  ASKING:
    agent: {name: writer, verdicts: {DONE: {text: string}}}
    on: {DONE: {target: GATE, do: ctx.said = event.text}, error: FAILED}
  GATE:
    ask: {question: "Well? <script>window.pwned=7</script>", show: ctx.said, options: {YES: "Yes <b>now</b>", NO: {label: Again, feedback: optional}}}
    on: {YES: DONE, NO: DONE}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`;

async function asking(t, tokens) {
  const repo = makeRepo(t, {files: {...greeter, '.agneto/workflows/ask.yaml': workflow}});
  makeTeam(repo, {writer: [{do: `printf '%s' "$X" > '<img src=x onerror=pwned>.txt'; echo '<script>window.pwned=8</script>' > page.html`,
    reply: `${hostile}\n\n\`\`\`json\n${JSON.stringify({verdict: 'DONE', text: hostile})}\n\`\`\``, last: true}]});
  const served = await servePages(t, repo, tokens);
  const made = await agneto(repo, ['submit', '<img src=x onerror=alert(1)> & more', '-w', 'ask', '--json']);
  assert.equal(made.status, 0, made.said);
  return {repo, served, run: JSON.parse(made.out).run};
}

test('what agents wrote does nothing, and loads nothing', async (t) => {
  const {repo, served, run} = await asking(t, {Ada: 'admin'});
  const page = await browsers(t).sign(served, 'Ada', `/runs/${run}`);
  const gate = page.locator('#gate');
  await gate.getByText('[image: a picture — http://127.0.0.1:9/picture]').waitFor();
  await gate.locator('.file', {hasText: 'page.html'}).waitFor();
  for (const entry of await page.locator('ol.entries > li summary').all()) await entry.click();
  await page.locator('ol.entries .prose').first().waitFor();
  await page.locator('.graph svg').waitFor();
  for (const pressed of await page.getByRole('button', {name: 'As it is recorded'}).all()) await pressed.click();
  await page.getByRole('tab', {name: 'Changes'}).click();
  await page.locator('#panel .file').first().waitFor();
  await page.goto(`${served.url}/workflows/ask`);
  await page.locator('.graph svg').waitFor();
  await page.goto(`${served.url}/`);
  await page.locator('.shelf.waiting li').waitFor();
  await page.goto(`${served.url}/runs/${run}#gate`);
  await gate.locator('.prose').first().waitFor();

  assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  assert.deepEqual(page.asked.filter((url) => !url.startsWith(`${served.url}/`) && !url.startsWith('data:')), []);
  const inside = '.prose, #gate, .entries';
  assert.equal(await page.locator(inside).locator('img, script, style, iframe, form[action], svg, image, [onclick], [onerror], [onload]').count(), 0);
  const links = await page.locator('.prose a').evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.target, link.rel]));
  assert.deepEqual(new Set(links.map(String)), new Set(['https://example.com/there,_blank,noopener noreferrer nofollow']));
  await gate.getByText('(javascript:window.pwned=4)').first().waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('a token for reading does nothing else, and the page says why', async (t) => {
  const {repo, served, run} = await asking(t, {Ada: 'admin', Rita: 'read'});
  const page = await browsers(t).sign(served, 'Rita', `/runs/${run}`);
  const why = (scope) => new RegExp(`\\(Your token is for 'read'; this needs '${scope}'\\)`);
  const press = async (name) => {
    const button = page.getByRole('button', {name}).first();
    assert.equal(await button.getAttribute('aria-disabled'), 'true', String(name));
    await button.click({force: true});
  };
  await page.getByRole('radio', {name: /Yes/}).check();
  await press(/^Answer: Yes .*this needs 'answer'/);
  await page.keyboard.press('Control+Enter');
  await press(/^Suspend … .*this needs 'admin'/);
  await press(/^Abort … .*this needs 'admin'/);
  await page.locator('ol.entries > li.step summary').first().click();
  await press(/^Rewind to here … .*this needs 'admin'/);
  await press(/^Fork from here … .*this needs 'admin'/);
  await page.getByRole('link', {name: 'Runs', exact: true}).click();
  await press(/^New task .*this needs 'submit'/);
  assert.match(await page.getByRole('button', {name: /^New task/}).innerText(), why('submit'));
  assert.equal(await page.locator('form.submit, dialog').count(), 0);
  // What was pressed first has had its time: the pages have asked for more since.
  await page.locator('.shelf.waiting li').waitFor();
  assert.deepEqual(page.wrote, []);
  // Nor by the hands of somebody who writes to the API from the page.
  for (const [path, body] of [['', {task: 'x'}], [`/${run}/answer`, {option: 'YES'}], [`/${run}/abort`, {}]]) {
    const status = await page.evaluate(async ([to, sent]) => (await fetch(`/api/v1/runs${to}`, {
      method: 'POST', headers: {authorization: `Bearer ${localStorage.getItem('agneto.token')}`}, body: JSON.stringify(sent)})).status, [path, body]);
    assert.equal(status, 403, path);
  }
  assert.equal(page.wrote.length, 3);
  assert.equal((await served.ask('GET', '/runs')).json.runs.length, 1);
  assert.equal((await served.ask('GET', `/runs/${run}`)).json.waits_for, 'person');
  await served.end();
  repo.pass();
});

test('whoever is not signed in sees how to, and whoever signs out is forgotten', async (t) => {
  const {repo, served, run} = await asking(t, {Ada: 'read'});
  const {open, sign} = browsers(t);
  const page = await open();
  await page.goto(`${served.url}/runs/${run}`);
  await page.getByText('agneto token make NAME --scope answer').waitFor();
  assert.ok(page.asked.every((url) => !url.includes('/api/')), 'it asks the API without a token');
  await page.getByLabel('Your token').fill('what is this?');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('That is no token: one begins with agneto_.').waitFor();
  assert.ok(page.asked.every((url) => !url.includes('/api/')), 'it sends what is no token');
  await page.getByLabel('Your token').fill('agneto_nobody');
  await page.getByRole('button', {name: 'Sign in'}).click();
  await page.getByRole('alert').getByText('That token is not known here (any more).').waitFor();
  await page.getByLabel('Your token').fill(served.as.Ada);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: '<img src=x onerror=alert(1)> & more'}).waitFor();
  await page.getByRole('button', {name: /^Sign out/}).click();
  await page.getByLabel('Your token').waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify({...localStorage})), '{}');
  assert.deepEqual(await page.context().cookies(), []);

  // A link replaces nobody's token by itself, and one with nonsense does nothing.
  const ben = (await agneto(repo, ['token', 'make', 'Ben', '--scope', 'answer'])).out.trim();
  const linked = await sign(served, 'Ada', '/workflows');
  const kept = () => linked.evaluate(() => localStorage.getItem('agneto.token'));
  const out = (name) => linked.getByRole('button', {name: `Sign out ${name}`});
  for (const nonsense of ['%zz', '', 'a b', served.as.Ada]) {
    await linked.goto(`${served.url}/server#token=${nonsense}`);
    await linked.reload();
    await out('Ada').waitFor();
    assert.equal(linked.url(), `${served.url}/server`);
  }
  await linked.goto(`${served.url}/runs/${run}#token=agneto_nobody`);
  await linked.getByText("You are signed in as Ada, for 'read'. The link that you followed has another token, which this server does not know (any more).").waitFor();
  await linked.getByRole('button', {name: 'Stay Ada'}).click();
  await out('Ada').waitFor();
  await linked.evaluate((token) => { location.hash = `#token=${token}`; }, ben);
  await linked.getByText("The link that you followed has the token of Ben, for 'answer'.").waitFor();
  assert.ok(!linked.url().includes('token'), linked.url());
  assert.deepEqual(await violations(linked), []);
  assert.equal(await kept(), served.as.Ada);
  await linked.getByRole('button', {name: 'Stay Ada'}).click();
  await out('Ada').waitFor();
  assert.equal(await kept(), served.as.Ada);
  await linked.goto(`${served.url}/#token=${ben}`);
  await linked.getByRole('button', {name: 'Sign in as Ben'}).click();
  await out('Ben').waitFor();
  assert.equal(await kept(), ben);
  // One that is good for nothing any more is replaced.
  assert.equal((await agneto(repo, ['token', 'revoke', 'Ben'])).out, 'revoked: Ben\n');
  await linked.evaluate((token) => localStorage.setItem('agneto.token', token), ben);
  await linked.goto(`${served.url}/workflows#token=${served.as.Ada}`);
  await out('Ada').waitFor();
  assert.deepEqual(linked.faults, []);

  // A token that is taken back ends what is open.
  const other = await sign(served, 'Ada');
  await other.locator('.live').waitFor();
  assert.equal((await agneto(repo, ['token', 'revoke', 'Ada'])).out, 'revoked: Ada\n');
  await other.getByText('That token is not known here (any more).').waitFor();
  assert.deepEqual(page.faults, []);
  await served.end();
  repo.pass();
});

test('each page is one for everybody: no scrolling sideways at 360 px, and axe finds nothing, by day and by night', async (t) => {
  const {repo, served, run} = await asking(t, {Ada: 'admin'});
  const {sign, open} = browsers(t);
  repo.write({'.agneto/config.yaml': `${repo.read('.agneto/config.yaml')}schedules:
  nightly: {cron: 30 2 * * mon-fri, timezone: Europe/London, task: look at everything, workflow: ask}
  weekly: {cron: 0 3 * * sun, timezone: UTC, task: tidy up, workflow: gone}
`});
  const paths = ['/', `/runs/${run}`, '/workflows', '/workflows/ask', '/server', '/schedules', '/nothing'];
  for (const colorScheme of ['light', 'dark']) {
    const wrong = [];
    const look = async (page, path) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > page.viewportSize().width) wrong.push(`${path} is ${wide} px wide at ${page.viewportSize().width} px`);
      for (const violation of await violations(page)) wrong.push(`${path}: ${violation}`);
    };
    const outside = await open({colorScheme, viewport: {width: 360, height: 740}});
    await outside.goto(served.url);
    await outside.getByLabel('Your token').waitFor();
    await look(outside, 'signing in');
    const page = await sign(served, 'Ada', '/', {colorScheme, viewport: {width: 360, height: 740}});
    for (const path of paths) {
      await page.goto(served.url + path);
      await page.getByRole('heading', {level: 1}).waitFor();
      if (path === `/runs/${run}`) {
        await page.locator('#gate .file').first().waitFor();
        await page.locator('#gate tr.add').first().click();
        await page.locator('#gate').getByRole('radio', {name: /Again/}).check();
        await page.locator('ol.entries > li summary').nth(3).click();
        assert.equal(await page.locator('kbd:visible').count(), 0, 'there are hints for a keyboard');
        for (const option of await page.locator('#gate .options label').all()) assert.ok((await option.boundingBox()).height >= 44);
        assert.deepEqual(await page.locator('#gate .prose :is(h1, h2, h3, h4, h5, h6)').evaluateAll((all) => all.map((each) => each.localName)), ['h3', 'h4', 'h3', 'h4']);
        await look(page, path);
        await page.getByRole('tab', {name: 'Data'}).click();
        await page.getByRole('button', {name: /^Abort/}).click();
        await look(page, `${path}, with a dialog`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({state: 'detached'});
        assert.match(await page.evaluate(() => document.activeElement.textContent), /^Abort/);
      } else if (path === '/') {
        await page.getByRole('button', {name: 'New task'}).click();
        await page.getByText('Inputs, branch and priority').click();
        await look(page, path);
      } else {
        if (path === '/schedules') {
          await page.getByRole('rowheader', {name: 'nightly', exact: true}).waitFor();
          await page.getByRole('rowheader', {name: /^weekly.*It makes no run: /}).waitFor();
        }
        if (path === '/server') {
          await page.getByRole('rowheader', {name: /^(process |[\w.-]+\/)\d+$/}).waitFor();
          await look(page, path);
          const machine = (nth) => ({name: `a-machine-with-a-long-name-${nth}.example.com/4711`, kind: 'worker', folder: '/srv/project', since: new Date().toISOString(), slots: 4,
            runs: [run, run + nth], labels: ['claude', 'gpu', `a-machine-with-a-long-name-${nth}.example.com:${repo.dir}`], ends: nth === 2});
          await page.route('**/api/v1/workers', (route) => route.fulfill({json: {workers: [1, 2].map(machine)}}));
          await page.reload();
          await page.getByRole('rowheader', {name: /-2\.example\.com\/4711 It takes up nothing more\.$/}).waitFor();
        }
        await look(page, path);
      }
    }
    await page.setViewportSize({width: 2560, height: 1300});
    await page.goto(`${served.url}/runs/${run}`);
    await page.locator('#gate .file').first().waitFor();
    assert.ok(await page.locator('kbd:visible').count() > 0);
    await look(page, 'a run on a large screen');
    assert.deepEqual(wrong, []);
  }
  await served.end();
  repo.pass();
});
