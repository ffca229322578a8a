// Follows a stream of the API for as long as it is wanted. It connects again and goes on where it was; where no
// stream is to be had it asks now and then instead, and says so.

import {Away, Problem, request, told} from './api';
import {SseReader, type Message} from './sse';

export type Link =
  | {kind: 'connecting'}
  | {kind: 'live'}
  | {kind: 'polling'}  // the server answers, but sends no stream
  // `next`: when it is tried again, as Date.now() has it; `why`: what the server says, where it says something.
  | {kind: 'away'; next: number; why?: string};

export interface Wanted {
  path: string;
  after: string;  // the id of the last event that is known
  message(message: Message): void;
  // Brings up to date what is shown, without a stream. It throws where that fails.
  poll(): Promise<void>;
  link(link: Link): void;
}

const first_word = 4_000;  // ms until a stream says something at first; until it does, it is asked for what is new
const silence = 45_000;    // ms; a stream says something every 15 s, so longer than this it is dead, or held back
const poll_every = 5_000;
const hidden_every = 20_000;
const stream_again = 60_000;
const longest_pause = 30_000;
const too_short = 3_000;   // a stream that ends sooner is none

// The pause before the nth try in a row, in ms: from half a second on, twice as long each time, and not the same for all.
export const pause = (failures: number, random = Math.random()): number =>
  Math.min(longest_pause, 500 * 2 ** Math.min(failures, 10)) * (0.75 + random / 2);

// Nobody is signed in any more: there is nothing to try again.
export const isRefused = (error: unknown): boolean => error instanceof Problem && error.status === 401;

// What is said of a failure until it is tried again in so many ms.
export const missed = (error: unknown, wait: number): Link => {
  const next = Date.now() + wait;
  return error instanceof Away ? {kind: 'away', next} : {kind: 'away', next, why: told(error)};
};

export interface Following {
  // Tries again now.
  hurry(): void;
  end(): void;
}

export function follow(wanted: Wanted): Following {
  const over = new AbortController();
  let last = wanted.after;
  let wake = (): void => {};
  const hurry = (): void => wake();

  const rest = (ms: number): Promise<void> => new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      over.signal.removeEventListener('abort', done);
      resolve();
    }
    wake = done;
    over.signal.addEventListener('abort', done);
  });

  // What went wrong, if anything did.
  const polled = async (): Promise<{error: unknown} | undefined> => {
    try {
      await wanted.poll();
      return undefined;
    } catch (error) {
      if (isRefused(error)) over.abort();
      return {error};
    }
  };

  // Resolves when it has ended: did it say anything?
  const listen = async (): Promise<boolean> => {
    const cut = new AbortController();
    const stop = (): void => cut.abort();
    let timer = setTimeout(stop, silence);
    let heard = false;
    const impatient = setTimeout(() => void (async () => {
      while (!heard && !cut.signal.aborted) {
        const failure = await polled();
        if (!heard && !cut.signal.aborted) wanted.link(failure ? missed(failure.error, poll_every) : {kind: 'polling'});
        await rest(poll_every);
      }
    })(), first_word);
    // A browser has six connections to a server, for all its tabs: one that nobody looks at needs none.
    const hide = (): void => { if (document.hidden) stop(); };
    document.addEventListener('visibilitychange', hide);
    over.signal.addEventListener('abort', stop);
    try {
      const response = await request(wanted.path, {
        signal: cut.signal, headers: last ? {accept: 'text/event-stream', 'last-event-id': last} : {accept: 'text/event-stream'},
      }, 2 ** 31 - 1);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) return false;
      const reader = new SseReader();
      const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const {done, value} = await body.read();
        if (done || over.signal.aborted) return heard;
        clearTimeout(timer);
        timer = setTimeout(stop, silence);
        if (!heard) wanted.link({kind: 'live'});
        heard = true;
        for (const message of reader.push(value)) {
          if (message.id) last = message.id;
          wanted.message(message);
        }
      }
    } catch (error) {
      if (isRefused(error)) over.abort();
      return heard;
    } finally {
      clearTimeout(timer);
      clearTimeout(impatient);
      cut.abort();
      document.removeEventListener('visibilitychange', hide);
      over.signal.removeEventListener('abort', stop);
    }
  };

  void (async () => {
    let failures = 0;
    let quiet = 0;  // streams in a row that were none although the server answers
    let streamed = 0;
    wanted.link({kind: 'connecting'});
    while (!over.signal.aborted) {
      if (document.hidden) {
        await polled();
        await rest(hidden_every);
        continue;
      }
      if (quiet < 2 || Date.now() - streamed >= stream_again) {
        streamed = Date.now();
        const heard = await listen();
        if (over.signal.aborted) return;
        if (document.hidden) continue;
        quiet = heard && Date.now() - streamed >= too_short ? 0 : quiet + 1;
      }
      const failure = await polled();
      if (!failure) {
        failures = 0;
        if (quiet >= 2) wanted.link({kind: 'polling'});
        await rest(quiet >= 2 ? poll_every : 500);
      } else if (!over.signal.aborted) {
        quiet = 0;
        const wait = pause(failures++);
        wanted.link(missed(failure.error, wait));
        await rest(wait);
      }
    }
  })();

  const seen = (): void => { if (!document.hidden) hurry(); };
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', hurry);
  return {
    hurry,
    end() {
      over.abort();
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('online', hurry);
    },
  };
}
