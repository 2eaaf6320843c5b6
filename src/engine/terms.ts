/**
 * The enumerations that describe orders, markets and keys. The engine, the log and snapshots store
 * the index in the list; an index never changes its meaning, so new names are appended.
 */

/** No slot, level, account or next element. Negative, so that hot code may test `< 0`. */
export const NONE = -1;

export const sides = ['buy', 'sell'] as const;
export const Side = { buy: 0, sell: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];

export function oppositeSide(side: Side): Side {
  return side === Side.buy ? Side.sell : Side.buy;
}

export const orderTypes = [
  'limit',
  'market',
  'stop',
  'stop_limit',
  'take_profit',
  'take_profit_limit',
  'trailing_stop',
] as const;
/** The types that nodes of engine version 1 know. */
export const orderTypesOfVersion1 = orderTypes.filter((type) => type !== 'trailing_stop');
export const OrderType = {
  limit: 0,
  market: 1,
  stop: 2,
  stopLimit: 3,
  takeProfit: 4,
  takeProfitLimit: 5,
  /** Since engine version 2. */
  trailingStop: 6,
} as const;

/**
 * Returns whether an order of this type triggers on a last price at or above its trigger, rather
 * than at or below it.
 */
export function triggersOnRise(type: number, side: Side): boolean {
  const isStop =
    type === OrderType.stop || type === OrderType.stopLimit || type === OrderType.trailingStop;
  return isStop === (side === Side.buy);
}

export const timesInForce = ['GTC', 'IOC', 'FOK', 'GTD'] as const;
export const TimeInForce = { gtc: 0, ioc: 1, fok: 2, gtd: 3 } as const;

export const selfTradePreventions = [
  'expire_maker',
  'expire_taker',
  'expire_both',
  'decrement',
] as const;
export const SelfTradePrevention = {
  expireMaker: 0,
  expireTaker: 1,
  expireBoth: 2,
  decrement: 3,
} as const;

export const orderStatuses = ['open', 'filled', 'canceled', 'expired', 'rejected'] as const;
export const OrderStatus = { open: 0, filled: 1, canceled: 2, expired: 3, rejected: 4 } as const;

/** Reasons for which an order ended or changed other than by a fill. */
export const orderReasons = [
  null,
  'requested',
  'time_in_force',
  'expired',
  'self_trade',
  'amended',
  'cancel_after',
  'operator',
  'delisted',
  'collar',
  'no_liquidity',
  'market_unavailable',
  'post_only_would_take',
  'linked',
  'insufficient_balance',
  'too_small',
  'disconnected',
] as const;
export const OrderReason = {
  none: 0,
  requested: 1,
  timeInForce: 2,
  expired: 3,
  selfTrade: 4,
  amended: 5,
  cancelAfter: 6,
  operator: 7,
  delisted: 8,
  collar: 9,
  noLiquidity: 10,
  marketUnavailable: 11,
  postOnlyWouldTake: 12,
  linked: 13,
  insufficientBalance: 14,
  tooSmall: 15,
  disconnected: 16,
} as const;

export const marketStatuses = [
  'online',
  'post_only',
  'limit_only',
  'cancel_only',
  'halted',
  'delisted',
] as const;
export const MarketStatus = {
  online: 0,
  postOnly: 1,
  limitOnly: 2,
  cancelOnly: 3,
  halted: 4,
  delisted: 5,
} as const;

export const entryTypes = ['trade', 'fee', 'hold', 'release', 'transfer'] as const;
export const EntryType = { trade: 0, fee: 1, hold: 2, release: 3, transfer: 4 } as const;

/** Bits of a key's permissions. */
export const Permission = { read: 1, trade: 2, operate: 4 } as const;
export const permissionNames = ['read', 'trade', 'operate'] as const;
