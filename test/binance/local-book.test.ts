import { expect, test } from 'bun:test';
import { NONE, Side } from '../../src/engine/terms.ts';
import { DocumentedBook, type Levels } from './documented-book.ts';
import { BinanceVenue } from './venue.ts';

/** Rounds of random orders; the events of 100 ms end anywhere between them. */
const ROUNDS = 50;
const CLIENTS = 6;

test('local books kept by the documented procedure are those of the engine at every event', async () => {
  const seed = Number(process.env.SEED ?? 17);
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const venue = await BinanceVenue.open();
  const { exchange } = venue;
  const market = exchange.state.markets[0]!;
  /** The engine's books by their sequence. */
  const history = new Map<number, Levels>();
  const note = exchange.onEvents;
  exchange.onEvents = (events) => {
    history.set(market.bookSequence, currentLevels());
    note(events);
  };

  function currentLevels(): Levels {
    const levels = (side: Side) => {
      const found = new Map<string, string>();
      let level = market.book.bestLevel(side);
      for (; level !== NONE; level = market.book.nextLevel(level)) {
        const total = Number(market.book.levelTotal(level));
        found.set((market.book.levelPrice(level) / 1e2).toFixed(8), (total / 1e8).toFixed(8));
      }
      return found;
    };
    return { bids: levels(Side.buy), asks: levels(Side.sell) };
  }

  let applied = 0;
  const check = ({ updateId, bids, asks }: DocumentedBook) => {
    applied++;
    const expected: unknown = { seed, updateId, ...history.get(updateId!) };
    expect<unknown>({ seed, updateId, bids, asks }).toEqual(expected);
  };

  const open: string[] = [];
  const act = async () => {
    const name = below(2) === 0 ? 'alice' : 'bob';
    const price = 118_000 + below(12);
    const [owner, id] = open[below(open.length)]?.split(' ') ?? [];
    const kind = below(7);
    if (kind === 0 && id !== undefined) {
      await exchange.send(owner, 'DELETE', `/api/orders/${id}`);
    } else if (kind === 1 && id !== undefined) {
      await exchange.send(owner, 'PATCH', `/api/orders/${id}`, JSON.stringify({ price }));
    } else if (kind === 2) {
      await exchange.send(name, 'DELETE', '/api/orders?symbol=BTC/USDT');
    } else {
      const side = below(2) === 0 ? 'buy' : 'sell';
      const amount = (1 + below(9)) / 100;
      const takeProfit = { price: side === 'buy' ? price + 2 : price - 2 };
      const special = [
        {},
        { attached: { takeProfit } },
        { displayAmount: 0.01 },
        { type: 'stop_limit', triggerPrice: price + (side === 'buy' ? 3 : -3) },
      ][below(4)];
      const order = { symbol: 'BTC/USDT', side, type: 'limit', amount, price, ...special };
      const { status, data } = await exchange.place(name, order);
      if (status === 200) open.push(`${name} ${data.orderId}`);
    }
  };

  const books: DocumentedBook[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let count = below(10); count >= 0; count--) await act();
    if (round % 6 === 0 && books.length < CLIENTS) {
      const bot = await venue.connect('/ws/btcusdt@depth@100ms');
      books.push(new DocumentedBook(venue, bot, check));
    }
    await Bun.sleep(below(90));
    for (const book of books) {
      book.take();
      if (book.updateId === undefined) await book.begin();
    }
  }
  await Bun.sleep(250);
  for (const book of books) {
    book.take();
    expect(book.updateId).toBe(market.bookSequence);
  }
  expect(books.length).toBe(CLIENTS);
  expect(applied).toBeGreaterThan(50);
  await venue.close();
}, 30_000);
