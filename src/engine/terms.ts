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
  'volatility_halt',
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
  volatilityHalt: 17,
} as const;

export const marketStatuses = [
  'online',
  'post_only',
  'limit_only',
  'cancel_only',
  'halted',
  'delisted',
  'auction',
] as const;
export const MarketStatus = {
  online: 0,
  postOnly: 1,
  limitOnly: 2,
  cancelOnly: 3,
  halted: 4,
  delisted: 5,
  /** The call phase of an auction: orders rest, even if their prices cross, until one price fills them (engine version 2). */
  auction: 6,
} as const;

/** The severities of announcements: news, or something that clients must know before they trade (engine version 2). */
export const announcementSeverities = ['info', 'warning'] as const;
export const AnnouncementSeverity = { info: 0, warning: 1 } as const;

export const entryTypes = [
  'trade',
  'fee',
  'hold',
  'release',
  'transfer',
  'deposit',
  'withdrawal',
  'withdrawal_fee',
  'custody_hold',
  'custody_release',
  'internal_transfer',
  'trade_bust',
  'trade_bust_fee',
  'rebate',
  'referral',
] as const;
/** The types from deposit to custodyRelease refer to a deposit or withdrawal; rebates, referrals and busts to a trade. */
export const EntryType = {
  trade: 0,
  fee: 1,
  hold: 2,
  release: 3,
  transfer: 4,
  deposit: 5,
  withdrawal: 6,
  withdrawalFee: 7,
  custodyHold: 8,
  custodyRelease: 9,
  /** Between the accounts of users. */
  internalTransfer: 10,
  /** Reverses an entry of a busted trade. */
  tradeBust: 11,
  tradeBustFee: 12,
  rebate: 13,
  referral: 14,
} as const;

/** Returns whether entries of a type only move money between the available and the held balance. */
export function isHoldEntry(type: number): boolean {
  return (
    type === EntryType.hold ||
    type === EntryType.release ||
    type === EntryType.custodyHold ||
    type === EntryType.custodyRelease
  );
}

/** Bits of the permissions of a key or user; all but read, trade and operate are of engine version 2. */
export const Permission = {
  read: 1,
  trade: 2,
  /** The administrator, who has all permissions of operators. */
  operate: 4,
  withdraw: 8,
  /** Transfers to other accounts. */
  transfer: 16,
  support: 32,
  markets: 64,
  treasury: 128,
  compliance: 256,
  /** Reads everything that operators read, and changes nothing. */
  audit: 512,
} as const;
export const permissionNames = [
  'read',
  'trade',
  'operate',
  'withdraw',
  'transfer',
  'support',
  'markets',
  'treasury',
  'compliance',
  'audit',
] as const;
/** The sum of the permissions of operators. */
export const OPERATOR_PERMISSIONS =
  Permission.operate |
  Permission.support |
  Permission.markets |
  Permission.treasury |
  Permission.compliance |
  Permission.audit;
/** The sum of the permissions that keys have in engine version 1. */
export const PERMISSIONS_OF_VERSION_1 = Permission.read | Permission.trade | Permission.operate;
/** The sum of all permissions. */
export const ALL_PERMISSIONS = Object.values(Permission).reduce((sum, bit) => sum + bit, 0);

/**
 * Returns the permissions that the owner of `held` may grant. No one grants more than they hold: `operate` includes
 * all permissions of operators, and `read`, because operators see every account. To accounts of customers, which
 * administrators open, these may also grant `trade`, but what moves money out only if they hold it themselves.
 * @param held Sum of Permission values. @param isOwn Whether the grant is for the account of the granting key or user
 */
export function grantablePermissions(held: number, isOwn: boolean): number {
  if ((held & Permission.operate) === 0) return held;
  return held | OPERATOR_PERMISSIONS | Permission.read | (isOwn ? 0 : Permission.trade);
}
