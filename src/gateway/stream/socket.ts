import type { StreamOrigin } from '../auth/authorization.ts';
import type { Caller } from '../auth/caller.ts';
import type { BookReader } from './book-reader.ts';
import type { Topic } from './topic.ts';

/** A reader gets its next message once it has at most this many unread bytes. */
export const READY_BYTES = 64 * 1024;

export type Socket = Bun.ServerWebSocket<Connection>;
export type SocketTopic = Topic<Socket>;

/** The state of one connection. */
export interface Connection {
  readonly from: StreamOrigin;
  /** Undefined until the client has authenticated. */
  caller: Caller | undefined;
  readonly topics: Set<SocketTopic>;
  readonly readState: ReadState;
  /** Callbacks waiting for `waitForDrain`. */
  readonly drainWaiters: (() => void)[];
  /** The second, since 1970, in which `messages` are counted. */
  windowStart: number;
  messages: number;
  /** Messages received while the credentials are being checked; undefined otherwise. */
  heldMessages: (string | Uint8Array)[] | undefined;
}

/** The lag of a socket's reader. */
export interface ReadState {
  /** A reader that is behind is unsubscribed from all topics until it has read what was sent. */
  isBehind: boolean;
  /** The time since which more than READY_BYTES are unread. */
  stalledSinceMs: number | undefined;
  /** Readers of the books that the socket does not have completely, or not up to date. */
  readonly books: Map<SocketTopic, BookReader>;
}

export function newConnection(from: StreamOrigin): Connection {
  return {
    from,
    caller: undefined,
    topics: new Set(),
    readState: { isBehind: false, stalledSinceMs: undefined, books: new Map() },
    drainWaiters: [],
    windowStart: 0,
    messages: 0,
    heldMessages: undefined,
  };
}
