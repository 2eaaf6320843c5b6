import type { Archivist } from '../archivist/archivist.ts';
import type { Bus } from '../cluster/bus/bus.ts';
import type { NodeClock } from '../monitoring/clock.ts';
import type { ClientConnections } from '../replica/client-connections.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import type { OrderSearch } from '../replica/order-search.ts';
import type { Replica } from '../replica/replica.ts';
import type { Users } from '../users/users.ts';
import type { KeyUseTimes } from './auth/key-uses.ts';
import type { SealedSecrets } from './auth/sealed-secrets.ts';
import type { AccountChanges } from './http/response/account-changes.ts';
import type { PublicOrderIds } from './orders/public-order-ids.ts';
import type { QueuePositions } from './orders/queue-positions.ts';

export { KeyUseTimes } from './auth/key-uses.ts';
export { AccountChanges } from './http/response/account-changes.ts';
export { PublicOrderIds } from './orders/public-order-ids.ts';
export { QueuePositions } from './orders/queue-positions.ts';

/** The parts of a node that the gateway uses. */
export interface Services {
  readonly replica: Replica;
  readonly archivist: Archivist;
  /** Searches history for client order ids that the engine has dropped. */
  readonly orderSearch: OrderSearch;
  /** Connections of clients whose orders are canceled when they end. */
  readonly connections: ClientConnections;
  readonly statistics: MarketStatisticsBoard;
  readonly changes: AccountChanges;
  readonly users: Users;
  readonly keyUses: KeyUseTimes;
  /** The secrets of HMAC keys; undefined if the operator refuses such keys. */
  readonly sealedSecrets?: SealedSecrets | undefined;
  readonly publicOrderIds: PublicOrderIds;
  readonly queuePositions: QueuePositions;
  /** The bus to the other nodes of a cluster. */
  readonly bus?: Bus | undefined;
  /** The disk of a file log; while it is full, new orders are rejected. */
  readonly disk?: { readonly isFull: boolean } | undefined;
  readonly clock: NodeClock;
  /** The time of `clock`, milliseconds since 1970. */
  readonly now: () => number;
}
