import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import fc from 'fast-check';
import type { Draft, OrderContext } from './draft.ts';
import {
  isFar,
  measureDistance,
  measureDistances,
  needsConfirmation,
  toDraft,
} from './price-guard.ts';
import type { ExactOrder } from './records.ts';

const base = {
  side: 'buy',
  type: 'limit',
  by: { buy: 'cost', sell: 'amount' },
  amount: '1',
  cost: '',
  price: '100',
  triggerPrice: '',
  stopTrigger: '',
  stopPrice: '',
  postOnly: false,
  timeInForce: 'GTC',
} as unknown as Draft;
const market = { stepSize: '0.001', tickSize: '0.01' } as OrderContext['market'];
const book = (asks: [number, number][], bids: [number, number][]) =>
  ({
    market,
    last: new Big(100),
    asks: asks.map(([price, amount]) => [`${price}`, `${amount}`]),
    bids: bids.map(([price, amount]) => [`${price}`, `${amount}`]),
    available: undefined,
    nowMs: 0,
  }) as OrderContext;
const quiet = book([[100, 5]], [[99, 5]]);

describe('distance from the market', () => {
  test('a buy at ten times the market is 900% through it, and fills at the best prices', () => {
    const found = measureDistance({ ...base, price: '1000' }, quiet)!;
    expect(found.throughPercent.toNumber()).toBe(900);
    expect(found.average!.toNumber()).toBe(100);
    expect(found.slippagePercent.toNumber()).toBe(0);
  });

  test('a sell is measured from the best bid, downwards', () => {
    const found = measureDistance({ ...base, side: 'sell', price: '49.5' }, quiet)!;
    expect(found.throughPercent.toNumber()).toBe(50);
  });

  test('a market order that walks the book has slippage', () => {
    const context = book(
      [
        [100, 1],
        [110, 1],
      ],
      [[99, 1]],
    );
    const draft: Draft = {
      ...base,
      type: 'market',
      amount: '2',
      by: { ...base.by, buy: 'amount' },
    };
    expect(measureDistance(draft, context)!.slippagePercent.toNumber()).toBe(5);
  });

  test('an empty side counts from the last price, and stop orders without a limit have no distance', () => {
    const found = measureDistance({ ...base, price: '150' }, book([], []))!;
    expect([found.from, found.throughPercent.toNumber()]).toEqual(['last', 50]);
    expect(measureDistance({ ...base, type: 'stop', triggerPrice: '110' }, quiet)).toBeUndefined();
    expect(measureDistance({ ...base, type: 'stop_limit' }, quiet)).toBeUndefined();
    expect(measureDistance({ ...base, price: '' }, quiet)).toBeUndefined();
  });

  test('a limit price with a trigger is measured from the trigger price', () => {
    const draft: Draft = { ...base, type: 'stop_limit', triggerPrice: '110', price: '1100' };
    const [found, ...others] = measureDistances(draft, quiet);
    expect([found!.from, found!.throughPercent.toNumber()]).toEqual(['trigger', 900]);
    expect(others).toEqual([]);
    const sell: Draft = { ...draft, side: 'sell', type: 'take_profit_limit', price: '55' };
    expect(measureDistance(sell, quiet)!.throughPercent.toNumber()).toBe(50);
  });

  test('the stop-limit leg of an OCO order is on its side, that of a bracket order on the other', () => {
    const legs = { stopTrigger: '80', stopPrice: '8' };
    const oco: Draft = { ...base, type: 'oco', side: 'sell', ...legs };
    expect(measureDistances(oco, quiet)).toMatchObject([{ side: 'sell', from: 'trigger' }]);
    const bracket: Draft = { ...base, hasAttached: true, ...legs };
    const found = measureDistances(bracket, quiet);
    expect(found.map(({ side, from }) => [side, from])).toEqual([
      ['buy', 'book'],
      ['sell', 'trigger'],
    ]);
    expect(found[1]!.throughPercent.toNumber()).toBe(90);
    expect(measureDistances({ ...bracket, hasAttached: false }, quiet)).toHaveLength(1);
  });

  test('an amended order is measured with its new price, from its trigger until it has triggered', () => {
    const order = {
      ...{ side: 'buy', type: 'stop_limit', amount: '3', filled: '1', timeInForce: 'GTC' },
      ...{ price: '111', triggerPrice: '110', postOnly: false },
    } as ExactOrder;
    const measure = (isTriggered: boolean) =>
      measureDistance(toDraft(base, order, { price: '1100' }, isTriggered), quiet)!;
    expect(measure(false)).toMatchObject({ from: 'trigger' });
    expect(measure(true)).toMatchObject({ from: 'book' });
    expect(measure(true).throughPercent.toNumber()).toBe(1000);
    expect(toDraft(base, order, { amount: '2' }, true).amount).toBe('1');
  });

  test('the average lies between the best price and the limit, and better limits are never farther', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(level, { minLength: 1 }),
        fc.integer({ min: 1, max: 2000 }),
        (levels, price) => {
          const asks = levels.toSorted(([a], [b]) => a - b);
          const found = measureDistance(
            { ...base, amount: '7', price: `${price}` },
            book(asks, []),
          )!;
          if (found.average !== undefined) {
            expect(found.average.gte(found.best)).toBe(true);
            expect(found.average.lte(price)).toBe(true);
          } else expect(price).toBeLessThan(asks[0]![0]);
          const better = measureDistance({ ...base, price: `${price - 1}` }, book(asks, []))!;
          expect(better.throughPercent.lte(found.throughPercent)).toBe(true);
        },
      ),
    );
  });
});

describe('confirmation', () => {
  const far = measureDistance({ ...base, price: '103' }, quiet);
  test('"far" confirms from the distance on, "always" and "never" do not look at it', () => {
    expect(isFar(far!, 3)).toBe(true);
    expect(isFar(far!, 3.1)).toBe(false);
    expect(needsConfirmation('far', 3, [far!])).toBe(true);
    expect(needsConfirmation('far', 4, [far!])).toBe(false);
    expect(needsConfirmation('far', 3, [])).toBe(false);
    expect(needsConfirmation('always', 50, [])).toBe(true);
    expect(needsConfirmation('never', 0.1, [far!])).toBe(false);
  });
});
