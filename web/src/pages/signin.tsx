import type {JSX} from 'preact';
import {useState} from 'preact/hooks';

export function SignIn({why, away, hasToken, enter, forget}: {
  why: string; away: boolean; hasToken: boolean; enter: (token: string) => void; forget: () => void;
}): JSX.Element {
  const [given, setGiven] = useState('');
  if (hasToken && !why) return <main class="signin"><p role="status">Signing in …</p></main>;
  return (
    <main class="signin" id="main">
      <h1>Agneto</h1>
      {why && <p class="failure" role="alert">{away ? 'The server does not answer. This page tries again by itself.' : why}</p>}
      {away ? <p><button type="button" onClick={forget}>Forget the token</button></p> : (
        <>
          <form onSubmit={(submit) => { submit.preventDefault(); if (given.trim()) enter(given.trim()); }}>
            <label for="token">Your token</label>
            <input id="token" type="password" autocomplete="off" spellcheck={false} value={given} placeholder="agneto_…"
              onInput={(input) => setGiven(input.currentTarget.value)} />
            <button type="submit" class="primary">Sign in</button>
          </form>
          <p>Whoever may use a terminal where the server runs makes one, which is shown once:</p>
          <pre tabIndex={0}><code>agneto token make NAME --scope answer</code></pre>
          <dl class="facts">
            <dt><code>read</code></dt><dd>to look at everything</dd>
            <dt><code>answer</code></dt><dd>to answer questions, too</dd>
            <dt><code>submit</code></dt><dd>to queue tasks, too</dd>
            <dt><code>admin</code></dt><dd>to suspend, resume, abort, rewind and fork runs, too</dd>
          </dl>
          <p>This browser keeps it until you sign out.</p>
        </>
      )}
    </main>
  );
}
