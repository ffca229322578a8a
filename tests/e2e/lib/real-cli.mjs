// The test that every real CLI passes: the whole bundled workflow.

import {test} from 'node:test';

import {agneto} from './agneto.mjs';
import {bundledScript, checkBundled, verify} from './bundled.mjs';
import {clis} from './clis.mjs';
import {startModelServer} from './model-server.mjs';
import {greeter, makeRepo} from './repo.mjs';

export function testRealCli(name, {sessions, sandbox = 'bubblewrap'}) {
  test(`${name} takes the bundled workflow from a task to a merge, sandbox: ${sandbox}`, async (t) => {
    const server = await startModelServer(bundledScript());
    t.after(() => server.close());
    const {env, home} = clis[name](server.url);
    const repo = makeRepo(t, {env, files: {...greeter, '.agneto/config.yaml': `sandbox: ${sandbox}\n`}});
    repo.write(home, {under: repo.home});

    const result = await agneto(repo, [
      'run', 'let greet shout', '--agent', name, '--auto-merge', '--non-interactive', '--input', `verify=${verify}`],
    {limit: 1_500_000});

    checkBundled(repo, server, result, {sessions});
    repo.pass();
  });
}
