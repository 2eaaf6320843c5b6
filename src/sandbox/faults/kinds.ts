/** The things that faults happen to. */
export type Subject = 'request' | 'time' | 'read' | 'order' | 'message' | 'fill' | 'market';

interface Kind {
  readonly subject: Subject;
  /** The parameters that it takes, in addition to those of every fault. */
  readonly parameters: readonly FaultParameter[];
  /** The required ones of them. */
  readonly needs: readonly FaultParameter[];
}

/** The parameters of faults that only some kinds take. */
export const FAULT_PARAMETERS = ['ms', 'jitterMs', 'before', 'status', 'symbol'] as const;
export type FaultParameter = (typeof FAULT_PARAMETERS)[number];

const plain = (subject: Subject): Kind => ({ subject, parameters: [], needs: [] });

/**
 * Every kind of fault. Each is something that clients of real venues see, and the comment says when: nothing else may be
 * listed here, because a bot that fails an impossible test teaches nothing.
 */
export const FAULT_KINDS = {
  /** A load balancer fails, or the connection breaks, after the matching engine has accepted the command. */
  answer_lost_after_commit: plain('request'),
  /** The connection breaks on the way to the venue: the command never arrives. */
  answer_lost_before_commit: plain('request'),
  /** Congestion: the answer, or with `before` the request, is late. */
  delay: { subject: 'request', parameters: ['ms', 'jitterMs', 'before'], needs: ['ms'] },
  /** The gateway of a venue rejects a request: too many, internal failure, overload, banned address. */
  status: { subject: 'request', parameters: ['status'], needs: ['status'] },
  /** A publisher that is overloaded drops a message; the sequence of the next one shows it. */
  stream_gap: plain('message'),
  /** A publisher that fails over sends its last message again. */
  stream_duplicate: plain('message'),
  /** Two publishers behind one address overtake each other. */
  stream_reorder: plain('message'),
  /** A stream server restarts: the connection ends without a close frame. */
  stream_disconnect: plain('message'),
  /** A read replica lags behind: the answer is that of the read before. */
  stale_read: plain('read'),
  /** The reports of executions lag behind the matching engine: the order is shown as open until they arrive. */
  slow_fill: { subject: 'fill', parameters: ['ms'], needs: ['ms'] },
  /** Risk control locks an account: it may read, but not place or change orders. */
  reject_all: plain('order'),
  /** The operator halts a market, and opens it again. */
  market_halt: { subject: 'market', parameters: ['symbol', 'ms'], needs: ['symbol', 'ms'] },
  /** The clocks of client and venue differ: server time and receive windows follow the venue's. */
  clock_skew: { subject: 'time', parameters: ['ms'], needs: ['ms'] },
  /** The venue is down for an upgrade: every request gets 503, and streams are closed. */
  maintenance: plain('request'),
} as const satisfies Readonly<Record<string, Kind>>;

export type FaultKind = keyof typeof FAULT_KINDS;
export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as readonly FaultKind[];

/** The HTTP status codes of the fault `status`. */
export const FAULT_STATUSES = [418, 429, 500, 503] as const;
export type FaultStatus = (typeof FAULT_STATUSES)[number];
