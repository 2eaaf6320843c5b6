import fc from 'fast-check';
import type { Trailing } from '../../src/engine/command.ts';
import type { NaiveMarket } from './naive-state.ts';
import { BUY, readPrice } from './naive-values.ts';

/** The terms that turn an order into a trailing stop or an iceberg; null leaves it as it is. */
export const special = fc.option(
  fc.record({
    /** Distance of the trigger in ticks, or in shares of the price. */
    distance: fc.integer({ min: 1, max: 4 }),
    isShare: fc.boolean(),
    /** Ticks from the last price to the activation price; 0 for none. */
    activation: fc.constantFrom(0, 0, 0, 1, 2, -1),
    /** Parts in which the book shows the order. */
    parts: fc.integer({ min: 1, max: 5 }),
    isOdd: fc.constantFrom(false, false, false, false, false, true),
  }),
  { nil: null, freq: 2 },
);
export type Special = NonNullable<typeof special extends fc.Arbitrary<infer T> ? T : never>;

export function toTrailing(what: Special, side: number, market: NaiveMarket): Trailing {
  const { tick } = market.rules;
  const up = side === BUY ? -1 : 1;
  const { distance, isShare, activation, isOdd } = what;
  return {
    amount: isShare ? 0 : distance * tick + (isOdd ? 1 : 0),
    basisPoints: isShare ? distance * 333 * (isOdd ? 7 : 1) : 0,
    activationPrice: activation === 0 ? 0 : readPrice(market) + up * activation * tick,
  };
}

export function toDisplayAmount(what: Special, amount: number, market: NaiveMarket): number {
  const { step } = market.rules;
  const part = Math.floor(amount / what.parts / step) * step;
  return Math.max(part, step) + (what.isOdd ? step * 3 - 1 : 0);
}
