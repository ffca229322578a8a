// Looking at runs, and taking them away: docs/runs.md is played, and what it promises is tried.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit, start} from './lib/agneto.mjs';
import {files, flowRepo, play, suspended} from './lib/page.mjs';
import {makeRepo, root, testOfFile} from './lib/repo.mjs';

test('docs/runs.md says nothing that is not so', async (t) => {
  const repo = flowRepo(t);
  const run = await play('runs.md', repo);
  assert.equal(JSON.parse(repo.read('run.json')).run.id, run);
  repo.pass();
});

test('a secret is nowhere but in the journal', async (t) => {
  const repo = flowRepo(t, {
    '.agneto/config.yaml': 'providers:\n  claude: {env: {API_KEY: hunter-2222}}\n',
    'cassette.yaml': files['cassette.yaml'].replace('as you told me', 'and hunter-2222 and env-secret-1')});
  repo.env.MY_TOKEN = 'env-secret-1';
  const secrets = /sk-proj-A|hunter-2222|env-secret-1/;
  const shows = [await agneto(repo, ['run', 'say hunter-2222', '-w', 'fix', '--cassette', 'cassette.yaml', '--non-interactive', '--json'])];
  for (const args of [['runs'], ['runs', '--json'], ['show', 'last'], ['show', 'last', '--json'], ['log', 'last', '--prompts'],
    ['log', 'last', '--json', '--prompts'], ['export', 'last'], ['export', 'last', '--format', 'markdown']]) {
    shows.push(await agneto(repo, args));
  }
  for (const end of shows) assert.doesNotMatch(end.said.slice(end.said.indexOf('---')), secrets, end.said);
  assert.match(shows.at(-2).out, /\[redacted: API_KEY\] and \[redacted: MY_TOKEN\]/);
  assert.match(JSON.stringify(repo.query('SELECT body FROM entries')), /hunter-2222/);
  repo.pass();
});

test('a log follows a live run to its end', async (t) => {
  const repo = flowRepo(t, {'cassette.yaml': files['cassette.yaml'].replace('{at: 0s, tool:', '{at: 1500ms, tool:').replace('- agent: coder', '- agent: coder\n    took: 3s')});
  const run = start(repo, ['run', 'say hello', '-w', 'fix', '--cassette', 'cassette.yaml', '--speed', '1', '--non-interactive']);
  await run.says(/coder is at work/);
  const log = start(repo, ['log', 'last', '-f']);
  const heard = await log.says(/coder: I look at what is there\.\n.* coder uses Write hello.txt\n([^]*)/);
  assert.equal(heard[1], '', 'the coder is still at work');
  const doctor = await agneto(repo, ['doctor', 'last']);
  assert.match(doctor.out, /owner +process \d+ on host/, doctor.said);
  const clean = await agneto(repo, ['clean', 'last', '--force']);
  assert.equal(clean.status, exit.failed, clean.said);
  assert.match(clean.out, /kept all of it: somebody is working on it/);
  await run.ended;
  const end = await log.ended;
  assert.equal(end.status, exit.complete, end.said);
  assert.match(end.out, /coder → DONE[^]*suspended: a question waits for an answer/);
  const whole = await agneto(repo, ['log', 'last']);
  assert.equal(end.out.replace(/.* coder(: I look| uses).*\n/g, ''), whole.out);
  repo.pass();
});

test('what cannot be asked for is explained', async (t) => {
  const repo = flowRepo(t);
  const refuses = async (args, message, status = exit.usage) => {
    const end = await agneto(repo, args);
    assert.equal(end.err, message, end.said);
    assert.equal(end.status, status, end.said);
  };
  for (const command of ['show', 'log', 'diff', 'doctor', 'export', 'clean']) {
    await refuses([command, 'last'], "agneto: there are no runs here\n  help: start one with 'agneto run TASK'\n");
  }
  const run = await suspended(repo);
  await refuses(['log', 'last', '--full', 'CODNG'], `agneto: run ${run} has no call 'CODNG'\n  help: known calls: CODING#1\n`);
  await refuses(['runs', '--since', 'monday'], "agneto: --since 'monday' is no time\n  help: write how long ago, such as 12h or 7d, or a day, such as 2026-11-21\n");
  await refuses(['clean'], "agneto: clean what?\n  help: give runs, or --ended for all that have ended, or --older-than 7d for those of them that ended that long ago\n");
  await refuses(['clean', '--older-than', 'long'], "agneto: --older-than 'long' is no duration\n  help: write one such as 12h, 7d or 30d\n");
  await refuses(['export', 'last', '-o', 'none/run.json'], (await agneto(repo, ['export', 'last', '-o', 'none/run.json'])).err, exit.usage);
  const kept = await agneto(repo, ['clean', run]);
  assert.equal(kept.status, exit.failed);
  assert.equal(kept.out, `${run}\n  kept all of it: it has not ended (suspended): go on with 'agneto resume ${run}', or remove it for good with --force\n`);
  assert.equal((await agneto(repo, ['runs', '--text', 'nothing like it'])).out, 'No run here is like that.\n');
  repo.pass();
});

test('a doctor finds what is gone, and says what to do', async (t) => {
  const repo = flowRepo(t);
  const run = await suspended(repo);
  repo.git('worktree', 'remove', '--force', `.agneto/worktrees/${run}`);
  repo.git('branch', '-D', `agneto/${run}`);
  const end = await agneto(repo, ['doctor', run, '--json']);
  assert.equal(end.status, exit.failed, end.said);
  const wrong = JSON.parse(end.out).findings.filter((finding) => finding.wrong);
  assert.deepEqual(wrong.map((finding) => finding.about), ['worktree', 'branch']);
  assert.match(wrong[1].help, new RegExp(`^bring it back: git branch agneto/${run} [0-9a-f]{12}$`));
  repo.sh(wrong[1].help.replace('bring it back: ', ''));
  assert.equal((await agneto(repo, ['resume', run, '--answer', 'YES'])).status, exit.complete);
  assert.equal((await agneto(repo, ['doctor', run])).status, exit.complete);
  repo.pass();
});

test('a doctor names locks that a killed git has left, and going on removes them', async (t) => {
  const repo = flowRepo(t);
  const run = await suspended(repo);
  const lock = join(repo.dir, `.git/refs/agneto/${run}/last.lock`);
  writeFileSync(lock, '');
  const end = await agneto(repo, ['doctor', run]);
  assert.equal(end.status, exit.failed, end.said);
  assert.ok(end.out.includes(`  locks        a git that was killed has left ${lock}\n               help: agneto resume ${run} removes it\n`), end.said);
  assert.equal((await agneto(repo, ['resume', run, '--answer', 'YES'])).status, exit.complete);
  assert.ok(!existsSync(lock));
  assert.equal((await agneto(repo, ['doctor', run])).status, exit.complete);
  repo.pass();
});

test('many ended runs are cleaned at once, and those with work stay', async (t) => {
  const repo = flowRepo(t);
  const first = await suspended(repo);
  await agneto(repo, ['resume', first, '--answer', 'YES']);
  repo.git('merge', '-q', `agneto/${first}`);
  const second = await suspended(repo);
  await agneto(repo, ['resume', second, '--answer', 'YES']);
  const third = await suspended(repo);
  repo.git('reset', '-q', '--hard', 'main');
  const dry = await agneto(repo, ['clean', '--ended', '-n']);
  assert.match(dry.out, new RegExp(`${first}\n  would remove worktree`), dry.said);
  assert.ok(existsSync(join(repo.dir, '.agneto/worktrees', first)));
  assert.equal((await agneto(repo, ['clean', '--older-than', '1d'])).out, 'Nothing to clean.\n');
  const done = await agneto(repo, ['clean', '--ended']);
  assert.equal(done.status, exit.complete, done.said);
  assert.ok(!existsSync(join(repo.dir, '.agneto/worktrees', first)));
  assert.equal(repo.git('branch', '--list', `agneto/${first}`), '');
  assert.equal((await agneto(repo, ['show', first])).status, exit.complete);

  const forgotten = await agneto(repo, ['clean', '--ended', '--records']);
  assert.ok(forgotten.out.includes(`${first}\n  removed its record\n`), forgotten.said);
  assert.equal((await agneto(repo, ['show', first])).status, exit.usage);
  assert.equal((await agneto(repo, ['clean', third, '--records'])).status, exit.failed, 'it has not ended');
  assert.equal((await agneto(repo, ['show', third])).status, exit.complete);
  repo.pass();
});

// A git that kills the program that started it when it has ended for the nth time.
function killingGit(t, nth) {
  const bin = mkdtempSync(join(tmpdir(), 'agneto-git-'));
  t.after(() => rmSync(bin, {recursive: true}));
  const git = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh
echo >> ${bin}/calls
"${git}" "$@"
status=$?
test $(wc -l < ${bin}/calls) -eq ${nth} && kill -9 $PPID
exit $status
`);
  chmodSync(join(bin, 'git'), 0o755);
  return {PATH: `${bin}:${process.env.PATH}`};
}

test('a fork that is killed is named by the doctor, and cleaned', async (t) => {
  const repo = flowRepo(t);
  const run = await suspended(repo);
  const at = JSON.parse((await agneto(repo, ['log', run, '--json'])).out.trim().split('\n').at(-1)).seq - 1;  // before it was suspended
  const before = repo.git('for-each-ref', '--format=%(refname)');
  const leftovers = async () => {
    const {findings} = JSON.parse((await agneto(repo, ['doctor', '--json'])).out);
    return findings.find(({about}) => about === 'leftovers');
  };
  let killed = 0, end;
  for (let nth = 1; ; ++nth) {
    end = await agneto(repo, ['fork', run, '--at', `${at}`, '--no-start'], {env: killingGit(t, nth)});
    if (end.status === exit.complete) break;
    assert.equal(end.signal, 'SIGKILL', end.said);
    const found = await leftovers();
    if (!found) continue;  // it had not begun
    ++killed;
    const other = found.help.replace('agneto clean ', '');
    assert.equal(found.what, `of runs that the journal does not know: ${other}`);
    const dry = await agneto(repo, ['clean', '--ended', '-n']);
    assert.equal(dry.out, `${other}\n  would remove what is left of its start, which was cut off\n`);
    assert.equal((await agneto(repo, ['clean', other])).status, exit.complete);
    assert.equal(repo.git('for-each-ref', '--format=%(refname)'), before);
    assert.equal(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm).length, 2);
    assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')).filter((name) => name.startsWith(other)), []);
    assert.equal(await leftovers(), undefined);
  }
  assert.ok(killed > 3, `${killed}`);
  repo.pass();
});

test('the mark of a start that was killed just after its run was recorded goes when the run is taken up, or cleaned', async (t) => {
  const repo = flowRepo(t);
  const run = await suspended(repo);
  const mark = join(repo.dir, '.agneto/worktrees', `${run}.starting`);
  writeFileSync(mark, '');
  await agneto(repo, ['resume', run, '--answer', 'YES']);
  assert.ok(!existsSync(mark));
  writeFileSync(mark, '');
  assert.equal((await agneto(repo, ['clean', run, '--force'])).status, exit.complete);
  assert.deepEqual(readdirSync(join(repo.dir, '.agneto/worktrees')), []);
  repo.pass();
});

test('what runs have left whose journal is gone stays until somebody cleans it, and work does even then', async (t) => {
  const repo = flowRepo(t);
  const first = await suspended(repo);
  await agneto(repo, ['resume', first, '--answer', 'YES']);
  const tip = repo.git('rev-parse', `agneto/${first}`);
  repo.loseJournal();
  await suspended(repo);
  assert.equal(repo.git('rev-parse', `agneto/${first}`), tip);
  const doctor = await agneto(repo, ['doctor']);
  assert.match(doctor.out, new RegExp(`leftovers +of runs that the journal does not know: ${first}\n +help: agneto clean ${first}\n`), doctor.said);
  const kept = await agneto(repo, ['clean', first]);
  assert.match(kept.out, new RegExp(`kept branch agneto/${first}: it has 1 commit that is not in main\n`), kept.said);
  assert.equal((await agneto(repo, ['clean', first, '--force'])).status, exit.complete);
  assert.equal(repo.git('for-each-ref', `refs/agneto/${first}`, `refs/heads/agneto/${first}`), '');
  assert.match((await agneto(repo, ['clean', first])).err, new RegExp(`there is no run '${first}'`));
  repo.pass();
});

testOfFile('a run that an older program left is gone on with', async (t) => {
  const repo = flowRepo(t);
  mkdirSync(join(repo.dir, '.agneto'), {recursive: true});
  copyFileSync(join(root, 'tests/journal/data/format-2.db'), join(repo.dir, '.agneto/runs.db'));
  const end = await agneto(repo, ['resume', '1-3-9535', '--answer', 'go']);
  assert.equal(end.status, exit.complete, end.said);
  const shown = JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out);
  assert.deepEqual([shown.outcome, shown.outstanding], ['DONE', {}]);
  repo.pass();
});

test('a run has limits of its own, which a resume raises', async (t) => {
  const repo = makeRepo(t, {files: {
    'greet': 'echo Hello\n',
    '.agneto/config.yaml': 'provider: command\nproviders: {command: {argv: [sh, tools/ask.sh]}}\nlimits: {calls: 1}\n',
    'tools/ask.sh': 'cat > /dev/null\necho "VERDICT: DONE"\n',
    'flow.yaml': `agneto: 1
name: flow
agents: {asker: {hooks: asker.lua}}
initial: ONE
states:
  ONE: {agent: {name: asker, verdicts: {DONE: {}}}, on: {DONE: TWO, error: BROKEN}}
  TWO: {agent: {name: asker, verdicts: {DONE: {}}}, on: {DONE: THREE, error: BROKEN}}
  THREE: {agent: {name: asker, verdicts: {DONE: {}}}, on: {DONE: FINE, error: BROKEN}}
  FINE: {final: true}
  BROKEN: {final: true, status: failed}
`,
    'asker.lua': 'return {prompt = function(m) return "Well?" end}\n',
  }});
  for (const [args, message] of [[['--max-calls', '0'], /--max-calls/],
    [['--max-cost', '-1'], /--max-cost: '-1' is no amount of US dollars\n {2}help: write 2\.5 or 20\n/],
    [['--max-time', 'soon'], /--max-time: 'soon' is no duration\n {2}help: write 30m, 8h or 1h30m\n/],
    [['--max-cost', '5', '--dry-run'], /--dry-run/]]) {
    const refused = await agneto(repo, ['run', '-w', 'flow.yaml', ...args]);
    assert.equal(refused.status, exit.usage, refused.said);
    assert.match(refused.err, message);
  }
  const first = await agneto(repo, ['run', '-w', 'flow.yaml', '--non-interactive', '--max-calls', '2']);
  assert.equal(first.status, exit.suspended, first.said);
  assert.match(first.out, /suspended: the limit of 2 agent calls is reached; to go on, resume with a higher --max-calls, or raise limits\.calls in \.agneto\/config\.yaml\n/);
  const same = await agneto(repo, ['resume', 'last', '--non-interactive', '--max-time', '1h']);
  assert.equal(same.status, exit.suspended, same.said);
  assert.match(same.out, /the limit of 2 agent calls is reached/);
  const raised = await agneto(repo, ['resume', 'last', '--non-interactive', '--max-calls', '3']);
  assert.equal(raised.status, exit.complete, raised.said);
  repo.pass();
});

// A run in the checkout itself, which a command takes to another branch, and an agent without a verdict.
const here = {
  '.agneto/workflows/here.yaml': `agneto: 1
name: here
workspace: none
limits: {calls: 3}
agents: {judge: {hooks: ../scripts/coder.lua, access: read-only}}
inputs: {task: {type: string, main: true}}
context: {feedback: ""}
initial: SHAKING
states:
  SHAKING:
    run: {shell: git checkout -q -b other && git config core.pager tee}
    on: {ok: JUDGING, failed: FAILED}
  JUDGING:
    agent: {name: judge, verdicts: {OK: {}}}
    on: {OK: GATE, error: FAILED}
  GATE:
    ask: {question: "Is it well?", options: {YES: It is}}
    on: {YES: DONE}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  'cassette.yaml': `agneto-cassette: 1
calls:
  - {agent: judge, attempts: [{reply: "It is."}, {reply: '{"verdict": "OK"}'}]}
`,
};

test('what is told of a run without a worktree is in its log, too, and in what show says', async (t) => {
  const repo = flowRepo(t, here);
  const run = await agneto(repo, ['run', 'look', '-w', 'here', '--cassette', 'cassette.yaml', '--non-interactive']);
  assert.equal(run.status, exit.suspended, run.said);
  assert.equal(repo.git('branch', '--show-current'), 'other', 'nothing is put back');
  const first = repo.git('rev-parse', 'main').slice(0, 12);
  const notes = [
    ['', `works in ${repo.dir} itself, without a worktree: the workflow says \`workspace: none\``],
    ['', "the run may use 3 calls; --max-calls and the like, or 'limits' in .agneto/config.yaml, change that"],
    ['SHAKING', `the command was at work while core.pager changed in ${repo.dir}/.git/config; nobody has put that back`],
    ['SHAKING', `the command was at work while HEAD moved from branch 'main' to branch 'other', 'other' was made, at ${first}; nobody has put that back`],
  ];
  const resumed = await agneto(repo, ['resume', 'last', '--answer', 'YES']);
  assert.equal(resumed.status, exit.complete, resumed.said);
  for (const [, note] of notes) assert.ok(!resumed.out.includes(note), 'a note is told once');

  const log = await agneto(repo, ['log', 'last']);
  const show = await agneto(repo, ['show', 'last']);
  const once = (text, words) => assert.equal(text.split(words).length, 2, `${words}\n${text}`);
  for (const [path, note] of notes) {
    for (const end of [run, log, show]) once(end.out, note);
    once(show.out, path ? `${path}: ${note}\n` : `  ${note}\n`);
  }
  once(show.out, 'JUDGING: asked again: no verdict was found in the reply\n');
  const events = (await agneto(repo, ['log', 'last', '--json'])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(events.filter((event) => event.type === 'note').map((event) => event.text), notes.map(([, note]) => note));
  const shown = JSON.parse((await agneto(repo, ['show', 'last', '--json'])).out).notes;
  assert.deepEqual(shown, events.filter((event) => ['note', 'agent.retry'].includes(event.type)));
  repo.pass();
});

test('show has what was cancelled', async (t) => {
  const repo = flowRepo(t, {'.agneto/workflows/late.yaml': `agneto: 1
name: late
initial: WAITING
states:
  WAITING:
    run: {argv: [sleep, '60'], timeout: 2m}
    on: {ok: DONE, failed: DONE, error: DONE}
    after: {500ms: DONE}
  DONE: {final: true}
`});
  const run = await agneto(repo, ['run', '-w', 'late', '--non-interactive']);
  assert.equal(run.status, exit.complete, run.said);
  const shown = await agneto(repo, ['show', 'last']);
  assert.match(shown.out, /\d\d:\d\d:\d\d  WAITING: the program was cancelled\n {12}WAITING → DONE  after\n/, shown.said);
  repo.pass();
});
