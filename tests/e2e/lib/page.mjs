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
// Empty where none was started.
const newest = async (repo, cwd) => JSON.parse((await agneto(repo, ['runs', '--json', '--limit', '1'], {cwd})).out || '{}').run ?? '';

// What differs from run to run: ids of runs (RUN is what the page calls it), folders, times, durations,
// processes, people, hashes, versions. Each has a value on the pages that never changes.
const steady = (text, repo, run) => {
  const task = run.replace(/-[0-9a-f]{4}$/, '');
  return text
    .replaceAll(repo.dir, '/home/ada/project')
    .replaceAll(root, '/usr/share/agneto')
    .replaceAll(run, `${task}-3f2a`)
    .replace(new RegExp(`${task}-(?!3f2a)[0-9a-f]{4}`, 'g'), `${task}-91d0`)
    .replace(/\d{4}-\d\d-\d\d([ T])\d\d:\d\d(:\d\d)?/g, (all, gap, seconds) => `2026-11-21${gap}21:02${seconds ? ':36' : ''}`)
    .replace(/\d{4}-\d\d-\d\d/g, '2026-11-21')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '21:02:36')
    .replace(/ \d+(\.\d+)?m?s\b/g, ' 300ms').replace(/\(\d+(\.\d+)?m?s\)/g, '(300ms)')
    .replace(/process \d+ on host \S+/g, 'process 4711 on host tiger')
    .replace(/\bby [a-z]\w*(?= at \d{4}|\))/g, 'by ada')
    .replace(/\b[0-9a-f]{12}\b/g, 'c1f7e0a9d3b2').replace(/committed [0-9a-f]{8}/g, 'committed 5e2f203e')
    .replace(/agneto \d+\.\d+(\.\d+)?\b/g, 'agneto 1.0')
    .replace(/[ \t]+$/gm, '');
};

// Goes through a page, block after block:
//   ```console       what is behind `$ ` is given to a shell; what it prints is what stands below it
//   ```LANG          with a first line `# PATH`, `-- PATH` or `<!-- PATH -->`: a file, which is written
//   ```LANG PATH     a part of a file, which must stand there so; of Mermaid all of it
//   ```diff          a change of files that are there, which is made
// Other blocks are left alone. `run`: the run that is called RUN on the page; empty: the first that it
// starts. `cd` is remembered. With AGNETO_UPDATE in the environment, writes what is printed now.
// Returns {run, cwd}, for the next page.
export async function follow(name, repo, {run = '', cwd = repo.dir} = {}) {
  const page = read(name);
  let fresh = '';
  let done = 0;  // how much of the page is in `fresh`
  const says = (match, block) => {
    if (!process.env.AGNETO_UPDATE) return assert.equal(match[0], block, name);
    fresh += page.slice(done, match.index) + block;
    done = match.index + match[0].length;
  };
  for (const match of page.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm)) {
    const [block, lang, path, body] = match;
    const written = body.match(/^(?:#|--|<!--) ([\w./-]+)(?: -->)?\n/)?.[1];
    if (lang === 'console') {
      let printed = '';
      for (const [, command] of body.matchAll(/^\$ (.*)$/gm)) {
        printed += `$ ${command}\n`;
        const folder = command.match(/^cd (\S+)$/)?.[1];
        if (folder) {
          cwd = join(cwd, folder);
          continue;
        }
        const end = spawnSync('sh', ['-c', `${command.replaceAll('RUN', run)} 2>&1`], {cwd, env: repo.env, encoding: 'utf8'});
        if (!run && command.startsWith('agneto run ')) run = await newest(repo, cwd);
        printed += steady(end.stdout, repo, run || 'no run');
      }
      says(match, `\`\`\`console\n${printed}\`\`\``);
    } else if (lang === 'diff') {
      const end = spawnSync('git', ['apply', '--recount', '-'], {cwd, env: repo.env, input: body, encoding: 'utf8'});
      assert.equal(end.status, 0, `${name}: ${block}\n${end.stderr}`);
    } else if (path?.includes('.')) {
      const text = readFileSync(join(cwd, path), 'utf8');
      if (lang === 'mermaid') says(match, `\`\`\`mermaid ${path}\n${text}\`\`\``);
      else assert.ok(`\n${text}`.includes(`\n${body}`), `${name}: in ${path} there is no\n${body}`);
    } else if (written) {
      const comment = body.startsWith('<!--') ? body.indexOf('\n') + 1 : 0;  // it would be told to an agent
      repo.write({[written]: body.slice(comment)}, {under: cwd});
    }
  }
  if (process.env.AGNETO_UPDATE) writeFileSync(join(root, 'docs', name), fresh + page.slice(done));
  return {run, cwd};
}

// What a picture says. Where it stands depends on Graphviz and its fonts.
export const words = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((match) => match[1]).sort();

// A page by itself, whose files are there. Returns the run's id.
export const play = async (name, repo, run) => (await follow(name, repo, {run})).run;
