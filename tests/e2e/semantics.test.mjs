// docs/semantics.md: its machines are played, and its pictures are of them. With AGNETO_UPDATE in the
// environment both are written anew.

import assert from 'node:assert/strict';
import {copyFileSync, mkdirSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program} from './lib/agneto.mjs';
import {follow, words} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const pictures = join(root, 'docs/diagrams/semantics');

test('docs/semantics.md tells what its machines do, and shows them', async (t) => {
  const repo = makeRepo(t, {env: {PATH: `${dirname(program)}:${process.env.PATH}`}});
  await follow('semantics.md', repo);
  const shown = [...readFileSync(join(root, 'docs/semantics.md'), 'utf8').matchAll(/\(diagrams\/semantics\/(\w+)\.svg\)/g)].map(([, name]) => name);
  for (const name of shown) {
    const lint = await agneto(repo, ['lint', `${name}.yaml`]);
    assert.equal(lint.out + lint.err, '');
    const end = await agneto(repo, ['graph', `${name}.yaml`, '--depth', '1', '-o', `${name}.svg`]);
    assert.equal(end.status, exit.complete, end.said);
    if (process.env.AGNETO_UPDATE) {
      mkdirSync(pictures, {recursive: true});
      copyFileSync(join(repo.dir, `${name}.svg`), join(pictures, `${name}.svg`));
    }
    assert.deepEqual(words(repo.read(`${name}.svg`)), words(readFileSync(join(pictures, `${name}.svg`), 'utf8')), name);
  }
  assert.deepEqual(readdirSync(pictures).sort(), shown.map((name) => `${name}.svg`).sort());
  repo.pass();
});
