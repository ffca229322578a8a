// The tables of docs/reference.md, from what the engine, editors and hooks themselves use. In the page a
// comment says what stands below it:
//   <!-- keys CONSTRUCT -->    a table of its keys, from the JSON Schema, which is made from the key table
//   <!-- fields CLASS -->      a table of its fields, from the types for editors
//   <!-- library MODULE -->    its functions, from their comments in scripts/lib, to <!-- end -->

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {root} from './repo.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
export const schema = JSON.parse(read('schemas/workflow.schema.json'));
export const constructs = Object.fromEntries(Object.entries(schema.definitions).filter(([name]) => !name.startsWith('changes_of_') && name !== 'type'));

// What stands as text where it is more than words: by construct and key, or by key.
const texts = {
  do: 'Lua statements', entry: 'Lua statements', exit: 'Lua statements', argv: 'a template', question: 'a template',
  label: 'a template', message: 'a template', into: 'a template', target: 'a state', initial: 'a state', default: 'a state',
  on: 'a state', always: 'a state', after: 'a state', hooks: 'a file', prompt: 'a file', machine: 'a file', extends: 'a workflow', agent: 'an agent',
  options: 'a template', 'ask.default': 'an option', 'agent_call.name': 'an agent', 'agent.extends': 'an agent', 'agent_call.verdicts': 'a set of verdicts', cwd: 'a template', 'retry.on': 'an event', 'event_transition.event': 'an event',
};
const several = {
  'Lua statements': 'blocks of them', 'a template': 'templates', 'a state': 'states', 'an event': 'events',
};

const or = (words, last = ' or ') => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}${last}${words.at(-1)}`);

// `titles`: the page's heading, by construct.
function takes(shape, key, construct, titles) {
  const of = (inner) => takes(inner, key, construct, titles);
  const other = (shape.$ref ?? '').replace('#/definitions/', '');
  if (other === 'type') return 'a type';
  if (other) return `[${titles[other].toLowerCase()}](#${titles[other].toLowerCase().replaceAll(' ', '-')})`;
  if (shape.allOf) return of(shape.allOf[0]);
  if (shape.anyOf) {
    const ways = shape.anyOf.map(of);
    const list = shape.anyOf.findIndex((inner) => inner.items?.anyOf);  // of what stands before it
    if (list >= 0) ways[list] = 'a list of these';
    return or(ways, ways.some((way) => way.includes(', each ')) ? '; or ' : ' or ');
  }
  if (shape.enum) return or(shape.enum.map((word) => `\`${word}\``));
  if (Array.isArray(shape.type) && shape.type.includes('integer')) return 'an integer from 0 or Lua';
  if (Array.isArray(shape.type)) return key === 'delay' ? 'a duration or Lua' : 'Lua';
  if (shape.type === 'array') return several[of(shape.items)] ? `a list of ${several[of(shape.items)]}` : `a list, each ${of(shape.items)}`;
  if (shape.type === 'object') return `${{on: 'events', after: 'delays'}[key] ?? 'names'}, each with ${of(shape.additionalProperties)}`;
  if (shape.type === 'integer' || shape.type === 'number') return shape.type === 'integer' ? 'an integer from 0' : 'a number from 0';
  if (shape.type === 'boolean') return '`true` or `false`';
  if (shape.pattern?.includes('ms|s|m')) return 'a duration';
  if (shape.type === 'string') return texts[`${construct}.${key}`] ?? texts[key] ?? (shape.pattern ? 'a name' : 'text');
  return 'any value';
}

const cell = (text) => text.replaceAll('|', '\\|');

function keys(construct, titles) {
  const {properties, required = []} = constructs[construct];
  const rows = Object.entries(properties).map(([key, shape]) => [required.includes(key), key, takes(shape, key, construct, titles), shape.description]);
  rows.sort((a, b) => b[0] - a[0]);  // what is required first; else by the alphabet
  return ['| key | takes | |', '|---|---|---|',
    ...rows.map(([needed, key, value, says]) => `| \`${key}\`${needed ? ', required' : ''} | ${cell(value)} | ${cell(says)} |`)].join('\n');
}

function fields(name) {
  const lines = read('scripts/editors/lua/hooks.lua').split('\n');
  const start = lines.findIndex((line) => new RegExp(`^---@class ${name.replace('.', '\\.')}(:|$)`).test(line)) + 1;
  const rows = [];
  for (let at = start; lines[at]?.startsWith('---@field '); at += 1) {
    const [, field, optional, rest] = lines[at].match(/^---@field (\w+)(\??) (.*)$/);
    const [, type, says] = rest.match(/^(fun\([^)]*\)(?:: .*?\?, \S+|: \S+)?|table<[^>]*>|\S+)(?: (.*))?$/);
    rows.push(`| \`${field}\`${optional ? ', optional' : ''} | \`${cell(type)}\` | ${cell(says ?? '')} |`);
  }
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

// Comments of `---` above a function, and of `---` at the head of the module.
function library(name) {
  const text = read(`scripts/lib/${name}.lua`);
  const comments = [...text.matchAll(/^--- (.*\n(?:--.*\n)*)/gm)].map(([, comment]) => comment.replace(/^-- ?/gm, '').trim());
  const entries = comments.slice(1).map((comment) => {
    const [, call, says] = comment.match(/^(\w+\([^)]*\)): ([^]*)$/);
    return `### \`${name}.${call}\`\n\n${says[0].toUpperCase()}${says.slice(1)}`;
  });
  return [comments[0], ...entries].join('\n\n');
}

// The page as it should be.
export function reference(page) {
  const titles = {};
  for (const [, title, construct] of page.matchAll(/^##+ ([^\n]*)\n(?:(?!^##)[^\n]*\n)*?<!-- keys (\w+) -->$/gm)) titles[construct] = title;
  return page
    .replace(/(<!-- keys (\w+) -->\n)(?:\n(?:\|.*\n)+)?/g, (all, mark, construct) => `${mark}\n${keys(construct, titles)}\n`)
    .replace(/(<!-- fields (\S+) -->\n)(?:\n(?:\|.*\n)+)?/g, (all, mark, name) => `${mark}\n${fields(name)}\n`)
    .replace(/(<!-- library (\w+) -->\n)[^]*?(?=\n<!-- end -->)/g, (all, mark, name) => `${mark}\n${library(name)}\n`);
}
