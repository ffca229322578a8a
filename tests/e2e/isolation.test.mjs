// Agents and programs that do their worst, in a sandbox: each try fails, and outside nothing has changed.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo, root} from './lib/repo.mjs';
import {runs} from './lib/served.mjs';

// What an attacker tries, in a shell that stands in the worktree; a try that succeeds ends with 0. MAIN is the
// checkout, OTHER another run's worktree, PERSON the HOME of whoever has started the run, NEAR a folder beside these.
const attacks = {
  'writes the checkout': 'echo x >> "$MAIN/greet"',
  'reads the journal': 'cat "$MAIN/.agneto/runs.db"',
  'writes the journal': 'echo x >> "$MAIN/.agneto/runs.db"',
  'reads the configuration': 'cat "$MAIN/.agneto/config.yaml"',
  "reads another run's files": 'cat "$OTHER/secret.txt"',
  "writes another run's files": 'echo x > "$OTHER/secret.txt"',
  'sets up git': 'git config --file "$MAIN/.git/config" core.fsmonitor "touch /tmp/got-in"',
  'leaves a hook': 'echo "#!/bin/sh" > "$MAIN/.git/hooks/post-commit"',
  'moves a branch': 'git -C "$MAIN" branch stolen || git --git-dir "$MAIN/.git" update-ref refs/heads/stolen HEAD || echo x > "$MAIN/.git/refs/heads/stolen"',
  'says that a tree is ignored': 'echo "*" >> "$MAIN/.git/info/exclude"',
  'replaces the link to the repository': 'rm -f .git && ln -s "$PERSON/.ssh" .git',
  'moves the link to the repository': 'mv .git other.git',
  'reads a key': 'cat "$PERSON/.ssh/id" || cat ~/.ssh/id',
  'reads what else is at home': 'cat ~/notes.txt',
  "reads others' temporary files": 'cat "$NEAR/near.txt"',
  "writes others' temporary files": 'echo x >> "$NEAR/near.txt"',
  'sees a variable that it was not given': 'env | grep -q SECRET_OF_PERSON',
  "reads the engine's environment": 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -q SECRET_OF_PERSON',
  'sees other processes': 'kill -0 "$ENGINE" || test -e /proc/"$ENGINE"/root/etc',
  "looks through another process's root": 'for root in /proc/[0-9]*/root; do test -e "$root$PERSON/notes.txt" && exit 0; done; exit 1',
  'connects to a port of this machine': 'exec 3<>/dev/tcp/127.0.0.1/"$PORT"',
  'asks a name server': 'getent hosts example.org',
  'connects to a socket': 'node -e "require(\'net\').connect(process.env.SOCKET).on(\'connect\', () => process.exit(0)).on(\'error\', () => process.exit(1))"',
  'makes a namespace of its own': 'unshare --user --map-root-user true',
  'mounts something': 'mount -t tmpfs none /usr || mount --bind /tmp /usr',
  'makes what it may read writable': 'mount -o remount,rw "$MAIN/.git"',
  'makes a device': 'mknod /tmp/disk b 254 0 && head -c 1 /tmp/disk',
  'writes a program of the system': 'echo x >> /usr/bin/env',
  'reads the passwords of this machine': 'test -s /etc/shadow && cat /etc/shadow',
  'becomes a user with more rights': 'command -v sudo && sudo -n true',
  'says how the kernel is set up': 'cat /proc/sys/kernel/core_pattern > /tmp/as-it-is && cat /tmp/as-it-is > /proc/sys/kernel/core_pattern',
};

// Only where it may not edit.
const edits = {'writes the worktree': 'echo x >> greet', 'makes a file in the worktree': 'echo x > new.txt'};

async function listening(t, ...where) {
  const server = createServer((socket) => socket.end()).listen(...where);
  t.after(() => server.close());
  await once(server, 'listening');
  return server;
}

const script = (table) => Object.entries(table).map(([name, command], i) => `cat > /tmp/${i}.sh <<'END'
${command}
END
bash /tmp/${i}.sh >/dev/null 2>&1 </dev/null && echo "got in: ${name}"`).join('\n') + '\necho "all tried"\n';

const flow = (working) => ({
  '.agneto/workflows/attack.yaml': `agneto: 1
name: attack
inputs: {task: {type: string, main: true}}
agents:
  editor: {provider: command, access: edit, tries: 1, prompt: attack.md}
  reader: {provider: command, access: read-only, tries: 1, prompt: attack.md}
initial: WORKING
states:
  WORKING: {${working}, on: {done: DONE, ok: DONE, error: FAILED, failed: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`,
  '.agneto/workflows/attack.md': 'Do your worst.\n',
});

const ways = {
  'an agent that may edit': {working: 'agent: editor', tried: attacks},
  'an agent that may only read': {working: 'agent: reader', tried: {...attacks, ...edits}},
  'a program': {working: 'run: {argv: [sh, attack.sh]}', tried: attacks},
  'a program that may only read': {working: 'run: {argv: [sh, attack.sh], access: read-only}', tried: {...attacks, ...edits}},
};

// What nobody in a run has any business to change.
const outside = (folder) => execFileSync('sh', ['-c', 'find .git/config .git/HEAD .git/hooks .git/info .git/refs/heads/main .agneto/config.yaml greet -type f | sort | xargs sha256sum'], {cwd: folder, encoding: 'utf8'});

async function attacked(t, {working, tried, sandbox}) {
  const connected = await listening(t, 0, '127.0.0.1');
  const repo = makeRepo(t, {files: {
    ...greeter, ...flow(working), 'attack.sh': script(tried),
    '.agneto/config.yaml': `sandbox: ${sandbox}\nproviders: {command: {argv: [sh, attack.sh]}}\n`,
  }, env: {SECRET_OF_PERSON: 'plain', SECRET_TOKEN: 'k3y-0f-s0mebody'}});
  const near = join(repo.home, '../near');
  const socket = join(near, 'socket');
  const other = join(repo.dir, '.agneto/worktrees/other');
  for (const folder of [near, other, join(repo.home, '.ssh')]) mkdirSync(folder, {recursive: true});
  const kept = {[join(repo.home, '.ssh/id')]: 'a key\n', [join(repo.home, 'notes.txt')]: 'notes\n', [join(near, 'near.txt')]: 'near\n', [join(other, 'secret.txt')]: 'of another run\n'};
  for (const [file, text] of Object.entries(kept)) writeFileSync(file, text);
  await listening(t, socket);
  const before = outside(repo.dir);
  const env = {MAIN: repo.dir, OTHER: other, PERSON: repo.home, NEAR: near, PORT: `${connected.address().port}`, SOCKET: socket, ENGINE: `${process.pid}`};
  const ran = await agneto(repo, ['run', 'attack', '-w', 'attack', '--non-interactive'], {env});
  assert.equal(ran.status, exit.complete, ran.said);
  const [id] = Object.keys(await runs(repo));
  return {repo, said: (await agneto(repo, ['export', id])).out, before, kept};
}

for (const [who, {working, tried}] of Object.entries(ways)) {
  test(`${who} gets nowhere in bubblewrap`, async (t) => {
    const sandbox = '{driver: bubblewrap, network: none, passes: [MAIN, OTHER, PERSON, NEAR, PORT, SOCKET, ENGINE]}';
    const {repo, said, before, kept} = await attacked(t, {working, tried, sandbox});
    assert.match(said, /all tried\\n/, said);
    assert.deepEqual(said.match(/got in: [^"\\]*\\n/g), null);
    for (const [file, text] of Object.entries(kept)) assert.equal(readFileSync(file, 'utf8'), text, file);
    assert.equal(outside(repo.dir), before);
    assert.deepEqual(repo.processes(), []);
    repo.pass();
  });
}

const working = (run) => ({'.agneto/workflows/work.yaml': `agneto: 1
name: work
inputs: {task: {type: string, main: true}}
initial: WORKING
states:
  WORKING: {run: {shell: 'eval "$TASK"', env: {TASK: inputs.task}}, on: {ok: DONE, failed: FAILED}}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
`, ...run});

test('what a program has forked is gone when it ends, and what it has left at home is there for the next', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...working({'.agneto/config.yaml': 'sandbox: bubblewrap\n'})}});
  const fork = '(setsid sh -c "(setsid sleep 987 &) &" &); trap "" TERM; echo at home > ~/left; until pgrep sleep > /dev/null; do :; done';
  const ran = await agneto(repo, ['run', fork, '-w', 'work', '--non-interactive']);
  assert.equal(ran.status, exit.complete, ran.said);
  assert.deepEqual(repo.processes(), []);
  const [id] = Object.keys(await runs(repo));
  assert.equal(repo.read(`.agneto/homes/${id}/left`), 'at home\n');
  assert.equal(existsSync(join(repo.home, 'left')), false);
  assert.equal((await agneto(repo, ['clean', id])).status, 0);
  assert.equal(repo.has(`.agneto/homes/${id}`), false);
  repo.pass();
});

test('whoever may edit can commit, and what came of it is the work, and else nothing', async (t) => {
  const repo = makeRepo(t, {files: {...greeter, ...working({'.agneto/config.yaml': 'sandbox: bubblewrap\n'})}});
  repo.git('tag', 'v1');
  const before = repo.git('for-each-ref');
  const doing = `set -e; git diff --quiet v1; git status --porcelain > ~/status; git log --format=%s main > ~/log
git config user.name me; git config core.hooksPath .; git checkout -q -b mine; echo more >> greet; echo new > new.txt
git add -A; git commit -q -m Mine; git stash -q || true; git tag -f v1; git update-ref -d refs/heads/main; git gc -q; git log --format=%s > ~/own`;
  const ran = await agneto(repo, ['run', doing, '-w', 'work', '--non-interactive']);
  assert.equal(ran.status, exit.complete, ran.said);
  const [id] = Object.keys(await runs(repo));
  const home = (file) => repo.read(`.agneto/homes/${id}/${file}`);
  assert.deepEqual([home('status'), home('log'), home('own')], ['', 'Begin\n', 'Mine\nBegin\n']);
  const tree = join(repo.dir, '.agneto/worktrees', id);
  assert.equal(readFileSync(join(tree, 'new.txt'), 'utf8'), 'new\n');
  assert.equal(execFileSync('git', ['status', '--porcelain'], {cwd: tree, encoding: 'utf8'}), ' M greet\n?? new.txt\n');
  assert.equal(execFileSync('git', ['symbolic-ref', 'HEAD'], {cwd: tree, encoding: 'utf8'}), `refs/heads/agneto/${id}\n`);
  const refs = repo.git('for-each-ref').split('\n').filter((line) => !line.includes('agneto/')).join('\n');
  assert.equal(refs, before);
  assert.equal(repo.git('config', '--get', '--default', 'none', 'core.hooksPath'), 'none');
  assert.equal(repo.sh(`ls .agneto/homes/${id}.git`), '');
  repo.pass();
});

// Each is what one call leaves behind for the next.
const traps = {
  'a link to a key in place of a program': ['mkdir -p ~/d/e/f/g ~/d/.ssh; rm -rf src; ln -s ~/d/e/f/g src; printf "#!/bin/sh\\ncat ~/.ssh/id\\n" > ~/d/.ssh/id; chmod +x ~/d/.ssh/id; rm test.sh; ln -s /proc/self/cwd/src/../../../.ssh/id test.sh', './test.sh; cat ~/.ssh/id'],
  'links in the git folder, which cannot be removed': ['cd "$(git rev-parse --git-dir)"; rm HEAD config; ln -s "$PERSON/notes.txt" HEAD; ln -s "$PERSON/made" config; chmod 555 .', 'git status'],
  'a link on the way to a mount': ['mv ~/.cache ~/old; ln -s "/oldroot$PERSON/made" ~/.cache', 'true'],
};

for (const [what, [first, second]] of Object.entries(traps)) {
  test(`${what} gets the next call nowhere`, async (t) => {
    const repo = makeRepo(t, {files: {...greeter, 'src/x': 'x', '.agneto/config.yaml': 'sandbox: {writes: [~/.cache/ccache], passes: [PERSON]}\n', '.agneto/workflows/two.yaml': `agneto: 1
name: two
initial: FIRST
states:
  FIRST: {run: {shell: 'eval "$FIRST"', env: {FIRST: ${JSON.stringify(JSON.stringify(first))}}}, on: {ok: SECOND, failed: SECOND}}
  SECOND: {run: {shell: 'eval "$SECOND"', env: {SECOND: ${JSON.stringify(JSON.stringify(second))}}}, on: {ok: PROGRAM, failed: PROGRAM}}
  PROGRAM: {run: {argv: [./test.sh]}, on: {ok: DONE, failed: DONE, error: DONE}}
  DONE: {final: true}
`}});
    for (const folder of ['.ssh', '.cache/ccache']) mkdirSync(join(repo.home, folder), {recursive: true});
    writeFileSync(join(repo.home, '.ssh/id'), 'a key of somebody\n');
    writeFileSync(join(repo.home, 'notes.txt'), 'notes\n');
    const before = outside(repo.dir);
    const ran = await agneto(repo, ['run', '-w', 'two', '--non-interactive'], {env: {PERSON: repo.home}});
    assert.equal(ran.status, exit.complete, ran.said);
    const [id] = Object.keys(await runs(repo));
    assert.doesNotMatch((await agneto(repo, ['export', id])).out, /a key of somebody/);
    assert.equal(existsSync(join(repo.home, 'made')), false);
    assert.equal(readFileSync(join(repo.home, 'notes.txt'), 'utf8'), 'notes\n');
    assert.equal(outside(repo.dir), before);
    assert.equal((await agneto(repo, ['clean', id, '--force'])).status, 0);
    assert.equal(repo.sh('ls -A .agneto/homes'), '');
    repo.pass();
  });
}

test('a team can have a sandbox of its own, as docs/security.md shows it', async (t) => {
  const driver = readFileSync(join(root, 'docs/security.md'), 'utf8').match(/^```lua\n([^]*?)^```$/m)[1];
  const repo = makeRepo(t, {files: {...greeter, ...working({'.agneto/config.yaml': 'sandbox: bounded\n', '.agneto/scripts/sandboxes/bounded.lua': driver})}});
  const ran = await agneto(repo, ['run', 'ulimit -c > ~/bounds; ulimit -t >> ~/bounds; ! cat "$OUTSIDE"', '-w', 'work', '--non-interactive'], {env: {OUTSIDE: join(repo.dir, 'greet')}});
  assert.equal(ran.status, exit.complete, ran.said);
  assert.equal(repo.sh('cat .agneto/homes/*/bounds'), '0\n3600\n');
  repo.pass();
});

// Which of the tries a program can do without a sandbox, so that they are known to be tries. None of these harms.
test('what is tried can be done where there is no sandbox', async (t) => {
  const can = ['writes the checkout', 'reads the journal', 'reads the configuration', "reads another run's files", "writes another run's files", 'leaves a hook', 'moves a branch', 'says that a tree is ignored', 'reads a key', 'reads what else is at home', "reads others' temporary files", "writes others' temporary files", 'sees a variable that it was not given', "reads the engine's environment", 'sees other processes', "looks through another process's root", 'connects to a port of this machine', 'connects to a socket'];
  const tried = Object.fromEntries(Object.entries({...attacks, ...edits}).filter(([name]) => can.includes(name) || name in edits));
  const {repo, said} = await attacked(t, {working: ways['a program'].working, tried, sandbox: 'none'});
  assert.deepEqual([...new Set(said.match(/got in: [^"\\]*(?=\\n)/g))], Object.keys(tried).map((name) => `got in: ${name}`));
  repo.pass();
});

test('a run that is to have a sandbox that cannot be made does not begin', async (t) => {
  const repo = makeRepo(t, {bare: true, files: {...greeter, ...working({'.agneto/config.yaml': 'sandbox: bubblewrap\n'})}});
  const refused = (why) => `agneto: the sandbox 'bubblewrap' cannot be had here: ${why}
  help: see docs/security.md for what it needs, or write 'sandbox: none' into .agneto/config.yaml: agents have your rights then
`;
  const run = () => agneto(repo, ['run', 'true', '-w', 'work', '--non-interactive']);
  assert.equal((await run()).err, refused("there is no program 'bwrap' on PATH"));
  repo.install('bwrap', '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2; exit 1\n');
  const second = await run();
  assert.deepEqual([second.status, second.err], [exit.usage, refused('bwrap: No permissions to create a new namespace')]);
  assert.deepEqual(await runs(repo).catch(() => ({})), {});
  assert.equal(repo.git('branch', '--list', 'agneto/*'), '');
  const doctor = await agneto(repo, ['doctor']);
  assert.match(doctor.out, /^  sandbox +the sandbox 'bubblewrap' cannot be had here: bwrap: No permissions/m, doctor.said);
  repo.pass();
});
