import type { ApiKey } from '../../../engine/ledger/accounts.ts';
import type { SocketState } from '../../stream/sockets/protocol.ts';

/** The state of a connection whose messages leave together at the end of a turn. */
export interface EventConnection extends SocketState {
  readonly outgoing: string[];
}

export type EventSocket = Bun.ServerWebSocket<EventConnection>;

/** A subscription of a connection to the WebSocket API to the events of an account. */
export interface ApiSubscription {
  readonly key: ApiKey;
  /** Whether it was authorized by `session.logon`, and so ends with `session.logout`. */
  readonly isOfSession: boolean;
  readonly end: () => void;
}

/** The state of a connection to the WebSocket API. */
export interface ApiConnection extends EventConnection {
  readonly connectedAt: number;
  /** The scope of the client's address, in which weight is counted. */
  readonly scope: string;
  /** Whether responses show the limits, unless a request says otherwise. */
  readonly showsLimits: boolean;
  /** Whether times in responses and events are in microseconds. */
  readonly inMicroseconds: boolean;
  /** The key of `session.logon`, and when it was used; undefined before it and after `session.logout`. */
  session: { readonly key: ApiKey; readonly since: number } | undefined;
  /** Requests without a response. */
  inFlight: number;
  /** By their id. */
  readonly subscriptions: Map<number, ApiSubscription>;
  nextSubscriptionId: number;
}

export type ApiSocket = Bun.ServerWebSocket<ApiConnection>;
