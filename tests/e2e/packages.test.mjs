// Packages as a newcomer meets them: what is said of one that is brought, named, or cannot be had.

import assert from 'node:assert/strict';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';

const facts = (text) => `agneto: 1\ndescription: ${text}\n`;
const flow = (name, states) => `agneto: 1\nname: ${name}\ndescription: It says hello.\ninitial: A\nstates:\n${states}  B: {final: true}\n`;
const good = flow('good', '  A: {run: {argv: [echo]}, on: {ok: B, failed: B, error: B}}\n');

// Two repositories with packages, and a project that has none yet.
function three(t) {
  const kit = makeRepo(t, {files: {
    'reviews/package.yaml': facts('Reviews.'), 'reviews/good.yaml': good,
  }});
  kit.git('tag', 'v1');
  const other = makeRepo(t, {files: {'package.yaml': facts('Others.'), 'good.yaml': good}});
  other.git('tag', 'v1');
  const project = makeRepo(t);
  const pass = () => [kit, other, project].forEach((repo) => repo.pass());
  return {kit, other, project, pass};
}

async function add(project, ...args) {
  const end = await agneto(project, ['add', ...args]);
  assert.equal(end.status, exit.complete, end.said);
  return end;
}

test('vendor brings what it can, and says what it could not', async (t) => {
  const {kit, other, project, pass} = three(t);
  await add(project, `${other.dir}@v1`, 'apart');
  await add(project, `${kit.dir}//reviews@v1`);
  await add(project, `${other.dir}@v1`, 'zeal');
  rmSync(join(project.dir, '.agneto/packages'), {recursive: true});
  rmSync(other.dir, {recursive: true});

  const end = await agneto(project, ['vendor']);
  assert.equal(end.status, exit.failed, end.said);
  assert.equal(end.out, 'brought reviews\n');
  const cannot = `agneto: cannot fetch ${other.dir}: '${other.dir}' does not appear to be a git repository; Could not read from remote repository.; `
    + `Please make sure you have the correct access rights; and the repository exists.\n  help: try it by hand: git ls-remote ${other.dir}\n`;
  assert.equal(end.err, `${cannot}${cannot}agneto: not brought: apart, zeal\n  help: run 'agneto vendor' again when that is mended\n`);
  assert.equal(project.read('.agneto/packages/reviews/good.yaml'), good);
  const again = await agneto(project, ['vendor']);
  assert.equal(again.status, exit.failed, again.said);
  assert.equal(again.out, '');
  pass();
});

const warned = flow('warned', '  A: {run: {argv: [echo]}, on: {ok: B, error: B}}\n');
const broken = flow('broken', '  A: {run: {argv: [echo]}, on: {ok: C, failed: C, error: B}}\n');

test('what lint finds in a package is counted when it is brought', async (t) => {
  const {kit, project, pass} = three(t);
  kit.write({'reviews/warned.yaml': warned});
  kit.commit('Take less');
  kit.git('tag', 'v2');
  kit.write({'reviews/broken.yaml': broken});
  kit.commit('Lead nowhere');
  kit.git('tag', 'v3');
  const counted = (end) => end.out.split('\n').filter((line) => line.includes('Lint'));
  assert.deepEqual(counted(await add(project, `${kit.dir}//reviews@v1`)), []);
  const folder = '.agneto/packages/reviews';
  for (const [rev, found] of [['v2', '1 warning'], ['v3', '2 errors and 1 warning']]) {
    const end = await agneto(project, ['update', `reviews@${rev}`]);
    assert.equal(end.status, exit.complete, end.said);
    assert.deepEqual(counted(end), [`  Lint finds ${found} in its workflows: agneto lint ${folder}`]);
  }
  const lint = await agneto(project, ['lint', folder]);
  assert.match(lint.out, /error: there is no state 'C' \[E203\/undefined-target\]/);
  project.write({'.agneto/config.yaml': 'lint: {rules: {W413: off}}\n'});
  assert.deepEqual(counted(await add(project, `${kit.dir}//reviews@v2`, 'quiet')), []);
  pass();
});

test('the workflows of a package are listed with what they are', async (t) => {
  const {kit, project, pass} = three(t);
  kit.write({'reviews/broken.yaml': broken});
  kit.commit('Lead nowhere');
  await add(project, `${kit.dir}//reviews@main`);
  const list = await agneto(project, ['list', '--workflows']);
  assert.equal(list.out.slice(list.out.indexOf('reviews/')), `reviews/broken  (package reviews main)
    it cannot be run: there is no state 'C'
reviews/good  (package reviews main)
    It says hello.
`);
  const help = async (name) => {
    const {out} = await agneto(project, ['run', '-w', name, '--help']);
    return out.slice(out.indexOf('\nThe workflow'));
  };
  assert.equal(await help('reviews/good'), "\nThe workflow 'reviews/good':\n  It says hello.\n  It has no inputs.\n");
  assert.equal(await help('reviews/broken'), `
The workflow 'reviews/broken':
  It cannot be run: there is no state 'C'
  See: agneto lint .agneto/packages/reviews/broken.yaml
`);
  const {out: bundled} = await agneto(project, ['run', '--help']);
  assert.match(bundled, /\nThe workflow 'agneto':\n  A team of agents .*\n  Its inputs:\n    task \(string, needed\): What is to be done\n/);

  const misspelt = await agneto(project, ['run', '-w', 'reviews/god']);
  assert.equal(misspelt.err, "agneto: there is no workflow file reviews/god\n  help: did you mean 'reviews/good'?\n");
  pass();
});

test('lint tells what is wrong with what a package says of itself', async (t) => {
  const repo = makeRepo(t, {git: false, files: {'kit/good.yaml': good, 'kit/package.yaml': facts('Good.')}});
  const lint = async (...args) => {
    const end = await agneto(repo, ['lint', ...args]);
    return [end.status, end.out];
  };
  assert.deepEqual(await lint('kit/package.yaml'), [exit.complete, '']);
  repo.write({'kit/package.yaml': 'agneto: 1\nneeds: {program: [git]}\n'});
  const found = `kit/package.yaml:1:1: error: package.yaml needs the key 'description' [E122/missing-key]
agneto: 1
^~~~~~
  help: description: What the package is for
kit/package.yaml:2:9: error: unknown key 'program' in needs [E121/unknown-key]
needs: {program: [git]}
        ^~~~~~~
  help: did you mean 'programs'?
`;
  assert.deepEqual(await lint('kit/package.yaml'), [exit.failed, found]);
  assert.deepEqual(await lint('kit'), [exit.failed, found]);
  repo.write({'kit/package.yaml': 'agneto: 2\nneeds: {program: [git]}\n'});
  assert.deepEqual(await lint('kit'), [exit.failed, `kit/package.yaml:1:9: error: this file is in version 2 of the language, and this program knows version 1 [E120/version]
agneto: 2
        ^
  help: install a newer agneto
`]);
  repo.pass();
});
