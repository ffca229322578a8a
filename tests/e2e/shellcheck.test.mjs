// What ShellCheck says of shell text, with the real program and with ones that do not do their work.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {agneto} from './lib/agneto.mjs';
import {makeRepo} from './lib/repo.mjs';

const flow = `agneto: 1
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
  const repo = makeRepo(t, {git: false, files: {'flow.yaml': flow}});
  const end = await agneto(repo, ['lint', 'flow.yaml', '--format', 'json']);
  assert.deepEqual(JSON.parse(end.out).findings.map(({code, message, place}) => [code, message, place.line, place.column, place.end_column]), [
    ['W438', "shellcheck says: Use 'cd ... || exit' or 'cd ... || return' in case cd fails (SC2164)", 10, 9, 17],
    ['W438', 'shellcheck says: Quote this to prevent word splitting (SC2046)', 12, 15, 29],
  ], end.said);
  repo.pass();
});

test('without ShellCheck nothing is said of it', async (t) => {
  const repo = makeRepo(t, {git: false, bare: true, files: {'flow.yaml': flow}});
  const end = await agneto(repo, ['lint', 'flow.yaml', '--fail-on', 'warning']);
  assert.deepEqual([end.out, end.err, end.status], ['', '', 0], end.said);
  repo.pass();
});

test('a ShellCheck that fails, says anything, or is never done, hinders nothing', async (t) => {
  const saidWith = async (script, env = {}) => {
    const repo = makeRepo(t, {git: false, bare: true, files: {'flow.yaml': flow}});
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
