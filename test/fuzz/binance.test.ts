import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { BinanceVenue, type Json } from '../binance/venue.ts';
import { CHECK_TIMEOUT_MS, runs } from '../check.ts';
import {
  type BinanceRequest,
  generateRequest,
  judgeAnswer,
  judgeError,
} from './binance-requests.ts';

/**
 * Tests the Binance dialect with random requests, messages and sequences of orders: no 5xx, always Binance's form, no
 * internals, no effect of a request that is rejected or not authentic.
 */

const REQUESTS = 6000;
const MESSAGES = 1500;
const OPERATIONS = 150;
/** Few, so that none reaches a limit. A power of two. */
const REQUESTS_PER_ADDRESS = 16;
const seed = Number(process.env.SEED ?? 1);

let dialect: BinanceVenue;
const log = spyOn(console, 'error');

beforeEach(async () => {
  dialect = await BinanceVenue.open();
});
afterEach(async () => {
  await dialect.close();
  expect(log.mock.calls).toEqual([]);
});

/** Everything that a rejected request must leave as it is. */
function tradingState(): string {
  const { state } = dialect.exchange;
  return JSON.stringify(
    state.accounts.map((account) => [
      account.id,
      account.balances.map((balance) => [String(balance?.available), String(balance?.held)]),
      state.accountOpenOrders(account).map(({ id, amount, remaining }) => [id, amount, remaining]),
    ]),
  );
}

async function send({ create }: BinanceRequest, address = '127.0.0.1') {
  const peers = { requestIP: () => ({ address }) };
  const response = await dialect.exchange.gateway.fetch(create(), peers as never);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test(
  'random requests get an answer in Binance’s form and change nothing if they are rejected',
  async () => {
    await dialect.close();
    dialect = await BinanceVenue.open({ rateLimits: '10x' });
    const random = seededRandom(seed);
    const keys = ['alice', 'bob'].map((name) => dialect.keys.get(name)!);
    const seen = new Map<number, number>();
    /** The weight that the address has used. */
    let used = 0;
    for (let count = 0; count < runs(REQUESTS); count++) {
      const sent = generateRequest(random, keys, dialect.exchange.now);
      const before = tradingState();
      const turn = count % REQUESTS_PER_ADDRESS;
      const address = `10.0.${(count >> 8) % 256}.${(count - turn) % 256}`;
      if (turn === 0) used = 0;
      const { status, headers, text } = await send(sent, address);
      try {
        used = judgeAnswer(status, headers, text, used);
        if (!sent.isAuthentic && status === 200) throw new Error('not authentic, and accepted');
        const mayChange = sent.isAuthentic && sent.endpoint.method !== 'GET';
        // The replacement of an order may fail after the order was canceled.
        const isPartial = sent.endpoint.path.endsWith('cancelReplace') && status === 409;
        if (!(mayChange && (status === 200 || isPartial)) && tradingState() !== before) {
          throw new Error('changed the state');
        }
      } catch (error) {
        throw new Error(`seed ${seed}, request ${count}: ${sent.description}: ${status} ${text}`, {
          cause: error,
        });
      }
      const code = status === 200 ? 0 : (JSON.parse(text) as { code: number }).code;
      seen.set(code, (seen.get(code) ?? 0) + 1);
      dialect.exchange.now += below(20, random);
    }
    const expected = [
      0, -1013, -1021, -1022, -1100, -1101, -1102, -1104, -1105, -1121, -2010, -2011,
    ];
    expect({ seed, unseen: expected.filter((code) => !seen.has(code)) }).toEqual({
      seed,
      unseen: [],
    });
    expect(seen.get(0)).toBeGreaterThan(REQUESTS / 10);
  },
  CHECK_TIMEOUT_MS * 3,
);

test(
  'a copy of a request never acts twice',
  async () => {
    const random = seededRandom(seed);
    const keys = ['alice', 'bob'].map((name) => dialect.keys.get(name)!);
    for (let count = 0; count < runs(REQUESTS / 4); count++) {
      const sent = generateRequest(random, keys, dialect.exchange.now);
      dialect.exchange.now++;
      if (sent.endpoint.method === 'GET' || sent.endpoint.path.includes('userDataStream')) continue;
      await send(sent);
      const between = tradingState();
      const { status, headers, text } = await send(sent);
      judgeAnswer(status, headers, text);
      expect({ seed, sent: sent.description, state: tradingState() }).toEqual({
        ...{ seed, sent: sent.description, state: between },
      });
    }
  },
  CHECK_TIMEOUT_MS * 3,
);

test(
  'sequences of orders have the effects that the native API has',
  async () => {
    const twin = await BinanceVenue.open();
    const random = seededRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length, random)]!;
    const socket = await dialect.connect('/ws-api/v3');
    const placed: string[] = [];
    let compared = 0;
    for (let count = 0; count < runs(OPERATIONS); count++) {
      const account = pick(['alice', 'bob']);
      const side = pick(['buy', 'sell']);
      const price = (117_900 + below(200, random)).toFixed(2);
      const amount = ((1 + below(50, random)) / 1000).toFixed(3);
      const action = placed.length === 0 ? 0 : below(10, random);
      let sent: readonly [string, string, Record<string, string>];
      let native: readonly [string, string, object?];
      if (action < 6) {
        const id = `order-${count}`;
        const isMarket = action === 5;
        const terms = { symbol: 'BTCUSDT', side: side.toUpperCase(), quantity: amount };
        const kind = isMarket ? { type: 'MARKET' } : { type: 'LIMIT', timeInForce: 'GTC', price };
        sent = ['POST', 'order.place', { ...terms, ...kind, newClientOrderId: id }];
        const body = { symbol: 'BTC/USDT', side, amount: Number(amount), clientOrderId: id };
        const type = isMarket ? { type: 'market' } : { type: 'limit', price: Number(price) };
        native = ['POST', '/api/orders', { ...body, ...type }];
        if (action === 4) {
          const other = side === 'buy' ? 'sell' : 'buy';
          sent = ['POST', 'orderList.place.oto', toOto(terms, price, id, other)];
          const order = { type: 'limit', price: Number(price), timeInForce: 'IOC' };
          const attached = { side: other, amount: Number(amount), order };
          native = ['POST', '/api/orders', { ...body, ...type, attached }];
        }
        placed.push(id);
      } else {
        const id = pick(placed);
        const { data } = await twin.exchange.send(
          account,
          'GET',
          `/api/orders?clientOrderId=${id}`,
        );
        const orderId = data.orders[0]?.orderId ?? '999999';
        const name = { symbol: 'BTCUSDT', origClientOrderId: id };
        const path = `/api/orders/${orderId}`;
        sent =
          action === 6
            ? ['PUT', 'order.amend.keepPriority', { ...name, newQty: '0.001' }]
            : ['DELETE', 'order.cancel', name];
        native = action === 6 ? ['PATCH', path, { amount: 0.001 }] : ['DELETE', path];
      }
      const [method, operation, values] = sent;
      const status =
        random() < 0.5
          ? (await socket.call(operation, dialect.signed(account, values))).status
          : (await dialect.request(account, method, PATHS[operation]!, values)).status;
      const [nativeMethod, path, body] = native;
      const answer = await twin.exchange.send(account, nativeMethod, path, JSON.stringify(body));
      const isSame =
        operation === 'order.amend.keepPriority' || (status === 200) === (answer.status === 200);
      expect({ seed, count, sent, isSame }).toEqual({ seed, count, sent, isSame: true });
      dialect.exchange.now = twin.exchange.now += 1 + below(50, random);
      if (count % 10 === 0) compared += await compare(twin);
    }
    compared += await compare(twin);
    expect(compared).toBeGreaterThan(0);
    await twin.close();
  },
  CHECK_TIMEOUT_MS * 3,
);

/** Compares balances and open orders of both exchanges. @returns The number of open orders */
async function compare(twin: BinanceVenue): Promise<number> {
  let compared = 0;
  for (const account of ['alice', 'bob']) {
    const { body } = await dialect.request(account, 'GET', '/api/v3/account', {});
    const native = await twin.exchange.send(account, 'GET', '/api/portfolio/balances');
    expect(toBalances(body.balances)).toEqual(fromNative(native.data.balances));
    const open = await dialect.request(account, 'GET', '/api/v3/openOrders', {});
    const listed = await twin.exchange.send(account, 'GET', '/api/orders?status=open&limit=1000');
    const active = open.body.filter(({ status }: Json) => status !== 'PENDING_NEW');
    const shown = active.map((order: Json) => [
      ...[order.clientOrderId, order.side.toLowerCase(), Number(order.price)],
      ...[Number(order.origQty), Number(order.executedQty)],
    ]);
    const expected = listed.data.orders.map((order: Json) => [
      ...[order.clientOrderId ?? order.orderId, order.side, order.price],
      ...[order.amount, order.filled],
    ]);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    compared += shown.length;
  }
  return compared;
}

/** Returns a list whose pending order closes what the working order opened, as far as it trades at once. */
function toOto(
  { symbol, side, quantity }: Record<'symbol' | 'side' | 'quantity', string>,
  price: string,
  name: string,
  other: string,
): Record<string, string> {
  return {
    ...{ symbol, workingType: 'LIMIT', workingSide: side, workingPrice: price },
    ...{ workingQuantity: quantity, workingTimeInForce: 'GTC', workingClientOrderId: name },
    ...{ pendingType: 'LIMIT', pendingSide: other.toUpperCase(), pendingQuantity: quantity },
    ...{ pendingPrice: price, pendingTimeInForce: 'IOC', listClientOrderId: `list-${name}` },
  };
}

const PATHS: Readonly<Record<string, string>> = {
  'order.place': '/api/v3/order',
  'order.cancel': '/api/v3/order',
  'orderList.place.oto': '/api/v3/orderList/oto',
  'order.amend.keepPriority': '/api/v3/order/amend/keepPriority',
};

function toBalances(balances: Json[]) {
  return balances
    .map(({ asset, free, locked }) => [asset, free, locked])
    .filter(([, free, locked]) => Number(free) + Number(locked) > 0)
    .toSorted();
}

/** Cuts the native balances at 8 decimals, as the dialect does. */
function fromNative(balances: Json[]) {
  const cut = (value: number) => (Math.floor(value * 1e8 + 1e-3) / 1e8).toFixed(8);
  return balances
    .map(({ asset, available, held }) => [asset, cut(available), cut(held)])
    .filter(([, free, locked]) => Number(free) + Number(locked) > 0)
    .toSorted();
}

const TEXTS = [
  ...['', '{', '[', 'null', '1', '"x"', '[]', '{}', '{"id":', '{"id":1,"method":"time"', '\u0000'],
  ...['{"id":1}', '{"method":"time"}', '{"id":1,"method":null}', '{"id":1,"method":["time"]}'],
  ...['{"id":{},"method":"time"}', '{"id":1.5,"method":"time"}', '{"id":1e999,"method":"time"}'],
  ...[`{"id":"${'x'.repeat(37)}","method":"time"}`, '{"id":-9223372036854775808,"method":"ping"}'],
  ...[
    '{"id":2,"method":"order.place"}',
    '{"id":2,"method":"nope"}',
    '{"id":2,"method":"__proto__"}',
  ],
  ...['{"id":2,"method":"v3/time"}', '{"id":2,"method":"v4/time"}', '{"id":2,"method":"TIME"}'],
  ...['{"id":3,"method":"depth","params":[]}', '{"id":3,"method":"depth","params":"x"}'],
  ...[
    '{"id":3,"method":"depth","params":{"symbol":1}}',
    '{"id":3,"method":"depth","params":{"symbol":{}}}',
  ],
  ...[
    '{"id":3,"method":"depth","params":{"symbol":"btcusdt"}}',
    '{"id":3,"method":"time","params":{"a":[[]]}}',
  ],
  ...['{"id":4,"method":"session.logon","params":{"apiKey":"x","timestamp":1,"signature":"y"}}'],
  ...['{"id":4,"method":"session.status","params":{"a":1}}', '{"id":4,"method":"session.logout"}'],
  ...['{"id":5,"id":6,"method":"time"}', '{"id":5,"method":"time","method":"ping"}'],
];

test(
  'random messages to the WebSocket API get an answer in Binance’s form',
  async () => {
    const random = seededRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length, random)]!;
    const socket = await dialect.connect('/ws-api/v3');
    const methods = [
      'order.place',
      'order.cancel',
      'openOrders.status',
      'exchangeInfo',
      'account.status',
    ];
    for (let count = 0; count < runs(MESSAGES); count++) {
      const params = dialect.signed('alice', {
        symbol: pick(['BTCUSDT', 'x', '']),
        limit: pick([1, -1]),
      });
      const whole = JSON.stringify({ id: count, method: pick(methods), params });
      const cutAt = below(whole.length, random);
      const text =
        random() < 0.5 ? pick(TEXTS) : pick([whole, whole.slice(0, cutAt), whole.replace('"', '')]);
      socket.send(text);
      const { id, status, error, result, rateLimits, ...rest } = await socket.take();
      const form = {
        seed,
        text,
        rest,
        hasLimits: rateLimits === undefined || Array.isArray(rateLimits),
      };
      expect(form).toEqual({ seed, text, rest: {}, hasLimits: true });
      expect(id === null || typeof id === 'string' || Number.isInteger(id)).toBe(true);
      expect(status).toBeLessThan(500);
      if (status === 200) expect(result).toBeDefined();
      else judgeError(error, JSON.stringify(error));
      dialect.exchange.now++;
    }
    expect(tradingState()).not.toContain('NaN');
  },
  CHECK_TIMEOUT_MS * 3,
);

test('a connection with more than 1,000 requests in progress is closed, and others continue', async () => {
  const [flood, other] = [await dialect.connect('/ws-api/v3'), await dialect.connect('/ws-api/v3')];
  const release = await dialect.exchange.holdLog();
  for (let count = 0; count < 2000; count++) {
    const values = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
    const order = {
      ...values,
      quantity: '0.001',
      price: '45000',
      newClientOrderId: `flood-${count}`,
    };
    const params = dialect.signed('alice', order);
    flood.send(JSON.stringify({ id: count, method: 'order.place', params }));
  }
  expect((await flood.closed).code).toBe(1008);
  release();
  expect((await other.call('ping')).status).toBe(200);
  const { body } = await dialect.request('alice', 'GET', '/api/v3/openOrders', {});
  expect(body.length).toBe(1000);
});
