import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { BinanceVenue } from './venue.ts';

/** Tests the requests of clients to the streams, above all wrong ones. */

let venue: BinanceVenue;

beforeEach(async () => {
  venue = await BinanceVenue.open();
});
afterEach(() => venue.close());

test('streams are subscribed, listed and unsubscribed', async () => {
  const bot = await venue.connect('/ws');
  const params = ['btcusdt@trade', 'ethusdt@trade'];
  expect(await bot.ask({ method: 'SUBSCRIBE', params, id: 1 })).toEqual({ result: null, id: 1 });
  expect(await bot.ask({ method: 'SUBSCRIBE', params, id: 'two' })).toEqual({
    result: null,
    id: 'two',
  });
  expect(await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 3 })).toEqual({ result: params, id: 3 });
  await venue.trade(100_000, 1);
  await bot.find(({ e }) => e === 'trade');
  await bot.ask({ method: 'UNSUBSCRIBE', params: ['btcusdt@trade', 'xyz@trade'], id: null });
  venue.exchange.now += 1000;
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 5 })).result).toEqual([params[1]]);
  await venue.trade(100_001, 1);
  await Bun.sleep(50);
  expect(bot.messages).toEqual([]);
});

test('messages are wrapped as the connection is set', async () => {
  const bot = await venue.connect('/ws/btcusdt@trade');
  expect((await bot.ask({ method: 'GET_PROPERTY', params: ['combined'], id: 1 })).result).toBe(
    false,
  );
  const set = (isCombined: boolean, id: number) =>
    bot.ask({ method: 'SET_PROPERTY', params: ['combined', isCombined], id });
  expect(await set(true, 2)).toEqual({ result: null, id: 2 });
  await venue.trade(100_000, 1);
  const wrapped = await bot.find(({ data }) => data?.e === 'trade');
  expect(wrapped.stream).toBe('btcusdt@trade');
  await set(false, 3);
  await venue.trade(100_000, 1);
  expect((await bot.find(({ e }) => e === 'trade')).s).toBe('BTCUSDT');
  const combined = await venue.connect('/stream');
  const asked = await combined.ask({ method: 'GET_PROPERTY', params: ['combined'], id: 1 });
  expect(asked.result).toBe(true);
});

describe('errors', () => {
  const variant = /^Invalid request: unknown variant `.*`, expected one of `SUBSCRIBE`, `UNSUB/;
  test.each([
    ['{"method":"SUBSCRIBE","par', 3, /^Invalid JSON: expected value at line \d+ column \d+$/],
    ['[]', 3, /^Invalid JSON/],
    ['{"params":[],"id":1}', 2, /missing field `method`/],
    ['{"method":"subscribe","params":["a@trade"],"id":1}', 2, variant],
    ['{"method":7,"id":1}', 2, variant],
    [`{"method":"${'x'.repeat(400)}","id":1}`, 2, variant],
    ['{"method":"SUBSCRIBE","params":"btcusdt@trade","id":1}', 2, /params must be an array/],
    ['{"method":"SUBSCRIBE","params":[7],"id":1}', 2, /stream name must be a string/],
    [`{"method":"SUBSCRIBE","params":["${'a'.repeat(101)}"],"id":1}`, 2, /must be a string/],
    ['{"method":"LIST_SUBSCRIPTIONS","params":["a"],"id":1}', 2, /too many parameters/],
    ['{"method":"GET_PROPERTY","id":1}', 2, /property name must be a string/],
    ['{"method":"GET_PROPERTY","params":["color"],"id":1}', 0, /^Unknown property$/],
    ['{"method":"GET_PROPERTY","params":["combined",true],"id":1}', 2, /too many parameters/],
    ['{"method":"SET_PROPERTY","params":["combined","yes"],"id":1}', 1, /expected Boolean/],
    ['{"method":"SET_PROPERTY","params":["combined",true,1],"id":1}', 2, /too many parameters/],
    ['{"method":"LIST_SUBSCRIPTIONS"}', 2, /request ID must be an unsigned integer/],
    ['{"method":"LIST_SUBSCRIPTIONS","id":1.5}', 2, /request ID/],
    ['{"method":"LIST_SUBSCRIPTIONS","id":9223372036854775808}', 2, /request ID/],
    ['{"method":"LIST_SUBSCRIPTIONS","id":{}}', 2, /request ID/],
    [`{"method":"LIST_SUBSCRIPTIONS","id":"${'a'.repeat(37)}"}`, 2, /request ID/],
  ])('%s', async (message, code, text) => {
    const bot = await venue.connect('/ws');
    bot.send(message);
    const { error, id } = await bot.find(() => true);
    expect(error.code).toBe(code);
    expect(error.msg).toMatch(text);
    expect(error.msg.length).toBeLessThan(300);
    const hasId = message.includes('"id":1') && !message.includes('1.5');
    expect(id).toBe(hasId ? 1 : null);
    expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })).result).toEqual([]);
  });
});

test('names of unknown streams are accepted, and have no messages', async () => {
  const bot = await venue.connect('/ws');
  const params = [
    ...['nonono@trade', 'BTCUSDT@trade', 'btcUSDT@trade', 'btcusdt@TRADE', 'btcusdt@kline_2m'],
    ...['btcusdt@depth7', 'btcusdt@depth@250ms', 'btcusdt', '@trade', '!ticker', '!bookTicker@arr'],
    ...[
      '!ticker@arr@arr',
      'btcusdt@kline_constructor',
      'btcusdt@kline_1m@+15:00',
      '__proto__@trade',
    ],
  ];
  expect((await bot.ask({ method: 'SUBSCRIBE', params, id: 1 })).result).toBeNull();
  await venue.trade(100_000, 1);
  await Bun.sleep(150);
  expect(bot.messages).toEqual([]);
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })).result).toEqual(params);
});

test('a connection has at most 1,024 streams', async () => {
  const bot = await venue.connect('/ws');
  const names = Array.from({ length: 1025 }, (_, index) => `sym${index}@trade`);
  const { error } = await bot.ask({ method: 'SUBSCRIBE', params: names, id: 1 });
  expect(error).toEqual({
    code: 2,
    msg: 'Invalid request: a connection has at most 1024 streams',
  });
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })).result).toEqual([]);
  const most = await bot.ask({ method: 'SUBSCRIBE', params: names.slice(1), id: 3 });
  expect(most.result).toBeNull();
  expect((await bot.ask({ method: 'SUBSCRIBE', params: names, id: 4 })).error.code).toBe(2);
  const path = `/stream?streams=${names.join('/')}`;
  const other = await venue.connect(path);
  expect(await other.closed).toEqual({
    code: 1008,
    reason: 'Invalid request: a connection has at most 1024 streams',
  });
});

test('a client that sends more than 5 messages in a second is disconnected', async () => {
  const bot = await venue.connect('/ws');
  for (let id = 1; id <= 5; id++)
    await bot.ask({ method: 'SUBSCRIBE', params: [`a${id}@trade`], id });
  venue.exchange.now += 1000;
  for (let id = 1; id <= 200; id++)
    bot.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id });
  expect(await bot.closed).toEqual({ code: 1008, reason: 'too many messages' });
  expect(bot.messages.length).toBe(5);
});
