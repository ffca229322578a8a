// Replaying, exporting and testing with the program itself; the examples of docs/replay.md and
// docs/testing.md are what it prints.

import assert from 'node:assert/strict';
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const page = (name) => readFileSync(join(root, 'docs', name), 'utf8');
const block = (text, kind, nth = 0) => [...text.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'gms'))][nth][1];

const hook = `return {prompt = function(m) return 'Work on ' .. m.inputs.task end}\n`;

const flow = `agneto: 1
name: mine
inputs: {task: {type: string, main: true}}
context: {rounds: 0}
agents: {worker: {hooks: worker.lua}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {note: string}, MORE: {}}}
    on:
      DONE: DONE
      MORE:
        - {guard: ctx.rounds < 3, target: WORKING, do: ctx.rounds = ctx.rounds + 1}
        - STOPPED
      error: STOPPED
  DONE: {final: true}
  STOPPED: {final: true, status: failed}
`;

test('a workflow edit is tested on a recorded run, as docs/replay.md shows', async (t) => {
  const repo = makeRepo(t, {bare: true});
  repo.write({
    '.agneto/workflows/mine.yaml': flow,
    '.agneto/workflows/worker.lua': hook,
    'cassette.yaml': 'agneto-cassette: 1\ncalls:\n' +
      '  - {agent: worker, reply: "VERDICT: MORE"}\n' +
      '  - {agent: worker, reply: "```json\\n{\\"verdict\\": \\"DONE\\", \\"note\\": \\"x\\"}\\n```"}\n',
  });
  const made = await agneto(repo, ['run', 'greet', '-w', 'mine', '--cassette', 'cassette.yaml']);
  assert.equal(made.status, 0, made.said);

  const same = await agneto(repo, ['replay', 'last']);
  assert.equal(same.status, exit.complete, same.said);
  assert.match(same.out, /^greet-[0-9a-f]{4} takes the same path: 3 steps, DONE \(complete\)\n$/);

  repo.write({'.agneto/workflows/mine.yaml': flow.replace('ctx.rounds < 3', 'ctx.rounds < 0')});
  const other = await agneto(repo, ['replay', 'last', '--workflow', 'mine']);
  assert.equal(other.status, exit.failed, other.said);
  assert.equal(other.out.replace(/greet-[0-9a-f]{4}/, 'greet-1'), block(page('replay.md'), 'text'));
  const json = JSON.parse((await agneto(repo, ['replay', 'last', '--workflow', 'mine', '--json'])).out);
  assert.equal(json.same, false);
  assert.equal(json.first.event, 'MORE of WORKING#1');
  // What was recorded is as it was, whatever was edited.
  assert.equal((await agneto(repo, ['replay', 'last'])).status, exit.complete);

  const wrong = await agneto(repo, ['replay', 'last', '--workflow', 'nothing']);
  assert.equal(wrong.status, exit.usage, wrong.said);

  // The same run as a test.
  repo.write({'.agneto/workflows/mine.yaml': flow});
  const exported = await agneto(repo, ['export', 'last', '--format', 'scenario', '-o', '.agneto/workflows/mine.test.yaml']);
  assert.equal(exported.status, 0, exported.said);
  assert.equal(exported.err, '');
  assert.doesNotMatch(repo.read('.agneto/workflows/mine.test.yaml'), /workflow:/);
  const tested = await agneto(repo, ['test']);
  assert.equal(tested.status, 0, tested.said);
  assert.equal(tested.out, 'ok   .agneto/workflows/mine.test.yaml: greet\n1 passed\n');
  repo.write({'.agneto/workflows/mine.yaml': flow.replace('ctx.rounds < 3', 'ctx.rounds < 0')});
  assert.equal((await agneto(repo, ['test', 'mine'])).status, exit.failed);
  repo.pass();
});

const panel = `agneto: 1
name: panel
inputs: {task: {type: string, main: true}}
context: {topics: [a, b]}
agents: {worker: {hooks: worker.lua, access: edit}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}, MORE: {}}}
    on: {DONE: TESTING, MORE: WORKING, error: STOPPED}
  TESTING:
    run: {argv: [test, -f, b.txt]}
    on: {ok: PANEL, failed: WORKING, error: STOPPED}
  PANEL:
    for_each: {items: ctx.topics, as: topic, machine: look.yaml, with: {task: topic}}
    on: {done: GATE, failed: STOPPED, error: STOPPED}
  GATE:
    ask: {question: Is it good, options: {TAKE: Take it, AGAIN: {label: Do it again, feedback: required}}}
    on: {TAKE: COMMITTING, AGAIN: WORKING}
    after: {1h: STOPPED}
  COMMITTING:
    workspace: {commit: {message: "{{inputs.task}}"}}
    on: {ok: FINE, failed: STOPPED}
  FINE: {final: true}
  STOPPED: {final: true, status: failed}
`;
const look = `agneto: 1
name: look
inputs: {task: string}
agents: {judge: {hooks: judge.lua}}
initial: LOOKING
states:
  LOOKING:
    agent: {name: judge, verdicts: {SEEN: {why: string}}}
    on: {SEEN: SEEN, error: UNSEEN}
  SEEN: {final: true}
  UNSEEN: {final: true}
`;
const seen = 'reply: "```json\\n{\\"verdict\\": \\"SEEN\\", \\"why\\": \\"so\\"}\\n```"';
const said = `agneto-cassette: 1
answers: [{state: GATE, option: AGAIN, feedback: not yet}, {state: GATE, option: TAKE}]
calls:
  - {agent: worker, reply: "VERDICT: MORE"}
  - {agent: worker, attempts: [{reply: Hm.}, {error: busy}, {reply: "VERDICT: DONE"}]}
  - {agent: worker, reply: "VERDICT: DONE", edits: {b.txt: "b\\n"}}
  - {agent: judge, ${seen}}
  - {agent: judge, ${seen}}
  - {agent: worker, reply: "VERDICT: DONE", edits: {b.txt: "more\\n"}}
  - {agent: judge, ${seen}}
  - {agent: judge, ${seen}}
`;

test('edits of all kinds are tried on a run with items, a gate and a command', async (t) => {
  const repo = makeRepo(t, {bare: true});
  repo.install('test', '#!/bin/sh\n[ "$@" ]\n');
  repo.write({
    '.agneto/workflows/panel.yaml': panel,
    '.agneto/workflows/look.yaml': look,
    '.agneto/workflows/worker.lua': hook,
    '.agneto/workflows/judge.lua': `return {prompt = function(m) return 'Look at ' .. m.inputs.task .. m.workspace.diff end}\n`,
    'said.yaml': said,
  });
  const made = await agneto(repo, ['run', 'greet', '-w', 'panel', '--cassette', 'said.yaml']);
  assert.equal(made.status, 0, made.said);
  const replay = async (...args) => {
    const done = await agneto(repo, ['replay', 'last', '--json', ...args]);
    assert.ok([exit.complete, exit.failed].includes(done.status), done.said);
    const found = JSON.parse(done.out);
    assert.equal(found.same, done.status === exit.complete);
    return found;
  };
  const on = (edit) => {
    repo.write({'.agneto/workflows/edited.yaml': edit(panel)});
    return replay('--workflow', 'edited');
  };
  assert.deepEqual(
    (({same, steps, recorded, now, unused, waiting, notes, prompts}) => ({same, steps, recorded, now, unused, waiting, notes, prompts}))(await replay('--prompts')),
    {same: true, steps: 17, recorded: 'FINE (complete)', now: 'FINE (complete)', unused: [], waiting: [], notes: [], prompts: []});

  for (const name of ['WORKING', 'TESTING', 'PANEL', 'GATE', 'COMMITTING']) {
    const renamed = await on((text) => text.replaceAll(name, 'ANOTHER'));
    assert.equal(renamed.same, false);
    assert.equal(renamed.now, 'FINE (complete)', name);
    assert.deepEqual([renamed.unused, renamed.waiting], [[], []], name);
  }
  const fewer = await on((text) => text.replace('[a, b]', '[a]'));
  assert.equal(fewer.first.event, 'the start');
  assert.equal(fewer.now, 'FINE (complete)');
  assert.deepEqual(fewer.unused.map((each) => each.split(':')[0]).filter((each) => each !== 'done').sort(), ['SEEN of PANEL#1[2]/LOOKING#1', 'SEEN of PANEL#2[2]/LOOKING#1']);
  const more = await on((text) => text.replace('[a, b]', '[a, b, c]'));
  assert.deepEqual(more.waiting, ['PANEL#1[3]/LOOKING#1 (agent judge)']);
  const undeclared = await on((text) => text.replace('{DONE: {}, MORE: {}}', '{DONE: {}}').replace('MORE: WORKING, ', ''));
  assert.equal(undeclared.unused[0], "MORE of WORKING#1: the agent would be asked again: the verdict 'MORE' is not one of those declared");
  const unoffered = await on((text) => text.replace('AGAIN: {label: Do it again, feedback: required}', 'LEAVE: Leave it').replace('AGAIN: WORKING', 'LEAVE: STOPPED'));
  assert.equal(unoffered.unused[0], 'AGAIN of GATE#1: that question does not offer it now, but TAKE, LEAVE');

  // The run's own hooks are recorded; those on the disk are read where the workflow is another.
  repo.write({'.agneto/workflows/judge.lua': `return {prompt = function(m) return m.inputs.no.such end}\n`});
  assert.equal((await replay()).same, true);
  const broken = await on((text) => text);
  assert.equal(broken.verdicts[0].path.replace(/\[\d\]/, ''), 'PANEL#1/LOOKING#1');
  assert.match(broken.verdicts[0].diff.join('\n'), /^\+ error\.lua$/m);

  repo.write({'.agneto/workflows/edited.yaml': panel.replace('main: true}}', 'main: true}, more: string}')});
  const unfit = await agneto(repo, ['replay', 'last', '--workflow', 'edited']);
  assert.equal(unfit.status, exit.usage, unfit.said);
  assert.equal(unfit.err, "agneto: the run's inputs do not fit this workflow: input 'more' is missing; its type is string\n" +
    "  help: give a new input a default or 'type: …?', and keep the old ones\n");
  repo.pass();
});

test('runs that were suspended, answered from elsewhere, rewound or forked are replayed as they stand', async (t) => {
  const repo = makeRepo(t, {bare: true});
  repo.write({
    '.agneto/workflows/panel.yaml': panel,
    '.agneto/workflows/look.yaml': look,
    '.agneto/workflows/worker.lua': hook,
    '.agneto/workflows/judge.lua': hook,
    'said.yaml': said,
  });
  repo.install('test', '#!/bin/sh\n[ "$@" ]\n');
  const made = await agneto(repo, ['run', 'greet', '-w', 'panel', '--cassette', 'said.yaml', '--non-interactive']);
  assert.equal(made.status, exit.suspended, made.said);
  const id = JSON.parse((await agneto(repo, ['export', 'last'])).out).run.id;
  const same = async (run, words) => {
    const replayed = await agneto(repo, ['replay', run, '--prompts']);
    assert.equal(replayed.status, exit.complete, replayed.said);
    assert.ok(replayed.out.includes(` takes the same path: ${words}\n`), replayed.said);
    assert.match(replayed.out, /\n\d prompts, all as recorded\n$/);
    const file = join(repo.home, 'recorded.test.yaml');
    const exported = await agneto(repo, ['export', run, '--format', 'scenario', '-o', file]);
    assert.equal(exported.err, '');
    assert.equal((await agneto(repo, ['test', file])).status, exit.complete);
  };
  await same(id, '9 steps, in GATE#1');
  const {entries} = JSON.parse((await agneto(repo, ['export', id])).out);
  const seq = entries.find((entry) => entry.kind === 'macrostep' && entry.path === 'WORKING#2').seq;
  const forked = await agneto(repo, ['fork', id, '--at', String(seq), '--no-start']);
  assert.equal(forked.status, 0, forked.said);
  await same('last', '3 steps, in TESTING#1');
  assert.notEqual(JSON.parse((await agneto(repo, ['export', 'last'])).out).run.id, id);
  const answered = await agneto(repo, ['resume', id, '--answer', 'TAKE']);
  assert.equal(answered.status, 0, answered.said);
  await same(id, '11 steps, FINE (complete)');

  const again = await agneto(repo, ['run', 'once more', '-w', 'panel', '--cassette', 'said.yaml', '--non-interactive']);
  assert.equal(again.status, exit.suspended, again.said);
  const rewound = await agneto(repo, ['rewind', 'once', '--to', String(seq)]);
  assert.equal(rewound.status, 0, rewound.said);
  await same('once', '3 steps, in TESTING#1');
  const aborted = await agneto(repo, ['abort', 'once']);
  assert.equal(aborted.status, 0, aborted.said);
  await same('once', '5 steps, aborted (aborted)');
  repo.pass();
});

test('the demo as a cassette plays to the same path and the same tree', async (t) => {
  const repo = makeRepo(t, {files: null, git: false, bare: true});
  repo.sh(`cp ${root}/scripts/demo/project/* . && git init -q -b main`);
  repo.commit('Greet people');
  const begin = repo.git('rev-parse', 'main');
  const run = (cassette) => agneto(repo, ['run', 'add a --shout flag', '--cassette', cassette, '--auto-merge', '--input', 'verify=sh test.sh']);
  const path = async () => JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out).path.map((step) => [step.from, step.to, step.event]);

  const first = await run(join(root, 'scripts/demo/cassette.yaml'));
  assert.equal(first.status, 0, first.said);
  const tree = repo.git('rev-parse', 'main^{tree}');
  const recorded = await path();
  const again = join(repo.home, 'again.yaml');
  const exported = await agneto(repo, ['export', 'last', '--format', 'cassette', '-o', again]);
  assert.equal(exported.status, 0, exported.said);
  assert.equal(exported.err, '');
  assert.match(readFileSync(again, 'utf8'), new RegExp(`# which began at commit ${begin}`));
  assert.match(readFileSync(again, 'utf8'), /^ +patch: \|\n +diff --git a\/greet b\/greet$/m);

  repo.git('reset', '-q', '--hard', begin);
  const second = await run(again);
  assert.equal(second.status, 0, second.said);
  assert.equal(repo.git('rev-parse', 'main^{tree}'), tree);
  assert.deepEqual(await path(), recorded);
  const prompts = await agneto(repo, ['replay', 'last', '--prompts']);
  assert.equal(prompts.status, 0, prompts.said);
  assert.match(prompts.out, /\n24 prompts, all as recorded\n$/);

  const scenario = join(repo.home, 'demo.test.yaml');
  assert.equal((await agneto(repo, ['export', 'last', '--format', 'scenario', '-o', scenario])).err, '');
  const tested = await agneto(repo, ['test', scenario]);
  assert.equal(tested.status, 0, tested.said);
  repo.pass();
});

test('docs/testing.md says what is printed', async (t) => {
  const repo = makeRepo(t, {git: false, files: null, bare: true});
  const text = page('testing.md');
  repo.write({
    'triage.yaml': block(text, 'yaml'),
    'triager.lua': hook.replace('inputs.task', 'inputs.issue'),
    'triage.test.yaml': block(text, 'yaml test'),
  });
  const passed = await agneto(repo, ['test']);
  assert.equal(passed.status, 0, passed.said);
  assert.match(passed.out, /^5 passed$/m);

  repo.write({'triager.test.lua': block(text, 'lua test')});
  const hooks = await agneto(repo, ['test', 'triager.test.lua']);
  assert.equal(hooks.out, 'ok   triager.test.lua: the prompt holds the issue\n1 passed\n', hooks.said);
  repo.write({'triager.test.lua': block(text, 'lua test').replace('"It crashes.")', '"It hangs.")')});
  const wrong = await agneto(repo, ['test', 'triager.test.lua']);
  assert.equal(wrong.status, exit.failed, wrong.said);
  assert.match(wrong.out, /^FAIL triager\.test\.lua: the prompt holds the issue\ntriager\.test\.lua:6: expected "It hangs\." in /);
  rmSync(join(repo.dir, 'triager.test.lua'));

  const prompts = block(text, 'yaml test') + block(text, 'yaml prompts');
  repo.write({'triage.test.yaml': prompts});
  const told = await agneto(repo, ['test']);
  assert.match(told.out, /^7 passed$/m, told.said);
  repo.write({'triage.test.yaml': prompts.replace('contains: It crashes., lacks', 'contains: It crashed., lacks')});
  const untold = await agneto(repo, ['test', '--filter', 'told the issue']);
  assert.equal(untold.status, exit.failed, untold.said);
  assert.equal(untold.out, `${block(text, 'text prompts')}\n0 passed, 1 failed\n`);
  repo.write({'triage.test.yaml': block(text, 'yaml test')});

  const calls = block(text, 'yaml test') + block(text, 'yaml calls');
  repo.write({'triage.test.yaml': calls});
  const others = await agneto(repo, ['test', '--filter', 'half an hour']);
  assert.equal(others.status, exit.failed, others.said);
  assert.match(others.out, /error: no such effect was ordered\n[^]*\n    \+ \{[^\n]*"model":null,[^\n]*"provider":"auto",/);
  repo.write({'.agneto/config.yaml': 'agents: {triager: {provider: codex}}\n'});
  const called = await agneto(repo, ['test']);
  assert.match(called.out, /^6 passed$/m, called.said);
  repo.write({'.agneto/config.yaml': 'agents: {triager: {provder: codex}}\n'});
  const miswritten = await agneto(repo, ['test']);
  assert.equal(miswritten.status, exit.usage, miswritten.said);
  assert.match(miswritten.err, /^\.agneto\/config\.yaml:1:20: error: unknown key 'provder' in agents\.triager \[E121\/unknown-key\]\n/);
  repo.write({'triage.test.yaml': block(text, 'yaml test'), '.agneto/config.yaml': ''});

  const kept = block(text, 'yaml test') + block(text, 'yaml snapshot');
  repo.write({'triage.test.yaml': kept});
  const missing = await agneto(repo, ['test']);
  assert.match(missing.out, /error: the prompt 'the triager' is not in triage\.prompts\.md\n/, missing.said);
  const updated = await agneto(repo, ['test', '--update']);
  assert.equal(updated.status, 0, updated.said);
  assert.match(updated.out, /^--- triage\.prompts\.md\n[^]*^\+Work on It crashes\.$[^]*^6 passed$/m);
  assert.match(repo.read('triage.prompts.md'), /^## the triager\n\n```text\nWork on It crashes\.\n```\n$/m);
  const triager = repo.read('triager.lua');
  repo.write({'triager.lua': triager.replace('Work on', 'Think about')});
  const another = await agneto(repo, ['test', '--filter', 'reviewed']);
  assert.equal(another.status, exit.failed, another.said);
  assert.equal(another.out, `${block(text, 'text snapshot')}\n0 passed, 1 failed\n`);
  const again = await agneto(repo, ['test', '--update', '--json']);
  assert.match(again.err, /^-Work on It crashes\.\n\+Think about It crashes\.$/m, again.said);
  repo.write({'triager.lua': triager, 'triage.test.yaml': block(text, 'yaml test')});
  assert.match((await agneto(repo, ['test', '--update'])).out, /^-Think about It crashes\.$/m);
  assert.equal(repo.has('triage.prompts.md'), false);

  const covered = await agneto(repo, ['test', '--coverage', '--coverage-file', 'cov.json', '--min-coverage', '80']);
  assert.equal(covered.status, 0, covered.said);
  assert.equal(covered.out.slice(covered.out.indexOf('\n\n') + 2), block(text, 'text coverage'));
  const too_little = await agneto(repo, ['test', '--min-coverage', '100']);
  assert.equal(too_little.status, exit.failed, too_little.said);
  assert.equal(too_little.err, 'agneto: less than 100 % of the transitions were taken: 7 of the 8 of triage.yaml\n' +
    '  help: --coverage shows which were not\n');
  const drawn = await agneto(repo, ['graph', 'triage.yaml', '--coverage', 'cov.json', '--format', 'json']);
  assert.deepEqual(JSON.parse(drawn.out).arrows.filter((arrow) => arrow.taken === 0).map((arrow) => [arrow.from, arrow.trigger]),
    [['CONFIRMING', 'SKIP']]);
  repo.write({'triage.yaml': `# A comment.\n${block(text, 'yaml')}`});
  const changed = await agneto(repo, ['graph', 'triage.yaml', '--coverage', 'cov.json']);
  assert.equal(changed.err, 'agneto: cov.json is of another version of triage.yaml\n' +
    '  help: write it anew: agneto test --coverage-file cov.json\n');
  repo.write({'cov.json': '{"agneto-coverage": 1}', 'triage.yaml': block(text, 'yaml')});
  const broken = await agneto(repo, ['graph', 'triage.yaml', '--coverage', 'cov.json']);
  assert.equal(broken.err, 'agneto: cov.json is no coverage\n  help: write it anew: agneto test --coverage-file cov.json\n');

  repo.write({'triage.test.yaml': block(text, 'yaml test').replace('rounds: 2', 'rounds: 3')});
  const failed = await agneto(repo, ['test', '--filter', 'unsure', '--junit', 'results.xml']);
  assert.equal(failed.status, exit.failed, failed.said);
  assert.equal(failed.out, `${block(text, 'text')}\n0 passed, 1 failed\n`);
  assert.match(repo.read('results.xml'), /<testsuites tests="1" failures="1">/);
  const lines = (await agneto(repo, ['test', '--json'])).out.trim().split('\n').map(JSON.parse);
  assert.deepEqual(lines.map((line) => line.passed), [true, true, false, true, true]);

  repo.write({'triage.test.yaml': 'agneto-test: 1\n'});
  const invalid = await agneto(repo, ['test']);
  assert.equal(invalid.status, exit.usage, invalid.said);
  assert.match(invalid.err, /triage\.test\.yaml:1:1: error: a test file needs 'cases'/);
  repo.pass();
});
