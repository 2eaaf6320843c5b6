import { computed, signal } from '@preact/signals';
import { Streams } from '../src/client/index.ts';
import { selectedId } from './selected-account.ts';

/** Best first. */
const STATES = ['live', 'connecting', 'stale', 'offline'] as const;
export type ConnectionState = (typeof STATES)[number];

/** The worst state of the page's streams: a live account stream does not make a stale book live. */
export const connection = signal<ConnectionState>('connecting');

/**
 * The time up to which the page's data is complete, milliseconds since 1970; undefined while it is live, and before it has
 * been for the first time.
 */
export const staleSince = signal<number | undefined>(undefined);
/** Whether the page shows data that may have changed, so that no order should be based on it. */
export const isStale = computed(() => staleSince.value !== undefined);

/** Ping interval. One missed pong marks the stream as delayed, two close the connection. */
const PING_MS = 2500;

interface TrackedStream {
  state: ConnectionState;
  /** The time of the last message; undefined before the first one. */
  lastMs: number | undefined;
}
const tracked = new Set<TrackedStream>();

interface OpenStreams {
  readonly streams: Streams<true>;
  readonly close: () => void;
}

/**
 * Opens streams to the exchange that served this page.
 * @param session Whether to open the private channels with the session cookie.
 * @param onReconnected Called on each connection after the first one.
 */
export function openStreams(
  session: boolean,
  onError: (error: Error) => void,
  onReconnected: () => void = () => {},
): OpenStreams {
  let wasOpen = false;
  const stream: TrackedStream = { state: 'connecting', lastMs: undefined };
  tracked.add(stream);
  const streams = new Streams({
    baseUrl: location.origin,
    exactNumbers: true,
    session,
    account: session ? selectedId : undefined,
    pingMs: PING_MS,
    onError,
    onConnection: (event) => {
      if (event === 'message') stream.lastMs = Date.now();
      setState(stream, EVENT_STATES[event]);
      if (event !== 'open') return;
      if (wasOpen) onReconnected();
      wasOpen = true;
    },
  });
  const close = () => {
    tracked.delete(stream);
    streams.close();
    showWorst();
  };
  return { streams, close };
}

const EVENT_STATES = {
  open: 'connecting',
  message: 'live',
  silent: 'stale',
  closed: 'offline',
} as const;

function setState(stream: TrackedStream, state: ConnectionState): void {
  if (stream.state === state) return;
  stream.state = state;
  showWorst();
}

function showWorst(): void {
  const ranks = [...tracked].map(({ state }) => STATES.indexOf(state));
  connection.value = tracked.size === 0 ? 'connecting' : STATES[Math.max(...ranks)]!;
  // A stream that has never been live shows nothing that could be out of date.
  const ends = [...tracked].flatMap(({ state, lastMs }) =>
    state === 'live' || lastMs === undefined ? [] : [lastMs],
  );
  staleSince.value = ends.length === 0 ? undefined : Math.min(...ends);
}
