// Which page is shown: its address is the server's, without a reload.

import {useEffect, useState} from 'preact/hooks';

export type Route =
  | {page: 'board'}
  | {page: 'run'; run: string}
  | {page: 'workflows'}
  | {page: 'workflow'; workflow: string}
  | {page: 'schedules'}
  | {page: 'server'}
  | {page: 'nothing'};

export function routeOf(path: string): Route {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return {page: 'nothing'};
  }
  const [first, second, ...rest] = parts;
  if (first === undefined || (first === 'runs' && second === undefined)) return {page: 'board'};
  if (rest.length) return {page: 'nothing'};
  if (first === 'runs' && second) return {page: 'run', run: second};
  if (first === 'workflows') return second ? {page: 'workflow', workflow: second} : {page: 'workflows'};
  if (first === 'schedules' && !second) return {page: 'schedules'};
  if (first === 'server' && !second) return {page: 'server'};
  return {page: 'nothing'};
}

export const to = {
  run: (run: string): string => `/runs/${encodeURIComponent(run)}`,
  workflow: (workflow: string): string => `/workflows/${encodeURIComponent(workflow)}`,
};

const moved = new EventTarget();

// Another page begins at its top, also for those who hear it; `replace`: it is the same one, shown otherwise.
export function go(address: string, {replace = false} = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  moved.dispatchEvent(new Event('moved'));
  if (replace) return;
  window.scrollTo(0, 0);
  document.getElementById('main')?.focus({preventScroll: true});
}

// Follows links within these pages; what opens a new tab, or leads elsewhere, is the browser's.
export function followLinks(): void {
  document.addEventListener('click', (click) => {
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = click.target instanceof Element ? click.target.closest('a') : null;
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (link.pathname === location.pathname && link.hash) return;
    click.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

export function useAddress(): URL {
  const [url, setUrl] = useState(() => new URL(location.href));
  useEffect(() => {
    const look = (): void => setUrl(new URL(location.href));
    window.addEventListener('popstate', look);
    moved.addEventListener('moved', look);
    return () => {
      window.removeEventListener('popstate', look);
      moved.removeEventListener('moved', look);
    };
  }, []);
  return url;
}
