import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json } from './venue.ts';

/** The metrics of the dialect's sockets. */

let venue: BinanceVenue;
beforeEach(async () => {
  venue = await BinanceVenue.open();
});
afterEach(() => venue.close());

/** Returns the lines of the metrics, without the beginning that all of their names share. */
function lines(): string[] {
  return venue.sockets.metrics.flatMap((metric) =>
    metric.lines().map((line) => line.replace('buttonwood_binance_', '')),
  );
}

const bytes = (messages: readonly Json[]) =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);

test('events and their bytes are counted once for each subscriber', async () => {
  const bots = [
    await venue.connect('/ws/btcusdt@trade'),
    await venue.connect('/ws/btcusdt@trade'),
    await venue.connect('/stream?streams=btcusdt@trade&timeUnit=MICROSECOND'),
  ];
  const user = await venue.userStream('bob');
  expect(lines()).toEqual(['sockets 4']);
  await venue.trade(100_000, 1);
  for (const bot of bots) await bot.keep(({ e, stream }) => e === 'trade' || stream !== undefined);
  await user.keep(({ e }) => e === 'outboundAccountPosition');
  const sent = bots.flatMap(({ messages }) => messages);
  expect(lines()).toEqual([
    'sockets 4',
    'stream_events_total{kind="market_data"} 3',
    'stream_events_total{kind="user_data"} 3',
    `stream_bytes_total{kind="market_data"} ${bytes(sent)}`,
    `stream_bytes_total{kind="user_data"} ${bytes(user.messages)}`,
  ]);
  for (const bot of bots) bot.close();
  await Promise.all(bots.map(({ closed }) => closed));
  while (lines()[0] !== 'sockets 1') await Bun.sleep(1);
});

test('the current value that a new subscriber gets is counted', async () => {
  await venue.order('alice', 'buy', 90_000, 1);
  const bot = await venue.connect('/ws/btcusdt@depth5@100ms');
  await bot.keep(() => true);
  expect(lines()[1]).toBe('stream_events_total{kind="market_data"} 1');
  expect(lines()[2]).toBe(`stream_bytes_total{kind="market_data"} ${bytes(bot.messages)}`);
});

test('requests to the WebSocket API are counted by method and status', async () => {
  const api = await venue.connect('/ws-api/v3');
  await api.call('ping');
  await api.call('v3/ping');
  await api.call('session.logon', venue.signed('alice'));
  await api.call('order.place', { symbol: 'BTCUSDT' });
  await api.call('made.up');
  api.send('no JSON');
  await api.keep(({ id }) => id === null);
  expect(lines()).toEqual(
    [
      'sockets 1',
      ...['ping",status="200"} 2', 'order.place",status="400"} 1'],
      ...['session.logon",status="200"} 1', 'other",status="400"} 2'],
    ].map((line, index) => (index === 0 ? line : `operations_total{method="${line}`)),
  );
});
