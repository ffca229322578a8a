// `./dev demo --web`, from what the address that it prints shows to the end.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {browsers} from './lib/browser.mjs';
import {makeRepo, root} from './lib/repo.mjs';

test('the demo in a browser has five runs that stand differently, plays what is submitted, and leaves nothing', async (t) => {
  const repo = makeRepo(t, {files: null, git: false});
  const demo = spawn('sh', [join(root, 'scripts/demo/web.sh'), program], {cwd: repo.dir, env: {...repo.env, TMPDIR: repo.dir}, stdio: ['ignore', 'pipe', 'pipe']});
  t.after(() => demo.kill('SIGTERM'));
  let said = '';
  const link = await new Promise((resolve, reject) => {
    demo.stdout.on('data', (text) => {
      said += text;
      const found = said.match(/^ {4}(http:\/\/127\.0\.0\.1:\d+\/#token=agneto_[0-9a-f]{48})$/m);
      if (found) resolve(found[1]);
    });
    demo.stderr.on('data', (text) => { said += text; });
    demo.on('close', () => reject(new Error(said)));
  });
  const page = await browsers(t).open();
  await page.goto(link);
  const shelf = (name, task) => page.locator(`.shelf.${name}`).getByRole('link', {name: task, exact: true});
  await shelf('waiting', 'greet people by the time of day').waitFor();
  await shelf('working', 'what is not tested').waitFor();
  await shelf('queued', 'what is not documented').waitFor();
  await shelf('parked', 'tidy up once everybody sleeps').waitFor();
  await shelf('done', 'add a --shout flag').waitFor({timeout: 40_000});

  await page.getByRole('link', {name: 'Server', exact: true}).click();
  await page.getByText(/^At most 4 runs at the same time; at most 1 of survey\./).waitFor();
  await page.locator('.row', {hasText: 'what is not tested'}).getByText('under way: LOOKING').waitFor();
  await page.locator('.row', {hasText: 'what is not documented'}).getByText('queued').waitFor();
  await page.getByRole('link', {name: 'Runs', exact: true}).click();
  await shelf('working', 'what is not tested').click();
  await page.getByText('I begin with the program.').waitFor();
  await page.getByRole('link', {name: 'Runs', exact: true}).click();
  await shelf('waiting', 'greet people by the time of day').click();
  await page.getByRole('radio', {name: /Yes, commit it/}).check();
  await page.getByRole('button', {name: 'Answer: Yes, commit it'}).click();
  await page.locator('.title .badge.complete').waitFor();
  assert.deepEqual(page.faults, []);

  demo.kill('SIGINT');
  await new Promise((resolve) => { demo.on('close', resolve); });
  assert.deepEqual(readdirSync(repo.dir), []);
  repo.pass();
});
