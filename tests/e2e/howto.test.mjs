// The how-to guides, followed word by word.

import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const env = {PATH: `${dirname(program)}:${process.env.PATH}`, EXAMPLES: join(root, 'workflows/examples')};

test('docs/howto/add-a-review-stage.md adds one to the bundled workflow', async (t) => {
  const repo = makeRepo(t, {env});
  await follow('howto/add-a-review-stage.md', repo);
  repo.pass();
});
