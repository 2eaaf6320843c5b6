import { MAX_UNITS } from '../../src/engine/limits.ts';
import { OrderType } from '../../src/engine/terms.ts';
import type { NaiveMarket } from './naive-state.ts';

export const BUY = 0;
export const SELL = 1;

/** Returns price × amount in minor units of the quote asset. */
export function worth(market: NaiveMarket, price: number, amount: number): bigint {
  const { priceDecimals, amountDecimals } = market.rules;
  const scale = 10n ** BigInt(market.quote.decimals - priceDecimals - amountDecimals);
  return BigInt(price) * BigInt(amount) * scale;
}

/** Returns the price of the last trade, or the reference price before the first. */
export function readPrice({ lastPrice, rules }: NaiveMarket): number {
  return lastPrice === 0 ? rules.referencePrice : lastPrice;
}

/** Returns the worst price that the collar allows for an order without a limit. */
export function collared({ rules }: NaiveMarket, side: number, price: number): number {
  const collar = rules.collar === 0 ? 100_000n : BigInt(rules.collar);
  const width = Number((BigInt(price) * collar) / 1_000_000n);
  return side === BUY ? Math.min(price + width, MAX_UNITS) : price - width;
}

export function hasLimit(type: number): boolean {
  return [OrderType.limit, OrderType.stopLimit, OrderType.takeProfitLimit].includes(type as 0);
}

/** Converts an amount to minor units of the base asset. */
export function inBase(market: NaiveMarket, amount: number): bigint {
  return BigInt(amount) * 10n ** BigInt(market.base.decimals - market.rules.amountDecimals);
}

/** Returns the fee, rounded up, so never in favor of the trader. */
export function feeAmount(received: bigint, partsPerMillion: number): bigint {
  const exact = received * BigInt(partsPerMillion);
  return exact % 1_000_000n === 0n ? exact / 1_000_000n : exact / 1_000_000n + 1n;
}

/** Returns a share of an amount, rounded down, so never in favor of the trader. */
export function shareAmount(amount: bigint, partsPerMillion: number): bigint {
  return (amount * BigInt(partsPerMillion)) / 1_000_000n;
}

export function reaches(side: number, limit: number, price: number): boolean {
  return side === BUY ? price <= limit : price >= limit;
}

/** Returns whether orders of this type await a trigger. */
export function isStop(type: number): boolean {
  return type !== OrderType.limit && type !== OrderType.market;
}
