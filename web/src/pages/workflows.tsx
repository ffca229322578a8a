import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {get, told} from '../lib/api';
import {to} from '../lib/router';
import type {Workflow} from '../lib/types';
import {Failure} from '../parts/bits';

export function WorkflowsPage(): JSX.Element {
  const [workflows, setWorkflows] = useState<Workflow[]>();
  const [error, setError] = useState('');
  useEffect(() => {
    get<{workflows: Workflow[]}>('/workflows').then((found) => setWorkflows(found.workflows), (failure) => setError(told(failure)));
  }, []);
  return (
    <>
      <h1>Workflows</h1>
      {error && <Failure error={error} />}
      {!workflows && !error && <p class="muted">Loading …</p>}
      <ul class="runs">{workflows?.map((each) => (
        <li class="row" key={each.workflow}>
          <a class="task" href={to.workflow(each.workflow)}>{each.workflow}</a>
          {!each.runs && <span class="badge failed">has mistakes</span>}
          <span class="meta">{each.description}</span>
        </li>
      ))}</ul>
    </>
  );
}
