import type { Attached, Command, Trailing } from './command.ts';
import type { DepositRecord, WithdrawalRecord } from './custody/custody-records.ts';
import type { CustodyOutcome } from './custody/outcomes.ts';
import type { Account, ApiKey } from './ledger/accounts.ts';
import type { Asset, Market } from './markets/markets.ts';
import type { Exact } from './numbers/exact.ts';
import type { ApprovalRequest, Note } from './operators/records.ts';
import type { Deadline } from './orders/endings/deadlines.ts';
import type { Rejection } from './rejection.ts';
import type { InternalTransferRecord } from './sub-accounts/sub-account-records.ts';
import type { Side } from './terms.ts';

export type { Deadline, DepositRecord, WithdrawalRecord };

/** An order after a change; all integers are in the units of its market. */
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
  /** 0 for an order without a limit price. */
  readonly price: number;
  /** 0 for an order without a trigger. */
  readonly triggerPrice: number;
  readonly amount: number;
  readonly remaining: number;
  /** The cost that a market order by cost was to spend or receive, in quote minor units; otherwise 0. */
  readonly cost: Exact;
  /** Quote paid or received, in minor units. */
  readonly filledCost: Exact;
  /** Fees paid, in minor units of the asset received; rebates are only in the trades. */
  readonly fees: Exact;
  readonly status: number;
  readonly reason: number;
  readonly clientOrderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastFillAt: number;
  readonly expiresAt: number;
  /** The legs of a bracket order, whether activated or not; null for other orders. */
  readonly attached: Attached | null;
  /** Id of the bracket order that this order is a leg of; 0 for none. */
  readonly parentId: number;
  /** Only for a trailing stop, whose `triggerPrice` is the current one; 0 before its activation. */
  readonly trailing?: Trailing;
  /** Only for an iceberg. */
  readonly displayAmount?: number;
  /** Id of the other leg of its OCO order, which may have ended (engine version 2); absent for other orders. */
  readonly ocoId?: number;
  /** When its trigger made it run, milliseconds since 1970 (engine version 2); absent before, and for other orders. */
  readonly triggeredAt?: number;
}

/**
 * A match of two orders. Its id is also the id of the fill that each side sees.
 * It also represents the ledger entries of both sides, whose ids are consecutive: for the maker the
 * released hold, the asset given, the asset received and the fee or rebate (unless 0), then the
 * same for the taker without a release. History expands them (`history/tables/fills.ts`).
 */
export interface TradeEvent {
  readonly kind: 'trade';
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly amount: number;
  /** price × amount, in minor units of the quote asset. */
  readonly cost: Exact;
  readonly takerSide: Side;
  readonly makerOrderId: number;
  readonly makerAccount: number;
  /** In the asset that the maker receives; negative for a rebate, in the asset that the maker gives. */
  readonly makerFee: Exact;
  /** Id of the maker's first ledger entry. */
  readonly makerEntryId: number;
  /**
   * Available balance after the trade, in minor units: of the asset given and of the asset
   * received.
   */
  readonly makerGivenAfter: Exact;
  readonly makerReceivedAfter: Exact;
  readonly takerOrderId: number;
  readonly takerAccount: number;
  readonly takerFee: Exact;
  readonly takerEntryId: number;
  readonly takerGivenAfter: Exact;
  readonly takerReceivedAfter: Exact;
  readonly time: number;
  /**
   * Set for a trade of an auction: both orders rested, and `price` may improve the limits of both. The taker is the
   * younger order.
   */
  readonly isAuction?: true;
}

/**
 * A change of an account's available balance: `after` is always the previous balance plus `amount`.
 * Hold and release entries change the held balance by the opposite amount; all others change what
 * the account owns.
 */
export interface EntryEvent {
  readonly kind: 'entry';
  readonly id: number;
  readonly account: number;
  readonly asset: number;
  readonly type: number;
  /** In minor units; may be negative. */
  readonly amount: Exact;
  /** Available balance after this entry, in minor units. */
  readonly after: Exact;
  /** Id of the order (hold, release), trade (trade, fee, rebate, referral), transfer, deposit or withdrawal that caused it. */
  readonly reference: number;
  readonly time: number;
}

/** A request for approval that no one has decided about in time. */
export interface ApprovalExpiry {
  readonly kind: 'approvalExpired';
  /** Index of the account that has made the request. */
  readonly account: number;
  readonly request: ApprovalRequest;
}

export type Event =
  | OrderRecord
  | TradeEvent
  | EntryEvent
  | DepositRecord
  | WithdrawalRecord
  | ApprovalExpiry;

/** Returns whether an event belongs to a market. */
export function isMarketEvent(event: Event): event is OrderRecord | TradeEvent {
  return event.kind === 'order' || event.kind === 'trade';
}

export interface TransferRecord {
  readonly id: number;
  readonly account: number;
  readonly asset: number;
  readonly amount: Exact;
  readonly reference: string;
  readonly time: number;
}

/** The orders that a command ended for a sweep started by an earlier command. */
export interface Swept {
  readonly sweep: number;
  readonly orders: readonly OrderRecord[];
  readonly isDone: boolean;
}

/** Returns the outcome of the command that was executed: of an approval, that of the approved command. */
export function findResult(outcome: Outcome): Outcome {
  return outcome.kind === 'approval' ? (outcome.outcome ?? outcome) : outcome;
}

/** Returns the command that was executed: of an approval, the approved one. */
export function findExecuted(command: Command, outcome: Outcome): Command {
  const isApproved = outcome.kind === 'approval' && outcome.outcome !== undefined;
  return isApproved ? outcome.approval.command : command;
}

/** The result of a command, apart from the events that it caused. */
export type Outcome =
  | Rejection
  | { readonly kind: 'done' }
  | { readonly kind: 'order'; readonly order: OrderRecord }
  /** An OCO order: the take-profit leg, then the stop-loss leg. */
  | { readonly kind: 'oco'; readonly orders: readonly [OrderRecord, OrderRecord] }
  /**
   * Orders that the command ended, in order. The remaining ones end with later commands, which
   * report them in `State.sweeps.swept` under the id `sweep`. A delisting reports their number as
   * `left`.
   */
  | {
      readonly kind: 'orders';
      readonly orders: readonly OrderRecord[];
      readonly sweep?: number;
      readonly left?: number;
    }
  /** All deadlines of the key, earliest first. */
  | { readonly kind: 'deadlines'; readonly deadlines: readonly Deadline[] }
  /** The same order was already placed under the same client order id. */
  | { readonly kind: 'repeated'; readonly orderId: number }
  | { readonly kind: 'connection'; readonly connection: number }
  | { readonly kind: 'asset'; readonly asset: Asset }
  | { readonly kind: 'market'; readonly market: Market }
  | { readonly kind: 'account'; readonly account: Account; readonly created: boolean }
  | { readonly kind: 'key'; readonly key: ApiKey }
  /** A request for approval; the outcome of its command once it is approved. */
  | {
      readonly kind: 'approval';
      readonly approval: ApprovalRequest;
      readonly outcome?: Outcome;
    }
  | { readonly kind: 'note'; readonly note: Note }
  | { readonly kind: 'transfer'; readonly transfer: TransferRecord; readonly created: boolean }
  /** `created` is false for a repeated client id. */
  | {
      readonly kind: 'internalTransfer';
      readonly transfer: InternalTransferRecord;
      readonly created: boolean;
    }
  | CustodyOutcome;
