// Tests of what needs no browser: node test.mjs. Bundled first, since Node.js 20 reads no TypeScript.

import {spawnSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';

import {build} from 'esbuild';

const there = '../build/web-tests';
const tests = readdirSync('tests').filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => join('tests', name)),
  outdir: there, outExtension: {'.js': '.mjs'}, bundle: true, platform: 'node', format: 'esm', target: 'node20',
});
const files = tests.map((name) => join(there, name.replace(/ts$/, 'mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...process.argv.slice(2), ...files], {stdio: 'inherit'}).status ?? 1);
