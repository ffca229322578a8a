// Who is signed in, and what all pages share: the news of runs, and what is said aloud.

import {createContext} from 'preact';
import {useContext} from 'preact/hooks';

import type {Run, Scope, Server} from './types';

const scopes: Scope[] = ['read', 'answer', 'submit', 'admin'];

export interface Session {
  server: Server;
  // Why the token is not good for that; empty: it is.
  lacks(scope: Scope): string;
  // Tells people something, also those who do not see the page.
  say(text: string, tone?: 'good' | 'bad'): void;
  // Calls back for each run that changes; returns how to end that.
  runs: News<Run>;
  // Something may have changed that is not known: ask again.
  stale: News<void>;
}

export class News<Item> {
  private readonly listeners = new Set<(item: Item) => void>();

  tell(item: Item): void { for (const listener of [...this.listeners]) listener(item); }
  hear(listener: (item: Item) => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }
}

export function lacks(has: Scope, needed: Scope): string {
  return scopes.indexOf(has) >= scopes.indexOf(needed) ? '' : `Your token is for '${has}'; this needs '${needed}'`;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('nobody is signed in');
  return session;
}
