// Says when what is shown is not what is.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import type {Link} from '../lib/stream';

export function LinkState({link, hurry}: {link: Link; hurry: () => void}): JSX.Element {
  const [now, setNow] = useState(Date.now());
  const away = link.kind === 'away';
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [away]);
  const left = link.kind === 'away' ? Math.max(0, Math.ceil((link.next - now) / 1000)) : 0;
  return (
    <div class="linkstate" role="status">
      {link.kind === 'polling' && <p class="banner">This page gets no live news here, so it asks every five seconds. Does a proxy hold back streams?</p>}
      {link.kind === 'away' && (
        <p class="banner bad">
          {link.why === undefined ? 'The server does not answer.' : `The server answers with an error: ${link.why}.`} What you see is as it was. <span aria-hidden="true">{left > 0 ? `Next try in ${left} s. ` : 'Trying … '}</span>
          <button type="button" onClick={hurry}>Try now</button>
        </p>
      )}
    </div>
  );
}
