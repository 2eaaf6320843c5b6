import type { Actor, CommandKind } from './command-kind.ts';

/** The commands about connections whose orders are canceled when they end. */

/** Opens a connection of a client, whose orders are canceled when it ends (engine version 2). */
export interface OpenConnection extends Actor {
  readonly kind: typeof CommandKind.openConnection;
  /** Name of the node that has the connection. It must renew its connections, or they end. */
  readonly node: string;
}

/** Ends a connection and cancels its open orders. Sent by the process itself. */
export interface CloseConnection {
  readonly kind: typeof CommandKind.closeConnection;
  readonly connection: number;
}

/** Extends the lease of all connections of a node. Sent by the process itself. */
export interface RenewNodeConnections {
  readonly kind: typeof CommandKind.renewNodeConnections;
  readonly node: string;
}

/** Ends all connections of a node, such as those of its last run. Sent by the process itself. */
export interface CloseNodeConnections {
  readonly kind: typeof CommandKind.closeNodeConnections;
  readonly node: string;
}
