// A list of runs that is loaded a page at a time and kept up to date by what changes.

import {get, query} from './api';
import type {Page, Run, Status} from './types';

export interface Filter {
  workflow: string;
  text: string;
}

export interface Shelf {
  name: string;
  title: string;
  statuses: string;  // as the API is asked for them
  // Does a run belong here? Each belongs to one shelf.
  holds(run: Run): boolean;
}

const waits = (run: Run): boolean => run.waits_for === 'person';
const has = (...statuses: Status[]) => (run: Run): boolean => statuses.includes(run.status) && (run.status === 'suspended' || !waits(run));

const waiting: Shelf = {name: 'waiting', title: 'Waiting for you', statuses: 'waiting', holds: (run) => waits(run) && run.status !== 'suspended'};
export const shelves: Shelf[] = [
  waiting,
  {name: 'working', title: 'Working', statuses: 'running,interrupted', holds: has('running', 'interrupted')},
  {name: 'queued', title: 'Queued', statuses: 'queued', holds: has('queued')},
  {name: 'parked', title: 'Parked', statuses: 'parked', holds: has('parked')},
  {name: 'suspended', title: 'Suspended', statuses: 'suspended', holds: has('suspended')},
  {name: 'done', title: 'Done', statuses: 'complete,failed,aborted', holds: has('complete', 'failed', 'aborted')},
];

export interface Shelved {
  runs: Run[];
  next?: string;  // where the list goes on
  last?: Run;     // the oldest that was looked at, also where it belongs elsewhere
}

const page_size = 25;
const long_page = 500;
const counted = 100;    // for the number of those that wait
const most_pages = 5;   // at a time, where those that are found belong elsewhere
const longest = 500;    // more than these are let go of; "Show more" brings them back

// A page from behind `before` on. What belongs elsewhere is passed over, in longer pages.
export async function load(shelf: Shelf, filter: Filter, before?: string, signal?: AbortSignal): Promise<Shelved> {
  const runs: Run[] = [];
  let next = before;
  let last: Run | undefined;
  for (let pages = 0; pages < most_pages; ++pages) {
    const limit = pages === 0 ? page_size : long_page;
    const page = await get<Page>(`/runs${query({status: shelf.statuses, ...filter, before: next, limit})}`, signal);
    runs.push(...page.runs.filter(shelf.holds));
    next = page.next;
    last = page.runs.at(-1) ?? last;
    if (next === undefined || runs.length >= page_size) break;
  }
  // What is found behind a full page is for the next one.
  const kept = runs.slice(0, page_size);
  const end = kept.at(-1);
  if (end && kept.length < runs.length) return {runs: kept, next: end.run, last: end};
  return {runs, ...next !== undefined && {next}, ...last && {last}};
}

// Is there more that was not looked at, so that one does not know whether it belongs here?
export const isPartial = ({runs, next, last}: Shelved): boolean => next !== undefined && last !== undefined && last.run !== runs.at(-1)?.run;

// The newest of those that wait for a person, as the board has them; are there more, and as of which change is that?
export async function waitingRuns(): Promise<{runs: Run[]; more: boolean; change: number}> {
  const look = (before?: string): Promise<Page> => get<Page>(`/runs${query({status: waiting.statuses, before, limit: counted})}`);
  let page = await look();
  const {change} = page;
  let runs = page.runs.filter(waiting.holds);
  for (let pages = 1; pages < most_pages && !runs.length && page.next !== undefined; ++pages) {
    page = await look(page.next);
    runs = page.runs.filter(waiting.holds);
  }
  return {runs, more: page.next !== undefined, change};
}

export const matches = (run: Run, {workflow, text}: Filter): boolean => {
  const wanted = text.toLowerCase();
  return (!workflow || run.workflow === workflow) && (!wanted || run.run.toLowerCase().includes(wanted) || run.task.toLowerCase().includes(wanted));
};

// The newest come first. Of two that were made in the same millisecond, the id decides.
const newer = (one: Run, other: Run): number => other.created.localeCompare(one.created) || other.run.localeCompare(one.run);

// The shelf with its first page as it is now; what was loaded behind that stays.
export function renewed(before: Shelved | undefined, page: Shelved): Shelved {
  const last = page.last ?? page.runs.at(-1);
  if (!before || page.next === undefined || !last) return page;
  const rest = before.runs.filter((run) => newer(last, run) < 0);
  // Somebody may have looked further and found none.
  const further = before.next !== undefined && before.last && newer(last, before.last) < 0;
  if (!rest.length && !further) return page;
  return {...before, runs: [...page.runs, ...rest]};
}

// The shelf after a run has changed, or the same one where that changes nothing.
export function placed(shelved: Shelved, shelf: Shelf, filter: Filter, run: Run): Shelved {
  const there = shelved.runs.findIndex((each) => each.run === run.run);
  const belongs = shelf.holds(run) && matches(run, filter);
  if (there < 0 && !belongs) return shelved;
  const rest = there < 0 ? shelved.runs : shelved.runs.filter((each) => each.run !== run.run);
  if (!belongs) return {...shelved, runs: rest};
  const last = rest.at(-1);
  // It is on a page that is not loaded yet.
  if (there < 0 && shelved.next !== undefined && last && newer(last, run) < 0) return shelved;
  const runs = [...rest, run].sort(newer);
  if (runs.length <= longest) return {...shelved, runs};
  const kept = runs.slice(0, longest);
  const end = kept[longest - 1];
  return {runs: kept, next: end?.run ?? '', ...end && {last: end}};
}
