import { signal } from '@preact/signals';
import { Streams } from '../src/client/index.ts';

/** From the best to the worst. */
const STATES = ['live', 'connecting', 'stale', 'offline'] as const;
export type ConnectionState = (typeof STATES)[number];

/** Of the streams of this page, that of the worst: a book is not live because the account's stream is. */
export const connection = signal<ConnectionState>('connecting');

/** The exchange answers each: one without an answer tells of a delay, two end the connection. */
const PING_MS = 2500;

interface Line {
  state: ConnectionState;
}
const lines = new Set<Line>();

interface OpenStreams {
  readonly streams: Streams<true>;
  readonly close: () => void;
}

/**
 * Streams of the exchange that this page came from.
 * @param session The private channels too.
 * @param onReconnected A connection is there again after one that ended.
 */
export function openStreams(
  session: boolean,
  onError: (error: Error) => void,
  onReconnected: () => void = () => {},
): OpenStreams {
  let wasOpen = false;
  const line: Line = { state: 'connecting' };
  lines.add(line);
  const streams = new Streams({
    baseUrl: location.origin,
    exactNumbers: true,
    session,
    pingMs: PING_MS,
    onError,
    onConnection: (event) => {
      set(line, EVENT_STATES[event]);
      if (event !== 'open') return;
      if (wasOpen) onReconnected();
      wasOpen = true;
    },
  });
  const close = () => {
    lines.delete(line);
    streams.close();
    showWorst();
  };
  return { streams, close };
}

const EVENT_STATES = {
  open: 'connecting',
  heard: 'live',
  silent: 'stale',
  closed: 'offline',
} as const;

function set(line: Line, state: ConnectionState): void {
  if (line.state === state) return;
  line.state = state;
  showWorst();
}

function showWorst(): void {
  const ranks = [...lines].map(({ state }) => STATES.indexOf(state));
  connection.value = lines.size === 0 ? 'connecting' : STATES[Math.max(...ranks)]!;
}
