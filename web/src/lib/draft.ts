// What somebody has written at a gate and not sent yet. It survives a reload of the page.

import {useCallback, useState} from 'preact/hooks';

import type {Comment} from './feedback';

export interface Draft {
  option: string;
  words: string;
  edited: Record<string, string>;  // the texts that somebody has changed, by the option that edits one
  comments: Comment[];
}

const nothing: Draft = {option: '', words: '', edited: {}, comments: []};

const read = (key: string): Draft => {
  try {
    return {...nothing, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>};
  } catch {
    return nothing;
  }
};

// Of the question that this entry of the log asked: after a rewind, one with the same id asks anew.
const keyOf = (run: string, question: string, asked: number): string => `agneto.draft ${run} ${question} ${asked}`;

export function isWritten(run: string, question: string, asked: number): boolean {
  const {words, edited, comments} = read(keyOf(run, question, asked));
  return words !== '' || Object.keys(edited).length > 0 || comments.some((comment) => comment.text.trim());
}

export function useDraft(run: string, question: string, asked: number): [Draft, (change: (before: Draft) => Draft) => void, () => void] {
  const key = keyOf(run, question, asked);
  const [draft, setDraft] = useState(() => read(key));
  const change = useCallback((make: (before: Draft) => Draft) => {
    setDraft((before) => {
      const now = make(before);
      try {
        sessionStorage.setItem(key, JSON.stringify(now));
      } catch {
        // There is no room; it is kept for as long as the page is.
      }
      return now;
    });
  }, [key]);
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setDraft(nothing);
  }, [key]);
  return [draft, change, clear];
}
