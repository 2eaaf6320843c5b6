import { afterEach, beforeEach, expect, test } from 'bun:test';
import { MAX_MESSAGE_BYTES } from '../../src/gateway/stream/streams.ts';
import { BinanceVenue } from './venue.ts';

/** Subscriptions to as many streams as a connection may have, and the sizes of messages. */

let venue: BinanceVenue;
beforeEach(async () => {
  venue = await BinanceVenue.open();
});
afterEach(() => venue.close());

const INTERVALS = '1s 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');
const KINDS = [
  ...['trade', 'aggTrade', 'bookTicker', 'avgPrice', 'miniTicker', 'ticker'],
  ...['ticker_1h', 'ticker_4h', 'ticker_1d', 'depth', 'depth@100ms', 'depth20@100ms'],
  ...INTERVALS.flatMap((interval) => [`kline_${interval}`, `kline_${interval}@+08:00`]),
];
const SYMBOLS = ['btcusdt', 'ethusdt', ...Array.from({ length: 30 }, (_, n) => `coin${n}fdusd`)];
const NAMES = SYMBOLS.flatMap((symbol) => KINDS.map((kind) => `${symbol}@${kind}`)).slice(0, 1024);

test('one message subscribes to 1,024 streams, and one more is an error', async () => {
  const bot = await venue.connect('/ws');
  const request = { method: 'SUBSCRIBE', params: NAMES, id: 1 };
  expect(JSON.stringify(request).length).toBeGreaterThan(MAX_MESSAGE_BYTES);
  expect(await bot.ask(request)).toEqual({ result: null, id: 1 });
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })).result).toEqual(NAMES);
  const more = { method: 'SUBSCRIBE', params: ['xyzusdt@trade'], id: 3 };
  expect((await bot.ask(more)).error.msg).toContain('at most 1024 streams');
  expect(await bot.ask({ ...request, method: 'UNSUBSCRIBE', id: 4 })).toMatchObject({ id: 4 });
});

const padded = (bytes: number) => JSON.stringify({ id: 1, method: 'ping' }).padEnd(bytes, ' ');

test('messages to the streams have at most 64 KiB, those to other sockets 17,408 bytes', async () => {
  const closeCode = async (path: string, bytes: number) => {
    const bot = await venue.connect(path);
    bot.send(padded(bytes));
    const answered = bot.keep(() => true).then(() => 0);
    return Promise.race([answered, bot.closed.then(({ code }) => code)]);
  };
  expect(await closeCode('/ws', 64 * 1024)).toBe(0);
  expect([1006, 1009]).toContain(await closeCode('/ws', 64 * 1024 + 1));
  expect(await closeCode('/ws-api/v3', MAX_MESSAGE_BYTES)).toBe(0);
  expect(await closeCode('/ws-api/v3', MAX_MESSAGE_BYTES + 1)).toBe(1009);
  expect(await closeCode('/../ws', MAX_MESSAGE_BYTES)).toBe(0);
  expect(await closeCode('/../ws', MAX_MESSAGE_BYTES + 1)).toBe(1009);
});

test('a URL has as many streams as fit into 15,000 characters', async () => {
  const streams = NAMES.filter((_, index) => NAMES.slice(0, index + 1).join('/').length <= 15_000);
  expect(streams.length).toBeGreaterThan(600);
  const bot = await venue.connect(`/stream?streams=${streams.join('/')}`);
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).result).toEqual(streams);
});
