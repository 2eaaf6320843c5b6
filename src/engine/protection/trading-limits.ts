import type { AmendOrder, PlacingCommand, SetTradingLimits, TradingLimits } from '../command.ts';
import { CommandKind } from '../command-kind.ts';
import { mix, mixExact, mixNumber } from '../digest.ts';
import type { Outcome, TradeEvent } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import {
  MAX_ASSET_TOTAL,
  MAX_TRADING_LIMIT,
  ORDER_RATE_WINDOW_MS,
  ORDERS_PER_TRADE_WINDOW_MS,
} from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { canRest, hasLimit } from '../orders/order-terms.ts';
import { invariant, type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { PartState } from '../state-part.ts';
import { NONE } from '../terms.ts';
import { readLimits, writeLimits } from './layouts.ts';
import { OpenNotional } from './open-notional.ts';

/** No limits. */
export const UNLIMITED: TradingLimits = {
  orderRate: 0,
  ordersPerTrade: 0,
  freeOrders: 0,
  openNotional: [],
};

/** The orders and trades of an account in the current windows. */
interface Activity {
  readonly account: number;
  /** Number of the window since 1970 in which `rateOrders` counts. */
  rateWindow: number;
  rateOrders: number;
  /** The same for orders per trade. */
  tradeWindow: number;
  orders: number;
  trades: number;
}

/**
 * The state part of the limits on the trading of accounts (engine version 2). Placed orders and amendments count in windows
 * of the log's time, but not amendments that only lower the amount: like cancels, they are never rejected.
 */
export class TradingLimitsPart {
  readonly id = 113;
  readonly nextTime = Number.POSITIVE_INFINITY;
  readonly openNotional: OpenNotional;
  /** Whether any account may have a limit. */
  isActive = false;
  /** The limits of accounts without limits of their own. */
  standard = UNLIMITED;
  /** The limits of single accounts, by index. */
  private readonly own = new Map<number, TradingLimits>();
  private readonly activities = new Map<number, Activity>();

  constructor(private readonly state: PartState) {
    this.openNotional = new OpenNotional(state);
  }

  get isEmpty(): boolean {
    return this.standard === UNLIMITED && this.own.size === 0 && this.activities.size === 0;
  }

  /** Returns the limits of an account. */
  find(account: number): TradingLimits {
    return this.own.get(account) ?? this.standard;
  }

  /** Returns whether an account has limits of its own. */
  hasOwn(account: number): boolean {
    return this.own.has(account);
  }

  /** Returns what an account has used of its limits in the windows of the present. */
  usage(account: number): Pick<Activity, 'rateOrders' | 'orders' | 'trades'> {
    const { time } = this.state;
    const activity = this.activities.get(account);
    const isInRate = activity?.rateWindow === windowAt(time, ORDER_RATE_WINDOW_MS);
    const isInTrade = activity?.tradeWindow === windowAt(time, ORDERS_PER_TRADE_WINDOW_MS);
    return {
      rateOrders: isInRate ? activity.rateOrders : 0,
      orders: isInTrade ? activity.orders : 0,
      trades: isInTrade ? activity.trades : 0,
    };
  }

  set({ owner, limits }: SetTradingLimits): Outcome {
    const { state } = this;
    if (state.version < 2) {
      return rejected(RejectionCode.invalidRules, 'trading limits need engine version 2');
    }
    if (owner !== NONE && state.accounts[owner] === undefined) {
      return rejected(RejectionCode.unknownAccount);
    }
    const broken = limits === null ? undefined : this.check(limits);
    if (broken !== undefined) return broken;
    this.replace(owner, limits ?? undefined);
    const account = state.accounts[owner];
    return account === undefined ? { kind: 'done' } : { kind: 'account', account, created: false };
  }

  /** Returns the limit that rejects an order. */
  checkPlacement(owner: number, command: PlacingCommand): Rejection | undefined {
    if (!this.isActive) return undefined;
    const account = this.state.accounts[owner]!;
    const limits = this.find(owner);
    const rejection = this.checkActivity(account, limits);
    if (rejection !== undefined || limits.openNotional.length === 0) return rejection;
    const order = command.kind === CommandKind.placeBracket ? command.order : command;
    const market = this.state.markets[order.market];
    if (market === undefined) return undefined;
    const added = addedNotional(command, market);
    return this.checkNotional(account, limits, market.quote.index, added);
  }

  /** Returns the limit that rejects an amendment of an open order. */
  checkAmendment(command: AmendOrder, slot: number): Rejection | undefined {
    const account = this.state.accounts[command.account]!;
    const limits = this.find(account.index);
    const rejection = this.checkActivity(account, limits);
    if (rejection !== undefined || limits.openNotional.length === 0) return rejection;
    const { orders, details, markets } = this.state;
    if (!hasLimit(details.type(slot))) return undefined;
    const market = markets[details.market(slot)]!;
    const current = details.amount(slot);
    const filled = current - orders.remaining(slot) - details.hidden(slot);
    const price = command.price === 0 ? orders.price(slot) : command.price;
    const amount = Math.max(0, (command.amount === 0 ? current : command.amount) - filled);
    const growth = difference(market.notional(price, amount), this.openNotional.notional(slot));
    return this.checkNotional(account, limits, market.quote.index, growth);
  }

  /** Returns whether an amendment changes nothing but a lower amount. */
  isReduction(command: AmendOrder, slot: number): boolean {
    const { orders, details } = this.state;
    const { price, triggerPrice, amount, trailing, displayAmount } = command;
    if (trailing !== undefined || displayAmount !== undefined) return false;
    const isSamePrice =
      price === 0 || (hasLimit(details.type(slot)) && price === orders.price(slot));
    const isSameTrigger = triggerPrice === 0 || triggerPrice === details.triggerPrice(slot);
    return isSamePrice && isSameTrigger && amount <= details.amount(slot);
  }

  /** Counts an order that was placed or amended, unless its command was rejected or repeated. @returns The outcome. */
  noteOrder(account: number, outcome: Outcome): Outcome {
    if (!this.isActive || outcome.kind === 'rejected' || outcome.kind === 'repeated')
      return outcome;
    const { orderRate, ordersPerTrade } = this.find(account);
    if (orderRate > 0 || ordersPerTrade > 0) this.count(account);
    return outcome;
  }

  private count(account: number): void {
    this.change(account, (activity) => {
      activity.rateOrders++;
      activity.orders++;
    });
  }

  /** Counts a trade for both sides, once if both are of one account. */
  noteTrade({ makerAccount, takerAccount }: TradeEvent): void {
    this.noteSide(makerAccount);
    if (takerAccount !== makerAccount) this.noteSide(takerAccount);
  }

  runDue(): void {}

  countDigest(): number {
    let total = this.standard === UNLIMITED ? 0 : hashLimits(NONE, this.standard);
    for (const [account, limits] of this.own) total = (total + hashLimits(account, limits)) | 0;
    for (const each of this.activities.values()) total = (total + hashActivity(each)) | 0;
    return total;
  }

  audit(): void {
    this.openNotional.audit();
    const { accounts } = this.state;
    for (const account of [...this.own.keys(), ...this.activities.keys()]) {
      invariant(accounts[account] !== undefined, `limits of an unknown account ${account}`);
    }
    const isActive = this.standard !== UNLIMITED || this.own.size > 0;
    invariant(this.isActive === isActive, 'it is not known whether an account has limits');
  }

  write(writer: ByteWriter): void {
    writeLimits(writer, this.standard === UNLIMITED ? null : this.standard);
    writer.uint32(this.own.size);
    for (const account of ascending(this.own)) {
      writer.uint32(account);
      writeLimits(writer, this.own.get(account)!);
    }
    writer.uint32(this.activities.size);
    for (const account of ascending(this.activities)) {
      const each = this.activities.get(account)!;
      writer.uint32(account);
      for (const value of counts(each)) writer.number(value);
    }
  }

  read(reader: ByteReader): void {
    this.replace(NONE, readLimits(reader) ?? undefined);
    for (let left = reader.uint32(); left > 0; left--) {
      const account = reader.uint32();
      this.replace(account, readLimits(reader) ?? undefined);
    }
    for (let left = reader.uint32(); left > 0; left--) {
      const account = reader.uint32();
      const [rateWindow, rateOrders] = [reader.number(), reader.number()];
      const [tradeWindow, orders, trades] = [reader.number(), reader.number(), reader.number()];
      const each = { account, rateWindow, rateOrders, tradeWindow, orders, trades };
      this.activities.set(account, each);
      this.state.include(hashActivity(each));
    }
  }

  private check(limits: TradingLimits): Rejection | undefined {
    const { orderRate, ordersPerTrade, freeOrders, openNotional } = limits;
    const counted = [orderRate, ordersPerTrade, freeOrders];
    if (!counted.every((each) => each >= 0 && each <= MAX_TRADING_LIMIT)) {
      return invalid(`limits of orders are from 0 to ${MAX_TRADING_LIMIT}`);
    }
    if (ordersPerTrade > 0 !== freeOrders > 0) {
      return invalid('ordersPerTrade and freeOrders need each other');
    }
    const seen = new Set<number>();
    for (const { asset, limit } of openNotional) {
      if (this.state.assets[asset] === undefined) return rejected(RejectionCode.unknownAsset);
      if (seen.has(asset)) return invalid('an asset has two limits of open notional');
      if (limit <= 0 || limit > MAX_ASSET_TOTAL) {
        return invalid(
          'a limit of open notional must be above zero and within the bounds of assets',
        );
      }
      seen.add(asset);
    }
    return undefined;
  }

  /** Replaces the limits of an account, or those of all others if it is NONE. */
  private replace(account: number, limits: TradingLimits | undefined): void {
    const { state, own } = this;
    const before = account === NONE ? this.standard : own.get(account);
    if (before !== undefined && before !== UNLIMITED) state.exclude(hashLimits(account, before));
    if (account === NONE) this.standard = limits ?? UNLIMITED;
    else if (limits === undefined) own.delete(account);
    else own.set(account, limits);
    if (limits !== undefined) state.include(hashLimits(account, limits));
    this.isActive = this.standard !== UNLIMITED || own.size > 0;
    this.openNotional.clear();
  }

  private checkActivity(account: Account, limits: TradingLimits): Rejection | undefined {
    const { orderRate, ordersPerTrade, freeOrders } = limits;
    if (orderRate === 0 && ordersPerTrade === 0) return undefined;
    const { time } = this.state;
    const used = this.usage(account.index);
    if (orderRate > 0 && used.rateOrders >= orderRate) {
      const retryAt = windowEnd(time, ORDER_RATE_WINDOW_MS);
      return { kind: 'rejected', code: RejectionCode.orderRateLimit, limit: orderRate, retryAt };
    }
    const allowed = freeOrders + ordersPerTrade * used.trades;
    if (ordersPerTrade > 0 && used.orders >= allowed) {
      const retryAt = windowEnd(time, ORDERS_PER_TRADE_WINDOW_MS);
      return { kind: 'rejected', code: RejectionCode.ordersPerTradeLimit, limit: allowed, retryAt };
    }
    return undefined;
  }

  /** @param added What a command adds to the open notional, in minor units of the quote asset. */
  private checkNotional(
    account: Account,
    { openNotional }: TradingLimits,
    asset: number,
    added: Exact,
  ): Rejection | undefined {
    if (added <= 0) return undefined;
    const limit = openNotional.find((each) => each.asset === asset)?.limit;
    if (limit === undefined) return undefined;
    const required = sum(this.openNotional.total(account, asset), added);
    if (required <= limit) return undefined;
    return { kind: 'rejected', code: RejectionCode.openNotionalLimit, asset, required, limit };
  }

  private noteSide(account: number): void {
    if (this.find(account).ordersPerTrade === 0) return;
    this.change(account, (activity) => {
      activity.trades++;
    });
  }

  /** Changes the counts of an account, which start again in a new window. */
  private change(account: number, apply: (activity: Activity) => void): void {
    const { state, activities } = this;
    const rateWindow = windowAt(state.time, ORDER_RATE_WINDOW_MS);
    const tradeWindow = windowAt(state.time, ORDERS_PER_TRADE_WINDOW_MS);
    let activity = activities.get(account);
    if (activity === undefined) {
      activity = { account, rateWindow, rateOrders: 0, tradeWindow, orders: 0, trades: 0 };
      activities.set(account, activity);
    } else state.exclude(hashActivity(activity));
    if (activity.rateWindow !== rateWindow) Object.assign(activity, { rateWindow, rateOrders: 0 });
    if (activity.tradeWindow !== tradeWindow) {
      Object.assign(activity, { tradeWindow, orders: 0, trades: 0 });
    }
    apply(activity);
    state.include(hashActivity(activity));
  }
}

/** Returns the notional of what a command may leave open, in minor units of the quote asset. */
function addedNotional(command: PlacingCommand, market: Market): Exact {
  if (command.kind === CommandKind.placeOco) {
    const { takeProfit, stopLoss, amount } = command;
    return sum(market.notional(takeProfit.price, amount), market.notional(stopLoss.price, amount));
  }
  const order = command.kind === CommandKind.placeBracket ? command.order : command;
  const isOpen = order.kind === CommandKind.placeStopOrder ? hasLimit(order.type) : canRest(order);
  return isOpen ? market.notional(order.price, order.amount) : 0;
}

function windowAt(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs);
}

function windowEnd(time: number, lengthMs: number): number {
  return (windowAt(time, lengthMs) + 1) * lengthMs;
}

function ascending(map: ReadonlyMap<number, unknown>): number[] {
  return [...map.keys()].sort((a, b) => a - b);
}

function counts({ rateWindow, rateOrders, tradeWindow, orders, trades }: Activity): number[] {
  return [rateWindow, rateOrders, tradeWindow, orders, trades];
}

function hashActivity(activity: Activity): number {
  const { rateWindow, rateOrders, tradeWindow, orders, trades } = activity;
  const hash = mixNumber(mixNumber(mix(114, activity.account), rateWindow), rateOrders);
  return mixNumber(mixNumber(mixNumber(hash, tradeWindow), orders), trades);
}

function hashLimits(account: number, limits: TradingLimits): number {
  const { orderRate, ordersPerTrade, freeOrders, openNotional } = limits;
  let hash = mix(mix(mix(mix(113, account), orderRate), ordersPerTrade), freeOrders);
  for (const { asset, limit } of openNotional) hash = mixExact(mix(hash, asset), limit);
  return hash;
}

function invalid(rule: string): Rejection {
  return rejected(RejectionCode.invalidRules, rule);
}
