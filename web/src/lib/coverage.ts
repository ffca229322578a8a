// What the scenario tests of a workflow leave out, in the words that `agneto test --coverage` has.

import type {MachineCoverage} from './types';

export interface Left {
  what: string;
  file: string;
  line?: number;  // of a verdict it is its state's
}

export function leftOut(machine: MachineCoverage): Left[] {
  const found: Left[] = [];
  const lines = new Map(machine.states.map((each) => [each.state, each]));
  const note = (what: string, at: {line: number; file?: string} | undefined): void => {
    found.push({what, file: at?.file ?? machine.file, ...(at && {line: at.line})});
  };
  for (const each of machine.states) if (!each.entered) note(`never entered: ${each.state}`, each);
  for (const each of machine.verdicts) if (!each.given) note(`never given: ${each.state}, ${each.verdict}`, lines.get(each.state));
  for (const each of machine.transitions) {
    const {from, to, trigger, guard, taken} = each;
    const words = `${from}, ${trigger}${guard ? ` [${guard.text}]` : ''} → ${to.join(', ') || '(stays)'}`;
    if (!taken) note(`never taken: ${words}`, each);
    if (!guard || (guard.false && guard.true)) continue;
    note(`guard never ${guard.false ? 'true' : guard.true ? 'false' : 'looked at'}: ${words}`, each);
  }
  // By their places; what is in a file that is extended comes last.
  const own = (left: Left): number => left.file === machine.file ? 0 : 1;
  return found.sort((one, other) => own(one) - own(other) || (one.line ?? 0) - (other.line ?? 0));
}
