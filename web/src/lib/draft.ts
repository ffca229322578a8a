// What somebody has written at a gate and not sent yet. It survives a reload of the page.

import {useCallback, useState} from 'preact/hooks';

import type {Comment} from './feedback';

export interface Draft {
  option: string;
  words: string;
  edited?: string;
  comments: Comment[];
}

const nothing: Draft = {option: '', words: '', comments: []};

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
      sessionStorage.setItem(key, JSON.stringify(now));
      return now;
    });
  }, [key]);
  const clear = useCallback(() => {
    sessionStorage.removeItem(key);
    setDraft(nothing);
  }, [key]);
  return [draft, change, clear];
}
