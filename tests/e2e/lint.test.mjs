// What lint prints is what others read: SARIF by its published schema, JUnit's XML by an XML
// parser's rules, and exit statuses that a CI server can go by.

import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {agneto, program, start} from './lib/agneto.mjs';
import {follow} from './lib/page.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const status = {clean: 0, found: 1, usage: 2};

const flow = (state, head = '') => `agneto: 1\nname: m\n${head}initial: A\nstates:\n${state}  DONE: {final: true}\n`;
const clean = flow('  A: {run: {argv: [make]}, on: {ok: DONE, failed: DONE}}\n');
const warned = flow('  A: {run: {argv: [make]}, on: {ok: DONE}}\n');
const suppressed = flow('  A: {run: {argv: [make]}, on: {ok: DONE}} # lint: ignore W413 -- "it" <never> fails & ends\n');
const wrong = flow('  A: {run: {argv: [make]}, on: {ok: DOEN, failed: DONE}}\n  A: {}\n');

const stuck = readFileSync(join(root, 'tests/lint/rules/structure/deadlock/bad.yaml'), 'utf8');  // only exploring shows it

const files = {
  'flows/clean.yaml': clean, 'flows/warned.yaml': warned, 'flows/deep/sup pressed.yaml': suppressed,
  'flows/wrong.yaml': wrong, 'stuck.yaml': stuck, 'flows/compose.yaml': 'services: {}\n',
};

async function lint(repo, ...args) {
  const end = await agneto(repo, ['lint', ...args]);
  assert.equal(end.err, '', end.said);
  return end;
}

test('SARIF is valid by its published schema', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  const schema = JSON.parse(readFileSync(join(root, 'build/e2e/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')));
  const Ajv = require('ajv-draft-04').default;
  const ajv = new Ajv({allErrors: true, strict: false, unicodeRegExp: false});
  require('ajv-formats').default(ajv);
  const validate = ajv.compile(schema);
  for (const args of [['flows'], ['flows/clean.yaml'], ['flows/wrong.yaml'], ['stuck.yaml']]) {
    const end = await lint(repo, '--format', 'sarif', ...args);
    const log = JSON.parse(end.out);
    assert.ok(validate(log), JSON.stringify(validate.errors, null, 2));
  }
  const [run] = JSON.parse((await lint(repo, '--format', 'sarif', 'flows')).out).runs;
  assert.deepEqual(run.results.map((result) => [result.ruleId, result.level, result.locations[0].physicalLocation.artifactLocation.uri, Boolean(result.suppressions)]), [
    ['W413', 'warning', 'flows/deep/sup%20pressed.yaml', true],
    ['W413', 'warning', 'flows/warned.yaml', false],
    ['E203', 'error', 'flows/wrong.yaml', false],
    ['E110', 'error', 'flows/wrong.yaml', false],
  ]);
  const [found] = JSON.parse((await lint(repo, '--format', 'sarif', 'stuck.yaml')).out).runs[0].results;
  assert.deepEqual(found.codeFlows[0].threadFlows[0].locations.map(({location}) => location.message.text), [
    'agneto simulate stuck.yaml --events -',
    '{"event":"failed","from":"BUILDING"}',
    '{"event":"ok","from":"CHECKING"}',
  ]);
  for (const result of run.results) assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  repo.pass();
});

test('the exit status says whether something counts', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  for (const [args, expected] of [
    [['flows/clean.yaml'], status.clean],
    [['flows/warned.yaml'], status.clean],
    [['flows/warned.yaml', '--fail-on', 'warning'], status.found],
    [['flows/deep', '--fail-on', 'warning'], status.clean],
    [['flows/**/*.yaml'], status.found],
    [['--list-rules'], status.clean],
  ]) {
    const end = await lint(repo, ...args);
    assert.equal(end.status, expected, end.said);
  }
  for (const [args, message] of [
    [['none.yaml'], "agneto: there is no file none.yaml\n  help: give a file, a folder, or a pattern such as 'workflows/**/*.yaml'\n"],
    [[], "agneto: lint what?\n  help: give a workflow's file, a folder, or a pattern in quotes\n"],
  ]) {
    const end = await agneto(repo, ['lint', ...args]);
    assert.equal(end.err, message, end.said);
    assert.equal(end.status, status.usage, end.said);
  }
  const format = await agneto(repo, ['lint', 'flows', '--format', 'xml']);
  assert.match(format.err, /^agneto: --format: xml not in \{/);
  assert.equal(format.status, status.usage, format.said);
  repo.pass();
});

test('text, JSON, GitHub and JUnit tell of the same', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  const text = (await lint(repo, 'flows')).out;
  assert.match(text, /^flows\/warned\.yaml:5:3: warning: .* \[W413\/untaken-outcome\]\n[\s\S]*\nflows\/wrong\.yaml:5:37: error: there is no state 'DOEN' \[E203\/undefined-target\]\n/);
  const json = JSON.parse((await lint(repo, 'flows', '--format', 'json')).out);
  assert.deepEqual(json.summary, {errors: 2, warnings: 1, suppressed: 1});
  assert.deepEqual(json.findings.map((one) => one.code), ['W413', 'W413', 'E203', 'E110']);
  assert.equal(json.findings[0].suppressed, '"it" <never> fails & ends');
  const github = (await lint(repo, 'flows', '--format', 'github')).out;
  assert.match(github, /^::warning file=flows\/warned\.yaml,line=5,endLine=5,col=3,endColumn=4,title=W413\/untaken-outcome::[^\n]*%0Ahelp: [^\n]*\n::error /);
  const junit = (await lint(repo, 'flows', '--format', 'junit')).out;
  assert.match(junit, /<testsuites name="agneto lint" tests="5" failures="2" errors="0">/);
  assert.match(junit, /<skipped message="&quot;it&quot; &lt;never&gt; fails &amp; ends"\/>/);
  repo.pass();
});

const counting = `agneto: 1
name: counting
context: {tries: 0, checked: false}
initial: A
states:
  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: ctx.checked, target: DONE}
        - {target: B, do: ctx.checked = true}
      failed:
        - {guard: ctx.tries < 2, target: A, do: ctx.tries = ctx.tries + 1}
        - DONE
      error: DONE
  B:
    ask: {question: Well, options: {YES: It is, BACK: Once more}}
    on:
      YES: {guard: not ctx.checked, target: DONE}
      BACK: B
  DONE: {final: true}
`;

test('what a finding shows is played by simulate', async (t) => {
  const stuck = counting.replace('YES: {guard: not ctx.checked, target: DONE}', 'YES: [{guard: not ctx.checked, target: DONE}, B]');
  const repo = makeRepo(t, {git: false, files: {'flows/stuck.yaml': stuck}});
  const json = JSON.parse((await lint(repo, 'flows', '--format', 'json')).out);
  const found = json.findings.find((one) => one.rule === 'no-way-out');
  assert.match(found.message, /^in 'B' the machine comes /);
  assert.equal(found.trace.command, 'agneto simulate flows/stuck.yaml --events -');
  repo.write({'events.txt': found.trace.events.join('\n')});
  const played = await agneto(repo, ['simulate', 'flows/stuck.yaml', '--events', 'events.txt', '--json']);
  assert.equal(played.status, 0, played.said);
  assert.deepEqual(JSON.parse(played.out.trim().split('\n').at(-1)).active, ['B']);
  assert.deepEqual(JSON.parse((await lint(repo, 'flows', '--format', 'json', '--no-explore')).out).findings, []);
  repo.pass();
});

test('a report says what was explored', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'flows/counting.yaml': counting.replace('YES: {guard: not ctx.checked, target: DONE}', 'YES: DONE')}});
  const text = (await lint(repo, 'flows', '--report')).out;
  assert.match(text, /^flows\/counting\.yaml: \d+ configurations, which are all\n  counting: .*\n    calls of agents: at most 0\n/m);
  const [report] = JSON.parse((await lint(repo, 'flows', '--report', '--format', 'json')).out).report;
  assert.equal(report.complete, true);
  assert.equal(report.machines[0].steps.loop, 'B -> B');
  const refused = await agneto(repo, ['lint', 'flows', '--report', '--format', 'github']);
  assert.equal(refused.err, 'agneto: --report has no format github\n  help: there are text and json\n');
  assert.equal(refused.status, status.usage, refused.said);
  repo.pass();
});

test('the configuration of a team, and what is wrong with it', async (t) => {
  const repo = makeRepo(t, {git: false, files: {...files, '.agneto/config.yaml': 'lint: {rules: {W413: error}, paths: [{match: "flows/deep/**", rules: {W413: off}}]}\n'}});
  const end = await lint(repo, 'flows/warned.yaml', 'flows/deep');
  assert.match(end.out, /^flows\/warned\.yaml:5:3: error: .* \[W413\/untaken-outcome\]\n/);
  assert.equal(end.status, status.found);
  repo.write({'.agneto/config.yaml': 'lint: {rules: {W499: off}}\n'});
  const mistaken = await lint(repo, 'flows/clean.yaml');
  assert.match(mistaken.out, /^\.agneto\/config\.yaml:1:16: error: there is no rule 'W499' \[E130\/unknown-rule\]\n/);
  assert.equal(mistaken.status, status.found, mistaken.said);
  repo.pass();
});

test('agneto explain', async (t) => {
  const repo = makeRepo(t, {git: false, files});
  for (const name of ['E203', 'undefined-target', 'e203/undefined-target']) {
    const end = await agneto(repo, ['explain', name]);
    assert.match(end.out, /^E203\/undefined-target \(error\): a target that names no state of the file\.\n\n/);
    assert.equal(end.status, status.clean);
  }
  assert.match((await agneto(repo, ['explain', 'hasty-timer'])).out,
    /\nA team may set, in `lint\.rules` of \.agneto\/config\.yaml:\n  person \(unless said 1s\): the least time that a person has for a question\n/);
  const unknown = await agneto(repo, ['explain', 'undefined-tagret']);
  assert.equal(unknown.err, "agneto: there is no rule 'undefined-tagret'\n  help: did you mean E203/undefined-target?\n");
  assert.equal(unknown.status, status.usage);
  repo.pass();
});

test('what is safe to correct is corrected, or shown', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'flow.yaml': flow('  A: {run: {argv: [make]}, on: {ok: DOEN, failed: DONE}}\n')}});
  const shown = await lint(repo, 'flow.yaml', '--fix', '--dry-run');
  assert.equal(shown.out, `--- flow.yaml
+++ flow.yaml
@@ -2,5 +2,5 @@
 name: m
 initial: A
 states:
-  A: {run: {argv: [make]}, on: {ok: DOEN, failed: DONE}}
+  A: {run: {argv: [make]}, on: {ok: DONE, failed: DONE}}
   DONE: {final: true}
`);
  assert.equal(shown.status, status.found, shown.said);
  const fixed = await lint(repo, 'flow.yaml', '--fix');
  assert.equal(fixed.out, "fixed: flow.yaml:5:37: wrote 'DONE' for 'DOEN' [E203/undefined-target]\n");
  assert.equal(fixed.status, status.clean, fixed.said);
  const again = await lint(repo, 'flow.yaml', '--fix', '--dry-run');
  assert.deepEqual([again.out, again.status], ['', status.clean], again.said);

  repo.write({'flow.yaml': wrong});
  const json = await agneto(repo, ['lint', 'flow.yaml', '--fix', '--format', 'json']);
  assert.equal(json.err, "fixed: flow.yaml:5:37: wrote 'DONE' for 'DOEN' [E203/undefined-target]\n");
  assert.deepEqual(JSON.parse(json.out).findings.map((one) => [one.code, one.fix]), [['E110', null]]);
  assert.equal(json.status, status.found, json.said);
  repo.pass();
});

test('it lints again whenever a file that was read changes', async (t) => {
  const wait = /Waiting for changes; Ctrl\+C ends it\.\n/g;
  const repo = makeRepo(t, {git: false, files: {'flows/flow.yaml': wrong}});
  const path = (name) => join(repo.dir, 'flows', name);
  const save = (name, text) => {  // as editors do
    writeFileSync(path(`${name}.tmp`), text);
    renameSync(path(`${name}.tmp`), path(name));
  };
  const run = start(repo, ['lint', 'flows', '--watch']);
  const rounds = (count) => run.says(new RegExp(`(?:[^]*?${wait.source}){${count}}`));
  await rounds(1);
  save('flow.yaml', clean);
  await rounds(2);
  rmSync(path('flow.yaml'));
  await rounds(3);
  save('flow.yaml', clean);
  await rounds(4);
  mkdirSync(path('new'));
  save('new/other.yaml', wrong);  // another workflow, in a folder that was not there
  await rounds(5);
  run.kill('SIGINT');
  const end = await run.ended;
  const said = end.out.split(wait);
  assert.match(said[0], /E203\/undefined-target/);
  assert.equal(said[1], '');
  assert.match(said[2], /^agneto: /);
  assert.equal(said[3], '');
  assert.match(said[4], /^flows\/new\/other\.yaml:5:37: error/);
  assert.equal(said.length, 6, end.said);
  assert.equal(end.status, status.found, end.said);
  repo.pass();
});

const full = `agneto: 1
name: fix
agents:
  coder: {hooks: ../scripts/coder.lua, access: full}
initial: CODING
states:
  CODING:
    agent: {name: coder, verdicts: {CODED: {}}}
    on: {CODED: DONE, error: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`;

test("the page about a team's own rules is played", async (t) => {
  const repo = makeRepo(t, {
    files: {'.agneto/workflows/fix.yaml': full, '.agneto/scripts/coder.lua': 'return {prompt = function(m) return "CODED" end}\n'},
    env: {PATH: `${dirname(program)}:${process.env.PATH}`}});
  await follow('team-rules.md', repo);
  assert.match((await agneto(repo, ['explain', 'TEAM-2'])).out, /^  minutes \(unless said 60\)$/m);
  repo.write({'.agneto/config.yaml': ''});
  const sarif = JSON.parse((await lint(repo, '--format', 'sarif')).out);
  const [{results: [result], tool}] = sarif.runs;
  assert.equal(result.ruleId, 'TEAM-1');
  assert.equal(tool.driver.rules[result.ruleIndex].shortDescription.text, 'an agent that may do everything');
  const [found] = JSON.parse((await lint(repo, '--format', 'json')).out).findings;
  assert.deepEqual([found.code, found.rule, found.severity], ['TEAM-1', 'full-access', 'warning']);
  assert.match((await lint(repo, '--list-rules')).out, /^TEAM-1 +full-access +an agent that may do everything$/m);
  assert.match((await agneto(repo, ['explain', 'full-access'])).out, /^TEAM-1\/full-access \(warning\): an agent that may do everything\.\n/);
  repo.write({'.agneto/config.yaml': 'lint: {rules: {TEAM-1: error}}\n'});
  assert.equal((await lint(repo)).status, status.found);
  repo.write({'.agneto/lint/tests/agents.yaml': readFileSync(join(repo.dir, '.agneto/lint/tests/agents.yaml'), 'utf8').replace('access: read-only}', 'access: full}')});
  const failed = await agneto(repo, ['test']);
  assert.equal(failed.status, status.found, failed.said);
  assert.match(failed.out, /^FAIL \.agneto\/lint\/tests\/agents\.yaml: findings\n\.agneto\/lint\/tests\/agents\.yaml:6:3: warning: 'reviewer' may do everything \[TEAM-1\/full-access\]\n/);
  repo.pass();
});

// What ShellCheck says of shell text, with the real program and with ones that do not do their work.
const shellFlow = `agneto: 1
name: clean-up
inputs: {days: {type: integer, default: 3}, list: {type: string, main: true}}
initial: A
states:
  A:
    run:
      env: {DAYS: inputs.days, LIST: inputs.list}
      shell: |
        cd build
        find . -mtime +$DAYS -delete
        rm -f $(cat "$LIST")
    on: {ok: DONE, failed: DONE, error: DONE}
  DONE: {final: true}
`;

test('what ShellCheck finds is found at its place', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'flow.yaml': shellFlow}});
  const end = await agneto(repo, ['lint', 'flow.yaml', '--format', 'json']);
  assert.deepEqual(JSON.parse(end.out).findings.map(({code, message, place}) => [code, message, place.line, place.column, place.end_column]), [
    ['W438', "shellcheck says: Use 'cd ... || exit' or 'cd ... || return' in case cd fails (SC2164)", 10, 9, 17],
    ['W438', 'shellcheck says: Quote this to prevent word splitting (SC2046)', 12, 15, 29],
  ], end.said);
  repo.pass();
});

test('without ShellCheck nothing is said of it', async (t) => {
  const repo = makeRepo(t, {git: false, bare: true, files: {'flow.yaml': shellFlow}});
  const end = await agneto(repo, ['lint', 'flow.yaml', '--fail-on', 'warning']);
  assert.deepEqual([end.out, end.err, end.status], ['', '', 0], end.said);
  repo.pass();
});

test('a ShellCheck that fails, says anything, or is never done, hinders nothing', async (t) => {
  const saidWith = async (script, env = {}) => {
    const repo = makeRepo(t, {git: false, bare: true, files: {'flow.yaml': shellFlow}});
    repo.install('shellcheck', `#!/bin/sh\n${script}\n`);
    const end = await agneto(repo, ['lint', 'flow.yaml'], {env});
    assert.deepEqual([end.out, end.status], ['', 0], end.said);
    repo.pass();
    return end.err;
  };
  const said = (why) => `agneto: shell text was not checked: ${why}\n  help: look whether 'shellcheck --version' works\n`;
  const [failing, odd, endless] = await Promise.all(['echo "out of memory" >&2; exit 2', 'echo "[1, 2]"', 'sleep 600'].map((script) => saidWith(script)));
  assert.equal(failing, said('out of memory'));
  assert.equal(odd, said('shellcheck: exit status 0'));
  assert.equal(endless, said('shellcheck: not done after 20s'));
  assert.match(await saidWith('exit 0', {TMPDIR: '/nowhere'}), /^agneto: shell text was not checked: .*\n  help: /);
});
