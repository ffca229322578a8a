// What there is to know of a run in a few words, and what it has used.

import type {JSX} from 'preact';

import {to} from '../lib/router';
import {count, duration, money} from '../lib/time';
import {isOver, type ShownRun} from '../lib/types';
import {Time} from './bits';

const number = (value: unknown): number => typeof value === 'number' ? value : 0;

export function Facts({run}: {run: ShownRun}): JSX.Element {
  const {totals, limits} = run;
  const since = typeof totals.since === 'string' ? Date.now() - new Date(totals.since).getTime() : 0;
  return (
    <dl class="facts">
      <dt>Run</dt><dd><code>{run.run}</code></dd>
      <dt>Workflow</dt><dd><a href={to.workflow(run.workflow)}>{run.workflow}</a></dd>
      {run.outcome && <><dt>{isOver(run) ? 'Outcome' : 'Why'}</dt><dd>{run.outcome}</dd></>}
      {run.why_queued && <><dt>Waits</dt><dd>{run.why_queued}</dd></>}
      {run.branch && <><dt>Branch</dt><dd><code>{run.branch}</code> from <code>{run.base}</code></dd></>}
      {run.priority !== 0 && <><dt>Priority</dt><dd>{run.priority}</dd></>}
      <dt>Begun</dt><dd><Time at={run.created} /></dd>
      <dt>Changed</dt><dd><Time at={run.updated} /></dd>
      {run.wake && <><dt>Goes on</dt><dd><Time at={run.wake} /></dd></>}
      {run.away?.map((call) => <><dt>Away</dt><dd>{call.path}: {call.why}, until <Time at={call.until} /></dd></>)}
      <dt>Calls</dt><dd>{count(number(totals.calls))}{limits.calls !== undefined && ` of ${count(limits.calls)}`}</dd>
      <dt>Cost</dt><dd>{money(number(totals.cost))}{limits.cost !== undefined && ` of ${money(limits.cost)}`}{number(totals.unpriced) > 0 && ` and ${count(number(totals.unpriced))} calls without a price`}</dd>
      <dt>Tokens</dt><dd>{count(number(totals.input_tokens))} read, {count(number(totals.output_tokens))} written{limits.tokens !== undefined && `, of ${count(limits.tokens)}`}</dd>
      <dt>At work</dt><dd>{duration(number(totals.worked) + Math.max(0, since))}{limits.time !== undefined && ` of ${duration(limits.time)}`}</dd>
      {run.outstanding.length > 0 && <><dt>Under way</dt><dd>{run.outstanding.map((path) => <div key={path}><code>{path}</code></div>)}</dd></>}
    </dl>
  );
}
