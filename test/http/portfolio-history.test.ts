import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/config/durations.ts';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/portfolio/history: the balances at the end of each interval. */

const NOON = Date.UTC(2026, 0, 5, 12);
const ORDER = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 1000 };
let exchange: TestExchange;

interface Point {
  readonly timestamp: string;
  readonly balances: readonly { asset: string; total: number }[];
}

async function history(query: string): Promise<Point[]> {
  const answer = await exchange.send('alice', 'GET', `/api/portfolio/history?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.points;
}

function totals(points: readonly Point[], asset: string) {
  return points.map(({ balances }) => balances.find((each) => each.asset === asset)?.total);
}

async function buy(): Promise<void> {
  await exchange.place('alice', { ...ORDER, side: 'buy' });
  await exchange.place('bob', { ...ORDER, side: 'sell' });
}

beforeAll(async () => {
  exchange = await TestExchange.open();
  // 12:00: credits, at genesis. 12:01: a purchase. 12:02: nothing. 12:03: an order that only holds.
  exchange.now = NOON + MINUTE_MS;
  await buy();
  await exchange.archive.flush();
  exchange.now = NOON + 3 * MINUTE_MS;
  await exchange.place('alice', { ...ORDER, side: 'buy', price: 900 });
  exchange.now = NOON + 4 * MINUTE_MS + 30_000;
  await buy();
});
afterAll(() => exchange.close());

describe('GET /api/portfolio/history', () => {
  test('is computed back from now by fills, fees and transfers; holds change nothing', async () => {
    const points = await history('interval=1m&limit=6');
    expect(points.map(({ timestamp }) => timestamp)).toEqual(
      [-1, 0, 1, 2, 3, 4].map((minute) => new Date(NOON + minute * MINUTE_MS).toISOString()),
    );
    expect(totals(points, 'USDT')).toEqual([0, 1e6, 999_990, 999_990, 999_990, 999_980]);
    expect(totals(points, 'BTC')).toEqual([0, 100, 100.009992, 100.009992, 100.009992, 100.019984]);
  });

  test('the last point equals GET /api/portfolio/balances', async () => {
    const { balances } = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data;
    for (const interval of ['1m', '4h', '1d', '1w']) {
      const last = (await history(`interval=${interval}`)).at(-1)!;
      const owned = balances.map(({ asset, total }: { asset: string; total: number }) => ({
        asset,
        total,
      }));
      expect(last.balances).toEqual(owned);
    }
  });

  test('since and until select intervals as they select candles', async () => {
    const since = NOON + 30_000;
    const some = await history(`since=${since}&until=${NOON + 3 * MINUTE_MS}&interval=1m`);
    expect(some.map(({ timestamp }) => Date.parse(timestamp) - NOON)).toEqual(
      [1, 2, 3].map((minute) => minute * MINUTE_MS),
    );
    expect(await history(`since=${NOON + 60 * MINUTE_MS}`)).toEqual([]);
    expect(await history(`since=${NOON}&limit=2`)).toHaveLength(2);
    expect(await history('interval=1w&limit=1000')).toHaveLength(1000);
  });

  test.each([
    ['limit=1001', 'limit'],
    ['interval=2m', 'interval'],
    ['since=yesterday', 'since'],
    ['asset=BTC', 'asset'],
  ])('rejects %s', async (query, field) => {
    const answer = await exchange.send('alice', 'GET', `/api/portfolio/history?${query}`);
    expect([answer.status, answer.code, answer.details.field]).toEqual([
      400,
      'INVALID_REQUEST',
      field,
    ]);
  });
});
