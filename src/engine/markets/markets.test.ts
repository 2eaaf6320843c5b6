import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { Fixture } from '../../../test/fixture.ts';
import { OrderDetails } from '../book/order-details.ts';
import { OrderStore } from '../book/order-store.ts';
import type { MarketRules } from '../command.ts';
import { MAX_UNITS, WIDTH_WITHOUT_COLLAR } from '../limits.ts';
import { exact } from '../numbers/exact.ts';
import { Side } from '../terms.ts';
import { Market } from './markets.ts';

const { rules } = new Fixture().exchange.state.markets[0]!;

function market(change: Partial<MarketRules>, decimals = { base: 8, quote: 10 }): Market {
  const base = { index: 0, asset: 'A', name: 'A', decimals: decimals.base };
  const quote = { index: 1, asset: 'B', name: 'B', decimals: decimals.quote };
  const all = { ...rules, ...change };
  return new Market(0, base, quote, all, 1, new OrderStore(), new OrderDetails());
}

const units = fc.oneof(
  fc.integer({ min: 1, max: 10_000_000 }),
  fc.integer({ min: 1, max: MAX_UNITS }),
);

test('the collar is a part of the price, rounded towards it, and limited to exact numbers', () => {
  const property = fc.property(units, fc.nat(1_000_000), (price, collar) => {
    const part = collar === 0 ? WIDTH_WITHOUT_COLLAR : collar;
    const width = (BigInt(price) * BigInt(part)) / 1_000_000n;
    const readPrice = (side: Side) => BigInt(market({ collar }).collarPrice(side, price));
    const highest = BigInt(price) + width;
    const max = BigInt(MAX_UNITS);
    expect(readPrice(Side.buy)).toBe(highest < max ? highest : max);
    expect(readPrice(Side.sell)).toBe(BigInt(price) - width);
  });
  check(property, 500);
});

test('a market order trades within the collar of the last price, or at any price without one', () => {
  const limits = (change: Partial<MarketRules>, lastPrice: number) => {
    const one = market({ referencePrice: 1_000, ...change });
    one.lastPrice = lastPrice;
    return [one.marketLimit(Side.buy), one.marketLimit(Side.sell)];
  };
  expect(limits({ collar: 0 }, 500)).toEqual([Number.POSITIVE_INFINITY, 0]);
  expect(limits({ collar: 100_000 }, 500)).toEqual([550, 450]);
  expect(limits({ collar: 100_000 }, 0)).toEqual([1_100, 900]);
  expect(limits({ collar: 1 }, 500)).toEqual([500, 500]);
});

test('prices and amounts convert to whole minor units', () => {
  const places = fc.record({
    priceDecimals: fc.nat(5),
    amountDecimals: fc.nat(8),
    finer: fc.nat(9),
    base: fc.nat(14),
  });
  const property = fc.property(places, units, units, (places, price, amount) => {
    const { priceDecimals, amountDecimals, finer } = places;
    const decimals = {
      base: amountDecimals + places.base,
      quote: priceDecimals + amountDecimals + finer,
    };
    const one = market({ priceDecimals, amountDecimals }, decimals);
    const worth = BigInt(price) * BigInt(amount) * 10n ** BigInt(finer);
    expect(one.notional(price, amount)).toBe(exact(worth));
    expect(one.baseAmount(amount)).toBe(exact(BigInt(amount) * 10n ** BigInt(places.base)));
  });
  check(property, 500);
});
