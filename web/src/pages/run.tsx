// A run: how it stands, what it asks, where it is, and what happened in it.

import type {JSX} from 'preact';
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';

import {Away, get, getText, Problem, query, runPath, told} from '../lib/api';
import {newestOnes, refreshed, type Shown} from '../lib/journal';
import {useSession} from '../lib/session';
import {follow, type Following, type Link} from '../lib/stream';
import type {Entry, MachineData, Question, ShownRun} from '../lib/types';
import {Failure, Prose, Standing} from '../parts/bits';
import {Changes} from '../parts/changes';
import {Facts} from '../parts/facts';
import {Gate, whoAnswered} from '../parts/gate';
import {Graph} from '../parts/graph';
import {LinkState} from '../parts/linkstate';
import {Machines} from '../parts/machines';
import {Steer, type Asked} from '../parts/steer';
import {Timeline} from '../parts/timeline';

const soon = 150;          // ms in which news are gathered
const graph_every = 2000;  // ms; it is drawn anew for each look

const longest_wait = 1000;  // ms for the change that is asked about, so that it comes with the question

type Tab = 'activity' | 'changes' | 'data';

interface Gone {
  question: Question;
  why: string;
}

export function RunPage({run: id, hash}: {run: string; hash: string}): JSX.Element {
  const session = useSession();
  const [run, setRun] = useState<ShownRun>();
  const [shown, setShown] = useState<Shown>();
  const [gone, setGone] = useState<Gone[]>([]);
  const [error, setError] = useState('');
  const [link, setLink] = useState<Link>({kind: 'connecting'});
  const [drawn, setDrawn] = useState(0);     // counts the times that the picture is to be drawn
  const [changed, setChanged] = useState(0);  // and the change looked at
  const [asked, setAsked] = useState<Asked>();
  const [tab, setTab] = useState<Tab>('activity');
  const following = useRef<Following | undefined>(undefined);
  const latest = useRef<{run?: ShownRun; shown?: Shown | undefined; mine: Set<string>}>({mine: new Set()});
  const diff = useRef<string>(undefined);  // of the questions that are there at first
  const redraw = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  latest.current.shown = shown;

  const load = useCallback(async (): Promise<void> => {
    const now = await get<ShownRun>(runPath(id));
    const before = latest.current.run;
    const known = latest.current.shown;
    latest.current.run = now;
    if (before && ids(before) !== ids(now)) diff.current = undefined;
    const [entries] = await Promise.all([
      known ? refreshed(id, known) : newestOnes(id, now.newest),
      !before && now.branch && now.questions.length ? Promise.race([
        getText(`${runPath(id)}/diff`).then((text) => { diff.current = text; }, () => {}),
        new Promise((resolve) => setTimeout(resolve, longest_wait)),
      ]) : undefined,
    ]);
    setRun(now);
    // Whoever has gone elsewhere in the log meanwhile stays there.
    setShown((current) => current === known ? entries : current);
    setError('');
    if (before && before.newest !== now.newest) {
      redraw.current ??= setTimeout(() => {
        redraw.current = undefined;
        setDrawn((count) => count + 1);
        setChanged((count) => count + 1);
      }, graph_every);
    }
    const closed = before?.questions.filter((each) => !latest.current.mine.has(each.id) && !now.questions.some((other) => other.id === each.id)) ?? [];
    for (const question of closed) {
      const why = await whoAnswered(id, now.newest, question.id);
      setGone((all) => [...all.filter((each) => each.question.id !== question.id), {question, why}]);
    }
  }, [id]);

  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let loading = false;
    let again = false;
    // One look at a time, and one more where something has happened meanwhile.
    const look = async (): Promise<void> => {
      timer = undefined;
      if (loading) {
        again = true;
        return;
      }
      loading = true;
      try {
        await load();
      } catch (failure) {
        if (!(failure instanceof Away) && !over) setError(told(failure));
      }
      loading = false;
      if (again && !over) {
        again = false;
        news();
      }
    };
    const news = (): void => { timer ??= setTimeout(() => void look(), soon); };
    void (async () => {
      while (!over && !latest.current.run) {
        try {
          await load();
        } catch (failure) {
          setError(told(failure));
          if (failure instanceof Problem) return;
          await new Promise((resolve) => setTimeout(resolve, 2000));
        }
      }
      if (over || !latest.current.run) return;
      following.current = follow({
        path: `${runPath(id)}/events`, after: String(latest.current.run.newest), link: setLink,
        message() {
          news();
          session.stale.tell();
        },
        async poll() {
          await load();
          session.stale.tell();
        },
      });
    })();
    return () => {
      over = true;
      clearTimeout(timer);
      clearTimeout(redraw.current);
      redraw.current = undefined;
      following.current?.end();
    };
  }, [id, load, session]);

  const hasGate = (run?.questions.length ?? 0) > 0;
  useEffect(() => {
    if (hash !== '#gate' || !hasGate) return;
    const gate = document.getElementById('gate');
    gate?.scrollIntoView();
    gate?.focus({preventScroll: true});
  }, [hash, hasGate]);

  if (!run || !shown) return error ? <><h1>{id}</h1><Failure error={error} /><p><a href="/">All runs</a></p></> : <p class="muted">Loading …</p>;
  const gates = [...gone.filter((each) => !run.questions.some((question) => question.id === each.question.id)),
    ...run.questions.map((question) => ({question, why: ''}))];
  const refresh = (): void => { void load().catch((failure) => setError(told(failure))); };
  return (
    <>
      <LinkState link={link} hurry={() => following.current?.hurry()} />
      <div class="title run">
        <h1>{title(run.task) || run.run}</h1>
        <Standing run={run} />
        {link.kind === 'live' && <span class="live" title="What happens is shown as it happens">live</span>}
        <span class="gap" />
        <Steer run={run} asked={asked} ask={setAsked} done={refresh} />
      </div>
      {error && <Failure error={error} />}
      {title(run.task) !== run.task.trim() && <details class="card"><summary>The whole task</summary><Prose text={run.task} /></details>}
      <div role="status" class="hidden">{hasGate ? `It asks: ${run.questions.map((question) => question.question).join('; ')}` : ''}</div>
      {gates.map(({question, why}) => (
        <Gate key={question.id} question={question} newest={run.newest} branch={run.branch} gone={why} early={diff.current}
          done={(answered) => {
            latest.current.mine.add(answered.id);
            refresh();
          }}
          close={() => setGone((all) => all.filter((each) => each.question.id !== question.id))} />
      ))}
      <div class="columns">
        <div class="main">
          <Tabs tab={tab} set={setTab} />
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} tabIndex={-1}>
            {tab === 'activity' && <Timeline run={id} shown={shown} set={setShown} steering={{
              rewind: (entry: Entry) => setAsked({what: 'rewind', entry}), fork: (entry: Entry) => setAsked({what: 'fork', entry}),
            }} />}
            {tab === 'changes' && <Changes run={id} branch={run.branch} version={changed} />}
            {tab === 'data' && <Data run={id} version={changed} />}
          </div>
        </div>
        <aside aria-label="The run at a glance">
          <Facts run={run} />
          <h2>Path</h2>
          <Path run={id} version={drawn} />
        </aside>
      </div>
    </>
  );
}

const ids = (run: ShownRun): string => run.questions.map((question) => question.id).join(' ');

// A task may be pages long.
function title(task: string): string {
  const line = task.trim().split('\n', 1)[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 160)} …` : line;
}

const names: Record<Tab, string> = {activity: 'Activity', changes: 'Changes', data: 'Data'};

function Tabs({tab, set}: {tab: Tab; set: (tab: Tab) => void}): JSX.Element {
  const all = Object.keys(names) as Tab[];
  const move = (key: KeyboardEvent): void => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[key.key];
    if (step === undefined) return;
    const next = all[(all.indexOf(tab) + step + all.length) % all.length] ?? tab;
    set(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="The run" onKeyDown={move}>
      {all.map((each) => (
        <button key={each} type="button" role="tab" id={`tab-${each}`} aria-controls="panel" aria-selected={each === tab} tabIndex={each === tab ? 0 : -1}
          onClick={() => set(each)}>{names[each]}</button>
      ))}
    </div>
  );
}

function Data({run, version}: {run: string; version: number}): JSX.Element {
  const [data, setData] = useState<MachineData>();
  const [error, setError] = useState('');
  useEffect(() => {
    get<MachineData>(`${runPath(run)}/data`).then(setData, (failure) => setError(told(failure)));
  }, [run, version]);
  if (error) return <Failure error={error} />;
  return data ? <><p class="muted">As it is after entry {data.seq}. Open an entry of the activity to see it at that point.</p><Machines data={data} /></> : <p class="muted">Loading …</p>;
}

function Path({run, version}: {run: string; version: number}): JSX.Element {
  const [within, setWithin] = useState(false);
  return (
    <>
      <label class="check"><input type="checkbox" checked={within} onChange={(change) => setWithin(change.currentTarget.checked)} /> with the machines within</label>
      <Graph path={`${runPath(run)}/graph${query({depth: within ? 3 : undefined})}`} version={version} label="The path that the run took" />
    </>
  );
}
