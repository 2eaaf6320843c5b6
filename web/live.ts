import { signal } from '@preact/signals';
import { Streams } from '../src/client/index.ts';

export type ConnectionState = 'connecting' | 'live' | 'stale' | 'offline';

/** Of the streams of this page. */
export const connection = signal<ConnectionState>('connecting');

/** The exchange answers each; two without an answer end the connection. */
const PING_MS = 4000;
const STALE_AFTER_MS = PING_MS + 2500;
let heardAt = 0;

/** Streams of the exchange that this page came from; `session`: the private channels too. */
export function openStreams(session: boolean, onError: (error: Error) => void): Streams<true> {
  return new Streams({
    baseUrl: location.origin,
    exactNumbers: true,
    session,
    pingMs: PING_MS,
    onError,
    onConnection: (event) => {
      heardAt = performance.now();
      const state = event === 'closed' ? 'offline' : 'live';
      if (connection.value !== state) connection.value = state;
    },
  });
}

setInterval(() => {
  const isQuiet = performance.now() - heardAt > STALE_AFTER_MS;
  if (connection.value === 'live' && isQuiet) connection.value = 'stale';
}, 1000);
