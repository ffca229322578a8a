// The engine as a library of another program: the example of docs/embedding.md, built against what
// CMake installs.

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {program} from './lib/agneto.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const build = join(program, '..');
const example = join(root, 'examples/embedding');
const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8');

test('docs/embedding.md shows the example as it is', () => {
  const shown = (language) => page.match(new RegExp('```' + language + '\n([^]*?)```\n'))[1];
  assert.equal(shown('cmake'), readFileSync(join(example, 'CMakeLists.txt'), 'utf8'));
  assert.equal(shown('cpp'), readFileSync(join(example, 'main.cpp'), 'utf8'));
});

test('the example is built against what is installed, and does what docs/embedding.md says', (t) => {
  const repo = makeRepo(t, {files: null, git: false});
  const run = (command, ...args) => spawnSync(command, args, {cwd: repo.dir, env: repo.env, encoding: 'utf8'});
  const succeed = (command, ...args) => {
    const end = run(command, ...args);
    assert.equal(end.status, 0, `${end.stdout}\n${end.stderr}`);
    return end.stdout;
  };
  const prefix = join(repo.home, 'a prefix');
  succeed('cmake', '--install', build, '--prefix', join(repo.home, 'first'));
  cpSync(join(repo.home, 'first'), prefix, {recursive: true});  // as a whole it can be moved
  execFileSync('rm', ['-r', join(repo.home, 'first')]);

  const [source, made] = [join(repo.dir, 'letter'), join(repo.dir, 'made')];
  cpSync(example, source, {recursive: true});
  succeed('cmake', '-S', source, '-B', made, `-DCMAKE_PREFIX_PATH=${prefix}`, '-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror');
  succeed('cmake', '--build', made);
  const letter = join(made, 'letter');
  const [, expected] = page.match(/^\$ build\/letter\/letter .*\n([^`]*)```/m);
  assert.equal(succeed(letter, join(source, 'letter.yaml')), expected);

  const broken = join(source, 'broken.yaml');
  writeFileSync(broken, readFileSync(join(source, 'letter.yaml'), 'utf8').replace('SEND: WAITING', 'SEND: WAITNG'));
  const end = run(letter, broken);
  assert.equal(end.status, 1);
  assert.equal(end.stdout, `${broken}:26: there is no state 'WAITNG'\n`);
  assert.equal(end.stderr, `${broken}:26:13: there is no state 'WAITNG'\ndid you mean 'WAITING'?\n`);

  const other = join(repo.dir, 'CMakeLists.txt');
  writeFileSync(other, 'cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES CXX)\nfind_package(agneto 9 REQUIRED)\n');
  const refused = run('cmake', '-S', repo.dir, '-B', join(repo.dir, 'other'), `-DCMAKE_PREFIX_PATH=${prefix}`);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /agnetoConfig\.cmake, version: 0\.1\.0/);
  repo.pass();
});
