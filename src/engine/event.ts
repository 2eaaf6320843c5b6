import type { Attached } from './command.ts';
import type { Account, ApiKey } from './ledger/accounts.ts';
import type { Asset, Market } from './markets/markets.ts';
import type { Exact } from './numbers/exact.ts';
import type { Deadline } from './orders/deadlines.ts';
import type { Rejection } from './rejection.ts';
import type { Side } from './terms.ts';

/** An order as it stood after a change; all integers in the units of its market. */
export interface OrderRecord {
  readonly kind: 'order';
  readonly id: number;
  readonly account: number;
  readonly key: number;
  readonly market: number;
  readonly side: Side;
  readonly type: number;
  readonly timeInForce: number;
  readonly postOnly: boolean;
  readonly selfTradePrevention: number;
  /** Limit price; 0 for an order without one. */
  readonly price: number;
  /** Last price at which it begins to trade; 0 for an order that does not wait for one. */
  readonly triggerPrice: number;
  readonly amount: number;
  readonly remaining: number;
  /** What a market buy by cost was to spend, quote minor units; else 0. */
  readonly cost: Exact;
  /** Quote paid or received, minor units. */
  readonly filledCost: Exact;
  /** Fees paid, minor units of the asset received. */
  readonly fees: Exact;
  readonly status: number;
  readonly reason: number;
  readonly clientOrderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastFillAt: number;
  readonly expiresAt: number;
  /** What comes alive when it ends with something filled; whether it has is not said here. */
  readonly attached: Attached | null;
  /** Id of the order that it was attached to, 0 for an order of its own. */
  readonly parentId: number;
}

/**
 * One match of two orders. Its id is also the id of the fill that either side sees. It stands for the
 * ledger entries of both sides too, whose ids have no gap: the maker's hold released, what it gave,
 * what it received, the fee on that unless it is 0; then the taker's, without a release.
 * `entriesOf` writes them out.
 */
export interface TradeEvent {
  readonly kind: 'trade';
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly amount: number;
  /** price × amount in minor units of the quote asset. */
  readonly cost: Exact;
  readonly takerSide: Side;
  readonly makerOrderId: number;
  readonly makerAccount: number;
  readonly makerFee: Exact;
  /** Id of the first of the maker's entries. */
  readonly makerEntryId: number;
  /** Available after all of it, minor units: of what the maker gave and of what it received. */
  readonly makerGivenAfter: Exact;
  readonly makerReceivedAfter: Exact;
  readonly takerOrderId: number;
  readonly takerAccount: number;
  readonly takerFee: Exact;
  readonly takerEntryId: number;
  readonly takerGivenAfter: Exact;
  readonly takerReceivedAfter: Exact;
  readonly time: number;
}

/**
 * One change of an account's available balance: `after` = before + `amount`, always. What is held
 * changes by the opposite of hold and release entries; what an account owns by all the others.
 */
export interface EntryEvent {
  readonly kind: 'entry';
  readonly id: number;
  readonly account: number;
  readonly asset: number;
  readonly type: number;
  /** Minor units, signed. */
  readonly amount: Exact;
  /** Available after this entry, minor units. */
  readonly after: Exact;
  /** Id of the order (hold, release), trade (trade, fee) or transfer that caused it. */
  readonly reference: number;
  readonly time: number;
}

export type Event = OrderRecord | TradeEvent | EntryEvent;

export interface TransferRecord {
  readonly id: number;
  readonly account: number;
  readonly asset: number;
  readonly amount: Exact;
  readonly reference: string;
  readonly time: number;
}

/** What became of a command: its answer, beside the events that it caused. */
export type Outcome =
  | Rejection
  | { readonly kind: 'done' }
  | { readonly kind: 'order'; readonly order: OrderRecord }
  /** Two orders of which one cancels the other: take profit, then stop. */
  | { readonly kind: 'pair'; readonly orders: readonly [OrderRecord, OrderRecord] }
  /**
   * Orders that the command ended, in the order in which it did. Where some are left they end with the
   * following commands, as `State.sweeps.swept` reports under the number of the `sweep`; with a delisting
   * `left` of them.
   */
  | {
      readonly kind: 'orders';
      readonly orders: readonly OrderRecord[];
      readonly sweep?: number;
      readonly left?: number;
    }
  /** All that the key has armed, the soonest first. */
  | { readonly kind: 'deadlines'; readonly deadlines: readonly Deadline[] }
  /** The same order was placed before under the same client order id. */
  | { readonly kind: 'repeated'; readonly orderId: number }
  | { readonly kind: 'asset'; readonly asset: Asset }
  | { readonly kind: 'market'; readonly market: Market }
  | { readonly kind: 'account'; readonly account: Account; readonly created: boolean }
  | { readonly kind: 'key'; readonly key: ApiKey }
  | { readonly kind: 'transfer'; readonly transfer: TransferRecord; readonly created: boolean };
