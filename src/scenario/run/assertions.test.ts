import { expect, test } from 'bun:test';
import { Big } from 'big.js';
import fc from 'fast-check';
import type { Order } from '../../client/index.ts';
import { comparison, duration } from '../format/texts.ts';
import { countDuplicates } from './assertions.ts';

test('comparisons are exact', () => {
  const accepts = (text: string, value: string) => comparison.parse(text).accepts(new Big(value));
  expect(accepts('0.3', new Big('0.1').plus('0.2').toFixed())).toBe(true);
  expect(accepts('at least 0.1', '0.1')).toBe(true);
  expect(accepts('above 0.1', '0.1')).toBe(false);
  expect(accepts('above 0.1', '0.10000000000000000001')).toBe(true);
  expect(accepts('below 0.1', '0.1')).toBe(false);
  expect(accepts('below 0.1', '-1')).toBe(true);
  expect(accepts('at most -1', '-1')).toBe(true);
  expect(accepts('not 5', '5.0')).toBe(false);
  expect(accepts('2 to 5', '5')).toBe(true);
  expect(accepts('2 to 5', '1.99')).toBe(false);
});

test('durations add their parts up', () => {
  const parts = fc.array(
    fc.tuple(fc.nat(999), fc.constantFrom(['ms', 1], ['s', 1000], ['m', 60_000], ['h', 3_600_000])),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(parts, (written) => {
      const text = written.map(([count, [unit]]) => `${count}${unit}`).join('');
      const sum = written.reduce((total, [count, [, ms]]) => total + count * Number(ms), 0);
      expect(duration.parse(text)).toBe(sum);
    }),
  );
});

test('orders with the same terms within a time are duplicates', () => {
  const order = (timestamp: number, changes: Partial<Order<string>> = {}) =>
    ({
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      price: '1',
      triggerPrice: null,
      amount: '1',
      timestamp: new Date(timestamp).toISOString(),
      ...changes,
    }) as Order<string>;
  expect(countDuplicates([order(0), order(10_000)], 10_000)).toBe(1);
  expect(countDuplicates([order(0), order(10_001)], 10_000)).toBe(0);
  expect(countDuplicates([order(0), order(6000), order(12_000)], 10_000)).toBe(2);
  const others = [{ side: 'sell' }, { price: '2' }, { amount: '2' }, { symbol: 'X' }] as const;
  for (const changes of others) expect(countDuplicates([order(0), order(1, changes)], 10)).toBe(0);
});
