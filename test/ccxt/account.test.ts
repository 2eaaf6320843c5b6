import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Trade } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import {
  expectBalances,
  expectInOrder,
  expectLedgerEntry,
  expectTrade,
  expectTradingFee,
} from './structures.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
let venue: Venue;
let alice: buttonwood;
let orderId: string;
let start: number;

beforeAll(async () => {
  venue = await Venue.open();
  alice = venue.bot('alice');
  start = venue.exchange.now;
  const place = async (name: string, side: string, amount: number, price: number) => {
    venue.exchange.now += 1000;
    const order = { symbol: SYMBOL, side, type: 'limit', amount, price };
    return (await venue.exchange.place(name, order)).data.orderId;
  };
  orderId = await place('alice', 'buy', 0.1, 117_000);
  await place('bob', 'sell', 0.04, 117_000);
  await place('bob', 'sell', 0.03, 116_000);
  await place('bob', 'sell', 1, 119_000);
  await place('alice', 'buy', 0.5, 119_500);
});
afterAll(() => venue.close());

async function raw(path: string) {
  return (await venue.exchange.send('alice', 'GET', path)).data;
}

test('balances', async () => {
  const balances = await alice.fetchBalance();
  expectBalances(balances, alice);
  const rows = (await raw('/api/portfolio/balances')).balances;
  expect(rows).toHaveLength(4);
  for (const { asset, available, held, total } of rows) {
    expect(balances[asset]).toEqual({ free: available, used: held, total });
  }
  expect(balances.USDT!.used).toBe(3510);
  expect(await alice.fetchFreeBalance()).toEqual((balances as never as { free: never }).free);
});

test('own trades: all, by market, by order', async () => {
  const trades = await alice.fetchMyTrades();
  for (const trade of trades) expectTrade(trade, alice, true);
  expectInOrder(trades);
  const rows = (await raw('/api/fills?sort=asc')).fills;
  expect(trades).toMatchObject(
    rows.map((row: Record<string, unknown>) => ({
      id: row.id,
      order: row.orderId,
      symbol: row.symbol,
      side: row.side,
      price: row.price,
      amount: row.amount,
      cost: row.cost,
      takerOrMaker: row.liquidity,
      timestamp: Date.parse(row.timestamp as string),
    })),
  );
  expect(trades.map(({ takerOrMaker }) => takerOrMaker)).toEqual(['maker', 'maker', 'taker']);
  expect(trades[0]!.fee).toEqual({ cost: 0.000032, currency: 'BTC' } as never);
  expect(await alice.fetchMyTrades('ETH/USDT')).toEqual([]);
  expect(await alice.fetchMyTrades(SYMBOL, undefined, 1)).toEqual([trades[2]!]);
  expect(await alice.fetchMyTrades(SYMBOL, start + 1, 1)).toEqual([trades[0]!]);
  expect(await alice.fetchOrderTrades(orderId)).toEqual(trades.slice(0, 2));
  await expect(alice.fetchOrderTrades('')).rejects.toThrow('needs an order id');
});

test('the ledger', async () => {
  const entries = await alice.fetchLedger();
  for (const entry of entries) expectLedgerEntry(entry, alice);
  expectInOrder(entries);
  const rows = (await raw('/api/ledger?sort=asc')).entries;
  expect(entries).toMatchObject(
    rows.map((row: Record<string, number>) => ({
      id: row.id,
      currency: row.asset,
      type: row.type,
      referenceId: row.reference,
      amount: Math.abs(row.amount!),
      direction: row.amount! < 0 ? 'out' : 'in',
      before: row.before,
      after: row.after,
    })),
  );
  const types = new Set(entries.map(({ type }) => type as string));
  expect([...types].sort()).toEqual(['fee', 'hold', 'release', 'trade', 'transfer']);
  const bitcoin = await alice.fetchLedger('BTC');
  expect(bitcoin).toEqual(entries.filter(({ currency }) => currency === 'BTC'));
  expect(await alice.fetchLedger('BTC', start + 1, 1)).toEqual([bitcoin[1]!]);
});

test('fees', async () => {
  const fees = await alice.fetchTradingFees();
  for (const fee of Object.values(fees)) expectTradingFee(fee, alice);
  const rows = (await raw('/api/fees')).fees;
  for (const { symbol, makerFee, takerFee } of rows) {
    expect(fees[symbol]).toMatchObject({ symbol, maker: makerFee, taker: takerFee });
  }
  expect(Object.keys(fees)).toHaveLength(rows.length);
  expect(await alice.fetchTradingFee(SYMBOL)).toEqual(fees[SYMBOL]!);
});

test('CCXT computes fees in the asset that the exchange deducts them from', async () => {
  for (const bot of [alice, venue.bot('bob')]) {
    for (const { side, amount, price, fee, takerOrMaker } of await bot.fetchMyTrades(SYMBOL)) {
      const reckoned = bot.calculateFee(SYMBOL, 'limit', side!, amount!, price!, takerOrMaker!);
      expect(reckoned).toMatchObject({ currency: fee!.currency, cost: fee!.cost });
    }
  }
});

test('trades with the same timestamp keep their order', async () => {
  const place = (name: string, side: string, price: number, amount: number) =>
    venue.exchange.place(name, { symbol: 'ETH/USDT', side, type: 'limit', price, amount });
  for (let price = 5200; price < 5212; price++) await place('bob', 'sell', price, 0.01);
  await place('alice', 'buy', 5300, 0.12);
  const prices = Array.from({ length: 12 }, (_, place) => 5200 + place);
  const listPrices = (trades: Trade[]) => trades.map(({ price }) => price as number);
  expect(listPrices(await alice.fetchTrades('ETH/USDT'))).toEqual(prices);
  expect(listPrices(await alice.fetchMyTrades('ETH/USDT'))).toEqual(prices);
  expect(listPrices(await alice.fetchMyTrades('ETH/USDT', undefined, 3))).toEqual(prices.slice(-3));
  expect(listPrices(await alice.fetchMyTrades('ETH/USDT', start, 3))).toEqual(prices.slice(0, 3));
});
