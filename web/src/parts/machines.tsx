import type {JSX} from 'preact';

import type {MachineData} from '../lib/types';

// In which states the machines of a run are, and their data.
export function Machines({data}: {data: MachineData}): JSX.Element {
  return (
    <div class="machines">
      {data.machines.map((machine) => (
        <details key={machine.path} open={data.machines.length === 1}>
          <summary><strong>{machine.machine}</strong> {machine.states.join(', ')} {machine.path && <code>{machine.path}</code>}</summary>
          <pre tabIndex={0}>{JSON.stringify(machine.data, null, 2)}</pre>
        </details>
      ))}
      {!data.machines.length && <p class="muted">No machine is at work then: the run has not begun, or has ended.</p>}
    </div>
  );
}
