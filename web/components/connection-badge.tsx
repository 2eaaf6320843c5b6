import { connection } from '../live.ts';

const LABELS = { connecting: 'Connecting', live: 'Live', stale: 'Delayed', offline: 'Offline' };
const MEANINGS = {
  connecting: 'Connecting to the exchange',
  live: 'Connected: what you see is as it is now',
  stale: 'Nothing has come for a while: what you see may be old',
  offline: 'Not connected, trying again: what you see is old',
};

/** Whether what the page shows is of this moment. */
export function ConnectionBadge() {
  const state = connection.value;
  return (
    <span class={`badge connection ${state}`} role="status" title={MEANINGS[state]}>
      <span class="dot" aria-hidden="true" />
      <span class={state === 'live' ? 'wide-text' : ''}>{LABELS[state]}</span>
    </span>
  );
}
