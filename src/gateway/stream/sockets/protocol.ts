import type { StreamOrigin } from '../../auth/authorization.ts';
import type { Caller } from '../../auth/caller.ts';

/** The state of a socket that the server itself needs; each protocol adds its own. */
export interface SocketState {
  readonly from: StreamOrigin;
  readonly protocol: SocketProtocol;
  /** The key or session that its private messages belong to, for the faults of a sandbox. */
  owner?: Caller | undefined;
}

/** The size of a message that closes the connection before the protocol sees it. */
export const LARGEST_MESSAGE_BYTES = 64 * 1024;

export type AnySocket = Bun.ServerWebSocket<SocketState>;

/** The protocol of a socket: the exchange's own streams, or those of a dialect. */
export interface SocketProtocol {
  /** Maximum size of a client's message, up to LARGEST_MESSAGE_BYTES. A longer one closes the connection with 1009. */
  readonly maxMessageBytes: number;
  open(socket: AnySocket): void;
  message(socket: AnySocket, message: string | Uint8Array): void;
  /** The client has read some of what was sent. */
  drain(socket: AnySocket): void;
  close(socket: AnySocket): void;
}
