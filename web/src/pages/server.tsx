// What serves here, and for whom.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {Away, get, told} from '../lib/api';
import {useSession} from '../lib/session';
import {count} from '../lib/time';
import type {Page, Run, Server} from '../lib/types';
import {Failure, Standing} from '../parts/bits';
import {to} from '../lib/router';

const good_for = {
  read: 'to look at everything', answer: 'to look, and to answer questions', submit: 'to look, to answer, and to queue tasks',
  admin: 'to look, answer and queue, and to suspend, resume, abort, rewind and fork runs',
};

export function ServerPage(): JSX.Element {
  const session = useSession();
  const [server, setServer] = useState<Server>(session.server);
  const [working, setWorking] = useState<Run[]>([]);
  const [error, setError] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      Promise.all([get<Server>('/server'), get<Page>('/runs?status=running&limit=50')]).then(([now, page]) => {
        setServer(now);
        setWorking(page.runs);
        setError('');
      }, (failure) => { if (!(failure instanceof Away)) setError(told(failure)); });
    };
    look();
    const soon = (): void => { timer ??= setTimeout(look, 500); };
    const ends = [session.runs.hear(soon), session.stale.hear(soon)];
    return () => { clearTimeout(timer); ends.forEach((end) => end()); };
  }, [session]);
  return (
    <>
      <h1>Server</h1>
      {error && <Failure error={error} />}
      <dl class="facts">
        <dt>Agneto</dt><dd>{server.version}</dd>
        <dt>Repository</dt><dd>{server.folder}</dd>
        <dt>You are</dt><dd>{server.token.name}</dd>
        <dt>Your token is</dt><dd>for <code>{server.token.scope}</code>: {good_for[server.token.scope]}</dd>
        <dt>Runs</dt><dd>{Object.entries(server.runs).map(([status, runs]) => `${count(runs)} ${status}`).join(', ')}</dd>
      </dl>
      <h2>At work now</h2>
      {working.length ? <ul class="runs">{working.map((run) => (
        <li class="row" key={run.run}><a class="task" href={to.run(run.run)}>{run.task || run.run}</a><Standing run={run} /><span class="meta">{run.run} {run.workflow}</span></li>
      ))}</ul> : <p class="muted">Nothing.</p>}
    </>
  );
}
