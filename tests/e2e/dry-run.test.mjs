// A dry run of the bundled workflow; docs/dry-run.md says what it shows.

import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

function emptyFolder(t) {
  const dir = mkdtempSync(join(tmpdir(), 'agneto-dry-'));
  t.after(() => rmSync(dir, {recursive: true}));
  return {dir, env: process.env};
}

const page = readFileSync(join(root, 'docs/dry-run.md'), 'utf8');

test('docs/dry-run.md shows what a dry run prints, which leaves nothing behind', async (t) => {
  const folder = emptyFolder(t);
  const end = await agneto(folder, ['run', 'Add a --shout flag', '--dry-run']);
  assert.equal(end.status, exit.complete, end.said);
  assert.equal(end.err, '');
  const shown = page.match(/```console\n\$ .*\n([^`]*)```/)[1];
  let from = 0;
  for (const part of shown.split(/^(?: {2}\| )?…\n/m)) {
    const at = end.out.indexOf(part, from);
    assert.notEqual(at, -1, `not printed, or not there:\n${part}\n${end.out}`);
    from = at + part.length;
  }
  assert.equal(from, end.out.length);
  assert.match(end.out, /\n {2}\| Add a --shout flag\n/);
  assert.match(end.out, /\n {2}\| <plan>\n/, 'the curmudgeon sees where the plan will be');
  assert.deepEqual(readdirSync(folder.dir), []);
});

test('a dry run goes where it is told to', async (t) => {
  const folder = emptyFolder(t);
  const args = page.match(/```sh\nagneto (.*)\n```/)[1].match(/"[^"]*"|\S+/g).map((arg) => arg.replaceAll('"', ''));
  const end = await agneto(folder, [...args, '--json', '--non-interactive', '--agent', 'claude', '--model', 'opus']);
  assert.equal(end.status, exit.complete, end.said);
  const lines = end.out.trimEnd().split('\n').map((line) => JSON.parse(line));
  const planner = lines.filter(({type, agent}) => type === 'prompt' && agent === 'planner');
  assert.equal(planner.length, 2);
  assert.match(planner[1].text, /<feedback>/);
  assert.deepEqual([planner[0].provider, planner[0].model, planner[0].access], ['claude', 'opus', 'read-only']);
  assert.ok(!lines.some(({what}) => what?.startsWith('asks: ')), 'nobody is asked');
  assert.deepEqual(lines.at(-1), {type: 'end', outcome: 'TASK_COMPLETE', status: 'complete', reason: ''});
});

test('a dry run says what was chosen in vain', async (t) => {
  const folder = emptyFolder(t);
  const run = (...choices) => agneto(folder, ['run', 'x', '--dry-run', ...choices.flatMap((choice) => ['--choose', choice])]);
  const unused = await run('CLARIFYING=answered');
  assert.equal(unused.status, exit.complete);
  assert.equal(unused.err, "agneto: '--choose CLARIFYING=answered' was not needed: nothing came to it\n");
  const misspelt = await run('CURMUDGEN=CURMUDGEON_SIMPLIFY');
  assert.equal(misspelt.status, exit.usage);
  assert.equal(misspelt.err, "agneto: no state 'CURMUDGEN' has an activity\n  help: did you mean 'CURMUDGEON'?\n");
  const impossible = await run('CURMUDGEON=SIMPLIFY');
  assert.equal(impossible.status, exit.usage, impossible.said);
  assert.equal(impossible.err, "agneto: CURMUDGEON: 'SIMPLIFY' is not a verdict of this call\n" +
    '  help: known ends: CURMUDGEON_APPROVED, CURMUDGEON_SIMPLIFY\n');
  const nothing = await run('CURMUDGEON');
  assert.equal(nothing.status, exit.usage);
  assert.equal(nothing.err, "agneto: '--choose CURMUDGEON' names no outcome\n  help: write --choose STATE=OUTCOME\n");
  const who = await agneto(folder, ['run', 'x', '--dry-run', '--agent', 'cluade']);
  assert.equal(who.status, exit.usage);
  assert.match(who.err, /^agneto: .*'cluade'/);
  const without = await agneto(folder, ['run', 'x', '--dry-run', '--cassette', 'none.yaml']);
  assert.equal(without.status, exit.usage);
  assert.match(without.err, /^agneto: .*none\.yaml/);
  const from = await agneto(folder, ['run', 'x', '--dry-run', '--base', 'mian']);
  assert.equal(from.status, exit.usage);
  assert.match(from.err, /not a git repository/);
  const alone = await agneto(folder, ['run', 'x', '--choose', 'A=B']);
  assert.equal(alone.status, exit.usage);
  assert.ok(!existsSync(join(folder.dir, '.agneto')));
});

test('a dry run starts from what a run could start from', async (t) => {
  const repo = makeRepo(t);
  const from = (base) => agneto(repo, ['run', 'x', '--dry-run', '--base', base]);
  const misspelt = await from('mian');
  assert.equal(misspelt.status, exit.usage);
  assert.equal(misspelt.err, "agneto: there is no branch, tag or commit 'mian' to start from\n  help: did you mean 'main'?\n");
  assert.equal((await from('main')).status, exit.complete);
  repo.pass();
});

test('a pattern of files that matches nothing is told before a run, and by it', async (t) => {
  const repo = makeRepo(t, {files: {
    'docs/a.md': 'Text.\n', '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, -c, "cat >&2; echo Hello"]}}\n',
    '.agneto/workflows/say.yaml': `agneto: 1
name: say
agents: {speaker: {prompt: Say hello., files: ["docs/*.md", "doc/*.md"]}}
initial: A
states:
  A: {agent: speaker, on: {done: B, error: B}}
  B: {final: true}
`}});
  const dry = await agneto(repo, ['run', '-w', 'say', '--dry-run']);
  assert.equal(dry.status, exit.complete, dry.said);
  assert.deepEqual(dry.out.split('\n').slice(1, 2), ["  (no file here matches 'doc/*.md')"]);
  const lines = await agneto(repo, ['run', '-w', 'say', '--dry-run', '--json']);
  assert.deepEqual(JSON.parse(lines.out.split('\n')[0]).unmatched, ['doc/*.md']);

  const note = "agent 'speaker' (command): no file matches 'doc/*.md'";
  const run = await agneto(repo, ['run', '-w', 'say', '--non-interactive']);
  assert.equal(run.status, exit.complete, run.said);
  assert.equal(run.said.split(note).length, 2, run.said);
  const log = await agneto(repo, ['log', 'last']);
  assert.equal(log.out.split(note).length, 2, log.said);
  repo.pass();
});
