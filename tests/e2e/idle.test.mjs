// A model that writes for longer than its agent may be silent: none of the CLIs is ended for that.

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {clis} from './lib/clis.mjs';
import {startModelServer} from './lib/model-server.mjs';
import {makeRepo} from './lib/repo.mjs';

const files = {
  '.agneto/workflows/fix.yaml': `agneto: 1
name: fix
inputs: {task: {type: string, main: true}}
agents: {coder: {hooks: coder.lua, access: edit, tries: 1, idle: 70s}}
initial: WORKING
states:
  WORKING: {agent: coder, on: {done: DONE, error: GIVEN_UP}}
  DONE: {final: true}
  GIVEN_UP: {final: true, status: failed}
`,
  '.agneto/workflows/coder.lua': 'return {prompt = function(m) return "You are the Coder.\\n" .. m.inputs.task end}\n',
};
const words = Array.from({length: 55}, (_, i) => `word ${i}`).join(' ');

describe('a model that writes is not idle', {concurrency: true}, () => {
  for (const name of Object.keys(clis)) {
    test(name, async (t) => {
      const server = await startModelServer({Coder: () => ({reply: words, pause: 800})});
      t.after(() => server.close());
      const {env, home} = clis[name](server.url);
      const repo = makeRepo(t, {env, files: {...files, '.agneto/config.yaml': `provider: ${name}\n`}});
      repo.write(home, {under: repo.home});
      const begin = Date.now();
      const result = await agneto(repo, ['run', 'fix it', '-w', 'fix', '--non-interactive']);
      assert.equal(result.status, exit.complete, result.said);
      assert.ok(Date.now() - begin > 80_000, 'it took too little time to be idle in');
      repo.pass();
    });
  }
});
