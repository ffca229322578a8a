// Agents and programs that do their worst, in a sandbox: each try fails, and outside nothing has changed.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {greeter, makeRepo} from './lib/repo.mjs';
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
  'sets up git': 'git config core.fsmonitor "touch /tmp/got-in"',
  'leaves a hook': 'echo "#!/bin/sh" > "$MAIN/.git/hooks/post-commit"',
  'moves a branch': 'git update-ref refs/heads/main HEAD~0 "" || git branch stolen || git tag stolen',
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

for (const [who, {working, tried}] of Object.entries(ways)) {
  test(`${who} gets nowhere in bubblewrap`, async (t) => {
    const connected = await listening(t, 0, '127.0.0.1');
    const repo = makeRepo(t, {files: {
      ...greeter, ...flow(working), 'attack.sh': script(tried),
      '.agneto/config.yaml': `sandbox: {driver: bubblewrap, network: none, passes: [MAIN, OTHER, PERSON, NEAR, PORT, SOCKET, ENGINE]}
providers: {command: {argv: [sh, attack.sh]}}
`,
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
    const said = (await agneto(repo, ['export', id])).out;
    assert.match(said, /all tried\\n/, said);
    assert.deepEqual(said.match(/got in: [^"\\]*\\n/g), null);
    for (const [file, text] of Object.entries(kept)) assert.equal(readFileSync(file, 'utf8'), text, file);
    assert.equal(outside(repo.dir), before);
    assert.deepEqual(repo.processes(), []);
    repo.pass();
  });
}
