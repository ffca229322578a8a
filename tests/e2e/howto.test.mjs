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

test('docs/howto/share-workflows.md shares it by a package', async (t) => {
  const repo = makeRepo(t, {env: {...env, GIT_PAGER: 'cat', GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org'}});
  await follow('howto/share-workflows.md', repo);
  repo.pass();
});

test('docs/howto/limits.md stops a run at its limit, and lets it go on', async (t) => {
  const repo = makeRepo(t, {env});
  await follow('howto/limits.md', repo);
  repo.pass();
});

test('docs/recording.md records a run, plays it, and lets it fail', async (t) => {
  const repo = makeRepo(t, {env: {...env, GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org'}});
  await follow('recording.md', repo);
  repo.pass();
});

test('docs/howto/add-a-provider.md reaches two programs', async (t) => {
  const repo = makeRepo(t, {env: {...env, GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org'}});
  await follow('howto/add-a-provider.md', repo);
  repo.pass();
});
