// A workflow: its picture, what lint finds, and its source.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {get, query, told} from '../lib/api';
import {plural} from '../lib/time';
import type {Finding, ShownWorkflow} from '../lib/types';
import {Failure} from '../parts/bits';
import {Graph} from '../parts/graph';

export function WorkflowPage({workflow: name}: {workflow: string}): JSX.Element {
  const [workflow, setWorkflow] = useState<ShownWorkflow>();
  const [error, setError] = useState('');
  const [within, setWithin] = useState(false);
  const path = `/workflows/${encodeURIComponent(name)}`;
  useEffect(() => {
    get<ShownWorkflow>(path).then(setWorkflow, (failure) => setError(told(failure)));
  }, [path]);
  if (!workflow) return <><h1>{name}</h1>{error ? <Failure error={error} /> : <p class="muted">Loading …</p>}</>;
  const by_line = new Map<number, Finding[]>();
  for (const finding of workflow.findings) {
    if (finding.line) by_line.set(finding.line, [...by_line.get(finding.line) ?? [], finding]);
  }
  return (
    <>
      <div class="title"><h1>{name}</h1></div>
      {workflow.description && <p>{workflow.description}</p>}
      <div class="columns">
        <div class="main">
          <section aria-labelledby="findings">
            <h2 id="findings">What lint finds</h2>
            {workflow.findings.length ? <ul class="findings">{workflow.findings.map((finding, nth) => <Found key={nth} finding={finding} />)}</ul> : <p class="muted">Nothing.</p>}
          </section>
          <section aria-labelledby="source">
            <h2 id="source">Source <code class="muted">{workflow.file}</code></h2>
            <Source text={workflow.source} findings={by_line} />
          </section>
          {workflow.inputs && workflow.inputs.length > 0 && (
            <section aria-labelledby="inputs">
              <h2 id="inputs">{plural(workflow.inputs.length, 'input')}</h2>
              <dl class="facts">{workflow.inputs.map((input) => <><dt><code>{input.name}</code></dt><dd>{input.description}{input.main && ' (the task)'}</dd></>)}</dl>
            </section>
          )}
        </div>
        <aside aria-label="Its picture">
          <label class="check"><input type="checkbox" checked={within} onChange={(change) => setWithin(change.currentTarget.checked)} /> with the machines within</label>
          {workflow.runs === false ? <p class="muted">It has mistakes, so it cannot be drawn.</p>
            : <Graph path={`${path}/graph${query({depth: within ? 3 : undefined})}`} version={0} label={`The workflow ${name}`} />}
        </aside>
      </div>
    </>
  );
}

function Found({finding}: {finding: Finding}): JSX.Element {
  return (
    <li class={finding.severity}>
      {finding.line ? <a href={`#L${finding.line}`}>line {finding.line}</a> : null} <strong>{finding.severity}</strong> {finding.message} <code class="muted">{finding.code}</code>
      {finding.help && <p class="muted">{finding.help}</p>}
    </li>
  );
}

function Source({text, findings}: {text: string; findings: Map<number, Finding[]>}): JSX.Element {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <div class="scroll source" tabIndex={0} role="group" aria-label="Source">
      <table class="diff"><tbody>{lines.map((line, nth) => {
        const found = findings.get(nth + 1);
        return (
          <tr key={nth} id={`L${nth + 1}`} class={found ? found[0]?.severity : ''} title={found?.map((finding) => finding.message).join('\n')}>
            <td class="number">{nth + 1}</td><td class="text">{line}</td>
          </tr>
        );
      })}</tbody></table>
    </div>
  );
}
