// Asks before a link signs in as somebody else: whoever made the link knows that token.

import type {JSX} from 'preact';
import {useCallback, useEffect, useState} from 'preact/hooks';

import {ownerOf, token, told} from '../lib/api';
import type {Server} from '../lib/types';

type Owner = Server['token'];

export function Offer({given, stay}: {given: string; stay: () => void}): JSX.Element {
  const [owners, setOwners] = useState<{now: Owner; then: Owner | undefined}>();
  const [error, setError] = useState('');

  const change = useCallback((): void => {
    token.forget();
    token.set(given);
    location.reload();
  }, [given]);
  const look = useCallback(async (): Promise<void> => {
    setError('');
    try {
      const [now, then] = await Promise.all([ownerOf(token.get()), ownerOf(given)]);
      // What is kept is good for nothing (any more).
      if (!now && then) return change();
      if (now) setOwners({now, then});
      else stay();
    } catch (failure) {
      setError(told(failure));
    }
  }, [given, change, stay]);
  useEffect(() => { void look(); }, [look]);

  if (error) {
    return (
      <main class="signin" id="main">
        <h1>Whose token is that?</h1>
        <p class="failure" role="alert">The link that you followed has a token, and whose it is cannot be found out: {error}</p>
        <p class="buttons"><button type="button" class="primary" onClick={() => void look()}>Try again</button><button type="button" onClick={stay}>Go on without it</button></p>
      </main>
    );
  }
  if (!owners) return <main class="signin" id="main"><p role="status">Looking whose token that is …</p></main>;
  const {now, then} = owners;
  return (
    <main class="signin" id="main">
      <h1>{then ? `Sign in as ${then.name}?` : 'That token is not known here'}</h1>
      <p>You are signed in as <strong>{now.name}</strong>, for '{now.scope}'. The link that you followed has {then
        ? <>the token of <strong>{then.name}</strong>, for '{then.scope}'. What you do with it is done in that name, and whoever made the link can use that token, too.</>
        : <>another token, which this server does not know (any more).</>}</p>
      {then && <p>What you have written and not sent yet is forgotten then.</p>}
      <p class="buttons">
        <button type="button" class="primary" onClick={stay}>Stay {now.name}</button>
        {then && <button type="button" onClick={change}>Sign in as {then.name}</button>}
      </p>
    </main>
  );
}
