// Runs that wait for a person: in the title, and as notifications of the browser.

import {useCallback, useState} from 'preact/hooks';

import {go, routeOf, to, type Route} from './router';
import type {Session} from './session';
import type {Run} from './types';

export interface Waiting {
  runs: Set<string>;
  more: boolean;
}

export const howMany = ({runs, more}: Waiting): string => `${runs.size}${more ? '+' : ''}`;

export function titleFor(route: Route, waiting: Waiting, folder: string): string {
  const pages: Record<Exclude<Route['page'], 'run' | 'workflow'>, string> = {
    board: 'Runs', workflows: 'Workflows', schedules: 'Schedules', server: 'Server', nothing: 'Nothing here'};
  const page = route.page === 'run' ? route.run : route.page === 'workflow' ? route.workflow : pages[route.page];
  const count = waiting.runs.size ? `(${howMany(waiting)}) ` : '';
  return `${count}${page} · ${folder} · Agneto`;
}

export interface Notices {
  allowed: boolean;
  can: boolean;  // may they still be asked for?
  ask(): void;
}

export function useNotices(): Notices {
  const there = 'Notification' in window;
  const [permission, setPermission] = useState(there ? Notification.permission : 'denied');
  const ask = useCallback(() => { void Notification.requestPermission().then(setPermission); }, []);
  return {allowed: permission === 'granted', can: permission === 'default', ask};
}

// Tells of runs that began to wait: on the page where it is looked at, and else by the browser.
export function announce(runs: Run[], allowed: boolean, session: Session): void {
  if (!document.hidden) {
    // The page of a run shows its question.
    const route = routeOf(location.pathname);
    const elsewhere = runs.filter((run) => route.page !== 'run' || route.run !== run.run);
    const [first] = elsewhere;
    if (first) session.say(elsewhere.length === 1 ? `${first.run} waits for you` : `${elsewhere.length} more runs wait for you`);
    return;
  }
  if (!allowed) return;
  for (const run of runs.slice(0, 3)) {
    const notice = new Notification(`${session.server.folder}: a run waits for you`, {body: run.task, tag: run.run});
    notice.onclick = () => {
      window.focus();
      go(`${to.run(run.run)}#gate`);
      notice.close();
    };
  }
}
