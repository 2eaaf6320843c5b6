import type { Archivist } from '../archivist/archivist.ts';
import type { Bus } from '../cluster/bus/bus.ts';
import type { NodeClock } from '../monitoring/clock.ts';
import type { ClientConnections } from '../replica/client-connections.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import type { OrderSearch } from '../replica/order-search.ts';
import type { Replica } from '../replica/replica.ts';
import type { SandboxCheckpoints } from '../sandbox/checkpoints/sandbox-checkpoints.ts';
import type { ClockControl } from '../sandbox/clock/clock-control.ts';
import type { Faults } from '../sandbox/faults/faults.ts';
import type { MarketMakers } from '../sandbox/makers/market-makers.ts';
import type { RecordingPlayer } from '../sandbox/recorded/player.ts';
import type { Users } from '../users/users.ts';
import type { Activity } from './activity/activity.ts';
import type { KeyUseTimes } from './auth/key-uses.ts';
import type { SealedSecrets } from './auth/sealed-secrets.ts';
import type { CustodyOutbox } from './custody/outbox.ts';
import type { AccountChanges } from './http/response/account-changes.ts';
import type { NotificationControl } from './notifications/control.ts';
import type { PublicOrderIds } from './orders/public-order-ids.ts';
import type { QueuePositions } from './orders/queue-positions.ts';

export { Activity } from './activity/activity.ts';
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
  /** The faults of a sandbox; undefined on a real exchange. */
  readonly faults?: Faults | undefined;
  readonly clock: NodeClock;
  /** The source of new API keys, and of names for orders. */
  readonly randomBytes: (size: number) => Uint8Array;
  /** Webhooks, price alerts and notices. */
  readonly notifications: NotificationControl;
  /** Instructions to the custodian. */
  readonly outbox: CustodyOutbox;
  /** Block explorers by the name of the network, to which pages link; undefined if there is none. */
  readonly explorers?: ReadonlyMap<string, string> | undefined;
  /** Samples for the dashboard; undefined until the node serves. */
  activity?: Activity | undefined;
  /** Main accounts that surveillance leaves out, such as market makers. */
  readonly surveillanceExempt?: readonly string[] | undefined;
  /** The name of this node. */
  readonly nodeName?: string | undefined;
  /** The clock and market makers of a sandbox on one node. */
  sandbox?: SandboxServices | undefined;
  /** The time of `clock`, milliseconds since 1970. */
  readonly now: () => number;
}

/** The parts of a sandbox that requests control. */
export interface SandboxServices {
  readonly control: ClockControl;
  readonly makers: MarketMakers | undefined;
  readonly checkpoints: SandboxCheckpoints;
  readonly player: RecordingPlayer | undefined;
}
