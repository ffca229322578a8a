// What happened in a run: some of its entries, the newest at the end.

import type {JSX} from 'preact';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

import {get, query, runPath, told} from '../lib/api';
import {isStep, tell, type Told} from '../lib/entries';
import {around, earlier, first, isAtEnd, last, later, newestOnes, type Shown} from '../lib/journal';
import {count} from '../lib/time';
import type {Entry, MachineData} from '../lib/types';
import {Act, Failure, Prose, Time} from './bits';
import {Machines} from './machines';

export interface Steering {
  rewind(entry: Entry): void;
  fork(entry: Entry): void;
}

export function Timeline({run, shown, set, steering}: {
  run: string; shown: Shown; set: (shown: Shown) => void; steering: Steering;
}): JSX.Element {
  const [small, setSmall] = useState(false);
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);  // the newest are looked at, so what comes is, too
  useLayoutEffect(() => {
    if (box.current && follows.current && isAtEnd(shown)) box.current.scrollTop = box.current.scrollHeight;
  }, [shown]);
  const load = async (what: Promise<Shown>): Promise<void> => {
    setBusy(true);
    try {
      set(await what);
      setError('');
    } catch (failure) {
      setError(told(failure));
    }
    setBusy(false);
  };
  const entries = small ? shown.entries : shown.entries.filter((entry) => !tell(entry).minor);
  return (
    <div class="timeline">
      <form class="tools" onSubmit={(submit) => {
        submit.preventDefault();
        const seq = Number(new FormData(submit.currentTarget).get('seq'));
        follows.current = false;
        if (seq >= 1) void load(around(run, seq)).then(() => show(box.current, seq));
      }}>
        <span class="muted">{count(first(shown))}–{count(last(shown))} of {count(shown.newest)} entries</span>
        <label>Go to <input name="seq" type="number" min={1} max={shown.newest} size={6} placeholder="number" /></label>
        <button type="submit">Go</button>
        <label class="check"><input type="checkbox" checked={small} onChange={(change) => setSmall(change.currentTarget.checked)} /> small ones, too</label>
      </form>
      {error && <Failure error={error} />}
      <div class="box" ref={box} tabIndex={0} role="group" aria-label="What happened, the newest at the end"
        onScroll={({currentTarget: at}) => { follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < 40; }}>
        {first(shown) > 1 && <button type="button" class="quiet more" disabled={busy} onClick={() => { follows.current = false; void load(earlier(run, shown)); }}>Show earlier ones</button>}
        <ol class="entries" start={first(shown)}>{entries.map((entry) => <Row key={entry.seq} run={run} entry={entry} steering={steering} />)}</ol>
      </div>
      {!isAtEnd(shown) && (
        <p class="buttons">
          <button type="button" class="quiet" disabled={busy} onClick={() => void load(later(run, shown))}>Show later ones</button>
          <button type="button" class="quiet" disabled={busy} onClick={() => { follows.current = true; void load(newestOnes(run, shown.newest)); }}>To the newest</button>
        </p>
      )}
    </div>
  );
}

// In the middle of the box, without moving the page.
function show(box: HTMLElement | null, seq: number): void {
  const row = box?.querySelector<HTMLElement>(`.entries > [value="${seq}"]`);
  if (box && row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

function Row({run, entry, steering}: {run: string; entry: Entry; steering: Steering}): JSX.Element {
  const [open, setOpen] = useState(false);
  const told = useMemo(() => tell(entry), [entry]);
  const speaks = told.spoken && entry.kind === 'said';
  return (
    <li class={`entry ${told.tone} ${entry.undone ? 'undone' : ''}`} value={entry.seq}>
      <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
        <summary>
          <span class="seq">{entry.seq}</span> <Time at={entry.time} seconds />
          <span class="told"><strong>{told.title}</strong>{told.text && <span class="text"> {told.text}</span>} {entry.undone && <span class="badge">undone</span>}</span>
        </summary>
        {open && <Opened run={run} entry={entry} told={told} steering={steering} />}
      </details>
      {told.end && !open && <pre class="end">{told.end}</pre>}
      {speaks && <Spoken spoken={told.spoken ?? []} />}
    </li>
  );
}

function Spoken({spoken}: {spoken: {kind: string; text: string}[]}): JSX.Element {
  return (
    <ul class="spoken">{spoken.map((each, nth) => {
      const kind = each.kind.replace('_', ' ');
      return <li key={nth} class={each.kind}>{each.kind === 'text' ? each.text : <><span class="muted">{kind}</span> {each.text}</>}</li>;
    })}</ul>
  );
}

function Opened({run, entry, told, steering}: {run: string; entry: Entry; told: Told; steering: Steering}): JSX.Element {
  const [raw, setRaw] = useState(false);
  const [data, setData] = useState<MachineData>();
  const [error, setError] = useState('');
  const full = useRef<HTMLPreElement>(null);
  // What counts is at its end, and goes on from what was seen before it was opened.
  useLayoutEffect(() => { if (told.end && full.current) full.current.scrollTop = full.current.scrollHeight; }, []);
  const look = (): void => {
    get<MachineData>(`${runPath(run)}/data${query({at: entry.seq})}`).then(setData, (failure) => setError(failure instanceof Error ? failure.message : String(failure)));
  };
  return (
    <div class="opened">
      {told.spoken && entry.kind !== 'said' && <Spoken spoken={told.spoken} />}
      {told.full && (told.markdown && !raw ? <Prose text={told.full} under={1} /> : <pre ref={full} tabIndex={0}>{told.full}</pre>)}
      {raw && <pre tabIndex={0}>{JSON.stringify(entry, null, 2)}</pre>}
      {error && <Failure error={error} />}
      {data && <Machines data={data} />}
      <p class="buttons">
        <button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>As it is recorded</button>
        {!data && <button type="button" class="quiet" onClick={look}>Data after this</button>}
        {isStep(entry) && <Act needs="admin" kind="quiet" act={() => steering.rewind(entry)}>Rewind to here …</Act>}
        {isStep(entry) && <Act needs="admin" kind="quiet" act={() => steering.fork(entry)}>Fork from here …</Act>}
      </p>
    </div>
  );
}
