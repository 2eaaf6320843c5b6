import type { StreamOrigin } from '../../auth/authorization.ts';

/** The state of a socket that the server itself needs; each protocol adds its own. */
export interface SocketState {
  readonly from: StreamOrigin;
  readonly protocol: SocketProtocol;
}

export type AnySocket = Bun.ServerWebSocket<SocketState>;

/** The protocol of a socket: the exchange's own streams, or those of a dialect. */
export interface SocketProtocol {
  open(socket: AnySocket): void;
  message(socket: AnySocket, message: string | Uint8Array): void;
  /** The client has read some of what was sent. */
  drain(socket: AnySocket): void;
  close(socket: AnySocket): void;
}
