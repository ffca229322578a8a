// In which states the machines of a run are, and their data, as something to read.

import type {JSX} from 'preact';

import {plural} from '../lib/time';
import type {MachineData} from '../lib/types';

export function Machines({data}: {data: MachineData}): JSX.Element {
  return (
    <div class="machines">
      {data.machines.map((machine) => (
        <details key={machine.path} class="machine" open>
          <summary><strong>{machine.machine}</strong> {machine.states.length ? `is in ${machine.states.join(', ')}` : 'has ended'} {machine.path && <code>{machine.path}</code>}</summary>
          <Value value={machine.data} />
        </details>
      ))}
      {!data.machines.length && <p class="muted">No machine is at work then: the run has not begun, or has ended.</p>}
    </div>
  );
}

const size = (value: object): string => Array.isArray(value) ? `${value.length} in a list` : plural(Object.keys(value).length, 'key');

function Value({value}: {value: unknown}): JSX.Element {
  if (typeof value === 'string') {
    return value.includes('\n') ? <pre tabIndex={0}>{value}</pre> : <code class="string">{value || '""'}</code>;
  }
  if (value === null || typeof value !== 'object') return <code>{JSON.stringify(value)}</code>;
  const members = Object.entries(value);
  if (!members.length) return <code>{Array.isArray(value) ? '[]' : '{}'}</code>;
  return (
    <dl class="value">{members.map(([name, member]) => {
      const nested = member !== null && typeof member === 'object' && Object.keys(member as object).length > 0;
      return (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{nested ? <details open={members.length <= 3}><summary>{size(member as object)}</summary><Value value={member} /></details> : <Value value={member} />}</dd>
        </div>
      );
    })}</dl>
  );
}
