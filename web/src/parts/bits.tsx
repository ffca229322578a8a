// Small parts that many pages have.

import type {ComponentChildren, JSX} from 'preact';
import {useEffect, useMemo, useRef} from 'preact/hooks';

import {useSession} from '../lib/session';
import {markdown} from '../lib/safe';
import {localTime} from '../lib/time';
import type {Run, Scope} from '../lib/types';

export function Time({at, seconds = false}: {at: string; seconds?: boolean}): JSX.Element {
  return <time dateTime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>{localTime(at, new Date(), seconds)}</time>;
}

// How a run stands, in the words that the commands use.
export function standing(run: Pick<Run, 'status' | 'waits_for' | 'wake'>): {kind: string; text: string} {
  const {status, waits_for: waits, wake} = run;
  if (waits === 'person' && status !== 'suspended') return {kind: 'waiting', text: 'waiting for you'};
  if (status === 'parked') return {kind: 'parked', text: wake ? 'parked until' : 'parked'};
  return {kind: status, text: status};
}

export function Standing({run}: {run: Pick<Run, 'status' | 'waits_for' | 'wake'>}): JSX.Element {
  const {kind, text} = standing(run);
  return <span class={`badge ${kind}`}>{text}{kind === 'parked' && run.wake && <> <Time at={run.wake} /></>}</span>;
}

export function Failure({error}: {error: string}): JSX.Element {
  return <p class="failure" role="alert">{error}</p>;
}

// A button of which the token is good for nothing says why.
export function Act({needs, children, act, kind = '', why = '', ...rest}: {
  needs: Scope; children: ComponentChildren; act: () => void; kind?: string; why?: string; 'aria-expanded'?: boolean;
}): JSX.Element {
  const reason = useSession().lacks(needs) || why;
  return (
    <button type="button" class={kind} aria-disabled={reason ? 'true' : undefined} title={reason || undefined}
      onClick={() => { if (!reason) act(); }} {...rest}>
      {children}{reason && <span class="hidden"> ({reason})</span>}
    </button>
  );
}

// Markdown under a heading of this level.
export function Prose({text, under}: {text: string; under: number}): JSX.Element {
  const made = useMemo(() => markdown(text, under), [text, under]);
  const there = useRef<HTMLDivElement>(null);
  useEffect(() => { there.current?.replaceChildren(made); }, [made]);
  return <div class="prose" ref={there} />;
}

// Asks in the page whether something is meant; what is in it is the question.
export function Confirm({title, verb, danger = false, close, act, children}: {
  title: string; verb: string; danger?: boolean; close: () => void; act: () => void; children?: ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => { if (before instanceof HTMLElement) before.focus(); };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={close}>
      <form method="dialog" onSubmit={(submit) => { submit.preventDefault(); act(); }}>
        <h2 id="confirm-title">{title}</h2>
        {children}
        <p class="buttons">
          <button type="submit" class={danger ? 'danger' : 'primary'}>{verb}</button>
          <button type="button" onClick={close}>Cancel</button>
        </p>
      </form>
    </dialog>
  );
}
