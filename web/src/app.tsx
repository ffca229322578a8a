// Signs in, and puts the page that the address names between the head and the news.

import {useCallback, useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {JSX} from 'preact';

import {Away, get, onRefusal, Problem, token, told} from './lib/api';
import {useAddress, routeOf, type Route} from './lib/router';
import {lacks, News, SessionContext, type Session} from './lib/session';
import {waitingRuns} from './lib/shelf';
import {follow, isRefused, missed, type Following, type Link} from './lib/stream';
import type {Run, Scope, Server} from './lib/types';
import {announce, titleFor, useNotices} from './lib/waiting';
import {Board} from './pages/board';
import {Offer} from './pages/offer';
import {RunPage} from './pages/run';
import {SchedulesPage} from './pages/schedules';
import {ServerPage} from './pages/server';
import {SignIn} from './pages/signin';
import {WorkflowPage} from './pages/workflow';
import {WorkflowsPage} from './pages/workflows';
import {Head} from './parts/head';
import {LinkState} from './parts/linkstate';

// `offered`: a token that a link has, where another one is kept.
export function App({offered}: {offered: string}): JSX.Element {
  const [declined, setDeclined] = useState('');
  const [server, setServer] = useState<Server>();
  const [why, setWhy] = useState('');  // nobody is signed in; or the server is away
  const [away, setAway] = useState(false);

  const signIn = useCallback(async (): Promise<void> => {
    if (!token.get()) return setWhy('');
    try {
      setServer(await get<Server>('/server'));
      setAway(false);
      setWhy('');
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return;  // that is said already
      setAway(error instanceof Away);
      setWhy(told(error));
    }
  }, []);
  const signOut = useCallback((because = ''): void => {
    token.forget();
    setServer(undefined);
    setAway(false);
    setWhy(because);
  }, []);

  useEffect(() => {
    onRefusal(() => signOut('That token is not known here (any more).'));
    void signIn();
    // Whoever signs out does so in all tabs.
    const elsewhere = (event: StorageEvent): void => { if (event.key === 'agneto.token') location.reload(); };
    window.addEventListener('storage', elsewhere);
    return () => window.removeEventListener('storage', elsewhere);
  }, [signIn, signOut]);
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => void signIn(), 3000);
    return () => clearInterval(timer);
  }, [away, signIn]);

  const stay = useCallback(() => setDeclined(offered), [offered]);
  if (offered && offered !== declined) return <Offer given={offered} stay={stay} />;
  if (!server) {
    return <SignIn why={why} away={away} hasToken={token.get() !== ''} enter={(given) => { if (token.set(given)) void signIn(); else setWhy('That is no token: one begins with agneto_.'); }} forget={() => signOut()} />;
  }
  return <Inside server={server} signOut={() => signOut()} />;
}

function Inside({server, signOut}: {server: Server; signOut: () => void}): JSX.Element {
  const url = useAddress();
  const route = routeOf(url.pathname);
  const [link, setLink] = useState<Link>({kind: 'connecting'});
  const [said, setSaid] = useState<{text: string; tone: 'good' | 'bad'}>();
  const [waiting, setWaiting] = useState<{runs: Set<string>; more: boolean}>({runs: new Set(), more: false});
  const following = useRef<Following | undefined>(undefined);
  const notices = useNotices();
  const main = useRef<HTMLElement>(null);

  const session = useMemo((): Session => ({
    server,
    lacks: (scope: Scope) => lacks(server.token.scope, scope),
    say: (text, tone = 'good') => setSaid({text, tone}),
    runs: new News<Run>(),
    stale: new News<void>(),
  }), [server]);

  // Who waits for a person is counted on each page.
  const known = useRef<Set<string> | undefined>(undefined);
  const countWaiting = useCallback(async (): Promise<number> => {
    const page = await waitingRuns();
    const now = new Set(page.runs.map((run) => run.run));
    const before = known.current;
    if (before) announce(page.runs.filter((run) => !before.has(run.run)), notices.allowed, session);
    known.current = now;
    setWaiting({runs: now, more: page.more});
    return page.change;
  }, [session, notices.allowed]);

  // The page of a run has a stream of its own, which tells it all; a browser has few connections.
  const own = route.page === 'run';
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const recount = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        countWaiting().catch(() => {});
      }, 300);
    };
    if (own) {
      countWaiting().catch(() => {});
      const clock = setInterval(recount, 15_000);
      const end = session.stale.hear(recount);
      return () => { clearInterval(clock); clearTimeout(timer); end(); };
    }
    void (async () => {
      let change: number | undefined;
      for (let tries = 0; change === undefined && !over; ++tries) {
        try {
          change = await countWaiting();
          if (tries) session.stale.tell();
        } catch (error) {
          if (over || isRefused(error)) return;
          setLink(missed(error, 2000));
          await new Promise<void>((resolve) => {
            setTimeout(resolve, 2000);
            following.current = {hurry: resolve, end: resolve};
          });
        }
      }
      if (over || change === undefined) return;
      following.current = follow({
        path: '/events', after: String(change), link: setLink,
        message(message) {
          if (message.event !== 'run') return;
          session.runs.tell(JSON.parse(message.data) as Run);
          recount();
        },
        async poll() {
          await countWaiting();
          session.stale.tell();
        },
      });
    })();
    return () => {
      over = true;
      clearTimeout(timer);
      following.current?.end();
      following.current = undefined;
    };
  }, [session, own, countWaiting]);

  useEffect(() => { document.title = titleFor(route, waiting, server.folder); });
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(undefined), said.tone === 'bad' ? 15_000 : 6000);
    return () => clearTimeout(timer);
  }, [said]);

  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main" onClick={(click) => { click.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
      <Head route={route} waiting={waiting} link={link} own={own} signOut={signOut} notices={notices} />
      {!own && <LinkState link={link} hurry={() => following.current?.hurry()} />}
      <main id="main" ref={main} tabIndex={-1}><Shown route={route} url={url} /></main>
      <div class="toasts" role="status" aria-live="polite">
        {said && <p class={`toast ${said.tone}`}>{said.text} <button type="button" class="quiet" aria-label="Close this message" onClick={() => setSaid(undefined)}>×</button></p>}
      </div>
    </SessionContext.Provider>
  );
}

function Shown({route, url}: {route: Route; url: URL}): JSX.Element {
  switch (route.page) {
    case 'board': return <Board url={url} />;
    case 'run': return <RunPage key={route.run} run={route.run} hash={url.hash} />;
    case 'workflows': return <WorkflowsPage />;
    case 'workflow': return <WorkflowPage key={route.workflow} workflow={route.workflow} />;
    case 'schedules': return <SchedulesPage />;
    case 'server': return <ServerPage />;
    case 'nothing': return <><h1>There is nothing at this address</h1><p><a href="/">All runs</a></p></>;
  }
}
