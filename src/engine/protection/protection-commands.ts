import type { Actor, CommandKind } from '../command-kind.ts';
import type { Exact } from '../numbers/exact.ts';
import type { Side } from '../terms.ts';

/** Restricts trading in all markets at once, or releases it (engine version 2). The statuses of the markets stay what they are. */
export interface SetTradingStatus extends Actor {
  readonly kind: typeof CommandKind.setTradingStatus;
  /** A MarketStatus: `online`, `cancelOnly` or `halted`. */
  readonly status: number;
  /** For the clients and the audit trail, at most `MAX_NOTICE_LENGTH` characters. */
  readonly reason: string;
  /** Cancels all open orders in portions; not with `online`. */
  readonly cancelOrders: boolean;
}

/** A period in which trading is restricted, announced in advance. */
export interface MaintenanceTerms {
  /** Milliseconds since 1970. It identifies the period, because periods never overlap. */
  readonly from: number;
  /** Milliseconds since 1970, after `from`. */
  readonly to: number;
  /** A MarketStatus: `cancelOnly` or `halted`. */
  readonly mode: number;
  /** For the clients, at most `MAX_NOTICE_LENGTH` characters. */
  readonly message: string;
}

/** Announces a maintenance, or replaces the one with the same `from` (engine version 2). */
export interface ScheduleMaintenance extends Actor, MaintenanceTerms {
  readonly kind: typeof CommandKind.scheduleMaintenance;
}

/** Withdraws an announced maintenance, or ends the current one (engine version 2). */
export interface CancelMaintenance extends Actor {
  readonly kind: typeof CommandKind.cancelMaintenance;
  /** `from` of the maintenance, milliseconds since 1970. */
  readonly from: number;
}

/** The terms of a trade, as history has them. */
export interface TradeTerms {
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly amount: number;
  readonly takerSide: Side;
  readonly makerOrderId: number;
  readonly makerAccount: number;
  /** Minor units of the asset that the maker received. */
  readonly makerFeePaid: Exact;
  readonly takerOrderId: number;
  readonly takerAccount: number;
  /** Minor units of the asset that the taker received. */
  readonly takerFeePaid: Exact;
  /** When it was executed, milliseconds since 1970. */
  readonly time: number;
}

/** Reverses a trade by entries of both sides (engine version 2). It always needs a second operator. */
export interface BustTrade extends Actor {
  readonly kind: typeof CommandKind.bustTrade;
  /** Read from history by the node that received the request. */
  readonly trade: TradeTerms;
  /** For the audit trail, at most `MAX_REASON_LENGTH` characters. */
  readonly reason: string;
}

/** The commands that protect markets. */
export type ProtectionCommand =
  | SetTradingStatus
  | ScheduleMaintenance
  | CancelMaintenance
  | BustTrade;
