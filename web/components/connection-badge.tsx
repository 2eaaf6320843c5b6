import { connection } from '../live.ts';

const LABELS = { connecting: 'Connecting', live: 'Live', stale: 'Delayed', offline: 'Offline' };
const MEANINGS = {
  connecting: 'Connecting to the exchange',
  live: 'Connected: data is live',
  stale: 'No data received for a few seconds: prices may be out of date',
  offline: 'Disconnected, reconnecting: prices are out of date',
};

/** Shows whether the page's data is live. */
export function ConnectionBadge() {
  const state = connection.value;
  return (
    <span class={`badge connection ${state}`} role="status" title={MEANINGS[state]}>
      <span class="dot" aria-hidden="true" />
      <span class={state === 'live' ? 'wide-text' : ''}>{LABELS[state]}</span>
    </span>
  );
}
