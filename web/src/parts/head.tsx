import type {JSX} from 'preact';

import type {Route} from '../lib/router';
import {useSession} from '../lib/session';
import type {Link} from '../lib/stream';
import {howMany, type Notices, type Waiting} from '../lib/waiting';

const pages = [
  {page: 'board', href: '/', name: 'Runs', also: ['run']},
  {page: 'workflows', href: '/workflows', name: 'Workflows', also: ['workflow']},
  {page: 'schedules', href: '/schedules', name: 'Schedules', also: []},
  {page: 'server', href: '/server', name: 'Server', also: []},
];

export function Head({route, waiting, link, own, signOut, notices}: {
  route: Route; waiting: Waiting; link: Link; own: boolean; signOut: () => void; notices: Notices;
}): JSX.Element {
  const {server} = useSession();
  return (
    <header class="head">
      <a class="brand" href="/">Agneto <span class="folder">{server.folder}</span></a>
      <nav aria-label="Pages">
        {pages.map(({page, href, name, also}) => (
          <a key={page} href={href} aria-current={route.page === page ? 'page' : also.includes(route.page) ? 'true' : undefined}>{name}</a>
        ))}
      </nav>
      {waiting.runs.size > 0 && <a class="badge waiting" href="/?status=waiting">{howMany(waiting)}<span class="long"> waiting for you</span></a>}
      <span class="gap" />
      {!own && link.kind === 'live' && <span class="live" title="What changes is shown as it happens">live</span>}
      {notices.can && <button type="button" class="quiet" onClick={notices.ask} title="Have the browser tell you when a run waits for you">Notify<span class="long"> me</span></button>}
      <button type="button" class="quiet" onClick={signOut} title={`Signed in as ${server.token.name}, for '${server.token.scope}'`}>
        Sign out<span class="long"> {server.token.name}</span>
      </button>
    </header>
  );
}
