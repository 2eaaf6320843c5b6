import { expect, test } from 'bun:test';
import { TestExchange } from '../../../test/http/exchange.ts';
import { DURATION_BOUNDS_SECONDS, Histogram } from '../../monitoring/metrics.ts';
import { Activity } from './activity.ts';
import { measureBook } from './depth.ts';
import { percentile } from './percentile.ts';

const HOUR_MS = 3_600_000;

test('a percentile is interpolated within its bucket', () => {
  const bounds = [0.001, 0.002, 0.005];
  expect(percentile([0, 0, 0, 0], bounds, 0.5)).toBeUndefined();
  expect(percentile([4, 0, 0, 0], bounds, 0.5)).toBeCloseTo(0.5);
  expect(percentile([1, 2, 1, 0], bounds, 0.5)).toBeCloseTo(1.5);
  expect(percentile([0, 0, 0, 3], bounds, 0.99)).toBe(5);
});

test('samples count orders per second, response times and quoted time', async () => {
  const exchange = await TestExchange.open();
  const durations = new Histogram('test', 'Test.', DURATION_BOUNDS_SECONDS, ['a', 'b']);
  durations.note(0.005, 0);
  const services = { ...exchange.services, now: () => exchange.now };
  const activity = new Activity(services, durations);
  const place = (side: string, price: number) =>
    exchange.send(
      'alice',
      'POST',
      '/api/orders',
      JSON.stringify({ symbol: 'BTC/USDT', side, type: 'limit', amount: 0.1, price }),
    );
  await place('buy', 99.9);
  let at = performance.now();
  activity.sample(at);
  const { index, rules } = exchange.replica.exchange.state.marketsBySymbol.get('BTC/USDT')!;
  expect(activity.twoSidedShare(index)).toBe(0);
  await place('sell', 100.1);
  await place('sell', 101);
  durations.note(0.05, 1);
  at += 2000;
  activity.sample(at);
  const { ordersPerSecond, median } = activity.samples.at(-1)!;
  expect(ordersPerSecond).toBeCloseTo(1);
  expect(median).toBeCloseTo(37.5);
  expect(activity.twoSidedShare(index)).toBe(0.5);
  const market = exchange.replica.exchange.state.markets[index]!;
  const book = measureBook(market, 50)!;
  expect(book.spreadBasisPoints).toBeCloseTo(20);
  expect(book.askDepth).toBe(BigInt(0.1 * 10 ** rules.amountDecimals));
  expect(measureBook(market, 100)!.askDepth).toBe(2n * book.askDepth);
  // Samples of more than a day ago are dropped.
  exchange.now += 30 * HOUR_MS;
  activity.sample(at + 2000);
  expect(activity.twoSidedShare(index)).toBe(1);
  await exchange.close();
});

test('fees are counted from a day ago', async () => {
  const exchange = await TestExchange.open();
  const services = { ...exchange.services, now: () => exchange.now };
  const activity = new Activity(services, new Histogram('test', 'Test.', [1]));
  const { since } = activity.feeChanges();
  expect(since).toBe(exchange.now);
  for (let hour = 0; hour < 30; hour++) {
    exchange.now += HOUR_MS;
    activity.sample(performance.now());
  }
  expect(activity.feeChanges().since).toBe(since + 6 * HOUR_MS);
  await exchange.close();
});
