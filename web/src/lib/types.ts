// What the API answers, as schemas/api.yaml describes it.

export type Status = 'queued' | 'running' | 'parked' | 'interrupted' | 'suspended' | 'complete' | 'failed' | 'aborted';
export type Scope = 'read' | 'answer' | 'submit' | 'admin';

export interface Run {
  run: string;
  workflow: string;
  task: string;
  status: Status;
  priority: number;
  outcome: string;
  base: string;
  branch: string;
  created: string;
  updated: string;
  wake?: string;
  waits_for?: 'person';
  away?: {path: string; why: string; until: string}[];
  remarks?: string[];
}

export const isOver = ({status}: Run): boolean => status === 'complete' || status === 'failed' || status === 'aborted';

export interface Option {
  name: string;
  label: string;
  feedback: 'none' | 'optional' | 'required';
  edit: boolean;
}

export interface Question {
  run: string;
  id: string;
  question: string;
  show: string;
  options: Option[];
  default?: string;
  words: boolean;
  deadlines?: {time?: string; left: number; to: string[]; guarded?: boolean}[];
  events?: string[];
}

export interface ShownRun extends Run {
  newest: number;
  totals: Record<string, unknown>;
  limits: {calls?: number; cost?: number; tokens?: number; time?: number};
  questions: Question[];
  outstanding: string[];
  why_queued?: string;
}

export interface Page {
  runs: Run[];
  next?: string;
  change: number;
}

export interface Entry {
  seq: number;
  time: string;
  kind: string;
  path: string;
  body: Record<string, unknown>;
  undone?: boolean;
}

export interface Log {
  entries: Entry[];
  newest: number;
}

export interface Commit {
  commit: string;
  time: string;
  subject: string;
}

export interface MachineData {
  seq: number;
  machines: {path: string; machine: string; states: string[]; data: unknown}[];
}

export interface Input {
  name: string;
  main: boolean;
  description: string;
}

export interface Workflow {
  workflow: string;
  runs: boolean;
  description?: string;
  inputs?: Input[];
}

export interface Finding {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  help?: string;
  line?: number;
  column?: number;
  file?: string;
}

export interface ShownWorkflow extends Workflow {
  files: {file: string; text: string}[];
  findings: Finding[];
}

export interface Share {
  covered: number;
  total: number;
  percent: number;
}

export interface MachineCoverage {
  file: string;
  machine: string;
  summary: {states: Share; transitions: Share; guards: Share; verdicts: Share};
  states: {state: string; line: number; file?: string; entered: number}[];
  transitions: {
    from: string; to: string[]; trigger: string; line: number; file?: string; taken: number;
    guard?: {text: string; false: number; true: number};
  }[];
  verdicts: {state: string; verdict: string; given: number}[];
}

export interface Coverage {
  tests: string;
  cases: number;
  failed: string[];
  machines: MachineCoverage[];
}

export interface Server {
  version: string;
  folder: string;
  token: {name: string; scope: Scope};
  runs: Record<string, number>;
  places?: {runs: number; workflows: Record<string, number>; providers: Record<string, number>};
}

export interface Worker {
  name: string;
  kind: string;
  folder: string;
  version?: string;
  since?: string;
  slots: number;
  runs: string[];
  labels: string[];
  versions?: Record<string, string>;
  ends: boolean;
}

export interface Schedule {
  name: string;
  workflow: string;
  task: string;
  cron: string;
  timezone: string;
  wrong?: string;
  next?: string;
  last?: {run: string; due: string; status: Status; waits_for?: 'person'};
}
