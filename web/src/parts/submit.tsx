// Queues a task, with the inputs of the workflow that is chosen as fields.

import type {JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

import {post, told} from '../lib/api';
import {go, to} from '../lib/router';
import {useSession} from '../lib/session';
import type {Run, Workflow} from '../lib/types';
import {Failure} from './bits';

export function Submit({workflows, close}: {workflows: Workflow[]; close: () => void}): JSX.Element {
  const {say} = useSession();
  const runnable = workflows.filter((each) => each.runs);
  const [chosen, setChosen] = useState('');
  const [error, setError] = useState('');
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const workflow = runnable.find((each) => each.workflow === chosen) ?? runnable.find((each) => each.workflow === 'agneto') ?? runnable[0];
  const main = workflow?.inputs?.find((input) => input.main);
  const others = workflow?.inputs?.filter((input) => !input.main) ?? [];
  useEffect(() => { form.current?.querySelector('textarea')?.focus(); }, [workflow?.workflow]);

  const submit = async (): Promise<void> => {
    if (!form.current || !workflow || sending) return;
    const data = new FormData(form.current);
    const field = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const inputs = Object.fromEntries(others.map(({name}) => [name, field(`input.${name}`)]).filter(([, value]) => value));
    const body: Record<string, unknown> = {workflow: workflow.workflow, inputs, auto_merge: data.get('auto_merge') !== null};
    if (main) body.task = field('task');
    if (field('base')) body.base = field('base');
    if (field('priority')) body.priority = Number(field('priority'));
    setSending(true);
    try {
      const run = await post<Run>('/runs', body);
      say(`Queued: ${run.run}${run.remarks?.length ? `. ${run.remarks.join('. ')}` : ''}`);
      close();
      go(to.run(run.run));
    } catch (failure) {
      setError(told(failure));
      setSending(false);
    }
  };

  return (
    <form class="submit card" ref={form} aria-label="New task" onSubmit={(event) => { event.preventDefault(); void submit(); }}
      onKeyDown={(key) => {
        if (key.key === 'Enter' && (key.ctrlKey || key.metaKey)) void submit();
        if (key.key === 'Escape') close();
      }}>
      <label class="field">Workflow
        <select value={workflow?.workflow ?? ''} onChange={(event) => setChosen(event.currentTarget.value)}>
          {runnable.map((each) => <option key={each.workflow}>{each.workflow}</option>)}
        </select>
      </label>
      {workflow?.description && <p class="muted">{workflow.description}</p>}
      {main && (
        <label class="field">Task <span class="muted">{main.description}</span>
          <textarea name="task" rows={3} required />
        </label>
      )}
      <details>
        <summary>Inputs, branch and priority</summary>
        <div class="fields">
          {others.map((input) => (
            <label class="field" key={`${workflow?.workflow} ${input.name}`}>{input.name} <span class="muted">{input.description}</span>
              <input name={`input.${input.name}`} spellcheck={false} placeholder="as the workflow has it" />
            </label>
          ))}
          <label class="field">Base branch <span class="muted">Where it starts from</span><input name="base" spellcheck={false} placeholder="the current one" /></label>
          <label class="field">Priority <span class="muted">Those with more are taken up first</span><input name="priority" type="number" min={-100} max={100} step={1} placeholder="0" /></label>
        </div>
      </details>
      <label class="check"><input type="checkbox" name="auto_merge" /> Merge into the base branch at the end</label>
      {error && <Failure error={error} />}
      <p class="buttons">
        <button type="submit" class="primary" disabled={sending || !workflow}>{sending ? 'Queuing …' : 'Queue it'}</button>
        <button type="button" onClick={close}>Cancel</button>
      </p>
    </form>
  );
}
