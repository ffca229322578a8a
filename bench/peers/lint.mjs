// How long it takes to look at a workflow: Agneto's lint, the JSON Schema alone by ajv, and linters
// of YAML and of CI workflows. A line of JSON for each program and file: the median in milliseconds.
//
//   node lint.mjs FOLDER-WITH-NODE_MODULES AGNETO
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [scratch, agneto] = process.argv.slice(2);
const require = createRequire(path.resolve(scratch, 'package.json'));
const Ajv = require('ajv');
const YAML = require('yaml');
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

// A ring of states, six lines each.
function workflow(states) {
  const lines = ['agneto: 1', 'name: generated', 'context: {count: 0}', 'initial: STATE_0', 'states:'];
  for (let i = 0; i < states; ++i) {
    lines.push(
      `  STATE_${i}:`,
      `    description: Step ${i} of the plan`,
      '    entry: ctx.count = ctx.count + 1',
      '    run: {argv: [make]}',
      '    on:',
      `      ok: ${i + 1 < states ? `STATE_${i + 1}` : 'DONE'}`,
      '      failed: DONE',
    );
  }
  return [...lines, '  DONE: {final: true}', 'outputs: {count: ctx.count}', ''].join('\n');
}

// As many jobs of as many lines, for a linter of GitHub's workflows.
function jobs(count) {
  const lines = ['name: generated', 'on: push', 'jobs:'];
  for (let i = 0; i < count; ++i) {
    lines.push(
      `  job_${i}:`,
      `    name: Step ${i} of the plan`,
      '    runs-on: ubuntu-latest',
      ...(i === 0 ? ['    timeout-minutes: 5'] : [`    needs: job_${i - 1}`]),
      '    steps:',
      '      - run: make',
      '      - run: make test',
    );
  }
  return `${lines.join('\n')}\n`;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function time(times, action) {
  return median(Array.from({ length: times }, () => {
    const begin = process.hrtime.bigint();
    action();
    return Number(process.hrtime.bigint() - begin) / 1e6;
  }));
}

// From start to exit; a linter that finds something in these files is not looking at what we think.
function program(times, command, args) {
  return time(times, () => {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  });
}

const schema = JSON.parse(fs.readFileSync(path.join(root, 'schemas/workflow.schema.json'), 'utf8'));
const validate = new Ajv({ strict: false }).compile(schema);
function bySchema(file) {
  const { errors } = (validate(YAML.parse(fs.readFileSync(file, 'utf8'))), validate);
  if (errors) throw new Error(`${file}: ${JSON.stringify(errors)}`);
}

const settings = path.join(scratch, 'yamllint.yaml');
fs.writeFileSync(settings, 'extends: default\nrules: {document-start: disable, line-length: disable, braces: disable}\n');
const bundled = path.join(root, 'workflows/execution.yaml');
const files = [['bundled', bundled, 5]];
for (const states of [1000, 10000]) {
  const file = path.join(scratch, `${states}.yaml`);
  fs.writeFileSync(file, workflow(states));
  files.push([String(states), file, states > 1000 ? 1 : 5]);
}

for (const [name, file, times] of files) {
  const found = {
    file: name,
    agneto: program(times, agneto, ['lint', '--fail-on', 'warning', file]),
    ajv: (bySchema(file), time(times, () => bySchema(file))),
    yamllint: program(times, 'yamllint', ['-c', settings, file]),
  };
  if (name !== 'bundled') {
    const other = path.join(scratch, `${name}-jobs.yaml`);
    fs.writeFileSync(other, jobs(Number(name)));
    found.actions = program(times, path.join(scratch, 'node_modules/.bin/action-validator'), [other]);
  }
  console.log(JSON.stringify(found));
}
