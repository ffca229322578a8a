// Requests to the API, with the token of whoever is signed in.

import type {Server} from './types';

const place = 'agneto.token';
const longest_wait = 30_000;  // ms that an answer may take
const most_tries = 3;         // where the server is busy
const longest_rest = 5_000;   // ms between them

// The server has refused: what is wrong, and what to do about it.
export class Problem extends Error {
  constructor(readonly status: number, title: string, readonly detail: string) {
    super(title);
  }
}

// Nobody has answered.
export class Away extends Error {}

export const token = {
  get: (): string => localStorage.getItem(place) ?? '',
  // Can it be one?
  fits: (value: string): boolean => /^\w+$/.test(value),
  // False where it can be none, so that it is not kept.
  set(value: string): boolean {
    const is_one = token.fits(value);
    if (is_one) localStorage.setItem(place, value);
    return is_one;
  },
  // And what was written with it.
  forget(): void {
    localStorage.removeItem(place);
    sessionStorage.clear();
  },
};

let refused = (): void => {};
// Called when the server does not know the token (any more).
export const onRefusal = (call: () => void): void => { refused = call; };

export const address = (path: string): string => `/api/v1${path}`;

const bearer = (value: string): {authorization: string} => ({authorization: `Bearer ${value}`});

export async function request(path: string, init: RequestInit = {}, wait = longest_wait): Promise<Response> {
  for (let tries = 1; ; ++tries) {
    const response = await sent(path, init, wait);
    if (response.ok) return response;
    if (response.status === 401 && !(init.headers && 'authorization' in init.headers)) refused();
    // The server has too much to do and says so; what changes something is sent again by whoever wants that.
    const busy = (response.status === 429 || response.status === 503) && response.headers.get('content-type')?.startsWith('application/problem+json');
    if (!busy || init.method || tries === most_tries) throw await problem(response);
    const seconds = Number(response.headers.get('retry-after')) || 1;
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1000, longest_rest)));
    init.signal?.throwIfAborted();
  }
}

async function sent(path: string, init: RequestInit, wait: number): Promise<Response> {
  const late = AbortSignal.timeout(wait);
  const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
  try {
    return await fetch(address(path), {
      // Cookies are nothing to the server; a proxy in front of it may want its own.
      ...init, signal, cache: 'no-store', credentials: 'same-origin', redirect: 'error',
      headers: {...bearer(token.get()), ...init.headers as Record<string, string> | undefined},
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Away('the server does not answer');
  }
}

async function problem(response: Response): Promise<Error> {
  let said: {title?: unknown; detail?: unknown} = {};
  try {
    said = await response.json() as typeof said;
  } catch {
    // It comes from something between us and the server.
  }
  if (typeof said.title !== 'string' && response.status >= 502) return new Away('the server does not answer');
  const title = typeof said.title === 'string' ? said.title : `the server answered with ${response.status}`;
  return new Problem(response.status, title, typeof said.detail === 'string' ? said.detail : '');
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? {signal} : {});
  try {
    return await response.json() as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Away('the server broke off its answer');
  }
}

// Whose token is it, and what is it for? Undefined where the server does not know it.
export async function ownerOf(value: string): Promise<Server['token'] | undefined> {
  try {
    return (await (await request('/server', {headers: bearer(value)})).json() as Server).token;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined;
    throw error;
  }
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await request(path, signal ? {signal} : {})).text();
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await request(path, {
    method: 'POST', body: JSON.stringify(body), headers: {'content-type': 'application/json'}});
  return await response.json() as T;
}

export const runPath = (run: string): string => `/runs/${encodeURIComponent(run)}`;

export function query(values: Record<string, string | number | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return set.length ? `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}` : '';
}

// What is to be shown of an error.
export function told(error: unknown): string {
  if (error instanceof Problem) return error.detail ? `${error.message}: ${error.detail}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
