import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** Order lists of the Binance dialect that are OCO orders of the exchange. */

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

const OCO = {
  ...{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', listClientOrderId: 'both' },
  ...{ aboveType: 'LIMIT_MAKER', abovePrice: 60_000, aboveClientOrderId: 'above' },
  ...{ belowType: 'STOP_LOSS_LIMIT', belowStopPrice: 45_000, belowPrice: 44_900 },
  ...{ belowTimeInForce: 'GTC', belowClientOrderId: 'below' },
} as const;

const placeOco = (values: Values = {}) =>
  dialect.send('alice', 'POST', `${LIST}/oco`, { ...OCO, ...values });
const get = (path: string, values: Values = {}) => dialect.send('alice', 'GET', path, values);
const error = async (method: string, path: string, values: Values) =>
  (await dialect.request('alice', method, path, values)).body;

test('an OCO order is a list of two orders, and answers as in the documents', async () => {
  const list = await placeOco();
  const { now } = dialect.exchange;
  const [first, second] = list.orders.map(({ orderId }: Json) => orderId);
  const orders = [
    { symbol: 'BTCUSDT', orderId: first, clientOrderId: 'above' },
    { symbol: 'BTCUSDT', orderId: second, clientOrderId: 'below' },
  ];
  const shared = {
    ...{ symbol: 'BTCUSDT', orderListId: first, transactTime: now, origQty: '0.01000000' },
    ...{ executedQty: '0.00000000', origQuoteOrderQty: '0.00000000', status: 'NEW', side: 'SELL' },
    ...{ cummulativeQuoteQty: '0.00000000', timeInForce: 'GTC' },
    selfTradePreventionMode: 'EXPIRE_MAKER',
  };
  const head = {
    ...{ orderListId: first, contingencyType: 'OCO', listClientOrderId: 'both', orders },
    ...{ transactionTime: now, symbol: 'BTCUSDT' },
  };
  const executing = { listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' };
  const limitMaker = { type: 'LIMIT_MAKER', price: '60000.00000000', workingTime: now };
  const stopLoss = { type: 'STOP_LOSS_LIMIT', price: '44900.00000000', workingTime: -1 };
  expect(list).toEqual({
    ...{ ...head, ...executing },
    orderReports: [
      { ...shared, orderId: first, clientOrderId: 'above', ...limitMaker },
      {
        ...shared,
        orderId: second,
        clientOrderId: 'below',
        ...stopLoss,
        stopPrice: '45000.00000000',
      },
    ],
  });
  const query = { ...head, ...executing };
  expect(await get(LIST, { orderListId: first })).toEqual(query);
  expect(await get(LIST, { origClientOrderId: 'both' })).toEqual(query);
  expect(await get('/api/v3/openOrderList')).toEqual([query]);
  expect(await get('/api/v3/allOrderList')).toEqual([query]);
  const names = ({ orderListId, clientOrderId }: Json) => [orderListId, clientOrderId];
  const named = [
    [first, 'above'],
    [first, 'below'],
  ];
  expect((await get('/api/v3/openOrders')).map(names)).toEqual(named);
  const all = await get('/api/v3/allOrders', { symbol: 'BTCUSDT' });
  expect(all.slice(1).map(names)).toEqual(named);
  for (const name of ['above', 'below']) {
    const order = await get(ORDER, { symbol: 'BTCUSDT', origClientOrderId: name });
    expect(names(order)).toEqual([first, name]);
  }
});

test('a list is canceled as a whole', async () => {
  const { orderListId } = await placeOco();
  const stream = await dialect.userStream('alice');
  const request = { symbol: 'BTCUSDT', listClientOrderId: 'both', newClientOrderId: 'cancel' };
  const canceled = await dialect.send('alice', 'DELETE', LIST, request);
  expect(canceled).toMatchObject({
    ...{ orderListId, listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' },
    orderReports: [
      { origClientOrderId: 'above', clientOrderId: 'cancel', status: 'CANCELED', orderListId },
      { origClientOrderId: 'below', clientOrderId: 'cancel', status: 'CANCELED', orderListId },
    ],
  });
  const events = await stream.takeUntil(({ e }) => e === 'outboundAccountPosition');
  expect(
    events
      .map(({ e, x, g, c }) => [e, x, g, c])
      .slice(0, 2)
      .toSorted(),
  ).toEqual([
    ['executionReport', 'CANCELED', orderListId, 'above'],
    ['executionReport', 'CANCELED', orderListId, 'below'],
  ]);
  expect(events[2]).toMatchObject({ e: 'listStatus', l: 'ALL_DONE', L: 'ALL_DONE', C: 'both' });
  expect(await get('/api/v3/openOrderList')).toEqual([]);
  const [list] = await get('/api/v3/allOrderList', { fromId: orderListId });
  expect(list).toMatchObject({
    orderListId,
    listOrderStatus: 'ALL_DONE',
    listClientOrderId: 'both',
  });
  expect((await error('DELETE', LIST, request)).code).toBe(-2011);
});

test('the events of a list have its id, and its status when it begins and ends', async () => {
  const stream = await dialect.userStream('alice');
  const { orderListId: g } = await placeOco();
  const [first, second, begun] = await stream.takeUntil(({ e }) => e === 'listStatus');
  expect([first, second]).toMatchObject([
    { x: 'NEW', c: 'above', g, w: true },
    { x: 'NEW', c: 'below', g, w: false },
  ]);
  const { now } = dialect.exchange;
  expect(begun).toEqual({
    ...{ e: 'listStatus', E: now, s: 'BTCUSDT', g, c: 'OCO', l: 'EXEC_STARTED', L: 'EXECUTING' },
    ...{ r: 'NONE', C: 'both', T: now },
    O: [
      { s: 'BTCUSDT', i: g, c: 'above' },
      { s: 'BTCUSDT', i: g + 1, c: 'below' },
    ],
  });
  await limit('bob', 'BUY', 60_000);
  const events = await stream.takeUntil(({ e }) => e === 'listStatus');
  const reports = events.filter(({ e }) => e === 'executionReport');
  expect(reports).toMatchObject([
    { c: 'below', g, x: 'EXPIRED', X: 'EXPIRED', eR: 'OCO_TRIGGER' },
    { c: 'above', g, x: 'TRADE', X: 'FILLED' },
  ]);
  expect(events.at(-1)).toMatchObject({ g, l: 'ALL_DONE', L: 'ALL_DONE' });
});

test('a stop whose list is known from history only keeps its names', async () => {
  const { orderListId: g } = await placeOco();
  await limit('bob', 'BUY', 44_950, 0.005);
  await limit('alice', 'SELL', 44_950, 0.005);
  const [open] = await get('/api/v3/openOrders');
  expect(open).toMatchObject({ clientOrderId: 'below', orderListId: g, isWorking: true });
  const stream = await dialect.userStream('alice');
  await Bun.sleep(20);
  await limit('bob', 'BUY', 44_900);
  const events = await stream.takeUntil(({ e }) => e === 'listStatus');
  expect(events[0]).toMatchObject({ c: 'below', g, x: 'TRADE', X: 'FILLED', i: g + 1 });
});

test('all open orders are canceled, those of a list together', async () => {
  const { orderListId } = await placeOco();
  const single = await limit('alice', 'BUY', 40_000);
  const canceled = await dialect.send('alice', 'DELETE', '/api/v3/openOrders', {
    symbol: 'BTCUSDT',
  });
  expect(canceled).toHaveLength(2);
  const find = (id: number) => canceled.find((each: Json) => each.orderListId === id);
  expect(find(-1)).toMatchObject({ orderId: single.orderId, status: 'CANCELED' });
  const reports = [{ origClientOrderId: 'above' }, { origClientOrderId: 'below' }];
  expect(find(orderListId)).toMatchObject({ listStatusType: 'ALL_DONE', orderReports: reports });
});

test('a repeated request is the same list, another one under its name is rejected', async () => {
  const { orderListId } = await placeOco();
  expect((await placeOco()).orderListId).toBe(orderListId);
  const other = await error('POST', `${LIST}/oco`, { ...OCO, aboveClientOrderId: 'other' });
  expect(other).toEqual({ code: -2010, msg: 'Duplicate order sent.' });
});

test('the order of the stop is above for a buy, and the older request has other names', async () => {
  const buy = {
    ...{ symbol: 'BTCUSDT', side: 'BUY', quantity: '0.01' },
    ...{ aboveType: 'STOP_LOSS', aboveStopPrice: 60_000 },
    ...{ belowType: 'TAKE_PROFIT', belowStopPrice: 45_000 },
  };
  const list = await dialect.send('alice', 'POST', `${LIST}/oco`, buy);
  const types = ({ orderReports }: Json) => orderReports.map(({ type }: Json) => type);
  expect(types(list)).toEqual(['TAKE_PROFIT', 'STOP_LOSS']);
  const older = await dialect.send('alice', 'POST', '/api/v3/order/oco', {
    ...{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', price: 60_000, stopPrice: 45_000 },
    ...{ stopLimitPrice: 44_900, stopLimitTimeInForce: 'GTC', stopClientOrderId: 'stop' },
  });
  expect(types(older)).toEqual(['LIMIT_MAKER', 'STOP_LOSS_LIMIT']);
  expect(older.orders.map(({ clientOrderId }: Json) => clientOrderId)).toEqual([
    String(older.orderListId),
    'stop',
  ]);
  expect(await get('/api/v3/openOrderList')).toHaveLength(2);
});

test('the WebSocket API has the same lists', async () => {
  const api = await dialect.connect('/ws-api/v3');
  await api.call('session.logon', dialect.signed('alice'));
  const timestamp = dialect.exchange.now;
  const call = async (method: string, values: Values = {}) =>
    (await api.call(method, { ...values, timestamp })).result;
  const result = await call('orderList.place.oco', OCO);
  const { orderListId } = result;
  expect(orderListId).toBe(result.orders[0].orderId);
  const status = await call('orderList.status', { orderListId });
  expect(await call('openOrderLists.status')).toEqual([status]);
  expect(await call('allOrderLists')).toEqual([status]);
  const cancel = { symbol: 'BTCUSDT', orderListId };
  expect((await call('orderList.cancel', cancel)).listStatusType).toBe('ALL_DONE');
});

test.each([
  ['oco', { ...OCO, belowType: 'LIMIT_MAKER' }, -1014],
  ['oco', { ...OCO, belowTimeInForce: 'IOC' }, -1014],
  ['oco', { ...OCO, aboveStopPrice: 61_000 }, -1106],
  ['oco', { ...OCO, side: 'HOLD' }, -1117],
  ['oco', { ...OCO, quantity: '0.0000001' }, -1013],
  ['oco', { ...OCO, abovePrice: 40_000 }, -2010],
  ['oco', { ...OCO, unknown: 1 }, -1104],
])('rejected: %s %j', async (path, values, code) => {
  expect((await error('POST', `${LIST}/${path}`, values)).code).toBe(code);
});

test('a list that does not exist is not found', async () => {
  expect((await error('GET', LIST, { orderListId: 1 })).code).toBe(-2013);
  expect((await error('GET', LIST, { origClientOrderId: 'none' })).code).toBe(-2013);
  expect((await error('GET', LIST, {})).code).toBe(-1102);
  expect((await error('DELETE', LIST, { symbol: 'BTCUSDT', orderListId: 1 })).code).toBe(-2011);
});
