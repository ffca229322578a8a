// One call of an agent of team.mjs: prompt on stdin, reply on stdout.

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

const folder = process.env.TEAM;
const agent = process.env.AGNETO_AGENT;
const prompt = readFileSync(0, 'utf8');

const script = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8'));
const names = readdirSync(folder).filter((name) => /^call-.*\.json$/.test(name));
const calls = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const run = basename(process.cwd());
const nth = calls.filter((call) => call.run === run && call.agent === agent).length + 1;
const git = (...args) => execFileSync('git', args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
writeFileSync(join(folder, `call-${Date.now()}-${process.pid}.json`), JSON.stringify({
  run, agent, nth, state: process.env.AGNETO_STATE, prompt, status: git('status', '--porcelain')}));

const entries = script[agent] ?? [];
const entry = entries[nth - 1] ?? entries.find((each) => each.last);
if (!entry) {
  console.error(`the script has no call ${nth} of ${agent}`);
  process.exit(1);
}
if (entry.do) execFileSync('sh', ['-c', entry.do], {stdio: ['ignore', 'ignore', 'inherit']});
if (entry.hold) {
  writeFileSync(join(folder, `held-${agent}-${nth}`), '');
  while (!existsSync(join(folder, `release-${agent}-${nth}`))) await sleep(20);
}
if (entry.exit) process.exit(entry.exit);
console.log(entry.reply ?? `Done.\n\n\`\`\`json\n${JSON.stringify(entry.fields)}\n\`\`\``);
