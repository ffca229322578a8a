// What the scenario tests of a workflow come by, and what they leave out.

import type {ComponentChildren, JSX} from 'preact';

import {leftOut} from '../lib/coverage';
import {plural} from '../lib/time';
import type {Coverage, Share} from '../lib/types';
import {Failure} from './bits';

const example = `agneto-test: 1
cases:
  - name: it comes to its end
    inputs: {task: any}
    steps:
      - {at: STATE, outcome: ok}
    expect: {status: complete}
`;

const part = ({covered, total}: Share, name: string): string => `${covered} of ${total} ${name}`;

// `where` shows a place of the source.
export function Covered({coverage, error, where}: {
  coverage: Coverage | undefined; error: string; where: (file: string, line?: number) => ComponentChildren;
}): JSX.Element {
  return (
    <section aria-labelledby="covered">
      <h2 id="covered">What its scenarios visit</h2>
      {error && <Failure error={error} />}
      {!coverage && !error && <p class="muted">They are being played …</p>}
      {coverage && !coverage.cases && (
        <>
          <p>There are no scenarios of this workflow, so nothing is known of what they would visit. They stand in <code>{coverage.tests}</code>, beside it, such as</p>
          <pre tabIndex={0}>{example}</pre>
          <p class="muted"><code>agneto test</code> plays them, without agents; docs/testing.md tells what they can say.</p>
        </>
      )}
      {coverage && coverage.cases > 0 && (
        <p class="muted">{plural(coverage.cases, 'case')} of <code>{coverage.tests}</code>{coverage.failed.length ? ', of which these fail:' : '; all pass.'}</p>
      )}
      {coverage && coverage.failed.length > 0 && <ul class="findings">{coverage.failed.map((name) => <li key={name} class="error"><strong>failed</strong> {name}</li>)}</ul>}
      {coverage?.machines.map((machine) => {
        const {states, transitions, guards, verdicts} = machine.summary;
        const left = leftOut(machine);
        return (
          <div key={machine.file} class="covered">
            <h3>{machine.machine}</h3>
            <p>{part(states, 'states')}, {part(transitions, 'transitions')}, {part(guards, "guards' results")}, {part(verdicts, 'verdicts')}</p>
            {left.length ? <ul class="findings">{left.map((each, nth) => <li key={nth}>{where(each.file, each.line)} {each.what}</li>)}</ul> : <p class="muted">Nothing is left out.</p>}
            <details>
              <summary>How often each is visited</summary>
              <ul class="findings">
                {machine.states.map((each) => <li key={each.state}>{each.entered} × <code>{each.state}</code></li>)}
                {machine.transitions.map((each, nth) => <li key={nth}>{each.taken} × <code>{each.from}</code>, {each.trigger}{each.guard && <> <code>[{each.guard.text}]</code></>} → <code>{each.to.join(', ') || '(stays)'}</code></li>)}
              </ul>
            </details>
          </div>
        );
      })}
    </section>
  );
}
