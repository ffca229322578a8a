// What CI is given: a problem matcher, hooks for pre-commit, and the page that tells of them.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, program} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const page = read('docs/howto/ci.md');
const env = {PATH: `${dirname(program)}:${process.env.PATH}`};

// A repository with a workflow in which nothing is wrong.
async function withWorkflow(t) {
  const repo = makeRepo(t, {env});
  const made = await agneto(repo, ['new', 'fix']);
  assert.equal(made.status, exit.complete, made.said);
  return repo;
}
const edit = (repo, path, from, to) => {
  const text = repo.read(path);
  assert.ok(text.includes(from), `${path} has no ${from}`);
  repo.write({[path]: text.replace(from, to)});
};
const workflow = '.agneto/workflows/fix.yaml';

test('docs/howto/ci.md says what is printed', async (t) => {
  const repo = makeRepo(t, {env});
  await follow('howto/ci.md', repo);
  repo.pass();
});

test('what the page has CI run, passes where nothing is wrong', async (t) => {
  const repo = await withWorkflow(t);
  const commands = [...page.matchAll(/^ *(?:- run: )?(agneto (?:lint|test).*)$/gm)].map(([, command]) => command);
  assert.ok(commands.length >= 6, commands.join('\n'));
  for (const command of commands) {
    const end = spawnSync('sh', ['-c', command], {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
    assert.equal(end.status, 0, `${command}\n${end.stdout}${end.stderr}`);
  }
  repo.pass();
});

// As GitHub's runner does: line by line, each by the first matcher that fits.
function annotations(text) {
  const matchers = JSON.parse(read('scripts/ci/problem-matcher.json')).problemMatcher;
  return text.split(/\r?\n/).flatMap((line) => {
    for (const {severity, pattern: [{regexp, ...groups}]} of matchers) {
      const match = line.match(new RegExp(regexp));
      if (match) return [{...(severity && {severity}), ...Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, match[group]]))}];
    }
    return [];
  });
}

test('the problem matcher finds what lint and tests say, and nothing else', async (t) => {
  const repo = await withWorkflow(t);
  edit(repo, workflow, 'target: FINISHED', 'target: FINSHED');
  edit(repo, workflow, 'agents:\n', 'agents:\n  "a: warning: b": {hooks: "x"}\n');
  const expected = JSON.parse((await agneto(repo, ['lint', '--format', 'json'])).out).findings.map((one) => ({
    file: one.place.path, line: String(one.place.line), column: String(one.place.column), severity: one.severity,
    message: one.message, code: `${one.code}/${one.rule}`}));
  assert.ok(expected.length >= 2);
  const plain = await agneto(repo, ['lint']);
  assert.deepEqual(annotations(plain.out), expected);
  // On a terminal, where programs that have colours show them.
  const {NO_COLOR, ...coloured} = repo.env;
  const terminal = execFileSync('script', ['-qec', `${program} lint || true`, '/dev/null'], {cwd: repo.dir, env: {...coloured, FORCE_COLOR: '1', CLICOLOR_FORCE: '1'}, encoding: 'utf8'});
  assert.deepEqual(annotations(terminal), expected);

  repo.pass();
});

test('it finds warnings, and what tests say', async (t) => {
  const repo = await withWorkflow(t);
  edit(repo, workflow, '      IMPOSSIBLE: {target: FAILED, do: ctx.reason = event.reason}\n', '');
  edit(repo, '.agneto/workflows/fix.test.yaml', 'expect: {outcome: ABORTED, status: aborted}', 'expect: {outcome: FINISHED}');
  const warned = annotations((await agneto(repo, ['lint'])).out);
  assert.deepEqual(warned.map(({severity, code}) => [severity, code]), [['warning', 'W413/untaken-outcome']]);
  const failed = annotations((await agneto(repo, ['test', '--filter', 'aborts'])).out);
  const line = repo.read('.agneto/workflows/fix.test.yaml').split('\n').findIndex((text) => text.includes('{outcome: FINISHED}')) + 1;
  assert.deepEqual(failed, [{file: '.agneto/workflows/fix.test.yaml', line: String(line), column: '23', severity: 'error', message: 'the outcome is another', code: undefined}]);
  repo.write({'.agneto/scripts/fix/more.test.lua': 'return {["it ends"] = function()\n  error("not yet")\nend}\n'});
  const hooks = annotations((await agneto(repo, ['test', '--filter', 'it ends'])).out);
  assert.deepEqual(hooks, [{file: '.agneto/scripts/fix/more.test.lua', line: '2', severity: 'error', message: 'not yet'}]);
  repo.pass();
});

test('the hooks for pre-commit fail where something is wrong, and look at what matters', async (t) => {
  const hooks = read('.pre-commit-hooks.yaml').split(/^- /m).slice(1).map((text) => Object.fromEntries([...text.matchAll(/^ *(\w+): (.*)$/gm)].map(([, key, value]) => [key, value])));
  assert.deepEqual(hooks.map((hook) => hook.id), [...page.matchAll(/^ {6}- id: (.*)$/gm)].map(([, id]) => id));
  const repo = await withWorkflow(t);
  const run = (hook) => spawnSync('sh', ['-c', hook.entry], {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
  for (const hook of hooks) {
    const [language, names] = [hook.language, hook.pass_filenames];
    assert.deepEqual([language, names], ['system', 'false']);
    for (const file of [workflow, '.agneto/workflows/deep/er.yaml', '.agneto/scripts/fix/worker.lua']) assert.match(file, new RegExp(hook.files));
    for (const file of ['workflows/fix.yaml', '.agneto/workflows/notes.md', '.agneto/runs.db']) assert.doesNotMatch(file, new RegExp(hook.files));
    assert.equal(run(hook).status, 0, hook.id);
  }
  edit(repo, workflow, 'DONE: {target: COMMITTING', 'DONE: {target: COMITTING');
  for (const hook of hooks) assert.notEqual(run(hook).status, 0, hook.id);
  repo.pass();
});
