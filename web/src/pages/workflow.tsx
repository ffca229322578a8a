// A workflow: its picture, what lint finds, what its scenarios visit, and its source.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {get, query, told} from '../lib/api';
import {plural} from '../lib/time';
import type {Coverage, Finding, ShownWorkflow} from '../lib/types';
import {Failure} from '../parts/bits';
import {Covered} from '../parts/coverage';
import {Graph} from '../parts/graph';

export function WorkflowPage({workflow: name}: {workflow: string}): JSX.Element {
  const [workflow, setWorkflow] = useState<ShownWorkflow>();
  const [error, setError] = useState('');
  const [coverage, setCoverage] = useState<Coverage>();
  const [unplayed, setUnplayed] = useState('');
  const [within, setWithin] = useState(false);
  const [covered, setCovered] = useState(false);
  const path = `/workflows/${encodeURIComponent(name)}`;
  useEffect(() => {
    get<ShownWorkflow>(path).then(setWorkflow, (failure) => setError(told(failure)));
  }, [path]);
  // Asked for when the page is there: they are played for it.
  const runs = workflow?.runs;
  useEffect(() => {
    if (!runs) return;
    let left = false;
    setCoverage(undefined);
    setUnplayed('');
    get<Coverage>(`${path}/coverage`).then((all) => { if (!left) setCoverage(all); }, (failure) => { if (!left) setUnplayed(told(failure)); });
    return () => { left = true; };
  }, [path, runs]);
  if (!workflow) return <><h1>{name}</h1>{error ? <Failure error={error} /> : <p class="muted">Loading …</p>}</>;
  const where = (file: string, line?: number): JSX.Element => <Where file={file} nth={workflow.files.findIndex((each) => each.file === file)} line={line} />;
  return (
    <>
      <div class="title"><h1>{name}</h1></div>
      {workflow.description && <p>{workflow.description}</p>}
      <div class="columns">
        <div class="main">
          <section aria-labelledby="findings">
            <h2 id="findings">What lint finds</h2>
            {workflow.findings.length ? (
              <ul class="findings">{workflow.findings.map((finding, nth) => (
                <Found key={nth} finding={finding} where={where} />
              ))}</ul>
            ) : <p class="muted">Nothing.</p>}
          </section>
          {runs && <Covered coverage={coverage} error={unplayed} where={where} />}
          {workflow.files.map((each, nth) => (
            <details key={each.file} class="file" open={nth === 0 || undefined}>
              <summary><h2 class="path">{each.file}</h2></summary>
              <Source name={each.file} nth={nth} text={each.text} findings={workflow.findings.filter((finding) => finding.file === each.file)} />
            </details>
          ))}
          {workflow.inputs && workflow.inputs.length > 0 && (
            <section aria-labelledby="inputs">
              <h2 id="inputs">{plural(workflow.inputs.length, 'input')}</h2>
              <dl class="facts">{workflow.inputs.map((input) => <><dt><code>{input.name}</code></dt><dd>{input.description}{input.main && ' (the task)'}</dd></>)}</dl>
            </section>
          )}
        </div>
        <aside aria-label="Its picture">
          <p class="tools">
            <label class="check"><input type="checkbox" checked={within} onChange={(change) => setWithin(change.currentTarget.checked)} /> with the machines within</label>
            {coverage && coverage.cases > 0 && <label class="check"><input type="checkbox" checked={covered} onChange={(change) => setCovered(change.currentTarget.checked)} /> with what its scenarios visit; what they leave out is red</label>}
          </p>
          {workflow.runs === false ? <p class="muted">It has mistakes, so it cannot be drawn.</p>
            : <Graph path={`${path}/graph${query({depth: within ? 3 : undefined, covered: covered ? 'true' : undefined})}`} version={0} label={`The workflow ${name}`} />}
        </aside>
      </div>
    </>
  );
}

const place = (file: number, line: number): string => `file-${file + 1}-line-${line}`;

// A place of the source that leads there, where the source is on the page.
function Where({file, nth, line}: {file: string; nth: number; line: number | undefined}): JSX.Element {
  // The file may be closed.
  const show = (click: MouseEvent): void => {
    const row = document.getElementById(place(nth, line ?? 0));
    const closed = row?.closest('details');
    if (!row || !closed) return;
    click.preventDefault();
    closed.open = true;
    document.querySelector('.source .shown')?.classList.remove('shown');
    row.classList.add('shown');
    row.scrollIntoView({block: 'center'});
    row.focus({preventScroll: true});
  };
  const text = `${file}${line ? `:${line}` : ''}`;
  return line && nth >= 0 ? <a href={`#${place(nth, line)}`} onClick={show}>{text}</a> : <>{text}</>;
}

function Found({finding, where}: {finding: Finding; where: (file: string, line?: number) => JSX.Element}): JSX.Element {
  const {severity, message, code, help, file, line} = finding;
  return (
    <li class={severity}>
      {file && where(file, line)} <strong>{severity}</strong> {message} <code class="muted">{code}</code>
      {help && <p class="muted">{help}</p>}
    </li>
  );
}

function Source({name, nth, text, findings}: {name: string; nth: number; text: string; findings: Finding[]}): JSX.Element {
  const lines = text.replace(/\n$/, '').split('\n');
  const by_line = new Map<number, Finding[]>();
  for (const finding of findings) {
    if (finding.line) by_line.set(finding.line, [...by_line.get(finding.line) ?? [], finding]);
  }
  return (
    <div class="scroll source" tabIndex={0} role="group" aria-label={`Source of ${name}`}>
      <table class="diff"><tbody>{lines.map((line, at) => {
        const found = by_line.get(at + 1);
        return (
          <tr key={at} id={place(nth, at + 1)} tabIndex={found ? -1 : undefined} class={found ? found[0]?.severity : ''} title={found?.map((finding) => finding.message).join('\n')}>
            <td class="number">{at + 1}</td><td class="text">{line}</td>
          </tr>
        );
      })}</tbody></table>
    </div>
  );
}
