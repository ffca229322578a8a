// The engine is killed at every point of what it does to the world: each start of a program, each
// write and flush of the journal, each file that is renamed. After a resume everything is as if
// nothing had happened.
//
// There are some thousand points. Here some of them are tried, each time others; all of them with
// AGNETO_CRASH_POINTS=all, those numbered with AGNETO_CRASH_POINTS=12,99.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const tried = 60;

function buildPreload(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agneto-crash-'));
  t.after(() => rmSync(folder, {recursive: true}));
  const library = join(folder, 'crash.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, join(root, 'tests/e2e/crash/crash.c'), '-ldl']);
  return {library, log: join(folder, 'points.log')};
}

const begin = (repo, env = {}) => agneto(repo,
  ['run', 'write three files', '--cassette', join(root, 'bench/three-chunks.yaml'), '--non-interactive', '--auto-merge'], {env});

// What must not depend on whether the run was cut off: the files, the commits, the path, the calls.
async function outcome(repo) {
  const show = await agneto(repo, ['show', 'last']);
  assert.equal(show.status, exit.complete, show.said);
  const text = show.out.replace(/write-three-files-[0-9a-f]{4}/g, 'RUN');
  return {
    tree: repo.git('rev-parse', 'main^{tree}'),
    log: repo.git('log', '--format=%s', 'main'),
    dirt: repo.git('status', '--porcelain'),
    calls: /(\d+) agent calls/.exec(text)?.[1],
    path: text.split('\n').filter((line) => line.includes('→')).map((line) => line.replace(/^ *[\d:]* */, '')).join('\n'),
    status: /status +(.*)/.exec(text)?.[1],
  };
}

// Killed at that point, then resumed, or begun again where nothing was recorded yet.
async function crashed(t, preload, at) {
  const repo = makeRepo(t);
  const first = await begin(repo, {LD_PRELOAD: preload.library, AGNETO_CRASH_AT: String(at)});
  if (first.status === null) {
    assert.equal(first.signal, 'SIGKILL', first.said);
    const again = await agneto(repo, ['resume', 'last', '--non-interactive']);
    if (/there (are no runs|is no run)/.test(again.err)) {
      const anew = await begin(repo);
      assert.equal(anew.status, exit.complete, anew.said);
    } else if (!/has ended: complete/.test(again.err)) {
      assert.equal(again.status, exit.complete, `${first.said}\n${again.said}`);
    }
  }
  const end = await outcome(repo);
  repo.pass();
  return end;
}

test('a run that is killed at any point ends as one that is not', async (t) => {
  const preload = buildPreload(t);
  const repo = makeRepo(t);
  const whole = await begin(repo, {LD_PRELOAD: preload.library, AGNETO_CRASH_LOG: preload.log});
  assert.equal(whole.status, exit.complete, whole.said);
  const expected = await outcome(repo);
  assert.equal(expected.calls, '19');
  repo.pass();

  const points = readFileSync(preload.log, 'utf8').trimEnd().split('\n');
  const wanted = process.env.AGNETO_CRASH_POINTS ?? '';
  const step = Math.max(1, Math.floor(points.length / tried));
  const first = Math.floor(Math.random() * step);
  let chosen = points.map((_, i) => i + 1).filter((n) => wanted === 'all' || n % step === first);
  if (/^\d/.test(wanted)) chosen = wanted.split(',').map(Number);

  const wrong = [];
  const next = chosen[Symbol.iterator]();
  const worker = async () => {
    for (const at of next) {
      try {
        assert.deepEqual(await crashed(t, preload, at), expected);
      } catch (error) {
        wrong.push(`killed at point ${at} (${points[at - 1]}): ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, worker));
  t.diagnostic(`${chosen.length} of ${points.length} points`);
  assert.equal(wrong.length, 0, wrong.slice(0, 5).join('\n\n'));
});
