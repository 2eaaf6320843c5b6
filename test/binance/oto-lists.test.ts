import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** Order lists of the Binance dialect whose working order triggers one order, or an OCO order. */

let dialect: BinanceVenue;
beforeEach(async () => {
  dialect = await BinanceVenue.open();
  await limit('bob', 'SELL', 50_000);
  await limit('alice', 'BUY', 50_000);
});
afterEach(() => dialect.close());

const ORDER = '/api/v3/order';
const LIST = '/api/v3/orderList';

const limit = (name: string, side: string, price: number, quantity = 0.01) =>
  dialect.send(name, 'POST', ORDER, {
    ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', quantity, price },
  });

const get = (path: string, values: Values = {}) => dialect.send('alice', 'GET', path, values);
const error = async (method: string, path: string, values: Values) =>
  (await dialect.request('alice', method, path, values)).body;

const OTO = {
  ...{ symbol: 'BTCUSDT', listClientOrderId: 'chain', workingType: 'LIMIT', workingSide: 'BUY' },
  ...{ workingPrice: 45_000, workingQuantity: '0.01', workingTimeInForce: 'GTC' },
  ...{ workingClientOrderId: 'working', pendingClientOrderId: 'pending' },
  ...{ pendingType: 'MARKET', pendingSide: 'SELL', pendingQuantity: '0.005' },
} as const;
const { pendingType, pendingClientOrderId, ...WORKING } = OTO;
const OTOCO = {
  ...WORKING,
  ...{
    pendingAboveType: 'LIMIT_MAKER',
    pendingAbovePrice: 60_000,
    pendingAboveClientOrderId: 'up',
  },
  ...{ pendingBelowType: 'STOP_LOSS_LIMIT', pendingBelowStopPrice: 40_000 },
  ...{ pendingBelowPrice: 39_900, pendingBelowTimeInForce: 'GTC' },
} as const;
const placeList = (path: string, values: Values) =>
  dialect.send('alice', 'POST', `${LIST}/${path}`, values);
const order = (orderId: number) => get(ORDER, { symbol: 'BTCUSDT', orderId });
const state = ({ clientOrderId, orderListId, status }: Json) => [
  clientOrderId,
  orderListId,
  status,
];

test('an order that triggers another one answers as in the documents, and is found everywhere', async () => {
  const list = await placeList('oto', OTO);
  const { now } = dialect.exchange;
  const { orderListId: id } = list;
  const pending = {
    ...{ symbol: 'BTCUSDT', orderId: id + 1, orderListId: id, clientOrderId: 'pending' },
    ...{ transactTime: now, price: '0.00000000', origQty: '0.00500000' },
    ...{ executedQty: '0.00000000', origQuoteOrderQty: '0.00000000' },
    ...{ cummulativeQuoteQty: '0.00000000', status: 'PENDING_NEW', type: 'MARKET', side: 'SELL' },
    ...{ workingTime: -1, selfTradePreventionMode: 'EXPIRE_MAKER' },
  };
  expect(list).toMatchObject({
    ...{ contingencyType: 'OTO', listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' },
    ...{ listClientOrderId: 'chain', transactionTime: now, symbol: 'BTCUSDT' },
    orders: [
      { symbol: 'BTCUSDT', orderId: id, clientOrderId: 'working' },
      { symbol: 'BTCUSDT', orderId: id + 1, clientOrderId: 'pending' },
    ],
    orderReports: [
      { orderId: id, status: 'NEW', type: 'LIMIT', side: 'BUY', workingTime: now },
      pending,
    ],
  });
  const { orderReports, ...query } = list;
  expect(await get(LIST, { orderListId: id })).toEqual(query);
  expect(await get(LIST, { origClientOrderId: 'chain' })).toEqual(query);
  expect(await get('/api/v3/openOrderList')).toEqual([query]);
  expect(await get('/api/v3/allOrderList')).toEqual([query]);
  const states = [
    ['working', id, 'NEW'],
    ['pending', id, 'PENDING_NEW'],
  ];
  expect((await get('/api/v3/openOrders')).map(state)).toEqual(states);
  const all = (values: Values) => get('/api/v3/allOrders', { symbol: 'BTCUSDT', ...values });
  expect((await all({})).slice(-2).map(state)).toEqual(states);
  expect((await all({ orderId: id + 1 })).map(state)).toEqual(states.slice(1));
  expect(await all({ orderId: id + 2 })).toEqual([]);
  expect((await all({ limit: 1 })).map(state)).toEqual(states.slice(1));
  expect((await all({ orderId: id, limit: 1 })).map(state)).toEqual(states.slice(0, 1));
  expect(await order(id + 1)).toMatchObject({ status: 'PENDING_NEW', isWorking: false });
  const byName = await get(ORDER, { symbol: 'BTCUSDT', origClientOrderId: 'pending' });
  expect(byName).toEqual(await order(id + 1));
  expect((await placeList('oto', OTO)).orderListId).toBe(id);
  const another = await error('POST', `${LIST}/oto`, { ...OTO, pendingQuantity: '0.004' });
  expect(another).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
});

test('a pending order starts when the working order is filled completely, and is reported', async () => {
  const stream = await dialect.userStream('alice');
  const { orderListId: g } = await placeList('oto', OTO);
  const placed = await stream.takeUntil(({ e }) => e === 'listStatus');
  expect(placed).toMatchObject([
    { x: 'NEW', X: 'NEW', c: 'working', g, w: true },
    { x: 'NEW', X: 'PENDING_NEW', c: 'pending', g, w: false, o: 'MARKET', q: '0.00500000' },
    { c: 'OTO', l: 'EXEC_STARTED', L: 'EXECUTING', C: 'chain', g },
  ]);
  await limit('bob', 'SELL', 45_000, 0.004);
  expect(state(await order(g + 1))).toEqual(['pending', g, 'PENDING_NEW']);
  await limit('bob', 'BUY', 44_000);
  await limit('bob', 'SELL', 45_000, 0.006);
  const events = await stream.takeUntil(({ e }) => e === 'listStatus');
  const reports = events.filter(({ e }) => e === 'executionReport');
  expect(reports.map(({ c, x, X }) => [c, x, X])).toEqual([
    ['working', 'TRADE', 'PARTIALLY_FILLED'],
    ['working', 'TRADE', 'FILLED'],
    ['pending', 'NEW', 'NEW'],
    ['pending', 'TRADE', 'FILLED'],
  ]);
  expect(events.at(-1)).toMatchObject({ l: 'ALL_DONE', L: 'ALL_DONE', C: 'chain', g });
  expect(state(await order(g + 1))).toEqual(['pending', g, 'FILLED']);
  expect(await get(LIST, { orderListId: g })).toMatchObject({ listOrderStatus: 'ALL_DONE' });
  const trades = await get('/api/v3/myTrades', { symbol: 'BTCUSDT' });
  expect(trades.map(({ orderListId, orderId }: Json) => [orderListId, orderId - g])).toEqual([
    [-1, expect.any(Number)],
    [g, 0],
    [g, 0],
    [g, 1],
  ]);
});

test('a working order that is filled at once shows its pending order as such', async () => {
  await limit('bob', 'SELL', 45_000);
  const types = { pendingType: 'LIMIT', pendingPrice: 47_000, pendingTimeInForce: 'GTC' };
  const { orderReports, orderListId: id } = await placeList('oto', { ...OTO, ...types });
  const statuses = orderReports.map(({ status }: Json) => status);
  expect(statuses).toEqual(['FILLED', 'PENDING_NEW']);
  expect(await order(id + 1)).toMatchObject({ status: 'NEW', type: 'LIMIT', isWorking: true });
});

test.each([
  ['LIMIT_MAKER', { pendingPrice: 46_000 }],
  ['STOP_LOSS', { pendingStopPrice: 40_000 }],
  ['STOP_LOSS', { pendingTrailingDelta: 100 }],
  ['TAKE_PROFIT', { pendingStopPrice: 46_000 }],
  ['TAKE_PROFIT_LIMIT', { pendingStopPrice: 46_000, pendingPrice: 46_100 }],
] as const)('a pending %s order with %j', async (type, values) => {
  const list = await placeList('oto', { ...OTO, pendingType: type, ...values });
  const { status, ...report } = list.orderReports[1];
  expect([status, report.type]).toEqual(['PENDING_NEW', type]);
  await limit('bob', 'SELL', 45_000);
  const started = await order(list.orderListId + 1);
  expect(started).toMatchObject({ type, status: 'NEW', side: 'SELL', origQty: '0.00500000' });
});

test('an order that triggers an OCO order is a list of three', async () => {
  const stream = await dialect.userStream('alice');
  const { orderListId: g, orderReports } = await placeList('otoco', OTOCO);
  expect(orderReports.map(({ type, status }: Json) => [type, status])).toEqual([
    ['LIMIT', 'NEW'],
    ['LIMIT_MAKER', 'PENDING_NEW'],
    ['STOP_LOSS_LIMIT', 'PENDING_NEW'],
  ]);
  await limit('bob', 'SELL', 45_000);
  expect((await get('/api/v3/openOrders')).map(state)).toEqual([
    ['up', g, 'NEW'],
    [String(g + 2), g, 'NEW'],
  ]);
  expect(await get(LIST, { orderListId: g })).toMatchObject({ listOrderStatus: 'EXECUTING' });
  await limit('bob', 'BUY', 60_000, 0.005);
  const events = await stream.takeUntil(({ l }) => l === 'ALL_DONE');
  const reports = events.filter(({ e, c }) => e === 'executionReport' && c !== 'working');
  expect(reports.map(({ i, x, X, eR }) => [i - g, x, X, eR])).toEqual([
    [1, 'NEW', 'PENDING_NEW', undefined],
    [2, 'NEW', 'PENDING_NEW', undefined],
    [1, 'NEW', 'NEW', undefined],
    [2, 'NEW', 'NEW', undefined],
    [2, 'EXPIRED', 'EXPIRED', 'OCO_TRIGGER'],
    [1, 'TRADE', 'FILLED', undefined],
  ]);
});

test.each([
  ['the list', (id: number) => [LIST, { symbol: 'BTCUSDT', orderListId: id }] as const],
  ['the working order', (id: number) => [ORDER, { symbol: 'BTCUSDT', orderId: id }] as const],
  ['a pending order', (id: number) => [ORDER, { symbol: 'BTCUSDT', orderId: id + 2 }] as const],
  ['all orders', () => ['/api/v3/openOrders', { symbol: 'BTCUSDT' }] as const],
])('a cancel of %s cancels the whole list, whatever is filled', async (_, request) => {
  const { orderListId: id } = await placeList('otoco', OTOCO);
  await limit('bob', 'SELL', 45_000, 0.004);
  const stream = await dialect.userStream('alice');
  const [path, values] = request(id);
  const answer = await dialect.send('alice', 'DELETE', path, values);
  const shown = path === ORDER ? answer : (answer[0] ?? answer).orderReports;
  expect([shown].flat().map(({ status }: Json) => status)).toEqual(
    path === ORDER ? ['CANCELED'] : ['CANCELED', 'CANCELED', 'CANCELED'],
  );
  const events = await stream.takeUntil(({ e }) => e === 'listStatus');
  const reports = events.filter(({ e }) => e === 'executionReport');
  expect(reports.map(({ i, x }) => [i - id, x])).toEqual([
    [0, 'CANCELED'],
    [1, 'CANCELED'],
    [2, 'CANCELED'],
  ]);
  expect(await get('/api/v3/openOrders')).toEqual([]);
  expect((await order(id + 2)).status).toBe('CANCELED');
  dialect.exchange.now++;
  expect((await error('DELETE', path, values)).code).toBe(-2011);
});

test('the working order can be amended and replaced, a pending one only replaced', async () => {
  const { orderListId: id } = await placeList('oto', OTO);
  const amend = (orderId: number) =>
    dialect.request('alice', 'PUT', `${ORDER}/amend/keepPriority`, {
      ...{ symbol: 'BTCUSDT', orderId, newQty: '0.004' },
    });
  expect((await amend(id + 1)).body.code).toBe(-2038);
  expect((await amend(id)).body.amendedOrder).toMatchObject({ orderListId: id, qty: '0.00400000' });
  const replaced = await dialect.send('alice', 'POST', `${ORDER}/cancelReplace`, {
    ...{ symbol: 'BTCUSDT', cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: id + 1 },
    ...{ side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: 44_000 },
  });
  expect(replaced.cancelResponse).toMatchObject({ orderId: id + 1, status: 'CANCELED' });
  expect((await order(id)).status).toBe('CANCELED');
});

test('a working order that expires ends the list', async () => {
  const stream = await dialect.userStream('alice');
  const { orderListId: g } = await placeList('oto', { ...OTO, workingTimeInForce: 'IOC' });
  const events = await stream.takeUntil(({ l }) => l === 'ALL_DONE');
  const last = events.filter(({ e }) => e === 'executionReport').at(-1);
  expect(last).toMatchObject({ i: g + 1, x: 'EXPIRED', eR: 'OTO_PHASE_ONE_EXPIRED' });
});

test('a pending order without funds is rejected when it starts', async () => {
  const stream = await dialect.userStream('alice');
  const values = { pendingSide: 'BUY', pendingType: 'LIMIT', pendingPrice: 40_000 };
  const most = { pendingQuantity: '100', pendingTimeInForce: 'GTC' };
  const { orderListId: g } = await placeList('oto', { ...OTO, ...values, ...most });
  await limit('bob', 'SELL', 45_000);
  const events = await stream.takeUntil(({ l }) => l === 'ALL_DONE');
  const last = events.filter(({ e }) => e === 'executionReport').at(-1);
  const rejected = { x: 'EXPIRED', eR: 'REJECTED', r: 'INSUFFICIENT_BALANCES' };
  expect(last).toMatchObject({ i: g + 1, ...rejected });
});

test('an OCO order of the native API is a list', async () => {
  const body = { symbol: 'BTC/USDT', side: 'sell', amount: 0.01, clientOrderId: 'pair' };
  const legs = { takeProfit: { price: 60_000 }, stopLoss: { triggerPrice: 40_000 } };
  await dialect.exchange.send(
    'alice',
    'POST',
    '/api/orders/oco',
    JSON.stringify({ ...body, ...legs }),
  );
  const list = await get(LIST, { origClientOrderId: 'pair' });
  const id = list.orderListId;
  expect([list.contingencyType, list.orders.length]).toEqual(['OCO', 2]);
  expect((await get('/api/v3/openOrders')).map(state)).toEqual([
    ['pair', id, 'NEW'],
    [String(id + 1), id, 'NEW'],
  ]);
});

test('a bracket order of the native API is a list', async () => {
  const { data } = await dialect.exchange.place('alice', {
    ...{ symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 },
    ...{ clientOrderId: 'native', attached: { stopLoss: { triggerPrice: 40_000 } } },
  });
  const id = Number(data.orderId);
  const list = await get(LIST, { origClientOrderId: 'native' });
  expect(list).toMatchObject({ orderListId: id, contingencyType: 'OTO' });
  expect((await get('/api/v3/openOrders')).map(state)).toEqual([
    ['native', id, 'NEW'],
    [String(id + 1), id, 'PENDING_NEW'],
  ]);
  await limit('bob', 'SELL', 45_000);
  expect(state(await order(id + 1))).toEqual([String(id + 1), id, 'NEW']);
});

test('the WebSocket API places orders that trigger others', async () => {
  const api = await dialect.connect('/ws-api/v3');
  await api.call('session.logon', dialect.signed('alice'));
  const timestamp = dialect.exchange.now;
  for (const [operation, values, count] of [
    ['orderList.place.oto', OTO, 2],
    ['orderList.place.otoco', { ...OTOCO, listClientOrderId: 'three' }, 3],
  ] as const) {
    const { result } = await api.call(operation, { ...values, timestamp });
    expect(result.orderReports).toHaveLength(count);
  }
  expect((await api.call('openOrderLists.status', { timestamp })).result).toHaveLength(2);
});

test.each([
  ['oto', {}, -1102],
  ['oto', { ...OTO, workingType: 'MARKET' }, -1014],
  ['oto', { ...OTO, workingTimeInForce: 'GTD' }, -1115],
  ['oto', { ...OTO, workingPrice: 0.001 }, -1013],
  [
    'oto',
    { ...OTO, pendingType: 'LIMIT_MAKER', pendingPrice: 46_000, pendingQuantity: '0.0000001' },
    -1013,
  ],
  ['oto', { ...OTO, pendingPrice: 1 }, -1106],
  ['oto', { ...OTO, pendingType: 'LIMIT', pendingPrice: 52_000 }, -1102],
  ['oto', { ...OTO, pendingType: 'LIMIT', pendingTimeInForce: 'GTC' }, -1102],
  ['oto', { ...OTO, pendingStopPrice: 1 }, -1106],
  ['oto', { ...OTO, pendingIcebergQty: '0.001' }, -1014],
  ['oto', { ...OTO, pendingSide: 'HOLD' }, -1117],
  ['oto', { ...OTO, unknown: 1 }, -1104],
  ['otoco', {}, -1102],
  ['otoco', { ...OTOCO, pendingBelowTimeInForce: 'IOC' }, -1014],
  ['otoco', { ...OTOCO, pendingAbovePrice: 40_000 }, -2010],
] as const)('rejected: %s %j', async (path, values, code) => {
  expect((await error('POST', `${LIST}/${path}`, values)).code).toBe(code);
});
