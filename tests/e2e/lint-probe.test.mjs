// How much lint finds of what somebody wrote who knows the language and not its rules: see
// tests/lint/probe/README.md. After a change of rules, with AGNETO_UPDATE in the environment: writes
// what is found now.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';

import {agneto} from './lib/agneto.mjs';
import {root} from './lib/repo.mjs';

const probe = join(root, 'tests/lint/probe');
const results = join(probe, 'results.md');
const read = (file) => readFileSync(file, 'utf8');
const percent = (part, whole) => `${Math.floor(part * 100 / whole)} %`;

// In the order of their names: `name` as in data/nil-for-null, `what` its first line says, `file`.
function cases(folder, mark) {
  return readdirSync(folder, {recursive: true})
    .filter((file) => file.endsWith('.yaml'))
    .map((each) => ({name: each.replace(/(\/workflow)?\.yaml$/, ''), file: join(folder, each), text: read(join(folder, each))}))
    .filter(({text}) => text.startsWith(mark))
    .map((each) => ({...each, what: each.text.slice(mark.length).split('\n')[0].trim()}))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

// Adds what lint says of each, by itself.
async function linted(all) {
  const rest = all[Symbol.iterator]();
  const worker = async () => {
    for (const each of rest) {
      const end = await agneto({dir: dirname(each.file), env: process.env}, ['lint', '--format', 'json', each.file], {limit: 120_000});
      each.findings = JSON.parse(end.out).findings;
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, worker));
  return all;
}

// Does a finding point to a line that the case's author has marked?
function isAtThePlace({file, text, findings}) {
  const line = Number(text.match(/^# here: (\d+)$/m)?.[1] ?? 0);
  return findings.some(({place}) => {
    if (!place) return false;
    return read(place.path).split('\n')[place.line - 1]?.includes('<-- here') || (place.path === file && place.line === line);
  });
}

// What is found of one author's probe: its sentence, and its part of the page.
async function measured(title, folder) {
  const faults = await linted(cases(join(folder, 'faults'), '# fault:'));
  const correct = await linted(cases(join(folder, 'correct'), '# correct:'));
  const rows = [...new Set(faults.map(({name}) => name.split('/')[0]))].map((kind) => [kind, faults.filter(({name}) => name.startsWith(`${kind}/`))]);
  const counted = (all) => [all.filter(({findings}) => findings.length > 0).length, all.length];
  const table = [...rows, ['**all**', faults]].map(([kind, all]) => {
    const [found, whole] = counted(all);
    return `| ${kind} | ${found} | ${whole} | ${percent(found, whole)} | ${all.filter(isAtThePlace).length} |\n`;
  }).join('');
  const [found, whole] = counted(faults);
  const [wrong, right] = counted(correct);
  const sentence = `It finds ${found} of ${whole} faults (${percent(found, whole)}), and says something of ${wrong} of ${right} correct workflows.`;
  const missed = faults.filter(({findings}) => findings.length === 0).map(({name, what}) => `- \`${name}\`: ${what}\n`).join('');
  const said = correct.filter(({findings}) => findings.length > 0)
    .map(({name, findings}) => `- \`${name}\`: ${[...new Set(findings.map(({rule}) => rule))].join(', ')}\n`).join('');
  const page = `## ${title}\n\n${sentence}\n\n| kind | found | of | | at the place |\n|---|---:|---:|---:|---:|\n${table}\n` +
    `### Faults that are missed\n\n${missed}\n### Correct workflows of which something is said\n\n${said}\n`;
  return {sentence, page};
}

test('lint finds as much of the probes as their page says', async () => {
  const first = await measured('The first author', probe);
  const second = await measured('The second', join(probe, 'second'));
  const third = await measured('The third', join(probe, 'third'));
  const page = `# What lint finds of the probes\n\n${first.page}${second.page}${third.page}`.trimEnd() + '\n';
  if (process.env.AGNETO_UPDATE) writeFileSync(results, page);
  assert.equal(read(results), page);
  const documented = read(join(root, 'docs/lint.md')).replaceAll('\n', ' ');
  for (const {sentence} of [first, second, third]) assert.ok(documented.includes(sentence), sentence);
});
