import { expect, test } from 'bun:test';
import type { Market } from '../../../engine/markets/markets.ts';
import { Side } from '../../../engine/terms.ts';
import type { Services } from '../../services.ts';
import { DepthStream, MAX_EVENT_LEVELS } from './book-streams.ts';

test('a book of which too many levels have changed continues after a gap', () => {
  const market = {
    base: { asset: 'BTC' },
    quote: { asset: 'USDT' },
    rules: { priceDecimals: 2, amountDecimals: 8 },
    book: { totalAt: () => 0 },
    bookSequence: 7,
  };
  const services = { now: () => 1 } as Services;
  const stream = new DepthStream('btcusdt@depth', market as unknown as Market, 1000, services);
  const change = (levels: number) => {
    market.bookSequence++;
    for (let price = 1; price <= levels; price++) stream.noteFreed(Side.sell, price);
    return stream.take().map((message) => JSON.parse(message));
  };
  const [first] = change(MAX_EVENT_LEVELS);
  expect(first).toMatchObject({ U: 8, u: 8 });
  expect(first.a).toHaveLength(MAX_EVENT_LEVELS);
  expect(change(MAX_EVENT_LEVELS + 1)).toEqual([]);
  expect(change(1)).toMatchObject([{ U: 10, u: 10, b: [], a: [['0.01000000', '0.00000000']] }]);
});
