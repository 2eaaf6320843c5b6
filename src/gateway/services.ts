import type { Archivist } from '../archivist/archivist.ts';
import type { Bus } from '../cluster/bus/bus.ts';
import type { NodeClock } from '../monitoring/clock.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import type { OrderSearch } from '../replica/order-search.ts';
import type { Replica } from '../replica/replica.ts';
import type { Users } from '../users/users.ts';
import type { KeyUseTimes } from './auth/key-uses.ts';
import type { AccountChanges } from './http/account-changes.ts';

/** What the gateway stands on. */
export interface Services {
  readonly replica: Replica;
  readonly archivist: Archivist;
  /** Asks history for client order ids that the engine has dropped. */
  readonly orderSearch: OrderSearch;
  readonly statistics: MarketStatisticsBoard;
  readonly changes: AccountChanges;
  readonly accounts: Users;
  readonly keyUses: KeyUseTimes;
  /** To the other nodes, where there are any. */
  readonly bus?: Bus | undefined;
  /** The disk of a log in files: while it is full no order is taken. */
  readonly disk?: { readonly isFull: boolean } | undefined;
  readonly clock: NodeClock;
  /** That of `clock`: milliseconds since 1970. */
  readonly now: () => number;
}
