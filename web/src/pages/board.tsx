// All runs, by how they stand; those that wait for a person are at the top.

import type {JSX} from 'preact';
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';

import {Away, get, query, told} from '../lib/api';
import {go, to} from '../lib/router';
import {useSession} from '../lib/session';
import {isPartial, load, placed, renewed, shelves, type Filter, type Shelf, type Shelved} from '../lib/shelf';
import {plural} from '../lib/time';
import {isOver, type Run, type Workflow} from '../lib/types';
import {Act, Failure, Standing, Time} from '../parts/bits';
import {Submit} from '../parts/submit';

export function Board({url}: {url: URL}): JSX.Element {
  const [submitting, setSubmitting] = useState(false);
  const [workflows, setWorkflows] = useState<Workflow[]>();
  const [failures, setFailures] = useState<Record<string, string>>({});  // of shelves
  const [loaded, setLoaded] = useState<string[]>([]);  // shelves, at first: they are shown together, so that nothing moves
  const [empty, setEmpty] = useState<string[]>([]);  // shelves of which there is nothing to show
  const status = url.searchParams.get('status') ?? '';
  const filter: Filter = {workflow: url.searchParams.get('workflow') ?? '', text: url.searchParams.get('text') ?? ''};
  const shown = shelves.filter((shelf) => !status || shelf.name === status);

  const isLoaded = useCallback((name: string) => setLoaded((before) => before.includes(name) ? before : [...before, name]), []);
  const setNone = useCallback((name: string, none: boolean) => setEmpty((before) => before.includes(name) === none ? before : none ? [...before, name] : before.filter((each) => each !== name)), []);
  const setFailure = useCallback((name: string, text: string) => setFailures((before) => (before[name] ?? '') === text ? before : {...before, [name]: text}), []);
  const errors = new Set(shown.map((shelf) => failures[shelf.name]).filter(Boolean) as string[]);
  const ready = shown.every((shelf) => loaded.includes(shelf.name));
  const nothing = shown.length > 1 && shown.every((shelf) => empty.includes(shelf.name));

  useEffect(() => {
    get<{workflows: Workflow[]}>('/workflows').then((found) => setWorkflows(found.workflows), () => setWorkflows([]));
  }, []);
  const change = (name: string, value: string): void => {
    go(`/${query({status, ...filter, [name]: value})}`, {replace: true});
  };

  return (
    <>
      <div class="title">
        <h1>Runs</h1>
        <Act needs="submit" kind="primary" act={() => setSubmitting(!submitting)} aria-expanded={submitting}>New task</Act>
      </div>
      {submitting && <Submit workflows={workflows ?? []} close={() => setSubmitting(false)} />}
      <form class="filters" role="search" aria-label="Runs" onSubmit={(submit) => submit.preventDefault()}>
        <label>Search <Search value={filter.text} change={(text) => change('text', text)} /></label>
        <label>How it stands{' '}
          <select value={status} onChange={(event) => change('status', event.currentTarget.value)}>
            <option value="">All</option>
            {shelves.map((shelf) => <option key={shelf.name} value={shelf.name}>{shelf.title}</option>)}
          </select>
        </label>
        <label>Workflow{' '}
          <select value={filter.workflow} onChange={(event) => change('workflow', event.currentTarget.value)}>
            <option value="">All</option>
            {filter.workflow && !workflows?.some((each) => each.workflow === filter.workflow) && <option>{filter.workflow}</option>}
            {workflows?.map(({workflow}) => <option key={workflow}>{workflow}</option>)}
          </select>
        </label>
      </form>
      {!ready && <p class="muted">Loading …</p>}
      {[...errors].map((error) => <Failure key={error} error={error} />)}
      <p class="muted nothing" role="status">{ready && nothing && nothingOf(filter)}</p>
      <div class={`board ${shown.length === 1 ? 'single' : ''}`} hidden={!ready}>
        {shown.map((shelf) => <Runs key={`${shelf.name}?${filter.workflow}&${filter.text}`} shelf={shelf} filter={filter} alone={shown.length === 1} isLoaded={isLoaded} setNone={setNone} setFailure={setFailure} />)}
      </div>
    </>
  );
}

function nothingOf({workflow, text}: Filter): string {
  const whose = workflow && ` of ${workflow}`;
  return text ? `No run${whose} has “${text}” in its task or its id.` : `There are no runs${whose} yet.`;
}

// What is typed counts when nobody types any more.
function Search({value, change}: {value: string; change: (text: string) => void}): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input type="search" defaultValue={value} placeholder="task or id" onInput={(input) => {
      const text = input.currentTarget.value;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => change(text.trim()), 300);
    }} />
  );
}

function Runs({shelf, filter, alone, isLoaded, setNone, setFailure}: {
  shelf: Shelf; filter: Filter; alone: boolean; isLoaded: (name: string) => void; setNone: (name: string, none: boolean) => void; setFailure: (name: string, text: string) => void;
}): JSX.Element | null {
  const session = useSession();
  const [shelved, setShelved] = useState<Shelved>();
  const setError = (text: string): void => setFailure(shelf.name, text);
  const [loading, setLoading] = useState(false);

  const reload = useCallback(async (signal?: AbortSignal) => {
    try {
      const page = await load(shelf, filter, undefined, signal);
      setShelved((before) => renewed(before, page));
      setError('');
    } catch (failure) {
      if (!signal?.aborted && !(failure instanceof Away)) setError(told(failure));
    }
    isLoaded(shelf.name);
  }, [shelf, filter.workflow, filter.text]);
  useEffect(() => {
    const over = new AbortController();
    void reload(over.signal);
    const ends = [
      session.runs.hear((run) => setShelved((before) => before && placed(before, shelf, filter, run))),
      session.stale.hear(() => void reload(over.signal)),
    ];
    return () => { over.abort(); ends.forEach((end) => end()); };
  }, [reload, session]);

  const more = async (): Promise<void> => {
    if (shelved?.next === undefined) return;
    setLoading(true);
    try {
      const page = await load(shelf, filter, shelved.next);
      setShelved((before) => {
        const known = new Set(before?.runs.map((run) => run.run));
        return {...page, runs: [...before?.runs ?? [], ...page.runs.filter((run) => !known.has(run.run))]};
      });
      setError('');
    } catch (failure) {
      setError(told(failure));
    }
    setLoading(false);
  };

  const runs = shelved?.runs ?? [];
  const none = shelved !== undefined && !runs.length && shelved.next === undefined;
  useEffect(() => {
    setNone(shelf.name, none);
    return () => setNone(shelf.name, false);
  }, [none]);
  if (!alone && (!shelved || none)) return null;
  const partial = shelved !== undefined && isPartial(shelved);
  // All that was looked at belongs elsewhere, and there is more to look at.
  const unknown = partial && !runs.length;
  const id = `shelf-${shelf.name}`;
  return (
    <section class={`shelf ${shelf.name}`} aria-labelledby={id}>
      <h2 id={id}>{shelf.title} {shelved && !unknown && <span class="count">{runs.length}{shelved.next === undefined ? '' : '+'}</span>}</h2>
      {!shelved && <p class="muted">Loading …</p>}
      {shelved && !runs.length && !partial && <p class="muted">There is none.</p>}
      <ul class="runs">{runs.map((run) => <Row key={run.run} run={run} />)}</ul>
      {partial && shelved.last && <p class="muted">{unknown && 'There is none so far. '}Runs from before <Time at={shelved.last.created} /> have not been looked at.</p>}
      {shelved?.next !== undefined && <button type="button" class="quiet more" disabled={loading} onClick={() => void more()}>{loading ? 'Loading …' : partial ? 'Look further back' : 'Show more'}</button>}
      <span class="hidden" role="status">{shelved && alone && !unknown ? plural(runs.length, 'run') : ''}</span>
    </section>
  );
}

function Row({run}: {run: Run}): JSX.Element {
  const waits = run.waits_for === 'person';
  return (
    <li class="row">
      <a class="task" href={`${to.run(run.run)}${waits ? '#gate' : ''}`}>{run.task || run.run}</a>
      <Standing run={run} />
      <span class="meta">
        <span class="id">{run.run}</span>
        <span>{run.workflow}</span>
        {run.priority !== 0 && <span>priority {run.priority}</span>}
        {run.outcome && (isOver(run) || run.status === 'suspended') && <span class="outcome">{run.outcome}</span>}
        {run.away?.length ? <span class="outcome">a provider is away</span> : null}
        <Time at={run.updated} />
      </span>
    </li>
  );
}
