import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {get, told} from '../lib/api';
import {to} from '../lib/router';
import type {Schedule} from '../lib/types';
import {Failure, Standing, Time} from '../parts/bits';

export function SchedulesPage(): JSX.Element {
  const [found, setFound] = useState<Schedule[]>();
  const [error, setError] = useState('');
  useEffect(() => {
    get<{schedules: Schedule[]}>('/schedules').then((all) => setFound(all.schedules), (failure) => setError(told(failure)));
  }, []);
  return (
    <>
      <h1>Schedules</h1>
      {error && <Failure error={error} />}
      {!found && !error && <p class="muted">Loading …</p>}
      {found && !found.length && <p class="muted">There is none. They stand in <code>.agneto/config.yaml</code>, under <code>schedules</code>.</p>}
      {found && found.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Schedules">
          <table class="list">
            <thead><tr><th scope="col">Name</th><th scope="col">Workflow</th><th scope="col">Task</th><th scope="col">When</th><th scope="col">Next</th><th scope="col">Last</th></tr></thead>
            <tbody>{found.map((each) => (
              <tr key={each.name}>
                <th scope="row">{each.name}{each.wrong && <p class="failure">It makes no run: {each.wrong}</p>}</th>
                <td data-name="Workflow"><a href={to.workflow(each.workflow)}>{each.workflow}</a></td>
                <td data-name="Task">{each.task}</td>
                <td data-name="When"><code>{each.cron}</code> {each.timezone}</td>
                <td data-name="Next">{each.next && <Time at={each.next} />}</td>
                <td data-name="Last">{each.last && <><a href={to.run(each.last.run)}><Time at={each.last.due} /></a> <Standing run={each.last} /></>}</td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      )}
    </>
  );
}
