// The engine is killed at every point of what it does to the world: each start of a program, each
// write and flush of the journal, each file that is renamed. After a resume everything is as if
// nothing had happened.
//
// There are some thousand points. Here some of them are tried, each time others; each tenth with
// AGNETO_CRASH_POINTS=tenth, all of them with =all, those numbered with =12,99.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';

function buildPreload(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agneto-crash-'));
  t.after(() => rmSync(folder, {recursive: true}));
  const library = join(folder, 'crash.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, join(root, 'tests/e2e/crash/crash.c'), '-ldl']);
  return {library, log: join(folder, 'points.log')};
}

// What must not depend on whether the run was cut off: the files and commits on all branches, the
// path, the calls. The lines of a path of items that work at the same time come in any order.
async function outcome(repo) {
  const show = await agneto(repo, ['show', 'last']);
  assert.equal(show.status, exit.complete, show.said);
  const [, run] = /^run +(\S+)/.exec(show.out);
  const plain = (text) => text.replaceAll(run, 'RUN').replaceAll(repo.dir, 'DIR');
  return {
    branches: repo.git('branch', '--format=%(refname:short) %(tree) %(subject)').split('\n').map((line) => {
      const [name] = line.split(' ');
      return plain(`${name} ${repo.git('rev-parse', `${name}^{tree}`)} ${repo.git('log', '--format=%s', name)}`);
    }),
    worktrees: plain(repo.git('worktree', 'list')).replace(/ +[0-9a-f]+ /g, ' '),
    dirt: repo.git('status', '--porcelain'),
    calls: /(\d+) agent calls/.exec(show.out)?.[1],
    path: show.out.split('\n').filter((line) => line.includes('→')).map((line) => plain(line.replace(/^ *[\d:]* */, ''))).sort(),
    status: /status +(.*)/.exec(show.out)?.[1],
  };
}

// Runs `args` in a repository of `files`, killed at that point; then resumes it, or begins again
// where nothing was recorded yet.
async function killedOnce(t, {files, args}, preload, at) {
  const repo = makeRepo(t, {files});
  const first = await agneto(repo, args, {env: {LD_PRELOAD: preload.library, AGNETO_CRASH_AT: String(at)}});
  if (first.status === null) {
    assert.equal(first.signal, 'SIGKILL', first.said);
    const again = await agneto(repo, ['resume', 'last', '--non-interactive']);
    if (/there (are no runs|is no run)/.test(again.err)) {
      const anew = await agneto(repo, args);
      assert.equal(anew.status, exit.complete, anew.said);
    } else if (!/has ended: complete/.test(again.err)) {
      assert.equal(again.status, exit.complete, `${first.said}\n${again.said}`);
    }
  }
  const end = await outcome(repo);
  repo.pass();
  return end;
}

// Tries about so many of the points.
async function killedAtManyPoints(t, run, tried) {
  const preload = buildPreload(t);
  const repo = makeRepo(t, {files: run.files});
  const whole = await agneto(repo, run.args, {env: {LD_PRELOAD: preload.library, AGNETO_CRASH_LOG: preload.log}});
  assert.equal(whole.status, exit.complete, whole.said);
  const expected = await outcome(repo);
  assert.equal(expected.status, run.ends);
  repo.pass();

  const points = readFileSync(preload.log, 'utf8').trimEnd().split('\n');
  const wanted = process.env.AGNETO_CRASH_POINTS ?? '';
  const step = {all: 1, tenth: 10}[wanted] ?? Math.max(1, Math.floor(points.length / tried));
  const first = Math.floor(Math.random() * step);
  let chosen = points.map((_, i) => i + 1).filter((n) => n % step === first);
  if (/^\d/.test(wanted)) chosen = wanted.split(',').map(Number);

  const wrong = [];
  const next = chosen[Symbol.iterator]();
  const worker = async () => {
    for (const at of next) {
      try {
        assert.deepEqual(await killedOnce(t, run, preload, at), expected);
      } catch (error) {
        wrong.push(`killed at point ${at} (${points[at - 1]}): ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, worker));
  t.diagnostic(`${chosen.length} of ${points.length} points`);
  assert.equal(wrong.length, 0, `${wrong.length} of ${chosen.length}\n${wrong.slice(0, 5).join('\n\n')}`);
}

test('the bundled workflow, killed at any point, ends as one that is not', (t) => killedAtManyPoints(t, {
  files: greeter,
  args: ['run', 'write three files', '--cassette', join(root, 'bench/three-chunks.yaml'), '--non-interactive', '--auto-merge'],
  ends: 'complete (TASK_COMPLETE)',
}, 50));

// The first and the third item conflict.
test('items in worktrees of their own, killed at any point, end as those that are not', (t) => killedAtManyPoints(t, {
  files: {
    '.agneto/workflows/panel.yaml': `agneto: 1
name: panel
initial: PANEL
states:
  PANEL:
    for_each:
      items: "{'one', 'two', 'one'}"
      as: word
      machine: item.yaml
      with: {word: word, number: index}
      workspace: own
    on: {any: COMMITTING}
  COMMITTING:
    workspace: {commit: {message: What the items did}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`,
    '.agneto/workflows/item.yaml': `agneto: 1
name: item
inputs: {word: string, number: integer}
initial: WORKING
states:
  WORKING:
    run:
      shell: echo "$NUMBER" >> "$WORD.txt"
      env: {NUMBER: inputs.number, WORD: inputs.word}
    on: {ok: WORKED, failed: BROKEN}
  WORKED: {final: true}
  BROKEN: {final: true, status: failed}
`,
  },
  args: ['run', '-w', 'panel', '--non-interactive'],
  ends: 'complete (FINISHED)',
}, 50));

// Each item tells the machine around what it has done, which tells it when to stop.
test('machines that talk, killed at any point, end as those that are not', (t) => killedAtManyPoints(t, {
  files: {
    '.agneto/workflows/shaft.yaml': `agneto: 1
name: shaft
context: {depth: 0, told: 0}
initial: DIGGING
states:
  DIGGING:
    for_each: {items: '{1, 2}', machine: digger.yaml, with: {number: index}, max_parallel: 1}
    on:
      deeper:
        - {guard: ctx.depth < 3, do: ctx.depth = ctx.depth + event.by}
        - do: |
            ctx.depth = ctx.depth + event.by
            send("stop", {}, {to = event.origin, item = event.item})
      last: {do: ctx.told = ctx.told + event.item}
      done: COMMITTING
      failed: FAILED
  COMMITTING:
    workspace: {commit: {message: "{{ctx.depth}} deep, {{ctx.told}} told"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
`,
    '.agneto/workflows/digger.yaml': `agneto: 1
name: digger
inputs: {number: integer}
initial: DIGGING
states:
  DIGGING:
    run:
      shell: echo dug >> "hole-$NUMBER.txt"
      env: {NUMBER: inputs.number}
    on:
      ok: {target: DIGGING, do: 'send("deeper", {by = 1}, {to = "parent"})'}
      failed: BROKEN
      stop: {target: STOPPED, do: 'send("last", {}, {to = "parent"})'}
  STOPPED: {final: true}
  BROKEN: {final: true, status: failed}
`,
  },
  args: ['run', '-w', 'shaft', '--non-interactive'],
  ends: 'complete (FINISHED)',
}, 50));
