import type { Actor, CommandKind, Explained } from '../command-kind.ts';
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

/** A text that clients see; it restricts nothing. */
export interface AnnouncementTerms {
  /** An AnnouncementSeverity. */
  readonly severity: number;
  /** 1 to `MAX_TITLE_LENGTH` characters. */
  readonly title: string;
  /** At most `MAX_ANNOUNCEMENT_LENGTH` characters; may be empty. */
  readonly text: string;
  /** When it is removed, milliseconds since 1970; 0 to keep it until it is withdrawn. */
  readonly until: number;
}

/** Makes an announcement (engine version 2). */
export interface Announce extends Actor, AnnouncementTerms {
  readonly kind: typeof CommandKind.announce;
}

/** Removes an announcement (engine version 2). */
export interface WithdrawAnnouncement extends Actor {
  readonly kind: typeof CommandKind.withdrawAnnouncement;
  readonly id: number;
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

/** Limits on the trading of an account; 0 for none. */
export interface TradingLimits {
  /** Orders and amendments per `ORDER_RATE_WINDOW_MS`. */
  readonly orderRate: number;
  /** Orders and amendments per trade, beyond `freeOrders`, per `ORDERS_PER_TRADE_WINDOW_MS`. */
  readonly ordersPerTrade: number;
  /** Orders and amendments per window that need no trade; above 0 exactly if `ordersPerTrade` is. */
  readonly freeOrders: number;
  /** At most one per asset. */
  readonly openNotional: readonly NotionalLimit[];
}

/** The limit of the notional of an account's open orders in markets that are quoted in an asset. */
export interface NotionalLimit {
  readonly asset: number;
  /** In minor units; above zero. */
  readonly limit: Exact;
}

/** Sets the limits of an account, or those of all accounts without their own (engine version 2). */
export interface SetTradingLimits extends Explained {
  readonly kind: typeof CommandKind.setTradingLimits;
  /** Index of the account; NONE for the limits of all accounts without their own. */
  readonly owner: number;
  /** Null removes them: the account has those of all others then. */
  readonly limits: TradingLimits | null;
}

/** The commands that protect markets, and announcements. */
export type ProtectionCommand =
  | SetTradingStatus
  | ScheduleMaintenance
  | CancelMaintenance
  | Announce
  | WithdrawAnnouncement
  | BustTrade
  | SetTradingLimits;
