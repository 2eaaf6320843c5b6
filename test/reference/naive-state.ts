import type { FeeTier, MarketRules, TradeTerms, TradingLimits } from '../../src/engine/command.ts';
import type { OrderRecord } from '../../src/engine/event.ts';
import type { ApprovalPolicy } from '../../src/engine/operators/approval-policy.ts';
import type { ApprovalRequest, Note } from '../../src/engine/operators/records.ts';
import type { Announcement } from '../../src/engine/protection/announcements.ts';
import type { Maintenance } from '../../src/engine/protection/trading-status.ts';
import { EntryType, MarketStatus, OrderStatus } from '../../src/engine/terms.ts';
import type { NaiveCall } from './naive-auctions.ts';
import type { NaiveRecent } from './naive-client-orders.ts';
import { NaiveCustody } from './naive-custody.ts';
import type { NaiveSweep } from './naive-portions.ts';

/**
 * The state in its simplest form: plain objects in arrays, money as bigints, everything found by a
 * full search. It only shares names and numbers with the engine.
 */

export interface NaiveAsset {
  readonly index: number;
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
}

export interface NaiveMarket {
  readonly index: number;
  readonly symbol: string;
  readonly base: NaiveAsset;
  readonly quote: NaiveAsset;
  rules: MarketRules;
  readonly listedAt: number;
  status: number;
  lastPrice: number;
  bookSequence: number;
  bookChangedAt: number;
}

export interface NaiveAccount {
  readonly index: number;
  readonly id: string;
  limitClass: number;
  readonly createdAt: number;
  frozen: boolean;
  feeTier: number;
}

export interface NaiveKey {
  readonly index: number;
  readonly apiKey: string;
  readonly owner: number;
  readonly secretHash: string;
  /** Undefined for a key that does not sign with Ed25519. */
  readonly publicKey: string | undefined;
  /** Undefined for a key that does not sign with HMAC. */
  sealedSecret: string | undefined;
  readonly permissions: number;
  label: string;
  addresses: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  revokedAt: number;
}

export interface NaiveSignature {
  readonly key: number;
  readonly hash: string;
  readonly usedAt: number;
}

export interface NaiveTransfer {
  readonly id: number;
  readonly account: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly reference: string;
  readonly time: number;
}

export interface NaiveBalance {
  readonly account: number;
  readonly asset: number;
  available: bigint;
  held: bigint;
}

export interface NaiveSubAccount {
  readonly account: number;
  readonly main: number;
  readonly name: string;
  readonly isClosed: boolean;
}

export interface NaiveInternalTransfer {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly clientId: string | null;
  readonly time: number;
}

/** An order record of the engine without its kind, and with bigints for money. */
export type NaiveOrder = {
  -readonly [Field in keyof Omit<OrderRecord, 'kind' | Money>]: OrderRecord[Field];
} & Record<Money, bigint>;
type Money = 'cost' | 'filledCost' | 'fees';

/** An event; every ledger entry is an event of its own. */
export type NaiveEvent = Readonly<Record<string, unknown>> & { readonly kind: string };

/** The event of a trade; a type, so that it is also a `NaiveEvent`. */
export type NaiveTrade = {
  readonly kind: 'trade';
  readonly id: number;
  readonly market: number;
  readonly price: number;
  readonly amount: number;
  readonly cost: bigint;
  readonly takerSide: number;
  readonly makerOrderId: number;
  readonly makerAccount: number;
  /** Negative for a rebate. */
  readonly makerFee: bigint;
  readonly takerOrderId: number;
  readonly takerAccount: number;
  readonly takerFee: bigint;
  readonly time: number;
  readonly isAuction?: true;
};

export const NO_DISCOUNT = { asset: 0, minBalance: 0n, rate: 0 };

export interface NaiveClientOrder {
  readonly account: number;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** The terms of the request; the same id with other terms is rejected. */
  readonly terms: string;
  forgetAt: number;
}

export interface NaiveDeadline {
  readonly account: number;
  readonly key: number;
  readonly market: number;
  readonly dueAt: number;
}

/** The time until which a node must renew its connections. */
export interface NaiveLease {
  readonly id: number;
  readonly node: string;
  dueAt: number;
}

export interface NaiveConnection {
  readonly id: number;
  readonly account: number;
  readonly lease: NaiveLease;
}

/** The types of entries that change what is held instead of what the account owns. */
const HOLDS: readonly number[] = [
  EntryType.hold,
  EntryType.release,
  EntryType.custodyHold,
  EntryType.custodyRelease,
];

export class NaiveState {
  version = 0;
  sandbox = false;
  time = 0;
  nextOrderId = 1;
  nextTradeId = 1;
  nextTransferId = 1;
  nextEntryId = 1;
  readonly assets: NaiveAsset[] = [];
  readonly markets: NaiveMarket[] = [];
  readonly accounts: NaiveAccount[] = [];
  /** By index; undefined for dropped keys. */
  readonly keys: (NaiveKey | undefined)[] = [];
  readonly transfers: NaiveTransfer[] = [];
  /** Signed requests that were used, oldest first. */
  signatures: NaiveSignature[] = [];
  readonly balances: NaiveBalance[] = [];
  /** By asset. */
  readonly fees: bigint[] = [];
  readonly external: bigint[] = [];
  /** Resting orders in the order in which they came to rest. */
  orders: NaiveOrder[] = [];
  /** Pending orders that await their trigger, and triggered orders that will run. */
  stops: NaiveOrder[] = [];
  triggered: NaiveOrder[] = [];
  /** The price on which the hold of a pending order is based, by order id. */
  readonly worstPrices = new Map<number, number>();
  /** The best price that a trailing stop has followed, by order id; 0 before its activation. */
  readonly best = new Map<number, number>();
  /** The remaining quantity that the book shows of an iceberg, by order id. */
  readonly shown = new Map<number, number>();
  /** The legs of OCO orders; the first one has the hold. */
  ocoOrders: (readonly [NaiveOrder, NaiveOrder])[] = [];
  /** Bracket orders that have ended with a fill. */
  parents: NaiveOrder[] = [];
  /** Ids of the bracket orders whose legs a bulk cancel has dropped. */
  readonly dropped = new Set<number>();
  clientOrders: NaiveClientOrder[] = [];
  /** Client order ids from version 2 on, by account. */
  readonly recent = new Map<number, NaiveRecent>();
  /** Every order placed under a client order id, as history would know it. */
  readonly placed: {
    readonly account: number;
    readonly clientOrderId: string;
    readonly time: number;
  }[] = [];
  /** Index of the account whose expired client order ids are forgotten next. */
  sweptAccount = 0;
  /** Number of the oldest transfers that only history knows. */
  forgottenTransfers = 0;
  deadlines: NaiveDeadline[] = [];
  /** The sweeps in the order in which they continue, and the rest of the current portion. */
  sweeps: NaiveSweep[] = [];
  nextSweepId = 1;
  /** The kill switch, and the periods of maintenance, the earliest first. */
  killSwitch = { status: 0, reason: '', since: 0 };
  maintenance: Maintenance[] = [];
  /** The announcements that stand, and the number of all that were made. */
  readonly announcements: Announcement[] = [];
  announced = 0;
  /** The terms of all trades, and the times at which trades were busted, by trade id. */
  trades: TradeTerms[] = [];
  readonly busts = new Map<number, number>();
  /** The limits of trading by account, with those of all others at -1. */
  readonly tradingLimits = new Map<number, TradingLimits>();
  /** Orders and trades that count towards limits. */
  activity: { readonly account: number; readonly isTrade: boolean; readonly time: number }[] = [];
  endsLeft = 0;
  triggersLeft = 0;
  /** Price levels that the last check of a fill-or-kill order went through, and orders ahead of an own one that ended it. */
  looked = 0;
  /** Orders that the last command ended for earlier sweeps. */
  swept: {
    readonly sweep: number;
    readonly orders: number[];
    readonly isDone: boolean;
  }[] = [];
  /** Connections in the order in which they were opened, and the connection by order id. */
  connections: NaiveConnection[] = [];
  readonly orderConnections = new Map<number, number>();
  nextConnectionId = 1;
  policy: ApprovalPolicy = { actions: 0, limits: [] };
  /** Credits and debits of operators without an approval, since the policy limits them. */
  adjustments: {
    readonly account: number;
    readonly asset: number;
    readonly amount: bigint;
    readonly time: number;
  }[] = [];
  /** Pending requests for approval, oldest first, and closed ones in the order of their decisions. */
  approvals: ApprovalRequest[] = [];
  closedApprovals: ApprovalRequest[] = [];
  nextApprovalId = 1;
  notes: Note[] = [];
  nextNoteId = 1;
  /** The call phases of markets in an auction, and the static reference prices by market. */
  calls: NaiveCall[] = [];
  readonly references = new Map<number, { readonly price: number; readonly day: number }>();
  readonly custody = new NaiveCustody();
  /** Sub-accounts in the order of their creation, and the transfers of the last 25 hours, oldest first. */
  subAccounts: NaiveSubAccount[] = [];
  internalTransfers: NaiveInternalTransfer[] = [];
  nextInternalTransferId = 1;
  feeAsset = -1;
  feeTiers: readonly FeeTier[] = [];
  /** The rate is 0 without a discount. */
  discount: Readonly<typeof NO_DISCOUNT> = NO_DISCOUNT;
  referralShare = 0;
  readonly referrers = new Map<number, number>();
  /** Trades in the fee asset, one row per side of a trade. */
  volumes: { readonly account: number; readonly time: number; readonly cost: bigint }[] = [];
  events: NaiveEvent[] = [];
  /** Called for every change of an order. */
  onReport: (order: NaiveOrder) => void = () => {};

  get open(): NaiveOrder[] {
    return [...this.orders, ...this.stops, ...this.triggered];
  }

  /** Unlinks the OCO order of a leg. @returns The other leg, and the leg that held. */
  unlinkOco(order: NaiveOrder): { other: NaiveOrder; holdingLeg: NaiveOrder } | undefined {
    const legs = this.ocoOrders.find((each) => each.includes(order));
    if (legs === undefined) return undefined;
    this.ocoOrders = this.ocoOrders.filter((each) => each !== legs);
    return { other: legs[0] === order ? legs[1] : legs[0], holdingLeg: legs[0] };
  }

  /** Returns how much of a resting order the book shows. */
  shownAmount({ id, displayAmount, remaining }: NaiveOrder): number {
    return displayAmount === undefined ? remaining : this.shown.get(id)!;
  }

  /** Adds an order at the end of its price level. */
  rest(order: NaiveOrder): void {
    const { id, displayAmount, remaining } = order;
    this.orders = [...this.orders.filter((each) => each !== order), order];
    if (displayAmount !== undefined) this.shown.set(id, Math.min(displayAmount, remaining));
  }

  /** Lowers what remains of an order; what the book does not show goes first. */
  lower(order: NaiveOrder, quantity: number): void {
    const shown = this.shownAmount(order);
    order.remaining -= quantity;
    if (order.displayAmount !== undefined) {
      this.shown.set(order.id, Math.min(shown, order.remaining));
    }
  }

  /** Removes an open order. */
  remove(order: NaiveOrder): void {
    this.orders = this.orders.filter((each) => each !== order);
    this.stops = this.stops.filter((each) => each !== order);
    this.triggered = this.triggered.filter((each) => each !== order);
  }

  balance(account: number, asset: number): NaiveBalance {
    const known = this.balances.find((each) => each.account === account && each.asset === asset);
    if (known !== undefined) return known;
    const balance = { account, asset, available: 0n, held: 0n };
    this.balances.push(balance);
    return balance;
  }

  available(account: number, asset: number): bigint {
    return (
      this.balances.find((each) => each.account === account && each.asset === asset)?.available ??
      0n
    );
  }

  /** Changes an available balance and records the entry. */
  post(account: number, asset: number, type: number, amount: bigint, reference: number): void {
    const balance = this.balance(account, asset);
    balance.available += amount;
    if (HOLDS.includes(type)) balance.held -= amount;
    if (balance.available < 0n || balance.held < 0n) {
      throw new Error(
        `the reference model gives account ${account} a negative balance of asset ${asset}`,
      );
    }
    const id = this.nextEntryId++;
    const after = balance.available;
    const { time } = this;
    this.events.push({ kind: 'entry', id, account, asset, type, amount, after, reference, time });
  }

  /** Reports a copy of the order, so that later changes do not affect it. */
  report(order: NaiveOrder): NaiveOrder {
    const copy = { ...order };
    this.onReport(order);
    this.events.push({ kind: 'order', ...copy });
    const hasEnded = order.status !== OrderStatus.open;
    if (hasEnded && order.attached !== null) this.parents.push(copy);
    return copy;
  }

  /** Returns the resting orders of one side of a market by priority. */
  side(market: number, side: number): NaiveOrder[] {
    const sign = side === 0 ? -1 : 1;
    return this.orders
      .filter((order) => order.market === market && order.side === side)
      .sort((a, b) => sign * (a.price - b.price));
  }
}

/** Returns whether the kill switch or a maintenance restricts trading in all markets. */
export function isRestricted({ killSwitch, maintenance }: NaiveState): boolean {
  return killSwitch.status !== 0 || maintenance.some(({ isActive }) => isActive);
}

/** Returns the status of a market, with the restriction of all markets. */
export function currentStatus(state: NaiveState, { status }: NaiveMarket): number {
  const isOwn = status === MarketStatus.delisted || status === MarketStatus.halted;
  if (isOwn || !isRestricted(state)) return status;
  const modes = state.maintenance.filter(({ isActive }) => isActive).map(({ mode }) => mode);
  return Math.max(state.killSwitch.status, ...modes);
}
