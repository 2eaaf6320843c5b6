import { msg, t } from '../i18n/index.ts';
import { connection } from '../live.ts';

const LABELS = {
  connecting: msg('Connecting'),
  live: msg('Live'),
  stale: msg('Delayed'),
  offline: msg('Offline'),
};
const MEANINGS = {
  connecting: msg('Connecting to the exchange'),
  live: msg('Connected: data is live'),
  stale: msg('No data received for a few seconds: prices may be out of date'),
  offline: msg('Disconnected, reconnecting: prices are out of date'),
};

/** Shows whether the page's data is live. */
export function ConnectionBadge() {
  const state = connection.value;
  return (
    <span class={`badge connection ${state}`} role="status" title={t(MEANINGS[state])}>
      <span class="dot" aria-hidden="true" />
      <span class={state === 'live' ? 'wide-text' : ''}>{t(LABELS[state])}</span>
    </span>
  );
}
