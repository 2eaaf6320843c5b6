import type { StreamOrigin } from '../../auth/authorization.ts';
import type { Caller } from '../../auth/caller.ts';
import type { FeedReader } from '../public-channels/book-feed.ts';
import type { Topic } from '../public-channels/topic.ts';
import type { SocketProtocol, SocketState } from './protocol.ts';

/** A reader gets its next message once it has at most this many unread bytes. */
export const READY_BYTES = 64 * 1024;

export type Socket = Bun.ServerWebSocket<Connection>;
export type SocketTopic = Topic<Socket>;

/** The state of one connection. */
export interface Connection extends SocketState {
  /** Undefined until the client has authenticated. */
  caller: Caller | undefined;
  readonly topics: Set<SocketTopic>;
  readonly readState: ReadState;
  /** Callbacks waiting for `waitForDrain`. */
  readonly drainWaiters: (() => void)[];
  /** Start of the current rate-limit window, seconds since 1970. */
  windowStart: number;
  /** Messages received in that window. */
  messages: number;
  /** The connection in the log whose orders are canceled when this one ends; undefined if they stay open. */
  connectionId: number | undefined;
  /** JSON texts of the ids of operations in progress. */
  readonly inFlight: Set<string>;
  /** Messages that leave together at the end of this turn. */
  readonly outgoing: string[];
  /** Messages received while the credentials are being checked; undefined otherwise. */
  heldMessages: (string | Uint8Array)[] | undefined;
  /** Length of the messages that were held. */
  heldBytes: number;
}

/** The lag of a socket's reader. */
export interface ReadState {
  /** Whether the reader lags. It is then unsubscribed from all topics until it has read everything sent so far. */
  isLagging: boolean;
  /** When more than READY_BYTES became unread, milliseconds. */
  stalledSinceMs: number | undefined;
  /** Readers of order books that the client has only in part, or not in their current state. */
  readonly books: Map<SocketTopic, FeedReader>;
}

export function newConnection(from: StreamOrigin, protocol: SocketProtocol): Connection {
  return {
    from,
    protocol,
    caller: undefined,
    topics: new Set(),
    readState: { isLagging: false, stalledSinceMs: undefined, books: new Map() },
    drainWaiters: [],
    windowStart: 0,
    messages: 0,
    connectionId: undefined,
    inFlight: new Set(),
    outgoing: [],
    heldMessages: undefined,
    heldBytes: 0,
  };
}
