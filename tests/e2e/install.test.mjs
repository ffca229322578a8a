// The program as it is installed: by CMake into a folder, and as a Debian package.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';
import {Terminal} from './lib/tmux.mjs';

const build = join(program, '..');

// Where `cmake --install` puts all of it, in a folder that goes with the repository.
function installed(repo) {
  const prefix = join(repo.home, 'opt');
  execFileSync('cmake', ['--install', build, '--prefix', prefix], {stdio: 'pipe'});
  return prefix;
}

function playsTheDemo(repo, share, agneto) {
  const demo = spawnSync('sh', [join(share, 'scripts/demo/run.sh'), agneto], {
    cwd: repo.dir, env: {...repo.env, TMPDIR: repo.dir}, encoding: 'utf8', timeout: 120_000});
  assert.equal(demo.status, 0, `${demo.stdout}\n${demo.stderr}`);
  assert.match(demo.stdout, /HELLO, ADA!\n$/);
}

test('what CMake installs finds its own parts, and nothing else', (t) => {
  const repo = makeRepo(t, {files: null, git: false, bare: true});
  const prefix = installed(repo);
  const agneto = join(prefix, 'bin/agneto');
  playsTheDemo(repo, join(prefix, 'share/agneto'), agneto);
  const explained = spawnSync(agneto, ['explain', 'E203'], {env: repo.env, cwd: repo.dir, encoding: 'utf8'});
  const [, page] = explained.stdout.match(/^An example: (.*)$/m);
  assert.equal(page, join(prefix, 'share/agneto/docs/rules/E203-undefined-target.md'));
  assert.ok(existsSync(page));
  repo.pass();
});

test('every command has a manual page', (t) => {
  const repo = makeRepo(t, {files: null, git: false});
  const pages = join(installed(repo), 'share/man/man1');
  const help = execFileSync(program, ['--help'], {encoding: 'utf8'});
  const commands = [...help.match(/Subcommands:\n([^]*?)\n\n/)[1].matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
  assert.deepEqual(readdirSync(pages).sort(), ['agneto.1', ...commands.map((name) => `agneto-${name}.1`)].sort());
  const page = execFileSync('man', ['-l', join(pages, 'agneto-fork.1')], {
    encoding: 'utf8', env: {...repo.env, MANWIDTH: '80', MANPAGER: 'cat'}});
  assert.match(page, /SYNOPSIS\n {7}agneto fork \[OPTION\.\.\.\] RUN\n/);
  assert.match(page, /\n {7}--at SEQ\n {14}The entry, by its number in 'agneto log RUN'\n/);
  repo.pass();
});

test('bash completes', (t) => {
  const repo = makeRepo(t, {files: {'my file.yaml': 'agneto: 1\n'}});
  const completed = (...words) => spawnSync('bash', ['-c', `
      source "$1"; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      compopt() { :; }
      _agneto; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash', join(root, 'scripts/completions/agneto.bash'), program, ...words],
  {env: repo.env, cwd: repo.dir, encoding: 'utf8'}).stdout.trim().split('\n');
  assert.deepEqual(completed('ru'), ['run', 'runs']);
  assert.deepEqual(completed('lint', '--format', '=', 'j'), ['json', 'junit']);
  assert.deepEqual(completed('lint', 'my'), ['my file.yaml']);
  assert.deepEqual(completed('simulate', 'exec'), ['execution']);
  assert.deepEqual(completed('show', ''), ['last']);
  assert.deepEqual(completed('new', 'x', '--from', 'm'), ['minimal']);
  assert.deepEqual(completed('run', '-i', 'ver'), ['verify=']);
  assert.deepEqual(completed('run', '--choose', 'CURM'), ['CURMUDGEON=']);
  assert.deepEqual(completed('run', '--choose', 'CURMUDGEON', '=', 'CURMUDGEON_S'), ['CURMUDGEON_SIMPLIFY']);
  assert.deepEqual(completed('run', '--choose', '=', 'CURMUDGEON', '=', 'CURMUDGEON_S'), ['CURMUDGEON_SIMPLIFY']);
  repo.pass();
});

test('fish completes', (t) => {
  const repo = makeRepo(t, {files: {'my.yaml': 'agneto: 1\n'}, env: {PATH: `${build}:${process.env.PATH}`}});
  const completed = (line) => execFileSync('fish', ['--no-config', '-c',
    `source ${join(root, 'scripts/completions/agneto.fish')}; complete -C '${line}'`],
  {env: repo.env, cwd: repo.dir, encoding: 'utf8'});
  assert.equal(completed('agneto resu'), 'resume\tGo on with a run that was suspended or cut off\n');
  assert.equal(completed('agneto lint --format j'), 'json\njunit\n');
  assert.equal(completed('agneto lint m'), 'my.yaml\n');
  assert.equal(completed('agneto run --choose CURM'), 'CURMUDGEON=\n');
  repo.pass();
});

test('zsh completes', async (t) => {
  const repo = makeRepo(t, {env: {PATH: `${build}:${process.env.PATH}`}});
  repo.write({'.zshrc': `PS1='> '; fpath=(${join(root, 'scripts/completions')} $fpath)\nautoload -U compinit; compinit -u -D\n`});
  const zsh = new Terminal(t, ['zsh', '-d', '-i'], {cwd: repo.dir, env: {...repo.env, ZDOTDIR: repo.dir}});
  await zsh.shows(/^> /m);
  zsh.type('agneto resu\t');
  await zsh.shows(/> agneto resume /);
  zsh.type('las\t');
  await zsh.shows(/> agneto resume last /);
  zsh.send('C-u');
  zsh.type('agneto run --choose CURM\t');
  await zsh.shows(/> agneto run --choose CURMUDGEON=/);
  zsh.type('CURMUDGEON_S\t');
  await zsh.shows(/> agneto run --choose CURMUDGEON=CURMUDGEON_SIMPLIFY /);
  repo.pass();
});

test('the Debian package has the program as CMake installs it, and says what it needs', (t) => {
  const repo = makeRepo(t, {files: null, git: false, bare: true});
  const packages = join(repo.home, 'packages');
  mkdirSync(packages);
  execFileSync('cpack', ['--config', join(build, 'CPackConfig.cmake'), '-B', packages], {stdio: 'pipe', cwd: repo.dir});
  const [name] = readdirSync(packages).filter((file) => file.endsWith('.deb'));
  assert.match(name, /^agneto_[0-9.]+_[a-z0-9]+\.deb$/);
  const field = (what) => execFileSync('dpkg-deb', ['-f', join(packages, name), what], {encoding: 'utf8'});
  for (const needed of ['git (>= 1:2.38)', 'libsqlite3-0', 'liblua5.4-0', 'libyaml-cpp']) {
    assert.ok(field('Depends').includes(needed), field('Depends'));
  }
  const unpacked = join(repo.home, 'root');
  execFileSync('dpkg-deb', ['-x', join(packages, name), unpacked]);
  assert.deepEqual(readdirSync(join(unpacked, 'usr')).sort(), ['bin', 'lib', 'libexec', 'share'], 'no headers');
  assert.deepEqual(readdirSync(join(unpacked, 'usr/lib')), ['systemd'], 'no library');
  assert.deepEqual(readdirSync(join(unpacked, 'usr/lib/systemd/user')).sort(), ['agneto@.service', 'agneto@.socket']);
  assert.ok(existsSync(join(unpacked, 'usr/share/agneto/web/index.html')), 'the pages');
  playsTheDemo(repo, join(unpacked, 'usr/share/agneto'), join(unpacked, 'usr/bin/agneto'));
  repo.pass();
});
