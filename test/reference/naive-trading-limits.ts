import {
  type AmendOrder,
  CommandKind,
  type PlacingCommand,
  type SetTradingLimits,
  type TradingLimits,
} from '../../src/engine/command.ts';
import { MAX_ASSET_TOTAL } from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { reject } from './naive-administration.ts';
import type { NaiveOrder, NaiveState } from './naive-state.ts';
import { hasLimit, worth } from './naive-values.ts';

const NO_LIMITS: TradingLimits = {
  orderRate: 0,
  ordersPerTrade: 0,
  freeOrders: 0,
  openNotional: [],
};
const TEN_SECONDS = 10_000;
const HOUR = 3_600_000;

export function findLimits(state: NaiveState, account: number): TradingLimits {
  return state.tradingLimits.get(account) ?? state.tradingLimits.get(-1) ?? NO_LIMITS;
}

export function setTradingLimits(state: NaiveState, { owner, limits }: SetTradingLimits) {
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  const account = state.accounts[owner];
  if (owner !== -1 && account === undefined) return reject(RejectionCode.unknownAccount);
  if (limits === null) {
    state.tradingLimits.delete(owner);
  } else {
    const { orderRate, ordersPerTrade, freeOrders, openNotional } = limits;
    const isInRange = [orderRate, ordersPerTrade, freeOrders].every((n) => n >= 0 && n <= 1e6);
    if (!isInRange || (ordersPerTrade === 0) !== (freeOrders === 0)) {
      return reject(RejectionCode.invalidRules);
    }
    for (const [place, { asset, limit }] of openNotional.entries()) {
      if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
      const isRepeated = openNotional.slice(0, place).some((each) => each.asset === asset);
      if (isRepeated || limit <= 0 || limit > MAX_ASSET_TOTAL) {
        return reject(RejectionCode.invalidRules);
      }
    }
    state.tradingLimits.set(owner, limits);
  }
  if (account === undefined) return { kind: 'done' } as const;
  return { kind: 'account', account, created: false } as const;
}

/** Returns the orders in the current ten seconds, and the orders and trades in the current hour. */
export function usedLimits({ time, activity }: NaiveState, account: number) {
  const count = (isTrade: boolean, length: number) =>
    activity.filter(
      (each) =>
        each.account === account &&
        each.isTrade === isTrade &&
        Math.floor(each.time / length) === Math.floor(time / length),
    ).length;
  return {
    rateOrders: count(false, TEN_SECONDS),
    orders: count(false, HOUR),
    trades: count(true, HOUR),
  };
}

/** Returns the notional of all open orders of an account in markets quoted in an asset. */
function openNotional(state: NaiveState, account: number, asset: number): bigint {
  return state.open
    .filter((order) => order.account === account)
    .filter(({ market }) => state.markets[market]!.quote.index === asset)
    .reduce((total, order) => total + notional(state, order), 0n);
}

function notional(state: NaiveState, { type, market, price, remaining }: NaiveOrder): bigint {
  return hasLimit(type) ? worth(state.markets[market]!, price, remaining) : 0n;
}

/** Returns the limit that rejects the placement of orders. */
export function checkPlacement(state: NaiveState, command: PlacingCommand): Rejection | undefined {
  const order = command.kind === CommandKind.placeBracket ? command.order : command;
  const market = state.markets[order.market];
  let added = 0n;
  if (market !== undefined && order.kind === CommandKind.placeOco) {
    for (const { price } of [order.takeProfit, order.stopLoss]) {
      added += worth(market, price, order.amount);
    }
  } else if (market !== undefined && order.kind !== CommandKind.placeOco) {
    const isStop = order.kind === CommandKind.placeStopOrder;
    const rests = isStop || order.timeInForce === 0 || order.timeInForce === 3;
    if (rests && hasLimit(order.type)) added = worth(market, order.price, order.amount);
  }
  return check(state, order.account, market?.quote.index, added);
}

/** Returns whether an amendment only lowers the amount, or changes nothing. */
export function isReduction(order: NaiveOrder, command: AmendOrder): boolean {
  if (command.trailing !== undefined || command.displayAmount !== undefined) return false;
  const isSamePrice = !command.price || (hasLimit(order.type) && command.price === order.price);
  const isSameTrigger = !command.triggerPrice || command.triggerPrice === order.triggerPrice;
  return isSamePrice && isSameTrigger && command.amount <= order.amount;
}

/** Returns the limit that rejects an amendment. */
export function checkAmendment(
  state: NaiveState,
  order: NaiveOrder,
  command: AmendOrder,
): Rejection | undefined {
  const market = state.markets[order.market]!;
  const filled = order.amount - order.remaining;
  const remaining = Math.max(0, (command.amount || order.amount) - filled);
  const changed = { ...order, price: command.price || order.price, remaining };
  const growth = notional(state, changed) - notional(state, order);
  return check(state, order.account, market.quote.index, growth);
}

function check(
  state: NaiveState,
  account: number,
  asset: number | undefined,
  added: bigint,
): Rejection | undefined {
  const limits = findLimits(state, account);
  const used = usedLimits(state, account);
  const { orderRate, ordersPerTrade, freeOrders } = limits;
  const nextWindow = (length: number) => Math.floor(state.time / length + 1) * length;
  if (orderRate !== 0 && used.rateOrders + 1 > orderRate) {
    const retryAt = nextWindow(TEN_SECONDS);
    return {
      kind: 'rejected',
      code: RejectionCode.orderRateLimit,
      limit: BigInt(orderRate),
      retryAt,
    };
  }
  const limit = BigInt(freeOrders + ordersPerTrade * used.trades);
  if (ordersPerTrade !== 0 && BigInt(used.orders + 1) > limit) {
    const retryAt = nextWindow(HOUR);
    return { kind: 'rejected', code: RejectionCode.ordersPerTradeLimit, limit, retryAt };
  }
  const cap = limits.openNotional.find((each) => each.asset === asset);
  if (asset === undefined || cap === undefined || added <= 0n) return undefined;
  const required = openNotional(state, account, asset) + added;
  if (required <= cap.limit) return undefined;
  const code = RejectionCode.openNotionalLimit;
  return { kind: 'rejected', code, asset, required, limit: BigInt(cap.limit) };
}

/** Counts an order if its account has a limit of orders. */
export function noteOrder(state: NaiveState, account: number, outcome: { kind: string }): void {
  if (outcome.kind === 'rejected' || outcome.kind === 'repeated') return;
  const { orderRate, ordersPerTrade } = findLimits(state, account);
  if (orderRate + ordersPerTrade > 0) {
    state.activity.push({ account, isTrade: false, time: state.time });
  }
}

/** Counts a trade of accounts whose orders are limited by trades. */
export function noteTrade(state: NaiveState, maker: number, taker: number): void {
  for (const account of new Set([maker, taker])) {
    if (findLimits(state, account).ordersPerTrade === 0) continue;
    state.activity.push({ account, isTrade: true, time: state.time });
  }
}
