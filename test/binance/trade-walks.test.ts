import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TradeEvent } from '../../src/engine/event.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { BinanceVenue, type Json } from './venue.ts';

/**
 * Clients that walk through lists of trades by id. Ids are counted over all markets, so those of one have gaps; a client
 * must get every trade all the same.
 */

const SYMBOLS = ['BTC/USDT', 'ETH/USDT'];
const ORDERS = 160;
const seed = Number(process.env.SEED ?? 1);
const random = seededRandom(seed);
let venue: BinanceVenue;
/** The trades of all markets, in order. */
const trades: TradeEvent[] = [];

beforeAll(async () => {
  venue = await BinanceVenue.open();
  const { onEvents } = venue.exchange;
  venue.exchange.onEvents = (events) => {
    onEvents(events);
    for (const event of events) if (event.kind === 'trade') trades.push({ ...event });
  };
  for (let count = 0; count < ORDERS; count++) {
    const symbol = SYMBOLS[below(2, random)]!;
    const [name, side] = below(2, random) === 0 ? ['alice', 'buy'] : ['bob', 'sell'];
    const price = 1000 + below(3, random);
    const amount = (1 + below(9, random)) / 100;
    const order = { symbol, side, type: 'limit', price, amount };
    await venue.exchange.place(name!, JSON.stringify(order));
    venue.exchange.now += below(3, random);
    if (count === ORDERS / 2) await venue.exchange.archive.flush();
  }
});
afterAll(() => venue.close());

const toDialect = (symbol: string) => symbol.replace('/', '');

/** Returns the ids of a market's trades. */
function tradeIds(symbol: string): number[] {
  const market = venue.exchange.state.markets.find((each) => each.symbol === symbol)!;
  return trades.filter((trade) => trade.market === market.index).map(({ id }) => id);
}

const lists: Record<string, (symbol: string, fromId: number, limit: number) => Promise<Json[]>> = {
  historicalTrades: (symbol, fromId, limit) => get('historicalTrades', symbol, fromId, limit),
  aggTrades: (symbol, fromId, limit) => get('aggTrades', symbol, fromId, limit),
  myTrades: (symbol, fromId, limit) =>
    venue.send('bob', 'GET', '/api/v3/myTrades', { symbol: toDialect(symbol), fromId, limit }),
};

async function get(list: string, symbol: string, fromId: number, limit: number): Promise<Json[]> {
  const query = `symbol=${toDialect(symbol)}&fromId=${fromId}&limit=${limit}`;
  return (await venue.get(`/api/v3/${list}?${query}`)).json;
}

/** Returns the ids of the trades in a list; those that one of its items joins are all there. */
function toIds(items: readonly Json[], symbol: string): number[] {
  const ids = tradeIds(symbol);
  return items.flatMap(({ id, f, l }) =>
    id === undefined ? ids.filter((each) => each >= f && each <= l) : [id],
  );
}

describe.each(Object.keys(lists))('%s', (list) => {
  test.each(SYMBOLS)('a walk through %s from the last id has every trade once', async (symbol) => {
    for (const limit of [1, 2, 7, 1000]) {
      const walked: number[] = [];
      for (let fromId = 0; ; ) {
        const items = await lists[list]!(symbol, fromId, limit);
        if (items.length === 0) break;
        expect(items.length).toBeLessThanOrEqual(limit);
        walked.push(...toIds(items, symbol));
        const last = items.at(-1);
        // Clients continue after the id of the last item; that of joined trades is the first of them.
        fromId = (last.id ?? last.a) + 1;
      }
      expect({ seed, limit, walked }).toEqual({ seed, limit, walked: tradeIds(symbol) });
    }
  });

  test.each(SYMBOLS)('a walk through %s in steps of the limit misses no trade', async (symbol) => {
    for (const limit of [3, 10]) {
      const walked = new Set<number>();
      for (let fromId = 0; fromId <= trades.at(-1)!.id; fromId += limit) {
        const items = await lists[list]!(symbol, fromId, limit);
        for (const id of toIds(items, symbol)) walked.add(id);
      }
      expect({ seed, limit, walked: [...walked] }).toEqual({
        ...{ seed, limit, walked: tradeIds(symbol) },
      });
    }
  });
});

test('the ids of both markets have gaps, and some trades are joined', async () => {
  for (const symbol of SYMBOLS) {
    const ids = tradeIds(symbol);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.at(-1)! - ids[0]!).toBeGreaterThan(ids.length);
    const joined = await lists.aggTrades!(symbol, 0, 1000);
    expect(joined.length).toBeLessThan(ids.length);
  }
});
