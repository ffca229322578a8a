// Pages of docs/ that are played: the commands of their console blocks are given in a shell, and what
// they print is what the page says.

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {agneto, exit, program} from './agneto.mjs';
import {makeRepo, root} from './repo.mjs';

const read = (name) => readFileSync(join(root, 'docs', name), 'utf8');

// The files of docs/runs.md: blocks whose first line is a comment with a path.
export const files = Object.fromEntries([...read('runs.md').matchAll(/^```(?:yaml|lua)\n(?:#|--) (\S+)\n([^]*?)^```$/gm)].map(([, path, text]) => [path, text]));

// A repository with that page's workflow, in which runs of it can be started.
export const flowRepo = (t, more = {}) => makeRepo(t, {
  files: {...files, 'README.md': 'Hello.\n', ...more},
  env: {TZ: 'UTC', GIT_PAGER: 'cat', GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org', PATH: `${dirname(program)}:${process.env.PATH}`}});

// A run of it that waits at its gate: its id.
export const suspended = async (repo) => {
  const end = await agneto(repo, ['run', 'say hello', '-w', 'fix', '--cassette', 'cassette.yaml', '--non-interactive']);
  assert.equal(end.status, exit.suspended, end.said);
  return newest(repo);
};
const newest = async (repo) => JSON.parse((await agneto(repo, ['runs', '--json', '--limit', '1'])).out).run;

// What differs from run to run.
const steady = (text, repo, run) => text
  .replaceAll(repo.dir, '/home/ada/project')
  .replaceAll(run, 'say-hello-3f2a')
  .replace(/say-hello-(?!3f2a)[0-9a-f]{4}/g, 'say-hello-91d0')
  .replace(/\d{4}-\d\d-\d\d([ T])\d\d:\d\d(:\d\d)?/g, (all, gap, seconds) => `2026-11-21${gap}21:02${seconds ? ':36' : ''}`)
  .replace(/\d{4}-\d\d-\d\d/g, '2026-11-21')
  .replace(/\b\d\d:\d\d:\d\d\b/g, '21:02:36')
  .replace(/ \d+(\.\d+)?m?s\b/g, ' 300ms').replace(/\(\d+(\.\d+)?m?s\)/g, '(300ms)')
  .replace(/process \d+ on host \S+/g, 'process 4711 on host tiger')
  .replace(/\bby [a-z]\w*(?= at \d{4}|\))/g, 'by ada')
  .replace(/\b[0-9a-f]{12}\b/g, 'c1f7e0a9d3b2').replace(/committed [0-9a-f]{8}/g, 'committed 5e2f203e')
  .replace(/agneto \d+\.\d+(\.\d+)?\b/g, 'agneto 1.0')
  .replace(/[ \t]+$/gm, '');

// `run`: the run that is called RUN on the page; empty: the first that it starts. Returns its id.
// With AGNETO_UPDATE in the environment, writes what is printed now.
export async function play(name, repo, run = '') {
  const page = read(name);
  let fresh = page;
  for (const [block, body] of page.matchAll(/^```console\n([^]*?)^```$/gm)) {
    let printed = '';
    for (const [, command] of body.matchAll(/^\$ (.*)$/gm)) {
      const done = spawnSync('sh', ['-c', `${command.replaceAll('RUN', run)} 2>&1`], {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
      run ||= await newest(repo);
      printed += `$ ${command}\n${steady(done.stdout, repo, run)}`;
    }
    const expected = `\`\`\`console\n${printed}\`\`\``;
    if (process.env.AGNETO_UPDATE) fresh = fresh.replace(block, () => expected);
    else assert.equal(block, expected);
  }
  if (process.env.AGNETO_UPDATE) writeFileSync(join(root, 'docs', name), fresh);
  return run;
}
