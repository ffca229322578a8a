import type {JSX} from 'preact';
import {useState} from 'preact/hooks';

import {post, runPath, told} from '../lib/api';
import {useSession} from '../lib/session';
import {Act, Confirm} from './bits';

// A button that sends a run's workflow an event, when one has said that it is meant.
export function SendEvent({run, event}: {run: string; event: string}): JSX.Element {
  const {say} = useSession();
  const [asks, setAsks] = useState(false);
  const send = async (): Promise<void> => {
    setAsks(false);
    try {
      await post(`${runPath(run)}/event`, {name: event});
      say(`Sent: ${event}`);
    } catch (error) {
      say(told(error), 'bad');
    }
  };
  return (
    <>
      <Act needs="answer" act={() => setAsks(true)}>{event}</Act>
      {asks && <Confirm title={`Send '${event}' to the run?`} verb="Send it" close={() => setAsks(false)} act={() => void send()} />}
    </>
  );
}
