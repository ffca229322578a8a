// What somebody has written at a gate and not sent yet. It survives a reload of the page.

import {useCallback, useState} from 'preact/hooks';

import type {Comment} from './feedback';

export interface Draft {
  option: string;
  words: string;
  edited: Record<string, string>;  // by the option that edits it
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

export function useDraft(run: string, question: string): [Draft, (change: (before: Draft) => Draft) => void, () => void] {
  const key = `agneto.draft ${run} ${question}`;
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
