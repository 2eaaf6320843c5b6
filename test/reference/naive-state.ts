import type { MarketRules } from '../../src/engine/command.ts';
import type { OrderRecord } from '../../src/engine/event.ts';
import type { FeeTier } from '../../src/engine/ledger/fee-tiers.ts';
import { EntryType, OrderStatus } from '../../src/engine/terms.ts';
import type { NaiveRecent } from './naive-client-orders.ts';
import type { NaiveSweep } from './naive-portions.ts';

/**
 * The exchange's state as anyone would first write it down: plain objects in plain arrays, money in
 * bigints, everything found by looking through all of it. Only names and numbers are the engine's.
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
  readonly permissions: number;
  readonly label: string;
  readonly addresses: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  revokedAt: number;
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

/** The engine's record, but for its money and its mark. */
export type NaiveOrder = {
  -readonly [Field in keyof Omit<OrderRecord, 'kind' | Money>]: OrderRecord[Field];
} & Record<Money, bigint>;
type Money = 'cost' | 'filledCost' | 'fees';

/** What happened; every ledger entry is an event of its own. */
export type NaiveEvent = Readonly<Record<string, unknown>> & { readonly kind: string };

export interface NaiveClientOrder {
  readonly account: number;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** All that the request asked for; the same id with anything else is refused. */
  readonly terms: string;
  forgetAt: number;
}

export interface NaiveDeadline {
  readonly account: number;
  readonly key: number;
  readonly market: number;
  readonly dueAt: number;
}

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
  /** By index; undefined where one was dropped. */
  readonly keys: (NaiveKey | undefined)[] = [];
  readonly transfers: NaiveTransfer[] = [];
  readonly balances: NaiveBalance[] = [];
  /** By asset. */
  readonly fees: bigint[] = [];
  readonly external: bigint[] = [];
  /** Open orders in the order in which they came to rest. */
  orders: NaiveOrder[] = [];
  /** Open orders that wait for their trigger price, and those that have met it and are to run. */
  stops: NaiveOrder[] = [];
  triggered: NaiveOrder[] = [];
  /** Of a stop without a limit: the price that its hold was reckoned by, by order id. */
  readonly worstPrices = new Map<number, number>();
  /** Of which one cancels the other; the first of each holds for both. */
  pairs: (readonly [NaiveOrder, NaiveOrder])[] = [];
  /** Orders that have ended with something filled, and had something attached. */
  parents: NaiveOrder[] = [];
  clientOrders: NaiveClientOrder[] = [];
  /** Client order ids from version 2 on, by account. */
  readonly recent = new Map<number, NaiveRecent>();
  /** All that was ever placed under a client order id: what history would know. */
  readonly placed: {
    readonly account: number;
    readonly clientOrderId: string;
    readonly time: number;
  }[] = [];
  /** The account whose client order ids are looked at next for what has expired. */
  sweptAccount = 0;
  /** So many of the oldest transfers are known to history alone. */
  forgottenTransfers = 0;
  deadlines: NaiveDeadline[] = [];
  /** Work that is done in portions: the next sweep first, and what is left of the present portion. */
  sweeps: NaiveSweep[] = [];
  nextSweepId = 1;
  endsLeft = 0;
  triggersLeft = 0;
  /** Price levels that the last check of a fill-or-kill order went through, and orders ahead of an own one that ended it. */
  looked = 0;
  /** What the last command ended of earlier sweeps. */
  swept: {
    readonly sweep: number;
    readonly orders: number[];
    readonly isDone: boolean;
  }[] = [];
  feeAsset = -1;
  feeTiers: readonly FeeTier[] = [];
  /** What was traded in the fee asset, a row a side of a trade. */
  volumes: { readonly account: number; readonly time: number; readonly cost: bigint }[] = [];
  events: NaiveEvent[] = [];
  /** Sees every change of an order. */
  onReport: (order: NaiveOrder) => void = () => {};

  get open(): NaiveOrder[] {
    return [...this.orders, ...this.stops, ...this.triggered];
  }

  /** The pair that an order is in is none any more. @returns The other, and who of them held. */
  part(order: NaiveOrder): { other: NaiveOrder; holder: NaiveOrder } | undefined {
    const pair = this.pairs.find((each) => each.includes(order));
    if (pair === undefined) return undefined;
    this.pairs = this.pairs.filter((each) => each !== pair);
    return { other: pair[0] === order ? pair[1] : pair[0], holder: pair[0] };
  }

  /** Takes an order out of wherever it is. */
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

  /** Changes what is available and records it. */
  post(account: number, asset: number, type: number, amount: bigint, reference: number): void {
    const balance = this.balance(account, asset);
    balance.available += amount;
    if (type === EntryType.hold || type === EntryType.release) balance.held -= amount;
    if (balance.available < 0n || balance.held < 0n) {
      throw new Error(`the reference lets account ${account} go below zero in asset ${asset}`);
    }
    const id = this.nextEntryId++;
    const after = balance.available;
    const { time } = this;
    this.events.push({ kind: 'entry', id, account, asset, type, amount, after, reference, time });
  }

  /** The order as it stands now, so that later changes do not show in what was reported. */
  report(order: NaiveOrder): NaiveOrder {
    const copy = { ...order };
    this.onReport(order);
    this.events.push({ kind: 'order', ...copy });
    const hasEnded = order.status !== OrderStatus.open && order.remaining < order.amount;
    if (hasEnded && order.attached !== null) this.parents.push(copy);
    return copy;
  }

  /** The open orders of one side of a market, the first to trade first. */
  side(market: number, side: number): NaiveOrder[] {
    const sign = side === 0 ? -1 : 1;
    return this.orders
      .filter((order) => order.market === market && order.side === side)
      .sort((a, b) => sign * (a.price - b.price));
  }
}
