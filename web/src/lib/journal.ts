// The entries of a run that are shown: some in a row, of however many there are.

import {get, query, runPath} from './api';
import type {Entry, Log} from './types';

export const at_once = 100;   // entries of a request
const most_shown = 600;

export interface Shown {
  entries: Entry[];  // in a row, by their numbers
  newest: number;    // of the run
}

const fetched = (run: string, after: number, limit = at_once): Promise<Log> =>
  get<Log>(`${runPath(run)}/log${query({after, limit})}`);

export const first = (shown: Shown): number => shown.entries[0]?.seq ?? 1;
export const last = (shown: Shown): number => shown.entries.at(-1)?.seq ?? 0;
export const isAtEnd = (shown: Shown): boolean => last(shown) >= shown.newest;

export async function newestOnes(run: string, newest: number): Promise<Shown> {
  return fetched(run, Math.max(0, newest - at_once));
}

export async function around(run: string, seq: number): Promise<Shown> {
  return fetched(run, Math.max(0, seq - at_once / 2));
}

export async function earlier(run: string, shown: Shown): Promise<Shown> {
  const from = Math.max(0, first(shown) - 1 - at_once);
  const log = await fetched(run, from, first(shown) - 1 - from);
  return {entries: [...log.entries, ...shown.entries].slice(0, most_shown), newest: log.newest};
}

export async function later(run: string, shown: Shown): Promise<Shown> {
  const log = await fetched(run, last(shown));
  return {entries: [...shown.entries, ...log.entries].slice(-most_shown), newest: log.newest};
}

// What has come since, where the end is shown; else only how many there are. Rewinds change what was there before.
export async function refreshed(run: string, shown: Shown): Promise<Shown> {
  if (!isAtEnd(shown)) return {...shown, newest: (await fetched(run, last(shown), 1)).newest};
  let now = shown;
  for (let rounds = 0; rounds < 5; ++rounds) {
    now = await later(run, now);
    if (isAtEnd(now)) break;
  }
  if (!isAtEnd(now)) now = await newestOnes(run, now.newest);
  const fresh = now.entries.filter((entry) => entry.seq > last(shown));
  if (!fresh.some((entry) => entry.kind === 'rewound')) return now;
  const again = await fetched(run, first(now) - 1, now.entries.length);
  return {entries: again.entries, newest: again.newest};
}
