import { expect, test } from 'bun:test';
import { TestExchange } from '../../../test/http/exchange.ts';
import type { FeeMark } from '../../archivist/archivist.ts';
import { Activity } from './activity.ts';
import { measureBook } from './depth.ts';
import { Latencies, LatencyWindow, quantile, RequestLatencies } from './latencies.ts';

const HOUR_MS = 3_600_000;

test('quantiles are right within 10 %, whatever the spread of the times', () => {
  for (const scale of [0.05, 1, 40, 500]) {
    const latencies = new Latencies();
    const times = Array.from({ length: 1000 }, (_, place) => scale * (1 + (place / 100) ** 2));
    for (const time of times) latencies.note(time);
    for (const share of [0.1, 0.5, 0.99]) {
      const exact = times[share * 1000 - 1]!;
      expect(quantile(latencies.counts, share) / exact).toBeWithin(0.9, 1.1);
    }
  }
});

test('percentiles of five minutes need 100 requests, and forget older ones', () => {
  const orders = new Latencies();
  const window = new LatencyWindow([orders], 150);
  for (let count = 0; count < 99; count++) orders.note(5);
  expect(window.sample()).toEqual({ requests: 99, median: undefined, p99: undefined });
  orders.note(5);
  expect(window.sample().median).toBeWithin(4.5, 5.5);
  // Samples without requests keep the figures of the window.
  for (let sample = 0; sample < 148; sample++) expect(window.sample().p99).toBeWithin(4.5, 5.5);
  window.sample();
  expect(window.sample().requests).toBe(0);
});

test('samples count orders per second, response times and quoted time', async () => {
  const exchange = await TestExchange.open();
  const latencies = new RequestLatencies();
  const services = { ...exchange.services, now: () => exchange.now };
  const activity = new Activity(services, latencies);
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
  for (let count = 0; count < 100; count++) latencies.orders.note(25);
  at += 2000;
  activity.sample(at);
  const { ordersPerSecond, orders, others } = activity.samples.at(-1)!;
  expect(ordersPerSecond).toBeCloseTo(1);
  expect(orders.median).toBeWithin(23, 27);
  expect(others.median).toBeUndefined();
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

test('fees of 24 hours survive a restart: those before it are read from the log', async () => {
  const exchange = await TestExchange.open();
  const trade = async () => {
    const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.1, price: 100 };
    await exchange.place('alice', { ...order, side: 'buy' });
    await exchange.place('bob', { ...order, side: 'sell' });
  };
  const services = { ...exchange.services, now: () => exchange.now };
  const start = () => new Activity(services, new RequestLatencies());
  const first = start();
  await trade();
  exchange.now += 30 * HOUR_MS;
  await trade();
  exchange.now += HOUR_MS;
  first.sample(performance.now());
  const second = start();
  const total = (activity: Activity) =>
    activity.feeChanges().hours.map((fees) => fees.some((amount) => amount !== 0));
  expect(total(second)).not.toContain(true);
  expect(second.feeChanges().since).toBe(exchange.now);
  const { archivist, replica } = exchange.services;
  await second.fees.complete(async (from, to) => {
    const query = { kind: 'feeMarks', from, to } as const;
    return (await archivist.query(query, replica.position)) as FeeMark[];
  });
  expect(second.feeChanges().since).toBe(exchange.now - 24 * HOUR_MS);
  expect(total(second).filter(Boolean)).toHaveLength(1);
  const { fees } = replica.exchange.state.ledger;
  const counted = second.feeChanges().hours.reduce(
    (sums, amounts) => sums.map((sum, asset) => Number(sum) + Number(amounts[asset])),
    fees.map((): number => 0),
  );
  // One of the two trades was within the day.
  expect(counted).toEqual(fees.map((amount) => Number(amount) / 2));
  await exchange.close();
});
