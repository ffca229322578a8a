// The examples in workflows/examples use, between them, every feature of the language. What there is, is
// read from the JSON Schema, which is made from the key table.

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';

import {constructs, schema} from './lib/reference.mjs';
import {root} from './lib/repo.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const yaml = require('yaml');
const Ajv = require('ajv').default;

const ajv = new Ajv({strict: false});
ajv.addSchema(schema, 'workflow');
const checks = new Map();
const fits = (value, shape) => {
  if (!checks.has(shape)) checks.set(shape, ajv.compile({...shape, definitions: schema.definitions}));
  return checks.get(shape)(value);
};

const workflows = (folder) => readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml') && !name.endsWith('cassette.yaml')).sort()
  .map((name) => ({name: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8')}));

// Transitions are written in four ways, and may have the same keys in all of them; so is how an agent is
// reached said of it and of a call. A description is one wherever it stands.
const reached = ['provider', 'model', 'effort', 'instructions', 'tools', 'args', 'env', 'mcp'];
const feature = (construct, key) => (key === 'description' ? key
  : construct === 'agent_call' && reached.includes(key) ? `agent.${key}`
  : `${/transition$/.test(construct) && !['event', 'delay'].includes(key) ? 'a transition' : construct}.${key}`);
// What may be said and is so anyway.
const unsaid = ['ask.text: none', 'option.feedback: none', 'state.status: complete', 'run.access: edit',
  'for_each.workspace: shared'];
// A call may narrow its agent's access to any level, so `agent.access` stands for all of them.
const said = (construct, key, choice) => `${feature(construct === 'agent_call' ? 'agent' : construct, key)}: ${choice}`;

// All that a construct may have: constructs, keys, choices.
function* features(shape, construct, key) {
  for (const inner of [...(shape.anyOf ?? []), ...(shape.allOf ?? []), shape.items, shape.additionalProperties]) {
    if (inner) yield* features(inner, construct, key);
  }
  for (const choice of shape.enum ?? []) if (!unsaid.includes(`${construct}.${key}: ${choice}`)) yield said(construct, key, choice);
  for (const [name, inner] of Object.entries(shape.properties ?? {})) {
    if (construct !== key && shape !== constructs[construct]) continue;  // of a type
    yield feature(construct, name);
    yield* features(inner, construct, name);
  }
}

// Those that a value has.
function* used(value, shape, construct, key) {
  if (shape.$ref) {
    const other = shape.$ref.replace('#/definitions/', '');
    if (other === 'type') return;
    yield other;
    yield* used(value, constructs[other], other, other);
    return;
  }
  for (const inner of shape.allOf ?? []) yield* used(value, inner, construct, key);
  // A name before anything that it might be: a context entry is a value, too.
  const ways = [...(shape.anyOf ?? [])].sort((a, b) => Boolean(b.$ref) - Boolean(a.$ref));
  const way = ways.find((inner) => fits(value, inner));
  if (way) yield* used(value, way, construct, key);
  if (shape.enum) yield said(construct, key, value);
  if (Array.isArray(value) && shape.items) for (const item of value) yield* used(item, shape.items, construct, key);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  for (const [name, item] of Object.entries(value)) {
    if (shape.properties?.[name]) {
      if (shape === constructs[construct]) yield feature(construct, name);
      yield* used(item, shape.properties[name], construct, name);
    } else if (shape.additionalProperties) {
      yield* used(item, shape.additionalProperties, construct, key);
    }
  }
}

test('every workflow that comes with Agneto fits the JSON Schema', () => {
  const check = ajv.getSchema('workflow');
  const all = [...workflows('workflows'), ...workflows('examples')];
  assert.ok(all.length > 15);
  for (const {name, text} of all) assert.ok(check(yaml.parse(text)), `${name}: ${ajv.errorsText(check.errors)}`);
});

test('the examples use every key of the language, and every choice', () => {
  const there = new Set(Object.keys(constructs).filter((name) => name !== 'machine'));
  for (const [construct, shape] of Object.entries(constructs)) {
    for (const one of features(shape, construct, construct)) there.add(one);
  }
  assert.ok(there.size > 100);
  for (const {text} of workflows('workflows/examples')) {
    for (const one of used(yaml.parse(text), constructs.machine, 'machine', 'machine')) there.delete(one);
  }
  assert.deepEqual([...there], []);
});

test('the examples use what Lua is offered', () => {
  const all = (end) => readdirSync(join(root, 'workflows/examples'), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith(end)).map((name) => readFileSync(join(root, 'workflows/examples', name), 'utf8')).join('');
  const unused = (text, parts) => parts.filter((part) => !text.includes(part));
  assert.deepEqual(unused(all('.yaml'), [
    'raise("', 'send("', 'cancel("', 'state_in("', 'index ..', 'run.id', 'run.interactive', 'run.auto_merge',
    'event: any', 'event: limit', 'event: error', 'done.state.', 'event.name', 'event.message', 'event.output', 'event.results',
    'event.feedback', 'event.edited', 'event.text',
  ]), []);
  assert.deepEqual(unused(all('.lua'), [
    'prompt =', 'parse =', 'tasks =', 'm.inputs.', 'm.ctx.', 'm.verdicts', 'm.workspace.diff', 'm.workspace.chunk.diff',
    'm.workspace.chunk.files', 'agneto.section', 'agneto.fence', 'agneto.bullets', 'agneto.join', 'agneto.render', 'agneto.read_verdict',
    'test.equal', 'test.contains', 'test.lacks', 'test.fails',
  ]), []);
});
