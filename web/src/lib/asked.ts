// When a question was asked, and who has answered it, as the log of its run has it.

import {get, query, runPath} from './api';
import {answerTo, askedIn, who} from './entries';
import type {Entry, Log, Question} from './types';

const at_once = 200;  // entries of a request
const most = 50;      // requests

// What is found in the log, from its end back to what is behind `after`; its end may have come since `newest`.
async function lastInLog<Found>(run: string, newest: number, after: number, find: (entries: Entry[]) => Found | undefined): Promise<Found | undefined> {
  for (let looks = 0, end = newest; end > after && looks < most; ++looks) {
    const from = Math.max(after, end - at_once);
    const found = find((await get<Log>(`${runPath(run)}/log${query({after: from, limit: end - from + (looks ? 0 : at_once)})}`)).entries);
    if (found !== undefined) return found;
    end = from;
  }
  return undefined;
}

// Which entry asked each of the questions that are open, by their ids; 0 where the log does not have it any more.
export interface Asked {
  at: Record<string, number>;
  newest: number;  // of the log when that was so
}

// What has come since `before` is all that is looked at: it has whatever was asked anew.
export async function whenAsked(run: string, questions: Question[], newest: number, before: Asked | undefined): Promise<Asked> {
  const at: Record<string, number> = {};
  for (const {id} of questions) {
    const known = before?.at[id];
    const found = await lastInLog(run, newest, known === undefined ? 0 : before?.newest ?? 0, (entries) => askedIn(entries, id));
    at[id] = found?.seq ?? known ?? 0;
  }
  return {at, newest};
}

export interface Answered {
  text: string;
  time: string;  // empty where nobody has answered
}

// Who has answered it, and what; of a question that nobody has answered, that.
export async function whoAnswered(run: string, newest: number, question: string, asked: number): Promise<Answered> {
  const answer = await lastInLog(run, newest, asked, (entries) => answerTo(entries, question, asked));
  if (!answer) return {text: 'This question is not open any more.', time: ''};
  const {body, time} = answer;
  const words = typeof body.feedback === 'string' && body.feedback ? `: “${body.feedback}”` : '';
  return {text: `${who(body)} answered ${typeof body.option === 'string' && body.option ? body.option : 'in words'}${words}`, time};
}
