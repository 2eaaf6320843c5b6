import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import type { SocketBot } from './socket-bot.ts';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** User data streams of the Binance dialect, by listen key and over the WebSocket API. */

let dialect: BinanceVenue;
beforeEach(async () => {
  dialect = await BinanceVenue.open();
});
afterEach(() => dialect.close());

const ORDER = '/api/v3/order';
const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' } as const;

const place = (name: string, values: Values) => dialect.send(name, 'POST', ORDER, values);
const buy = (name: string, values: Values) => place(name, { ...LIMIT, side: 'BUY', ...values });
const sell = (name: string, values: Values) => place(name, { ...LIMIT, side: 'SELL', ...values });
const isPosition = ({ e }: Json) => e === 'outboundAccountPosition';

/** Returns `x X l z` of the orders' reports of one command. */
async function nextReports(stream: SocketBot): Promise<string[]> {
  const events = await stream.takeUntil(isPosition);
  return events.flatMap(({ e, x, X, l, z }) =>
    e === 'executionReport' ? `${x} ${X} ${Number(l)} ${Number(z)}` : [],
  );
}

/** The fields of an `executionReport` in the documents, each with its type. */
const REPORT_FIELDS = {
  ...{ e: 'string', E: 'number', s: 'string', c: 'string', S: 'string', o: 'string', f: 'string' },
  ...{ q: 'string', p: 'string', P: 'string', F: 'string', g: 'number', C: 'string', x: 'string' },
  ...{ X: 'string', r: 'string', i: 'number', l: 'string', z: 'string', L: 'string', n: 'string' },
  ...{ T: 'number', t: 'number', I: 'number', w: 'boolean', m: 'boolean', M: 'boolean' },
  ...{ O: 'number', Z: 'string', Y: 'string', Q: 'string', V: 'string' },
};
const CONDITIONAL_FIELDS = {
  W: 'number',
  D: 'number',
  d: 'number',
  A: 'string',
  B: 'string',
  eR: 'string',
};

/** Compares the names and types of a report's fields with the documents. */
function checkReport({ N, ...report }: Json): void {
  expect(N === null || typeof N === 'string').toBe(true);
  const types: Record<string, string> = Object.fromEntries(
    Object.entries(report).map(([name, value]) => [name, typeof value]),
  );
  for (const [name, type] of Object.entries(CONDITIONAL_FIELDS)) {
    if (name in types) expect(types[name]).toBe(type);
    delete types[name];
  }
  expect(types).toEqual(REPORT_FIELDS);
}

test('an order that trades with two others is reported as new, with each fill, and with the end of its rest', async () => {
  await sell('bob', { price: 50_000 });
  await sell('bob', { price: 50_001 });
  const stream = await dialect.userStream('alice');
  const terms = { price: 50_001, quantity: '0.03', timeInForce: 'IOC', newClientOrderId: 'mine' };
  const answer = await buy('alice', terms);
  const events = await stream.takeUntil(isPosition);
  const reports = events.slice(0, -1);
  for (const report of reports) checkReport(report);
  const { now } = dialect.exchange;
  const shared = {
    ...{ e: 'executionReport', E: now, s: 'BTCUSDT', c: 'mine', S: 'BUY', o: 'LIMIT', f: 'IOC' },
    ...{ q: '0.03000000', p: '50001.00000000', P: '0.00000000', F: '0.00000000', g: -1, C: '' },
    ...{ r: 'NONE', i: answer.orderId, T: now, M: false, O: now, Q: '0.00000000', m: false },
    ...{ V: 'EXPIRE_MAKER' },
  };
  const none = { l: '0.00000000', L: '0.00000000', Y: '0.00000000', n: '0', N: null, t: -1 };
  const zero = { z: '0.00000000', Z: '0.00000000' };
  const fee = { n: '0.00001000', N: 'BTC' };
  const first = { l: '0.01000000', L: '50000.00000000', Y: '500.00000000', t: 1, ...fee };
  const second = { l: '0.01000000', L: '50001.00000000', Y: '500.01000000', t: 2, ...fee };
  const rest = { z: '0.02000000', Z: '1000.01000000' };
  const working = { w: true, W: now };
  const ids = reports.map(({ I }) => I);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual(ids.toSorted());
  expect(reports.map(({ I: _, ...report }) => report)).toEqual([
    { ...shared, ...none, ...zero, ...working, x: 'NEW', X: 'NEW' },
    {
      ...{ ...shared, ...first, ...working, x: 'TRADE', X: 'PARTIALLY_FILLED' },
      ...{ z: '0.01000000', Z: '500.00000000' },
    },
    { ...shared, ...second, ...rest, ...working, x: 'TRADE', X: 'PARTIALLY_FILLED' },
    {
      ...{ ...shared, ...none, ...rest, w: false, x: 'EXPIRED', X: 'EXPIRED' },
      eR: 'UNFILLED_IOC_QUANTITY_EXPIRED',
    },
  ]);
  const { balances } = await dialect.send('alice', 'GET', '/api/v3/account', {});
  const named = (assets: string[]) =>
    assets.map((a) => {
      const { free: f, locked: l } = balances.find(({ asset }: Json) => asset === a);
      return { a, f, l };
    });
  expect(events.at(-1)).toEqual({
    e: 'outboundAccountPosition',
    E: now,
    u: now,
    B: named(['BTC', 'USDT']),
  });
});

test('orders without a limit price are GTC in every answer and report', async () => {
  await sell('bob', { price: 50_000, quantity: '0.02' });
  const stream = await dialect.userStream('alice');
  const symbol = 'BTCUSDT';
  const market = { symbol, side: 'BUY', type: 'MARKET', newOrderRespType: 'RESULT' };
  const stop = { ...market, side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', stopPrice: 40_000 };
  const { orderId } = await place('alice', stop);
  const answers = [
    await place('alice', { ...market, quantity: '0.01' }),
    await place('alice', { ...market, quoteOrderQty: 500 }),
    await dialect.send('alice', 'GET', ORDER, { symbol, orderId }),
    ...(await dialect.send('alice', 'GET', '/api/v3/allOrders', { symbol })),
    await dialect.send('alice', 'DELETE', ORDER, { symbol, orderId }),
  ];
  expect(answers.map(({ timeInForce }) => timeInForce)).toEqual(answers.map(() => 'GTC'));
  const events = await stream.takeUntil(({ x }) => x === 'CANCELED');
  const reports = events.filter(({ e }) => e === 'executionReport');
  expect(reports.map(({ o, x, f }) => `${o} ${x} ${f}`)).toEqual([
    ...['STOP_LOSS NEW GTC', 'MARKET NEW GTC', 'MARKET TRADE GTC', 'MARKET NEW GTC'],
    ...['MARKET TRADE GTC', 'STOP_LOSS CANCELED GTC'],
  ]);
});

test('the fills in an answer in full are those of the trades, also if the request is repeated', async () => {
  await sell('bob', { price: 50_000 });
  const terms = { price: 50_000, quantity: '0.02', newClientOrderId: 'twice' };
  const answers = [await buy('alice', terms), await buy('alice', terms)];
  const fee = { commission: '0.00001000', commissionAsset: 'BTC', tradeId: 1 };
  for (const { status, fills } of answers) {
    expect(status).toBe('PARTIALLY_FILLED');
    expect(fills).toEqual([{ price: '50000.00000000', qty: '0.01000000', ...fee }]);
  }
});

test('the maker gets each fill with its totals', async () => {
  const stream = await dialect.userStream('bob');
  await sell('bob', { price: 50_000, quantity: '0.03', newClientOrderId: 'maker' });
  expect(await nextReports(stream)).toEqual(['NEW NEW 0 0']);
  await buy('alice', { price: 50_000 });
  const [report] = await stream.takeUntil(isPosition);
  checkReport(report);
  expect(report).toMatchObject({ c: 'maker', x: 'TRADE', m: true, n: '0.40000000', N: 'USDT' });
  await buy('alice', { price: 50_000, quantity: '0.02' });
  expect(await nextReports(stream)).toEqual(['TRADE FILLED 0.02 0.03']);
});

test('cancellations, amendments and self-trade prevention have types of their own', async () => {
  const stream = await dialect.userStream('alice');
  await buy('alice', { price: 40_000, quantity: '0.02', newClientOrderId: 'first' });
  const amend = { symbol: 'BTCUSDT', origClientOrderId: 'first', newQty: '0.01' };
  await dialect.send('alice', 'PUT', '/api/v3/order/amend/keepPriority', amend);
  await dialect.send('alice', 'DELETE', ORDER, { symbol: 'BTCUSDT', origClientOrderId: 'first' });
  const events = [];
  for (let command = 0; command < 3; command++) {
    events.push(...(await stream.takeUntil(isPosition)).filter((event) => !isPosition(event)));
  }
  for (const event of events) checkReport(event);
  expect(events.map(({ c, C, x, X, q, w }) => ({ c, C, x, X, q: Number(q), w }))).toEqual([
    { c: 'first', C: '', x: 'NEW', X: 'NEW', q: 0.02, w: true },
    { c: 'first', C: 'first', x: 'REPLACED', X: 'NEW', q: 0.01, w: true },
    { c: 'first', C: 'first', x: 'CANCELED', X: 'CANCELED', q: 0.01, w: false },
  ]);
  await sell('alice', { price: 41_000 });
  await nextReports(stream);
  await buy('alice', { price: 41_000, selfTradePreventionMode: 'EXPIRE_TAKER' });
  const [fresh, prevented] = await stream.takeUntil(({ x }) => x === 'TRADE_PREVENTION');
  checkReport(prevented);
  expect(fresh).toMatchObject({ x: 'NEW', X: 'NEW', i: prevented.i });
  expect(prevented).toMatchObject({ X: 'EXPIRED_IN_MATCH', A: '0.01000000', B: '0.01000000' });
  const query = { symbol: 'BTCUSDT', orderId: prevented.i };
  expect((await dialect.send('alice', 'GET', ORDER, query)).status).toBe('EXPIRED_IN_MATCH');
});

test('the quantity that self-trade prevention expires is in reports and answers', async () => {
  const symbol = 'BTCUSDT';
  const modes = {
    EXPIRE_MAKER: ['0.02000000', undefined],
    EXPIRE_TAKER: [undefined, '0.01000000'],
    EXPIRE_BOTH: ['0.02000000', '0.01000000'],
    DECREMENT: [undefined, undefined],
  };
  const stream = await dialect.userStream('alice');
  for (const [mode, [maker, taker]] of Object.entries(modes)) {
    const price = 40_000;
    const own = { price, quantity: '0.02', newClientOrderId: `maker-${mode}` };
    const { orderId } = await sell('alice', own);
    const terms = { selfTradePreventionMode: mode, timeInForce: 'IOC', newOrderRespType: 'RESULT' };
    const placed = await buy('alice', { price, ...terms });
    const found = await dialect.send('alice', 'GET', ORDER, { symbol, orderId });
    expect([mode, found.preventedQuantity, placed.preventedQuantity]).toEqual([mode, maker, taker]);
    if (found.status === 'NEW') await dialect.send('alice', 'DELETE', ORDER, { symbol, orderId });
    await buy('alice', { price: 100, newClientOrderId: mode });
    const events = await stream.takeUntil(({ c }) => c === mode);
    expect(events.flatMap(({ A, B }) => (A === undefined ? [] : [[mode, A, B]]))).toEqual(
      [maker, taker].flatMap((each) => (each === undefined ? [] : [[mode, each, each]])),
    );
  }
});

test('a stop is reported when it is placed, when it is triggered and with its trades', async () => {
  await sell('bob', { price: 50_000 });
  await buy('bob', { price: 49_000, quantity: '0.02' });
  await buy('alice', { price: 50_000 });
  const stream = await dialect.userStream('alice');
  const stop = { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' };
  const prices = { quantity: '0.01', price: 49_000, stopPrice: 49_500 };
  const { orderId } = await place('alice', { ...stop, ...prices });
  const [placed] = await stream.takeUntil(isPosition);
  checkReport(placed);
  expect(placed).toMatchObject({ x: 'NEW', X: 'NEW', w: false, P: '49500.00000000', i: orderId });
  expect(placed.W).toBeUndefined();
  const query = () => dialect.send('alice', 'GET', ORDER, { symbol: 'BTCUSDT', orderId });
  expect(await query()).toMatchObject({ isWorking: false, workingTime: -1, status: 'NEW' });
  await sell('bob', { price: 49_000, quantity: '0.01', selfTradePreventionMode: 'EXPIRE_TAKER' });
  await place('alice', { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.01' });
  const events = await stream.takeUntil(({ i, X }) => i === orderId && X === 'FILLED');
  const own = events.filter(({ i }) => i === orderId);
  expect(own.map(({ x, X, w }) => `${x} ${X} ${w}`)).toEqual([
    'NEW NEW true',
    'TRADE FILLED false',
  ]);
  expect(await query()).toMatchObject({ isWorking: true, status: 'FILLED' });
});

test('a transfer is reported with its change, before the balance after it', async () => {
  const stream = await dialect.userStream('alice');
  const body = { account: 'alice', asset: 'BTC', amount: 1.5, reference: 'd-1', reason: 'deposit' };
  const path = '/api/admin/transfers';
  await dialect.exchange.send('operator', 'POST', path, JSON.stringify(body));
  const [change, position] = await stream.takeUntil(isPosition);
  const { now } = dialect.exchange;
  expect(change).toEqual({ e: 'balanceUpdate', E: now, a: 'BTC', d: '1.50000000', T: now });
  expect(position.B).toHaveLength(1);
  expect(position.B[0].a).toBe('BTC');
});

const STREAM = '/api/v3/userDataStream';
const MINUTE_MS = 60_000;

test('a listen key stays the same while it is valid, which is 60 minutes from its last extension', async () => {
  const create = async () => (await dialect.fetch('alice', 'POST', STREAM)).body.listenKey;
  const listenKey = await create();
  expect(listenKey).toMatch(/^[0-9a-f]{60}$/);
  dialect.exchange.now += 59 * MINUTE_MS;
  expect(await create()).toBe(listenKey);
  dialect.exchange.now += 59 * MINUTE_MS;
  const extend = () => dialect.fetch('alice', 'PUT', `${STREAM}?listenKey=${listenKey}`);
  expect(await extend()).toEqual({ status: 200, body: {} });
  const stream = await dialect.connect(`/stream?streams=${listenKey}`);
  dialect.exchange.now += 60 * MINUTE_MS;
  const { now: E } = dialect.exchange;
  const data = { e: 'listenKeyExpired', E, listenKey };
  expect(await stream.take()).toEqual({ stream: listenKey, data });
  expect((await stream.closed).code).toBe(4001);
  const unknown = { code: -1125, msg: 'This listenKey does not exist.' };
  expect(await extend()).toEqual({ status: 400, body: unknown });
  expect(await create()).not.toBe(listenKey);
});

test('a listen key that is deleted, forged, or of another key is rejected', async () => {
  const { body } = await dialect.fetch('alice', 'POST', STREAM);
  const { listenKey } = body;
  const code = async (name: string, key: string) =>
    (await dialect.fetch(name, 'PUT', `${STREAM}?listenKey=${key}`)).body.code;
  expect(await code('bob', listenKey)).toBe(-1125);
  const forged = (listenKey.startsWith('0') ? '1' : '0') + listenKey.slice(1);
  expect(await code('alice', forged)).toBe(-1125);
  expect(await code('alice', 'short')).toBe(-1125);
  expect(await code('alice', '')).toBe(-1102);
  const stream = await dialect.connect(`/ws/${listenKey}`);
  await dialect.fetch('alice', 'DELETE', `${STREAM}?listenKey=${listenKey}`);
  expect((await stream.take()).e).toBe('listenKeyExpired');
  expect((await stream.closed).code).toBe(4001);
  expect(await code('alice', listenKey)).toBe(-1125);
  const refused = await dialect.connect(`/ws/${listenKey}`);
  expect(await refused.closed).toMatchObject({ code: 1008 });
});

test('a listen key needs a key that may read, from an address that it may be used from', async () => {
  await dialect.addKey('far', 'alice', { addresses: ['192.0.2.1'] });
  expect((await dialect.fetch('far', 'POST', STREAM)).body.code).toBe(-2015);
  await dialect.addKey('trader', 'alice', { permissions: ['trade'] });
  expect((await dialect.fetch('trader', 'POST', STREAM)).body.code).toBe(-2015);
});

test('a revoked key ends its streams', async () => {
  const stream = await dialect.userStream('alice');
  const api = await dialect.connect('/ws-api/v3');
  const subscribe = 'userDataStream.subscribe.signature';
  await api.call(subscribe, dialect.signed('alice'));
  const { apiKey } = dialect.keys.get('alice')!;
  await dialect.exchange.send('operator', 'DELETE', `/api/admin/accounts/alice/keys/${apiKey}`);
  expect((await stream.take()).e).toBe('listenKeyExpired');
  expect((await stream.closed).code).toBe(4001);
  const ended = await api.take();
  expect(ended).toMatchObject({ subscriptionId: 0, event: { e: 'eventStreamTerminated' } });
});

test('a key with other addresses ends its streams and sessions elsewhere', async () => {
  const stream = await dialect.userStream('alice');
  const api = await dialect.connect('/ws-api/v3');
  await api.call('session.logon', dialect.signed('alice'));
  await api.call('userDataStream.subscribe');
  const { apiKey } = dialect.keys.get('alice')!;
  const change = (addresses: readonly string[]) =>
    dialect.exchange.replica.execute({
      ...{ kind: CommandKind.changeKey, ...SYSTEM_ACTOR, apiKey, label: 'alice', addresses },
    });
  await change(['127.0.0.1']);
  expect((await api.call('session.status')).result.apiKey).toBe(apiKey);
  await change(['192.0.2.1']);
  expect((await stream.take()).e).toBe('listenKeyExpired');
  expect((await stream.closed).code).toBe(4001);
  expect((await api.take()).event.e).toBe('eventStreamTerminated');
  expect((await api.call('session.status')).result.apiKey).toBe(null);
  const terms = { timestamp: dialect.exchange.now };
  expect((await api.call('account.status', terms)).error.code).toBe(-2015);
});

test('subscriptions of the WebSocket API have ids, one for each account', async () => {
  const api = await dialect.connect('/ws-api/v3');
  const list = async () => (await api.call('session.subscriptions')).result;
  const hasStream = async () => (await api.call('session.status')).result.userDataStream;
  const [subscribe, signed] = ['userDataStream.subscribe', 'userDataStream.subscribe.signature'];
  expect(await hasStream()).toBe(false);
  expect((await api.call(subscribe)).error.code).toBe(-2015);
  await api.call('session.logon', dialect.signed('alice'));
  expect((await api.call(subscribe)).result).toEqual({ subscriptionId: 0 });
  expect((await api.call(subscribe)).error).toEqual({
    code: -2035,
    msg: 'User Data Stream subscription already active.',
  });
  expect((await api.call(signed, dialect.signed('bob'))).result).toEqual({ subscriptionId: 1 });
  expect(await list()).toEqual([{ subscriptionId: 0 }, { subscriptionId: 1 }]);
  expect(await hasStream()).toBe(true);
  await sell('bob', { price: 50_000 });
  await buy('alice', { price: 50_000 });
  const trades = [];
  for (const _ of ['maker', 'taker']) {
    trades.push(await api.take(({ event }) => event?.x === 'TRADE'));
  }
  for (const { event } of trades) checkReport(event);
  expect(trades.map(({ subscriptionId, event }) => [subscriptionId, event.m]).toSorted()).toEqual([
    [0, false],
    [1, true],
  ]);
  await api.call('session.logout');
  expect((await api.take(({ event }) => event?.e === 'eventStreamTerminated')).subscriptionId).toBe(
    0,
  );
  expect(await list()).toEqual([{ subscriptionId: 1 }]);
  const unsubscribe = (params: Values) => api.call('userDataStream.unsubscribe', params);
  expect((await unsubscribe({ subscriptionId: 0 })).error.code).toBe(-2036);
  expect((await unsubscribe({ subscriptionId: 1 })).result).toEqual({});
  expect(await list()).toEqual([]);
  expect((await api.call(signed, dialect.signed('bob'))).result).toEqual({ subscriptionId: 2 });
});

test('listen keys of the WebSocket API are those of the REST API', async () => {
  const api = await dialect.connect('/ws-api/v3');
  const { apiKey } = dialect.keys.get('alice')!;
  const { listenKey } = (await api.call('userDataStream.start', { apiKey })).result;
  expect((await dialect.fetch('alice', 'POST', STREAM)).body.listenKey).toBe(listenKey);
  expect((await api.call('userDataStream.ping', { apiKey, listenKey })).result).toEqual({});
  expect((await api.call('userDataStream.stop', { apiKey, listenKey })).result).toEqual({});
  expect((await api.call('userDataStream.ping', { apiKey, listenKey })).error.code).toBe(-1125);
});

test('the end of the server is announced', async () => {
  const raw = await dialect.userStream('alice');
  const { body } = await dialect.fetch('alice', 'POST', STREAM);
  const combined = await dialect.connect(`/stream?streams=${body.listenKey}`);
  const api = await dialect.connect('/ws-api/v3');
  await dialect.server.stop();
  const event = { e: 'serverShutdown', E: dialect.exchange.now };
  expect(await raw.take()).toEqual(event);
  expect(await combined.take()).toEqual({ stream: '!serverShutdown', data: event });
  expect(await api.take()).toEqual({ event });
  expect((await raw.closed).code).toBe(1001);
});

test('reports are in the order of the log, and none is missing', async () => {
  const stream = await dialect.userStream('alice');
  const { replica } = dialect.exchange;
  const answers = [];
  for (let n = 0; n < 20; n++) answers.push(buy('alice', { price: 40_000 + n, quantity: '0.001' }));
  await replica.execute({ kind: CommandKind.tick });
  const ids = (await Promise.all(answers)).map(({ orderId }) => orderId);
  const seen: number[] = [];
  while (seen.length < ids.length) {
    const { e, i } = await stream.take();
    if (e === 'executionReport') seen.push(i);
  }
  expect(seen).toEqual(ids.toSorted((a, b) => a - b));
});
