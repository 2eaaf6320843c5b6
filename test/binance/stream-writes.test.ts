import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CloseCode } from '../../src/gateway/stream/sockets/close-codes.ts';
import { NO_CLOSE_FRAME, RawReader } from '../stream/raw-reader.ts';
import { BinanceVenue } from './venue.ts';

/** Tests how the messages of the streams are written to their sockets. */

const FILLER = JSON.stringify('x'.repeat(64 * 1024));
const NAMES = ['btcusdt@trade', 'btcusdt@aggTrade', 'btcusdt@bookTicker'];
const TRADES = 20;
/** Far more than the buffers of the system and the maximum of unread bytes. */
const MAX_FILLERS = 2000;

let venue: BinanceVenue;
let readers: RawReader[];

beforeEach(async () => {
  venue = await BinanceVenue.open();
  readers = [];
});
afterEach(async () => {
  for (const reader of readers) reader.destroy();
  await venue.close();
});

/** Opens a connection that has subscribed to streams. */
async function open(path: string, names: readonly string[]): Promise<RawReader> {
  const reader = await RawReader.open(venue.server.port, path);
  readers.push(reader);
  reader.send({ method: 'SUBSCRIBE', params: names, id: 1 });
  await reader.until(() => reader.messages.length > 0);
  return reader;
}

test('the messages of a batch leave in one write', async () => {
  for (let index = 0; index < TRADES; index++) await venue.order('alice', 'sell', 100_000, '0.01');
  const reader = await open('/binance/stream', NAMES);
  await reader.until(() => reader.messages.some(({ stream }) => stream === 'btcusdt@bookTicker'));
  reader.reads = 0;
  reader.messages.length = 0;
  const release = await venue.exchange.holdLog();
  // All of them wait for the log, so they are one batch.
  const orders = Array.from({ length: TRADES }, () => venue.order('bob', 'buy', 100_000, '0.01'));
  await Bun.sleep(20);
  release();
  await Promise.all(orders);
  await reader.until(() => reader.messages.length >= 2 * TRADES + 1);
  await Bun.sleep(20);
  const names = new Set(reader.messages.map(({ stream }) => stream));
  expect([...names].sort()).toEqual([...NAMES].sort());
  expect(reader.messages.length).toBe(2 * TRADES + 1);
  expect(reader.reads).toBe(1);
});

test('a slow reader is disconnected, and others get every message', async () => {
  const names = ['btcusdt@trade'];
  const [slow, fast] = [await open('/binance/ws', names), await open('/binance/ws', names)];
  slow.pause();
  let sent = 0;
  for (; venue.server.sockets === 2 && sent < MAX_FILLERS; sent++) {
    venue.streams.publish('binance raw btcusdt@trade', FILLER);
    await fast.until(() => fast.messages.length === sent + 2);
  }
  expect(sent).toBeLessThan(MAX_FILLERS);
  slow.resume();
  await slow.until(() => slow.closed !== undefined);
  expect([CloseCode.tooSlow, NO_CLOSE_FRAME]).toContain(slow.closed!.code);
  await venue.trade(100_001, '0.01');
  await fast.until(() => fast.messages.length === 2 + sent);
  expect(fast.messages.at(-1)).toMatchObject({ e: 'trade', p: '100001.00000000' });
  expect(fast.closed).toBeUndefined();
});
