import { afterAll, beforeAll, expect, test } from 'bun:test';
import { RawConnection } from '../process/raw-connection.ts';
import { RawReader } from '../stream/raw-reader.ts';
import { BinanceVenue, type Json, toForm } from './venue.ts';

/**
 * A session of hummingbot's connector for Binance, version 20260922: the bytes that it sent to a sandbox, recorded between
 * the two; only host, key, time and signature differ. Of the answers the test expects the fields that the connector reads,
 * in the form that it needs: `Decimal` of a text, times in milliseconds as numbers. The connector itself runs in
 * test/ecosystem.
 */

const HEADERS =
  'Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nUser-Agent: Python/3.11 aiohttp/3.14.5\r\n';
const UPGRADE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Key: Xt8zf+KzW5Dadilr4/NcVw==\r\n${HEADERS}\r\n`;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
/** The type of its forms and of requests without a body. */
const JSON_TYPE = 'Content-Type: application/json\r\n';
const LIMIT_ID = 'x-MG43PCSNBBCUT660e0fe9a382cea3b';
const MARKET_ID = 'x-MG43PCSNBBCUT660e0fe9bc84bea3b';
const MAKER_ID = 'x-MG43PCSNBBCUT660e0fe9c8e7aea3b';
const UNKNOWN_ID = 'x-MG43PCSNBBCUT660e0fe9ffffffffff';
const SUBSCRIPTION_ID = '1edc6bc6-f1d4-46bc-93a8-f699a8a9bdb7';

let venue: BinanceVenue;
let connection: RawConnection;
let market: RawReader;
let user: RawReader;

beforeAll(async () => {
  venue = await BinanceVenue.open();
  await venue.trade(112_000, '0.5');
  await venue.order('bob', 'buy', 106_000, 1);
  await venue.order('bob', 'sell', 118_000, 1);
  connection = await RawConnection.open(venue.url);
});
afterAll(async () => {
  connection.destroy();
  for (const reader of [market, user]) reader?.destroy();
  await venue.close();
});

const host = () => `Host: 127.0.0.1:${venue.server.port}\r\n`;

/** Returns a query or form with what the connector adds to it: it signs each as it is sent. */
function sign(text: string): string {
  const signed = `${text}${text === '' ? '' : '&'}timestamp=${venue.exchange.now}`;
  return `${signed}&signature=${venue.sign('alice', signed)}`;
}

async function send(request: string): Promise<{ status: number; text: string; json: Json }> {
  connection.send(request);
  const response = (await connection.receive())!;
  return { status: response.status, text: response.text, json: JSON.parse(response.text) };
}

async function get(path: string): Promise<Json> {
  const answer = await send(
    `GET /binance/api/v3${path} HTTP/1.1\r\n${host()}${FORM}${HEADERS}\r\n`,
  );
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return answer.json;
}

const apiKey = () => `X-MBX-APIKEY: ${venue.keys.get('alice')!.apiKey}\r\n`;

function getSigned(path: string, query = '') {
  const line = `GET /binance/api/v3${path}?${sign(query)} HTTP/1.1\r\n`;
  return send(`${line}${host()}${FORM}${apiKey()}${HEADERS}\r\n`);
}

/** @param bytes The recorded length of the form. */
function post(form: string, bytes: number) {
  const body = sign(form);
  expect(body.length).toBe(bytes);
  const head = `POST /binance/api/v3/order HTTP/1.1\r\n${host()}${JSON_TYPE}${apiKey()}${HEADERS}`;
  return send(`${head}Content-Length: ${bytes}\r\n\r\n${body}`);
}

function cancel(query: string) {
  const line = `DELETE /binance/api/v3/order?${sign(query)} HTTP/1.1\r\n`;
  return send(`${line}${host()}${JSON_TYPE}${apiKey()}${HEADERS}Content-Length: 0\r\n\r\n`);
}

/** Compares the fields that the connector reads with their forms. */
function expectFields(value: Json, forms: Readonly<Record<string, string>>): void {
  const read = Object.keys(forms).map((name) => [name, toForm(value?.[name])]);
  expect({ value, fields: Object.fromEntries(read) }).toEqual({ value, fields: forms });
}

/** Waits for a message and takes it, with those before it. */
async function take(reader: RawReader, matches: (message: Json) => boolean): Promise<Json> {
  await reader.until(() => reader.messages.some(matches));
  return reader.messages.splice(0, reader.messages.findIndex(matches) + 1).at(-1);
}

/** Waits for a report of an order on the user data stream. */
async function takeReport(type: string): Promise<Json> {
  const { event, subscriptionId } = await take(user, ({ event }) => event?.x === type);
  expect(subscriptionId).toBe(0);
  expectFields(event, { e: 'text', c: 'text', X: 'text', i: 'integer', E: 'integer' });
  return event;
}

async function takeBalances(): Promise<Json> {
  const { event } = await take(user, (message) => message.event?.e === 'outboundAccountPosition');
  for (const each of event.B) expectFields(each, { a: 'text', f: 'decimal', l: 'decimal' });
  return event.B;
}

test('it synchronizes its clock, and reads the rules of the markets', async () => {
  expect(await get('/time')).toEqual({ serverTime: venue.exchange.now });
  expect(await get('/ping')).toEqual({});
  const { symbols } = await get('/exchangeInfo');
  expect(symbols.length).toBeGreaterThan(1);
  for (const symbol of symbols) {
    expectFields(symbol, { symbol: 'text', baseAsset: 'text', quoteAsset: 'text', status: 'text' });
    expect(symbol.permissionSets.flat()).toContain('SPOT');
    const filter = (type: string) =>
      symbol.filters.find((each: Json) => each.filterType === type) as Json;
    expectFields(filter('PRICE_FILTER'), { tickSize: 'decimal' });
    expectFields(filter('LOT_SIZE'), { minQty: 'decimal', stepSize: 'decimal' });
    expectFields(filter('NOTIONAL'), { minNotional: 'decimal' });
  }
});

test('it reads the book, and subscribes to its changes and to trades', async () => {
  const { lastUpdateId, bids, asks } = await get('/depth?symbol=BTCUSDT&limit=1000');
  const level = ['decimal', 'decimal'];
  expect(toForm([lastUpdateId, bids, asks])).toEqual(['integer', [level], [level]]);
  const upgrade = `GET /binance/ws HTTP/1.1\r\n${host()}${UPGRADE}`;
  market = await RawReader.open(venue.server.port, '', upgrade);
  market.sendText('{"method": "SUBSCRIBE", "params": ["btcusdt@trade"], "id": 1}');
  market.sendText('{"method": "SUBSCRIBE", "params": ["btcusdt@depth@100ms"], "id": 2}');
  for (const id of [1, 2]) {
    expect(await take(market, (message) => 'result' in message)).toEqual({ result: null, id });
  }
});

test('it subscribes to its account over the WebSocket API', async () => {
  const upgrade = `GET /binance/ws-api/v3 HTTP/1.1\r\n${host()}${UPGRADE}`;
  user = await RawReader.open(venue.server.port, '', upgrade);
  const { apiKey, timestamp, signature } = venue.signed('alice');
  const params = `{"apiKey": "${apiKey}", "timestamp": ${timestamp}, "signature": "${signature}"}`;
  const method = 'userDataStream.subscribe.signature';
  user.sendText(`{"id": "${SUBSCRIPTION_ID}", "method": "${method}", "params": ${params}}`);
  // It takes the first message for the answer.
  await user.until(() => user.messages.length > 0);
  const { id, status } = user.messages.shift();
  expect({ id, status }).toEqual({ id: SUBSCRIPTION_ID, status: 200 });
});

test('it reads its trades, its balances and the last price', async () => {
  const { json: trades } = await getSigned('/myTrades', 'symbol=BTCUSDT');
  expect(trades).toHaveLength(1);
  expectFields(trades[0], {
    ...{ orderId: 'integer', id: 'integer', time: 'integer', isBuyer: 'boolean' },
    ...{ isMaker: 'boolean', price: 'decimal', qty: 'decimal', quoteQty: 'decimal' },
    ...{ commission: 'decimal', commissionAsset: 'text' },
  });
  const { now } = venue.exchange;
  const later = await getSigned('/myTrades', `symbol=BTCUSDT&startTime=${now}`);
  expect(later.json).toEqual(trades);
  const { json: account } = await getSigned('/account');
  for (const each of account.balances) {
    expectFields(each, { asset: 'text', free: 'decimal', locked: 'decimal' });
  }
  expectFields(await get('/ticker/24hr?symbol=BTCUSDT'), { lastPrice: 'decimal' });
});

test('it places a limit order and cancels it', async () => {
  const order =
    `symbol=BTCUSDT&side=BUY&quantity=0.01000000&type=LIMIT&newClientOrderId=${LIMIT_ID}` +
    '&price=106224.53000000&timeInForce=GTC';
  const { json: placed } = await post(order, 241);
  expectFields(placed, { orderId: 'integer', transactTime: 'integer' });
  const created = await takeReport('NEW');
  expect([created.X, created.c, created.i]).toEqual(['NEW', LIMIT_ID, placed.orderId]);
  const [held] = await takeBalances();
  expect([held.a, held.l]).toEqual(['USDT', '1062.24530000']);
  const change = await take(market, ({ e }) => e === 'depthUpdate');
  expectFields(change, { s: 'text', U: 'integer', u: 'integer' });
  expect([change.b, change.a]).toEqual([[['106224.53000000', '0.01000000']], []]);

  const { json } = await cancel(`symbol=BTCUSDT&origClientOrderId=${LIMIT_ID}`);
  expect(json.status).toBe('CANCELED');
  const ended = await takeReport('CANCELED');
  // The connector finds a canceled order by C, the name that the order had.
  expect([ended.X, ended.C]).toEqual(['CANCELED', LIMIT_ID]);
  expect((await takeBalances())[0].l).toBe('0.00000000');
});

test('it places a market order, and books its fills and fees', async () => {
  const order = `symbol=BTCUSDT&side=BUY&quantity=0.01000000&type=MARKET&newClientOrderId=${MARKET_ID}`;
  const { json: placed } = await post(order, 204);
  expectFields(placed, { orderId: 'integer', transactTime: 'integer' });
  const fill = await takeReport('TRADE');
  expectFields(fill, {
    ...{ t: 'integer', i: 'integer', T: 'integer', l: 'decimal', L: 'decimal' },
    ...{ n: 'decimal', N: 'text' },
  });
  expect([fill.c, fill.X, fill.N, fill.n]).toEqual([MARKET_ID, 'FILLED', 'BTC', '0.00001000']);
  const { json: fills } = await getSigned('/myTrades', `symbol=BTCUSDT&orderId=${placed.orderId}`);
  expect(fills.map(({ id, qty, quoteQty }: Json) => [id, qty, quoteQty])).toEqual([
    [fill.t, fill.l, '1180.00000000'],
  ]);
  const trade = await take(market, ({ e }) => e === 'trade');
  expectFields(trade, {
    ...{ s: 'text', E: 'integer', t: 'integer', m: 'boolean', p: 'decimal', q: 'decimal' },
  });
  expect([trade.s, trade.t, trade.m]).toEqual(['BTCUSDT', fill.t, false]);
});

test('it asks for an order that only adds liquidity, and cancels it', async () => {
  const order =
    `symbol=BTCUSDT&side=BUY&quantity=0.01000000&type=LIMIT_MAKER&newClientOrderId=${MAKER_ID}` +
    '&price=106224.53000000';
  const { json: placed } = await post(order, 231);
  const name = `symbol=BTCUSDT&origClientOrderId=${MAKER_ID}`;
  const { json: found } = await getSigned('/order', name);
  expectFields(found, { orderId: 'integer', updateTime: 'integer', status: 'text' });
  expect([found.orderId, found.status]).toEqual([placed.orderId, 'NEW']);
  expect((await cancel(name)).json.status).toBe('CANCELED');
  expect((await getSigned('/order', name)).json.status).toBe('CANCELED');
});

test('it knows orders that do not exist and clocks that differ by the texts of errors', async () => {
  const name = `symbol=BTCUSDT&origClientOrderId=${UNKNOWN_ID}`;
  const canceled = await cancel(name);
  expect(canceled.status).toBe(400);
  expect(canceled.text).toMatch(/-2011.*Unknown order sent/);
  expect((await getSigned('/order', name)).text).toMatch(/-2013.*Order does not exist/);
  const signed = `timestamp=${venue.exchange.now - 60_000}`;
  const late = `/account?${signed}&signature=${venue.sign('alice', signed)}`;
  const line = `GET /binance/api/v3${late} HTTP/1.1\r\n`;
  const { text } = await send(`${line}${host()}${FORM}${apiKey()}${HEADERS}\r\n`);
  expect(text).toMatch(/-1021.*Timestamp for this request/);
});
