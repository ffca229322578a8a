// What an entry of a run's log says, in a line.

import {duration, money, count} from './time';
import type {Entry} from './types';

export interface Told {
  tone: 'plain' | 'step' | 'agent' | 'person' | 'git' | 'rest' | 'bad' | 'good';
  title: string;
  text?: string;      // what goes on behind the title, shortened
  full?: string;      // text that is shown where the entry is opened
  end?: string;       // its last lines, where they are to be seen at once
  markdown?: boolean;  // is that Markdown?
  minor?: boolean;    // only for those who look closely
  spoken?: {kind: string; text: string}[];  // what an agent said and did
}

type Body = Record<string, unknown>;

const string = (value: unknown): string => typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
const list = (value: unknown): unknown[] => Array.isArray(value) ? value : [];
const object = (value: unknown): Body => value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Body : {};
const number = (value: unknown): number => typeof value === 'number' ? value : 0;

// What timers and events that are sent later are called within a state, and within a machine.
const internal = /^(after:\d+|send:.*|\.)$/;

// "TASK_EXECUTING#1/CODE_REVIEWER#2" is CODE_REVIEWER for its second time, and "A#1/after:1" is A.
export function stateOf(path: string): string {
  const [last = ''] = path.split('/').filter((part) => !internal.test(part)).slice(-1);
  return last.replace(/#1$/, '').replace('#', ' ');
}

export const firstLine = (text: string): string => {
  const line = text.split('\n').map((each) => each.trim()).find((each) => each && !/^(```.*|[{}[\]])$/.test(each)) ?? '';
  return line.length > 160 ? `${line.slice(0, 160)} …` : line;
};

const most_lines = 6;
const most_signs = 1000;

function lastLines(text: string): string {
  const lines = text.split('\n').slice(-most_lines).join('\n');
  return lines.length > most_signs ? `… ${lines.slice(-most_signs)}` : lines;
}

// The first line of a reply; of one that is JSON, its verdict and what goes with it.
export function gist(text: string): string {
  const block = /^\s*(?:```json\s*)?({[^]*})\s*(?:```\s*)?$/.exec(text)?.[1];
  if (block === undefined) return firstLine(text);
  try {
    const {verdict, ...rest} = JSON.parse(block) as Body;
    const words = Object.values(rest).filter((value) => typeof value === 'string').join(' — ');
    return firstLine([string(verdict), words].filter(Boolean).join(': '));
  } catch {
    return firstLine(text);
  }
}

export function who(body: Body): string {
  if (body.by === 'default') return 'nobody: the default';
  return string(body.name) || (body.by === 'person' ? 'somebody at the terminal' : string(body.by));
}

function transitions(body: Body): string {
  return list(body.transitions).map((each) => {
    const {from, to} = object(each);
    return `${string(from)} → ${list(to).map(string).join(', ')}`;
  }).join('; ');
}

function step(entry: Entry): Told {
  const {body} = entry;
  const moves = transitions(body);
  const event = object(body.event);
  const data = object(event.data);
  const problems = [...list(body.problems), ...list(body.refused)].map(object);
  const asks = list(body.effects).map(object).filter((effect) => effect.effect === 'ask').map((effect) => string(effect.question));
  const name = string(event.name);
  const state = stateOf(string(event.path));
  const happened = event.kind === 'timer' ? 'its time is up' : name;
  const because = happened && state ? `${state}: ${happened}` : happened;
  const failed = typeof data.message === 'string' && /^(error|failed)/.test(name);
  const why = failed ? `${because}: ${string(data.message)}` : because;
  // What a program printed; why it failed stands at the end of that.
  const output = typeof data.output === 'string' ? data.output.trimEnd() : '';
  const printed = output ? {full: output, ...failed && {end: lastLines(output)}} : {};
  if (problems.length) return {tone: 'bad', title: moves || 'A problem', text: problems.map((problem) => string(problem.message)).join('; '), ...printed};
  const begun = [...new Set(list(body.effects).map((effect) => stateOf(string(object(effect).path))).filter(Boolean))];
  const title = moves || (because ? `Nothing takes ${because}` : begun.length ? `→ ${begun.join(', ')}` : 'A step');
  if (asks.length) return {tone: 'person', title, text: `${failed ? `${why}; ` : ''}asks: ${asks.join(' / ')}`, ...printed};
  if (typeof data.commit === 'string' && data.commit) {
    const files = list(data.files);
    return {tone: 'git', title, text: `commit ${data.commit.slice(0, 8)}${files.length ? `: ${files.map(string).join(', ')}` : ''}`};
  }
  const ended = list(body.effects).map(object).find((effect) => effect.effect === 'finish' && !string(effect.instance));
  if (ended) return {tone: string(ended.status) === 'complete' ? 'good' : 'bad', title, text: why, ...printed};
  return {tone: failed ? 'bad' : 'step', title, text: why, ...printed};
}

// [[MILLISECONDS, KIND, TEXT]]; that a tool has ended says nothing to people.
const output = (body: Body): {kind: string; text: string}[] =>
  list(body.output).map(list).map((each) => ({kind: string(each[1]), text: string(each[2])})).filter(({kind}) => kind !== 'tool_end');

function said({path, body}: Entry): Told {
  const spoken = output(body);
  const [first] = spoken;
  const state = stateOf(path);
  if (!first) return {tone: 'agent', title: `${state}: a tool has ended`, minor: true};
  if (spoken.length > 1) return {tone: 'agent', title: `${state} works`, spoken};
  if (first.kind === 'text') return {tone: 'agent', title: `${state} says`, text: first.text};
  if (first.kind === 'tool') return {tone: 'agent', title: `${state} uses`, text: first.text};
  const bad = first.kind === 'tool_denied' || first.kind === 'tool_failed';
  return {tone: bad ? 'bad' : 'agent', title: `${state}: ${first.kind.replace('_', ' ')}`, text: first.text};
}

function reply({path, body}: Entry): Told {
  const error = string(body.error);
  const state = stateOf(path);
  if (error) return {tone: 'bad', title: `${state} failed`, text: firstLine(error), full: error};
  const used = [duration(number(body.ms))];
  const tokens = number(body.input_tokens) + number(body.output_tokens);
  if (tokens) used.push(`${count(tokens)} tokens`);
  if (number(body.cost)) used.push(money(number(body.cost)));
  const told: Told = {tone: 'agent', title: `${state} replies (${used.join(', ')})`, text: gist(string(body.text)), full: string(body.text), markdown: true};
  const spoken = output(body);
  return spoken.length ? {...told, spoken} : told;
}

export function tell(entry: Entry): Told {
  const {kind, path, body} = entry;
  switch (kind) {
    case 'queued': return {tone: 'rest', title: 'Queued', text: body.by ? `by ${string(body.by)}` : ''};
    case 'started': return {tone: 'good', title: 'Begun', text: `workflow ${string(body.workflow)}`, full: JSON.stringify(body.inputs, null, 2)};
    case 'macrostep': return step(entry);
    case 'prompt': {
      const model = [string(body.provider), string(body.model)].filter(Boolean).join(' ');
      const again = number(body.attempt) > 1 ? `, attempt ${number(body.attempt)}` : '';
      return {tone: 'agent', title: `${stateOf(path)} is asked`, text: `${model}${again}`, full: string(body.text), markdown: true};
    }
    case 'said': return said(entry);
    case 'reply': return reply(entry);
    case 'command': return {tone: 'plain', title: `${stateOf(path)} runs`, text: list(body.argv).map(string).join(' '), full: list(body.argv).map(string).join(' ')};
    case 'answer': {
      const feedback = string(body.feedback);
      const told: Told = {tone: 'person', title: `${who(body)} answered ${string(body.option) || 'in words'}`, text: firstLine(feedback)};
      const full = feedback || string(body.edited);
      return full ? {...told, full} : told;
    }
    case 'instruction': return {tone: 'person', title: 'A word to the next agent', text: firstLine(string(body.text)), full: string(body.text)};
    case 'sent': return {
      tone: 'person', title: `${string(body.name)} was sent${body.by ? ` by ${string(body.by)}` : ''}`,
      text: body.taken ? '' : 'nothing takes it',
    };
    case 'noted': return {tone: 'plain', title: 'Note', text: string(body.text), full: string(body.text)};
    case 'refused': return {tone: 'bad', title: `${string(body.message) || 'A word'} was refused`, text: string(body.reason)};
    case 'stop': return {tone: 'rest', title: 'Stops once what is under way has ended', text: string(body.reason)};
    case 'abort': return {tone: 'bad', title: 'Aborted', text: string(body.reason)};
    case 'suspended': return {tone: 'rest', title: 'Suspended', text: string(body.reason)};
    case 'parked': return {tone: 'rest', title: 'Parked', text: string(body.reason)};
    case 'resumed': return {tone: 'rest', title: 'Goes on', text: list(body.notes).map(string).join('; ')};
    case 'rewound': return {tone: 'person', title: `Rewound to ${number(body.to)}`};
    case 'forked': return {tone: 'person', title: `A fork of ${string(body.run)} at ${number(body.at)}`};
    case 'restored': return {tone: 'plain', title: 'Files and timers are those of then', minor: true};
    case 'process': return {tone: 'plain', title: `Process ${number(body.pid)}`, minor: true};
    default: return {tone: 'plain', title: kind};
  }
}

// Is it a step that one can go back to, or fork from?
export const isStep = (entry: Entry): boolean => entry.kind === 'macrostep' && !entry.undone;

// The last entry that asked this question.
export function askedIn(entries: Entry[], question: string): Entry | undefined {
  return [...entries].reverse().find((entry) => asking(entry, question) !== undefined);
}

const asking = (entry: Entry, question: string): Body | undefined =>
  list(entry.body.effects).map(object).find((effect) => effect.effect === 'ask' && effect.path === question);

// The text that a question's option edits, which the entry that asked has.
export function editedText(entry: Entry | undefined, question: string, option: string): string | undefined {
  const effect = entry && asking(entry, question);
  const found = list(effect?.options).map(object).find((each) => each.name === option);
  return typeof found?.edit === 'string' ? found.edit : undefined;
}

// The last answer to a question that was asked in this entry, for those who came too late.
export function answerTo(entries: Entry[], question: string, asked = 0): Entry | undefined {
  return [...entries].reverse().find((entry) => entry.kind === 'answer' && entry.seq > asked && entry.path === question && !entry.undone);
}
