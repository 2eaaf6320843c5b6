import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { TestExchange } from './exchange.ts';

/** Tests auctions and price bands over HTTP. */

const BTC = { symbol: 'BTC/USDT' };
const AUCTION_MS = 60_000;

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const change = (body: Record<string, unknown>) =>
  exchange.send('operator', 'PATCH', '/api/admin/markets', JSON.stringify(body));
const place = (name: string, side: string, price: number, amount: number, terms = {}) =>
  exchange.place(name, { ...BTC, side, type: 'limit', price, amount, ...terms });
const readPrice = async () =>
  (await exchange.send(undefined, 'GET', '/api/prices?symbol=BTC/USDT')).data.prices[0];
const passTime = async (milliseconds: number) => {
  exchange.now += milliseconds;
  await exchange.replica.execute({ kind: CommandKind.tick });
};

test('a trade outside the bands halts the market, which reopens at the indicative price', async () => {
  const rules = { staticBand: 0.2, dynamicBand: 0.1, auctionMs: AUCTION_MS };
  expect((await change({ ...BTC, ...rules })).data.market).toMatchObject({
    ...rules,
    auction: null,
  });
  await place('bob', 'sell', 135_000, 2);
  await place('bob', 'sell', 132_000, 1);
  const halting = await place('alice', 'buy', 140_000, 1.5);
  expect(halting.data).toMatchObject({ status: 'open', filled: 0 });
  const endsAt = new Date(exchange.now + AUCTION_MS).toISOString();
  const auction = { cause: 'volatility', endsAt, extended: false };
  const shown = { price: 135_000, amount: 1.5, surplus: 1.5, surplusSide: 'sell' };
  const call = { ...auction, ...shown };
  expect(await readPrice()).toMatchObject({ status: 'auction', auction: call, price: 118_000 });
  const { data } = await exchange.send(undefined, 'GET', '/api/markets?symbol=BTC/USDT');
  const [market] = data.markets;
  expect(market).toMatchObject({ status: 'auction', active: false, auction: call });
  expect([market.orderTypes.includes('market'), market.timeInForce]).toEqual([
    false,
    ['GTC', 'GTD'],
  ]);
  for (const terms of [{ type: 'market', price: undefined }, { timeInForce: 'IOC' }]) {
    const rejected = await place('alice', 'buy', 140_000, 1, terms);
    expect(rejected).toMatchObject({ code: 'MARKET_UNAVAILABLE', details: { status: 'auction' } });
  }
  await passTime(AUCTION_MS);
  expect(await readPrice()).toMatchObject({ status: 'online', auction: null, price: 135_000 });
  const { orderId } = halting.data;
  const filled = await exchange.send('alice', 'GET', `/api/orders/${orderId}`);
  expect(filled.data).toMatchObject({ status: 'filled', average: 135_000 });
  const trades = await exchange.send(undefined, 'GET', '/api/trades?symbol=BTC/USDT');
  expect(
    trades.data.trades.map(({ price, side }: { price: number; side: string }) => [price, side]),
  ).toEqual([
    [135_000, 'buy'],
    [135_000, 'buy'],
  ]);
});

test('a market is listed with an opening auction, which an operator may end', async () => {
  const base = { tickSize: 0.01, stepSize: 0.001, maxPrice: 1e6, maxAmount: 1e6, minNotional: 0 };
  const rules = { ...base, makerFee: 0, takerFee: 0, referencePrice: 5 };
  const list = (symbol: string, body: Record<string, unknown>) =>
    exchange.send(
      'operator',
      'POST',
      '/api/admin/markets',
      JSON.stringify({ symbol, ...rules, ...body }),
    );
  for (const asset of ['XRP', 'DOT']) {
    const body = JSON.stringify({ asset, name: asset, decimals: 6 });
    await exchange.send('operator', 'POST', '/api/admin/assets', body);
  }
  const time = new Date(exchange.now + 5_000).toISOString();
  expect((await list('XRP/USDT', { opensAt: time })).details).toMatchObject({ field: 'opensAt' });
  const past = { status: 'auction', opensAt: new Date(exchange.now).toISOString() };
  expect((await list('XRP/USDT', past)).status).toBe(400);
  const listed = await list('XRP/USDT', { status: 'auction', opensAt: time });
  expect(listed.data.market.auction).toMatchObject({ cause: 'opening', endsAt: time, price: null });
  const waiting = await list('DOT/USDT', { status: 'auction' });
  expect(waiting.data.market.auction).toMatchObject({ cause: 'opening', endsAt: null });
  await passTime(5_000);
  const statuses = (await exchange.send(undefined, 'GET', '/api/markets')).data.markets;
  const status = (symbol: string) =>
    statuses.find((each: { symbol: string }) => each.symbol === symbol).status;
  expect([status('XRP/USDT'), status('DOT/USDT')]).toEqual(['online', 'auction']);
  const opened = await change({ symbol: 'DOT/USDT', status: 'online' });
  expect(opened.data.market).toMatchObject({ status: 'online', auction: null });
});

test('bands without a length of auctions are rejected', async () => {
  const rejected = await change({ ...BTC, auctionMs: 0 });
  expect(rejected).toMatchObject({
    status: 400,
    details: { rule: 'a market with price bands needs auctionMs' },
  });
});

/** Bob trades three times with himself. */
async function tradeWithOneself(): Promise<void> {
  exchange.now += 1000;
  await change({ ...BTC, status: 'auction' });
  for (let n = 0; n < 3; n++) {
    await place('bob', 'sell', 118_000, 0.1);
    await place('bob', 'buy', 118_000, 0.1);
  }
  await change({ ...BTC, status: 'online' });
}

test('pages of fills do not divide a trade of an account with itself, which has two', async () => {
  await tradeWithOneself();
  const { data } = await exchange.send('bob', 'GET', '/api/fills');
  const newest: { id: string; orderId: string; side: string }[] = data.fills.slice(0, 6);
  expect(newest.map(({ side }) => side).sort()).toEqual([
    'buy',
    'buy',
    'buy',
    'sell',
    'sell',
    'sell',
  ]);
  const since = `since=${exchange.now}`;
  for (const [limit, sizes] of [
    [1, [2, 2, 2]],
    [2, [2, 2, 2]],
    [3, [4, 2]],
  ] as const) {
    for (const sort of ['asc', 'desc']) {
      const pages: (typeof newest)[] = [];
      for (let cursor = ''; pages.length === 0 || cursor !== ''; ) {
        const path = `/api/fills?${since}&sort=${sort}&limit=${limit}${cursor}`;
        const page = (await exchange.send('bob', 'GET', path)).data;
        pages.push(page.fills);
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      }
      expect([limit, sort, ...pages.map(({ length }) => length)]).toEqual([limit, sort, ...sizes]);
      const ids = pages.flat().map(({ orderId }) => orderId);
      expect(ids.sort()).toEqual(newest.map(({ orderId }) => orderId).sort());
    }
  }
});

test('pages of the ledger have every entry of trades of an account with itself', async () => {
  const read = async (query: string): Promise<Entries> =>
    (await exchange.send('bob', 'GET', `/api/ledger?since=${exchange.now}&${query}`)).data;
  await tradeWithOneself();
  await exchange.archive.flush();
  for (const sort of ['asc', 'desc']) {
    const { entries } = await read(`sort=${sort}&limit=1000`);
    expect(entries.length).toBeGreaterThan(20);
    for (const limit of [1, 2, 3, 4, 5, 7]) {
      const paged: unknown[] = [];
      for (let cursor = ''; paged.length === 0 || cursor !== ''; ) {
        const page = await read(`sort=${sort}&limit=${limit}${cursor}`);
        paged.push(...page.entries);
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      }
      expect([sort, limit, ...paged]).toEqual([sort, limit, ...entries]);
    }
  }
  // A report proves that each entry continues the balance of the one before.
  const terms = { kind: 'ledger', format: 'csv', from: '2026-01-01T00:00:00.000Z' };
  const { data } = await exchange.send('bob', 'POST', '/api/reports', JSON.stringify(terms));
  const report = await exchange.send('bob', 'GET', `/api/reports/${data.reportId}`);
  expect(report.data).toMatchObject({ status: 'done', error: null });
});

interface Entries {
  readonly entries: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}
