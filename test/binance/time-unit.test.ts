import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BINANCE_ENDPOINTS } from '../../src/gateway/binance/endpoints.ts';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** Times in microseconds: everything else of an answer or event is the same. */

const MICROSECONDS = { 'X-MBX-TIME-UNIT': 'MICROSECOND' };
const SYMBOL = 'BTCUSDT';
const LIMIT = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' };

let venue: BinanceVenue;
beforeEach(async () => {
  venue = await BinanceVenue.open();
  await venue.trade(100_000, 1);
  await venue.order('alice', 'buy', 90_000, 1);
  await venue.order('alice', 'sell', 120_000, 1);
});
afterEach(() => venue.close());

/** Returns a value with every number that has the digits of a time in milliseconds in microseconds. */
function toMicroseconds(value: Json): Json {
  if (Array.isArray(value)) return value.map(toMicroseconds);
  if (typeof value === 'number') return value >= 1e12 && value < 1e13 ? value * 1000 : value;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, each]) => [name, toMicroseconds(each)]);
  return Object.fromEntries(entries);
}

/** Returns how many numbers of a value have the digits of a time in milliseconds. */
function countTimes(value: Json): number {
  return JSON.stringify(value).match(/\b\d{13}\b/g)?.length ?? 0;
}

const MARKET_DATA = [
  ...['/time', '/exchangeInfo', '/depth?symbol=BTCUSDT', '/avgPrice?symbol=BTCUSDT'],
  ...['trades', 'historicalTrades', 'aggTrades', 'ticker/24hr', 'ticker/tradingDay', 'ticker'].map(
    (name) => `/${name}?symbol=BTCUSDT`,
  ),
  ...['klines', 'uiKlines'].map((name) => `/${name}?symbol=BTCUSDT&interval=1m`),
];
/** The answers of market data without a time. */
const TIMELESS = ['/depth?symbol=BTCUSDT'];

test.each(MARKET_DATA)('%s', async (path) => {
  const { json } = await venue.get(`/api/v3${path}`);
  const { json: inMicroseconds } = await venue.get(`/api/v3${path}`, MICROSECONDS);
  expect(inMicroseconds).toEqual(toMicroseconds(json));
  expect(countTimes(json) > 0).toBe(!TIMELESS.includes(path));
});

test('every answer about accounts', async () => {
  const place = { ...LIMIT, price: 90_001, newClientOrderId: '1795340850123' };
  await venue.send('alice', 'POST', '/api/v3/order', place);
  const { orderListId } = await venue.send('alice', 'POST', '/api/v3/orderList/oco', {
    ...{ symbol: SYMBOL, side: 'SELL', quantity: '0.01', aboveType: 'LIMIT_MAKER' },
    ...{ abovePrice: 130_000, belowType: 'STOP_LOSS', belowStopPrice: 50_000 },
  });
  const reads = BINANCE_ENDPOINTS.filter(
    ({ method, access, path }) => method === 'GET' && access === 'read' && path.startsWith('/api'),
  );
  const values: Record<string, Values> = {
    '/api/v3/order': { symbol: SYMBOL, origClientOrderId: '1795340850123' },
    '/api/v3/orderList': { orderListId },
  };
  const named = ['openOrders', 'allOrders', 'myTrades', 'account/commission', 'myAllocations'];
  for (const name of named) values[`/api/v3/${name}`] = { symbol: SYMBOL };
  values['/api/v3/myPreventedMatches'] = { symbol: SYMBOL, orderId: 1 };
  let times = 0;
  for (const { method, path } of reads) {
    const terms = values[path] ?? {};
    const { body } = await venue.request('alice', method, path, terms);
    const answer = await venue.request('alice', method, path, terms, MICROSECONDS);
    expect(answer).toEqual({ status: 200, body: toMicroseconds(body) });
    times += countTimes(body) > 0 ? 1 : 0;
  }
  expect(times).toBeGreaterThan(6);
});

test('orders that are placed and canceled', async () => {
  const place = { ...LIMIT, price: 90_001, newClientOrderId: 'mine' };
  const now = venue.exchange.now * 1000;
  const send = async (method: string, values: Values) =>
    (await venue.request('alice', method, '/api/v3/order', values, MICROSECONDS)).body;
  const placed = await send('POST', place);
  expect([placed.transactTime, placed.workingTime]).toEqual([now, now]);
  expect((await send('POST', { ...LIMIT, type: 'LIMIT', price: 1, side: 'HOLD' })).code).toBe(
    -1117,
  );
  const canceled = await send('DELETE', { symbol: SYMBOL, origClientOrderId: 'mine' });
  expect(canceled.transactTime).toBe(now);
  const trailing = { symbol: SYMBOL, side: 'SELL', type: 'STOP_LOSS', quantity: '0.01' };
  const terms = { ...trailing, trailingDelta: 100, newOrderRespType: 'RESULT' };
  expect((await send('POST', terms)).trailingTime).toBe(now);
});

test('a unit that is none is rejected, and no order is placed', async () => {
  const place = { ...LIMIT, price: 90_001 };
  for (const unit of ['SECOND', 'Microsecond', '']) {
    const headers = { 'X-MBX-TIME-UNIT': unit };
    const answer = await venue.request('alice', 'POST', '/api/v3/order', place, headers);
    const msg = 'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.';
    expect(answer).toEqual({ status: 400, body: { code: -1194, msg } });
    for (const path of ['/ws/btcusdt@trade', '/stream', '/ws-api/v3']) {
      await expect(venue.connect(`${path}?timeUnit=${unit}`)).rejects.toBeDefined();
    }
  }
  const open = await venue.send('alice', 'GET', '/api/v3/openOrders', { symbol: SYMBOL });
  expect(open).toHaveLength(2);
  for (const unit of ['MILLISECOND', 'millisecond']) {
    const { json } = await venue.get('/api/v3/time', { 'X-MBX-TIME-UNIT': unit });
    expect(json).toEqual({ serverTime: venue.exchange.now });
  }
});

test('streams, wrapped or not, next to the same ones in milliseconds', async () => {
  const names = [
    ...['trade', 'aggTrade', 'kline_1m', 'depth@100ms', 'depth5@100ms', 'bookTicker', 'ticker'],
    ...['miniTicker', 'ticker_1h', 'avgPrice'],
  ].map((kind) => `btcusdt@${kind}`);
  const streams = `/stream?streams=${names.join('/')}`;
  const [plain, micro] = [
    await venue.connect(streams),
    await venue.connect(`${streams}&timeUnit=microsecond`),
  ];
  const raw = await venue.connect('/ws/btcusdt@trade?timeUnit=MICROSECOND');
  await venue.trade(100_001, 1);
  const { now } = venue.exchange;
  for (const name of names) {
    // The last message of a stream comes when all others have.
    const isLast = ({ stream, data }: Json) =>
      stream === name && (data.e !== 'kline' || data.k.c === '100001.00000000');
    const [expected, got] = [await plain.keep(isLast), await micro.keep(isLast)];
    expect(got).toEqual(toMicroseconds(expected));
    const isTimeless = /bookTicker|depth5/.test(name);
    expect([name, countTimes(expected) > 0]).toEqual([name, !isTimeless]);
  }
  const trade = await raw.find(({ e }) => e === 'trade');
  expect([trade.E, trade.T]).toEqual([now * 1000, now * 1000]);
  await raw.ask({ method: 'SET_PROPERTY', params: ['combined', true], id: 1 });
  await venue.trade(100_002, 1);
  const wrapped = await raw.find(({ stream }) => stream === 'btcusdt@trade');
  expect(wrapped.data.T).toBe(now * 1000);
});

test('user data and the WebSocket API', async () => {
  const plain = await venue.userStream('alice');
  const { body } = await venue.fetch('alice', 'POST', '/api/v3/userDataStream');
  const micro = await venue.connect(`/ws/${body.listenKey}?timeUnit=MICROSECOND`);
  const api = await venue.connect('/ws-api/v3?timeUnit=MICROSECOND');
  const now = venue.exchange.now * 1000;
  await api.call('userDataStream.subscribe.signature', venue.signed('alice'));
  const { result } = await api.call(
    'order.place',
    venue.signed('alice', { ...LIMIT, price: 90_001 }),
  );
  expect(result.transactTime).toBe(now);
  expect((await api.call('time')).result).toEqual({ serverTime: now });
  for (const type of ['executionReport', 'outboundAccountPosition']) {
    const expected = toMicroseconds(await plain.find(({ e }) => e === type));
    expect(await micro.find(({ e }) => e === type)).toEqual(expected);
    expect((await api.take(({ event }) => event?.e === type)).event).toEqual(expected);
  }
  await venue.server.stop();
  expect(await micro.find(({ e }) => e === 'serverShutdown')).toEqual({
    e: 'serverShutdown',
    E: now,
  });
  const { event } = await api.take(({ event }) => event?.e === 'serverShutdown');
  expect(event.E).toBe(now);
});
