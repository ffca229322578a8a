// A run: how it stands, what it asks, where it is, and what happened in it.

import type {JSX} from 'preact';
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';

import {Away, get, getText, Problem, query, runPath, told} from '../lib/api';
import {whenAsked, whoAnswered, type Answered, type Asked as AskedAt} from '../lib/asked';
import {isWritten} from '../lib/draft';
import {newestOnes, refreshed, type Shown} from '../lib/journal';
import {useSession} from '../lib/session';
import {follow, isRefused, type Following, type Link} from '../lib/stream';
import {isOver, type Entry, type MachineData, type Question, type ShownRun} from '../lib/types';
import {Failure, Prose, Standing} from '../parts/bits';
import {Changes} from '../parts/changes';
import {Facts} from '../parts/facts';
import {Gate} from '../parts/gate';
import {Graph} from '../parts/graph';
import {LinkState} from '../parts/linkstate';
import {Machines} from '../parts/machines';
import {Steer, type Asked} from '../parts/steer';
import {Timeline} from '../parts/timeline';

const soon = 150;          // ms in which news are gathered
const graph_every = 1000;  // ms; it is drawn anew for each look

const longest_wait = 1000;  // ms for the change that is asked about, so that it comes with the question

type Tab = 'activity' | 'changes' | 'data';

interface Open {
  question: Question;
  asked: number;  // in which entry of the log; after a rewind, a question with the same id is another one
}

interface Gone extends Open {
  why?: Answered;
}

interface Known {
  run: ShownRun;
  asked: AskedAt;
}

export function RunPage({run: id, hash}: {run: string; hash: string}): JSX.Element {
  const session = useSession();
  const [known, setKnown] = useState<Known>();
  const run = known?.run;
  const [shown, setShown] = useState<Shown>();
  const [gone, setGone] = useState<Gone[]>([]);
  const [error, setError] = useState('');
  const [link, setLink] = useState<Link>({kind: 'connecting'});
  const [drawn, setDrawn] = useState(0);     // counts the times that the picture is to be drawn
  const [changed, setChanged] = useState(0);  // and the change looked at
  const [asked, setAsked] = useState<Asked>();
  const [tab, setTab] = useState<Tab>('activity');
  const following = useRef<Following | undefined>(undefined);
  const latest = useRef<{known?: Known; shown?: Shown | undefined; mine: Set<string>}>({mine: new Set()});
  const diff = useRef<string>(undefined);  // of the questions that are there at first
  const redraw = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const redrawn = useRef(-graph_every);
  latest.current.shown = shown;

  const load = useCallback(async (): Promise<void> => {
    const now = await get<ShownRun>(runPath(id));
    const before = latest.current.known;
    const had = latest.current.shown;
    const [entries, asked] = await Promise.all([
      had ? refreshed(id, had) : newestOnes(id, now.newest),
      whenAsked(id, now.questions, now.newest, before?.asked),
      !before && now.branch && now.questions.length ? Promise.race([
        getText(`${runPath(id)}/diff`).then((text) => { diff.current = text; }, () => {}),
        new Promise((resolve) => setTimeout(resolve, longest_wait)),
      ]) : undefined,
    ]);
    const after = {run: now, asked};
    const open = openOf(after).map(keyOf);
    const was = openOf(before);
    const closed = was.filter((each) => !latest.current.mine.has(keyOf(each)) && !open.includes(keyOf(each)));
    const over = await Promise.all(closed.map(async (each) => ({...each, why: await whoAnswered(id, now.newest, each.question.id, each.asked)})));
    // A look that began later may have ended sooner.
    if ((latest.current.known?.run.newest ?? 0) > now.newest) return;
    if (before && was.map(keyOf).join() !== open.join()) diff.current = undefined;
    latest.current.known = after;
    setKnown(after);
    if (over.length) setGone((all) => [...all.filter((other) => !over.some((each) => keyOf(each) === keyOf(other))), ...over]);
    // Whoever has gone elsewhere in the log meanwhile stays there.
    setShown((current) => current === had ? entries : current);
    setError('');
    if (before && before.run.newest !== now.newest) {
      // At once, where that was not done just now.
      redraw.current ??= setTimeout(() => {
        redraw.current = undefined;
        redrawn.current = performance.now();
        setDrawn((count) => count + 1);
        setChanged((count) => count + 1);
      }, Math.max(0, redrawn.current + graph_every - performance.now()));
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
      while (!over && !latest.current.known) {
        try {
          await load();
        } catch (failure) {
          if (over || isRefused(failure)) return;
          setError(told(failure));
          if (failure instanceof Problem && failure.status === 404) return;
          await new Promise((resolve) => setTimeout(resolve, 2000));
        }
      }
      if (over || !latest.current.known) return;
      following.current = follow({
        path: `${runPath(id)}/events`, after: String(latest.current.known.run.newest), link: setLink,
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

  if (!known || !run || !shown) return error ? <><h1>{id}</h1><Failure error={error} /><p><a href="/">All runs</a></p></> : <p class="muted">Loading …</p>;
  // One that is asked anew takes the place of what it was, unless somebody wrote something there.
  const anew = ({question, asked: at}: Open): boolean => run.questions.some((each) => each.id === question.id) && !isWritten(id, question.id, at);
  const gates: Gone[] = [...openOf(known), ...gone.filter((each) => !anew(each) && !latest.current.mine.has(keyOf(each)))];
  const first = gates.find((each) => !each.why);
  const refresh = (): void => { void load().catch((failure) => setError(told(failure))); };
  return (
    <>
      <LinkState link={link} hurry={() => following.current?.hurry()} />
      <div class="title run">
        <h1>{title(run.task) || run.run}</h1>
        <Standing run={run} />
        {link.kind === 'live' && !isOver(run) && <span class="live" title="What happens is shown as it happens">live</span>}
        <span class="gap" />
        <Steer run={run} asked={asked} ask={setAsked} done={refresh} />
      </div>
      {error && <Failure error={error} />}
      {title(run.task) !== run.task.trim() && <details class="card"><summary>The whole task</summary><Prose text={run.task} under={1} /></details>}
      <div role="status" class="hidden">{hasGate ? `It asks: ${run.questions.map((question) => question.question).join('; ')}` : ''}</div>
      {gates.map((gate) => (
        <Gate key={keyOf(gate)} question={gate.question} asked={gate.asked} first={gate === first} branch={run.branch} gone={gate.why} early={diff.current}
          done={() => {
            latest.current.mine.add(keyOf(gate));
            refresh();
          }}
          close={() => setGone((all) => all.filter((each) => keyOf(each) !== keyOf(gate)))} />
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

const keyOf = ({question, asked}: Open): string => `${question.id} ${asked}`;
const openOf = (known: Known | undefined): Open[] =>
  known?.run.questions.map((question) => ({question, asked: known.asked.at[question.id] ?? 0})) ?? [];

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
