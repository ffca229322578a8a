// Suspends, resumes, aborts, rewinds and forks a run, each when one has said that it is meant.

import type {JSX} from 'preact';
import {useState} from 'preact/hooks';

import {post, runPath, told} from '../lib/api';
import {tell} from '../lib/entries';
import {go, to} from '../lib/router';
import {useSession} from '../lib/session';
import type {Entry, Run, ShownRun} from '../lib/types';
import {Act, Confirm} from './bits';

export interface Asked {
  what: 'suspend' | 'abort' | 'rewind' | 'fork';
  entry?: Entry;
}

export function Steer({run, asked, ask, done}: {
  run: ShownRun; asked: Asked | undefined; ask: (asked: Asked | undefined) => void; done: () => void;
}): JSX.Element {
  const {say} = useSession();
  const [afterCall, setAfterCall] = useState(true);
  const ended = ['complete', 'failed', 'aborted'].includes(run.status);
  const rests = run.status === 'suspended' || run.status === 'interrupted';

  const act = async (action: string, body: unknown, news: string): Promise<void> => {
    ask(undefined);
    try {
      const now = await post<Run>(`${runPath(run.run)}/${action}`, body);
      say(news);
      if (action === 'fork') go(to.run(now.run));
    } catch (error) {
      say(told(error), 'bad');
    }
    done();
  };
  const close = (): void => ask(undefined);
  const at = asked?.entry;
  return (
    <span class="steer">
      {!ended && !rests && <Act needs="admin" act={() => ask({what: 'suspend'})}>Suspend …</Act>}
      {!ended && rests && <Act needs="admin" kind="primary" act={() => void act('resume', {}, 'Queued again')}>Resume</Act>}
      {!ended && <Act needs="admin" act={() => ask({what: 'abort'})}>Abort …</Act>}
      {asked?.what === 'suspend' && (
        <Confirm title="Suspend the run?" verb="Suspend it" close={close} act={() => void act('suspend', {after_call: afterCall}, afterCall ? 'It is suspended once what is under way has ended' : 'Suspended')}>
          <p>It goes on when somebody resumes it.</p>
          <label class="check"><input type="checkbox" checked={afterCall} onChange={(change) => setAfterCall(change.currentTarget.checked)} /> Let what is under way end first</label>
        </Confirm>
      )}
      {asked?.what === 'abort' && (
        <Confirm title="Abort the run?" verb="Abort it" danger close={close} act={() => void act('abort', {}, 'Aborted')}>
          <p>It ends for good. Its branch stays.</p>
        </Confirm>
      )}
      {asked?.what === 'rewind' && at && (
        <Confirm title={`Rewind to entry ${at.seq}?`} verb="Rewind it" danger close={close} act={() => void act('rewind', {to: at.seq}, `Rewound to entry ${at.seq}; it is suspended`)}>
          <p><strong>{tell(at).title}</strong></p>
          <p>What came after it is undone, files and all. The run is suspended then.</p>
        </Confirm>
      )}
      {asked?.what === 'fork' && at && (
        <Confirm title={`Fork from entry ${at.seq}?`} verb="Fork it" close={close} act={() => void act('fork', {at: at.seq}, 'Forked; the new run is suspended')}>
          <p><strong>{tell(at).title}</strong></p>
          <p>A new run goes on from there, in a branch of its own. It is suspended at first.</p>
        </Confirm>
      )}
    </span>
  );
}
