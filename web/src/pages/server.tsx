// What serves here, for whom, what it works on, and what comes next.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {Away, get, runPath, told} from '../lib/api';
import {useSession} from '../lib/session';
import {stateOf} from '../lib/entries';
import {count, plural} from '../lib/time';
import type {Page, Run, Server, ShownRun, Worker} from '../lib/types';
import {Failure, Standing, Time} from '../parts/bits';
import {to} from '../lib/router';

const good_for = {
  read: 'to look at everything', answer: 'to look, and to answer questions', submit: 'to look, to answer, and to queue tasks',
  admin: 'to look, answer and queue, and to suspend, resume, abort, rewind and fork runs',
};

const most_shown = 20;  // of each list

// "at most 1 of release, at most 2 that call claude"
function limits({workflows, providers}: NonNullable<Server['places']>): string {
  return [
    ...Object.entries(workflows).map(([name, most]) => `at most ${most} of ${name}`),
    ...Object.entries(providers).map(([name, most]) => `at most ${most} that call ${name}`),
  ].join(', ');
}

export function ServerPage(): JSX.Element {
  const session = useSession();
  const [server, setServer] = useState<Server>(session.server);
  const [working, setWorking] = useState<(Run | ShownRun)[]>([]);
  const [next, setNext] = useState<Run[]>([]);
  const [workers, setWorkers] = useState<Worker[]>([]);
  const [error, setError] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      const runs = async (status: string): Promise<Run[]> => (await get<Page>(`/runs?status=${status}&limit=${most_shown}`)).runs;
      // What is under way in a run stands in no list; one may have gone meanwhile.
      const shown = (run: Run): Promise<Run | ShownRun> => get<ShownRun>(runPath(run.run)).catch(() => run);
      // Of a configuration that cannot be read it is said below.
      const there = get<{workers: Worker[]}>('/workers').then((all) => all.workers, () => []);
      Promise.all([get<Server>('/server'), runs('running').then((all) => Promise.all(all.map(shown))), runs('queued'), there]).then(([now, busy, queued, all]) => {
        setServer(now);
        setWorking(busy);
        setNext(queued);
        setWorkers(all);
        setError('');
      }, (failure) => { if (!(failure instanceof Away)) setError(told(failure)); });
    };
    look();
    const soon = (): void => { timer ??= setTimeout(look, 1000); };
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
      {workers.length > 0 && <><h2>Who takes up runs</h2><Workers all={workers} /></>}
      <h2>At work now</h2>
      {server.places ? <p class="muted">At most {plural(server.places.runs, 'run')} at the same time{limits(server.places) && `; ${limits(server.places)}`}. <code>serve</code> in <code>.agneto/config.yaml</code> says how many there are.</p>
        : <p class="muted">The configuration cannot be read, so nothing more is taken up; the log says why.</p>}
      <Rows runs={working} none="Nothing." />
      <h2>In the queue</h2>
      <Rows runs={next} none="Nothing." />
      {(server.runs.queued ?? 0) > next.length && <p class="muted">These are the newest of {count(server.runs.queued ?? 0)}; those of a higher priority, and then the oldest, are taken up first.</p>}
    </>
  );
}

function Workers({all}: {all: Worker[]}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Who takes up runs">
      <table class="list">
        <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Runs</th><th scope="col">Works on</th><th scope="col">Has</th><th scope="col">Since</th></tr></thead>
        <tbody>{all.map((each) => (
          <tr key={each.name}>
            <th scope="row">{each.name}{each.ends && <p class="muted">It takes up nothing more.</p>}</th>
            <td class="short" data-name="Kind">{each.kind}</td>
            <td class="short" data-name="Runs">{each.runs.length} of {each.slots}</td>
            <td data-name="Works on">{each.runs.map((run, i) => <span key={run}>{i > 0 && ', '}<a href={to.run(run)}>{run}</a></span>)}</td>
            <td data-name="Has">{each.labels.map((label, i) => <span key={label}>{i > 0 && ' '}<code>{label}</code>{each.versions?.[label] && ` ${each.versions[label]}`}</span>)}</td>
            <td class="short" data-name="Since">{each.since && <Time at={each.since} />}</td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  );
}

function Rows({runs, none}: {runs: (Run | ShownRun)[]; none: string}): JSX.Element {
  if (!runs.length) return <p class="muted">{none}</p>;
  return (
    <ul class="runs">{runs.map((run) => (
      <li class="row" key={run.run}>
        <a class="task" href={to.run(run.run)}>{run.task || run.run}</a>
        <Standing run={run} />
        <span class="meta">
          <span class="id">{run.run}</span>
          <span>{run.workflow}</span>
          {run.priority !== 0 && <span>priority {run.priority}</span>}
          {'outstanding' in run && run.outstanding.length > 0 && <span>under way: {run.outstanding.map(stateOf).join(', ')}</span>}
          <Time at={run.updated} />
        </span>
      </li>
    ))}</ul>
  );
}
