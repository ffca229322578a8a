// The tutorial, followed page by page as a newcomer would: each command, each change, each file.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const folder = join(root, 'docs/tutorial');
const pages = readdirSync(folder).filter((name) => /^\d/.test(name)).sort();

test('the tutorial says what is printed', async (t) => {
  const ada = {NAME: 'Ada', EMAIL: 'ada@example.org'};
  const repo = makeRepo(t, {files: null, git: false, env: {
    TZ: 'UTC', GIT_PAGER: 'cat', PATH: `${dirname(program)}:${process.env.PATH}`,
    ...Object.fromEntries(['AUTHOR', 'COMMITTER'].flatMap((who) => Object.entries(ada).map(([key, value]) => [`GIT_${who}_${key}`, value])))}});
  let state;
  for (const page of pages) state = await follow(`tutorial/${page}`, repo, state);
  repo.pass();
});

test('its pages are linked, in their order', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  assert.deepEqual([...index.matchAll(/^\d\. \[.*\]\((.*)\)$/gm)].map(([, page]) => page), pages);
  pages.forEach((page, i) => {
    const text = readFileSync(join(folder, page), 'utf8');
    assert.ok(text.startsWith(`# ${i + 1}. `), page);
    if (i + 1 < pages.length) assert.match(text, new RegExp(`^Next: \\[.*\\]\\(${pages[i + 1]}\\)\\.$`, 'm'));
  });
});
