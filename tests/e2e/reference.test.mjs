// docs/reference.md lists what there is, and its examples are real. With AGNETO_UPDATE in the
// environment the page is written anew.

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {constructs, reference} from './lib/reference.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const file = join(root, 'docs/reference.md');

test('docs/reference.md lists every key, every field of a hook, and the hook library', () => {
  const fresh = reference(readFileSync(file, 'utf8'));
  if (process.env.AGNETO_UPDATE) writeFileSync(file, fresh);
  assert.equal(readFileSync(file, 'utf8'), fresh);
  assert.deepEqual([...fresh.matchAll(/<!-- keys (\w+) -->/g)].map(([, construct]) => construct).sort(), Object.keys(constructs).sort());
});

test('its examples lint clean, pass, and leave no key out', async (t) => {
  const repo = makeRepo(t, {env: {PATH: `${dirname(program)}:${process.env.PATH}`}});
  await follow('reference.md', repo);
  const page = readFileSync(file, 'utf8');
  assert.match(page, /^\$ agneto lint \*\.yaml\n```$/m);
  const examples = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text]) => text).join('');
  const unused = Object.entries(constructs).flatMap(([construct, {properties}]) => Object.keys(properties)
    .filter((key) => !new RegExp(`\\b${key}:`).test(examples)).map((key) => `${construct}.${key}`));
  assert.deepEqual(unused, []);
  repo.pass();
});
