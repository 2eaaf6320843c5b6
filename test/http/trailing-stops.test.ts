import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { TestExchange } from './exchange.ts';

/** Tests trailing stops and icebergs. BTC/USDT starts at 118,000. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const TRAILING = {
  symbol: 'BTC/USDT',
  side: 'sell',
  type: 'trailing_stop',
  amount: 0.01,
  trailingPercent: 2.5,
};
const LIMIT = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01 };
const trail = (change: Record<string, unknown> = {}) =>
  exchange.place('alice', { ...TRAILING, ...change });

/** Trades at `price`, which becomes the last price. */
async function trade(price: number): Promise<void> {
  await exchange.place('bob', { ...LIMIT, side: 'sell', price });
  await exchange.place('alice', { ...LIMIT, side: 'buy', price, timeInForce: 'IOC' });
}

async function find(orderId: string): Promise<Record<string, unknown>> {
  return (await exchange.send('alice', 'GET', `/api/orders/${orderId}`)).data;
}

const amend = (orderId: string, change: unknown) =>
  exchange.send('alice', 'PATCH', `/api/orders/${orderId}`, JSON.stringify(change));

test('a trailing stop shows its terms and its current trigger price, also once it has ended', async () => {
  const { data } = await trail();
  const terms = { trailingAmount: null, trailingPercent: 2.5, activationPrice: null };
  expect(data).toMatchObject({ type: 'trailing_stop', status: 'open', price: null, ...terms });
  expect(data.triggerPrice).toBe(115_050);
  await trade(120_000);
  expect(await find(data.orderId)).toMatchObject({ triggerPrice: 117_000, ...terms });
  await exchange.place('bob', { ...LIMIT, side: 'buy', price: 110_000 });
  await trade(117_000);
  const ended = await find(data.orderId);
  expect(ended).toMatchObject({ status: 'filled', triggerPrice: 117_000, average: 110_000 });
  const { orders } = (await exchange.send('alice', 'GET', '/api/orders')).data;
  expect(orders).toContainEqual(ended);
});

test('trades of other accounts move the trigger in lists that were read before', async () => {
  const { replica } = exchange;
  const created = { kind: CommandKind.createAccount, ...SYSTEM_ACTOR } as const;
  await replica.execute({ ...created, accountId: 'carol', limitClass: 1 });
  const owner = exchange.state.accountsById.get('carol')!.index;
  const asset = exchange.state.assetsByName.get('USDT')!.index;
  const funds = { owner, asset, amount: 10n ** 17n, reference: 'carol', reason: 'test' };
  await replica.execute({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...funds });
  await exchange.addKey('carol', 'carol', ['read', 'trade']);
  await trail({ trailingPercent: null, trailingAmount: 1_000 });
  const list = async () => {
    const { orders } = (await exchange.send('alice', 'GET', '/api/orders')).data;
    return orders.map((order: { triggerPrice: number }) => order.triggerPrice);
  };
  expect(await list()).toEqual([117_000]);
  await exchange.place('bob', { ...LIMIT, side: 'sell', price: 118_500 });
  await exchange.place('carol', { ...LIMIT, side: 'buy', price: 118_500 });
  expect(await list()).toEqual([117_500]);
});

test('an activation price delays the trailing, and is amended before it', async () => {
  const { data } = await trail({
    trailingAmount: 500,
    trailingPercent: null,
    activationPrice: 120_000,
  });
  expect(data).toMatchObject({ triggerPrice: null, activationPrice: 120_000, trailingAmount: 500 });
  const amended = await amend(data.orderId, { activationPrice: 119_000, trailingPercent: 1 });
  expect(amended.data).toMatchObject({
    triggerPrice: null,
    activationPrice: 119_000,
    trailingAmount: null,
    trailingPercent: 1,
  });
  await trade(119_000);
  expect(await find(data.orderId)).toMatchObject({ triggerPrice: 117_810 });
  const late = await amend(data.orderId, { activationPrice: 121_000 });
  expect(late.json.error).toMatchObject({ code: 'INVALID_PRICE', details: { rule: 'activated' } });
});

test.each([
  [{ trailingPercent: null }, 'trailingAmount', 'amountOrPercent'],
  [{ trailingAmount: 100 }, 'trailingAmount', 'amountOrPercent'],
  [{ trailingPercent: 0.001 }, 'trailingPercent', 'decimals'],
  [{ trailingPercent: 0 }, 'trailingPercent', 'positive'],
  [{ trailingPercent: 50.01 }, 'trailingPercent', 'maximum'],
  [{ trailingPercent: 1e30 }, 'trailingPercent', 'maximum'],
  [{ trailingPercent: '2.5' }, 'trailingPercent', 'number'],
  [{ trailingPercent: null, trailingAmount: 0.001 }, 'trailingAmount', 'tickSize'],
  [{ trailingPercent: null, trailingAmount: 118_000 }, 'trailingAmount', 'tooFar'],
  [{ trailingPercent: null, trailingAmount: 1e29 }, 'trailingAmount', 'maxPrice'],
  [{ activationPrice: 0.001 }, 'activationPrice', 'tickSize'],
  [{ activationPrice: 1e29 }, 'activationPrice', 'maxPrice'],
  [{ triggerPrice: 110_000 }, 'triggerPrice', 'notTrailingStops'],
  [{ price: 110_000 }, 'price', 'notTrailingStops'],
  [{ type: 'stop', triggerPrice: 110_000 }, 'trailingPercent', 'trailingStopsOnly'],
  [{ type: 'market' }, 'trailingPercent', 'trailingStopsOnly'],
])('%j is refused, and changes nothing', async (change, field, rule) => {
  const before = exchange.state.digest;
  const { json } = await trail(change);
  expect(json.error).toMatchObject({ code: 'INVALID_PRICE', details: { field, rule } });
  expect(exchange.state.digest).toBe(before);
});

test('legs of OCO and bracket orders trail too', async () => {
  const oco = {
    symbol: 'BTC/USDT',
    side: 'sell',
    amount: 0.01,
    takeProfit: { price: 130_000, displayAmount: 0.002 },
    stopLoss: { trailingPercent: 5 },
  };
  const { data } = await exchange.send('alice', 'POST', '/api/orders/oco', JSON.stringify(oco));
  expect(data.orders).toMatchObject([
    { type: 'limit', displayAmount: 0.002 },
    { type: 'trailing_stop', triggerPrice: 112_100, trailingPercent: 5 },
  ]);
  const attached = { stopLoss: { trailingAmount: 1_000 } };
  const parent = await exchange.place('alice', { ...LIMIT, side: 'buy', price: 118_000, attached });
  expect(parent.data.attached.stopLoss).toMatchObject({
    triggerPrice: null,
    trailingAmount: 1_000,
  });
  await exchange.place('bob', { ...LIMIT, side: 'sell', price: 118_000 });
  const { orders } = (await exchange.send('alice', 'GET', '/api/orders?status=open')).data;
  const leg = orders.find((order: { parentOrderId: string }) => order.parentOrderId !== null);
  expect(leg).toMatchObject({ type: 'trailing_stop', triggerPrice: 117_000 });
});

test('the book shows a part of an iceberg, and its owner sees all of it', async () => {
  const order = { ...LIMIT, side: 'sell', price: 119_000, displayAmount: 0.004 };
  const { data } = await exchange.place('alice', order);
  expect(data).toMatchObject({ amount: 0.01, remaining: 0.01, displayAmount: 0.004 });
  const asks = async () =>
    (await exchange.send('alice', 'GET', '/api/orderbook?symbol=BTC/USDT')).data.asks;
  expect(await asks()).toEqual([[119_000, 0.004]]);
  const taker = { ...LIMIT, side: 'buy', price: 119_000, amount: 0.005, timeInForce: 'FOK' };
  expect((await exchange.place('bob', taker)).data).toMatchObject({ status: 'filled' });
  expect(await asks()).toEqual([[119_000, 0.003]]);
  expect(await find(data.orderId)).toMatchObject({ remaining: 0.005, filled: 0.005 });
  const amended = await amend(data.orderId, { displayAmount: 0.01 });
  expect(amended.data).toMatchObject({ displayAmount: 0.01 });
  expect(await asks()).toEqual([[119_000, 0.005]]);
});

test.each([
  [{ displayAmount: 0.02 }, 'amount'],
  [{ displayAmount: 0.00001 }, 'icebergParts'],
  [{ displayAmount: 0.000000001 }, 'stepSize'],
  [{ displayAmount: 0 }, 'positive'],
  [{ displayAmount: 1e29 }, 'maxAmount'],
  [{ displayAmount: 0.005, timeInForce: 'IOC' }, 'restingOrder'],
  [{ displayAmount: 0.005, type: 'stop_limit', triggerPrice: 120_000 }, 'limitOrdersOnly'],
])('an iceberg of %j is refused', async (change, rule) => {
  const { json } = await exchange.place('alice', {
    ...LIMIT,
    side: 'buy',
    price: 100_000,
    ...change,
  });
  expect(json.error).toMatchObject({
    code: 'INVALID_AMOUNT',
    details: { field: 'displayAmount', rule },
  });
});

test('until the log is upgraded, nothing that an older release cannot read gets into it', async () => {
  const older = await TestExchange.open({ version: 1 });
  try {
    const refused = await older.place('alice', TRAILING);
    expect(refused.json.error).toMatchObject({ code: 'INVALID_REQUEST' });
    const type = await older.place('alice', { ...TRAILING, trailingPercent: null });
    expect(type.json.error).toMatchObject({ code: 'INVALID_REQUEST' });
    const plain = { symbol: 'BTC/USDT', side: 'sell', type: 'trailing_stop', amount: 0.01 };
    expect((await older.place('alice', plain)).json.error).toMatchObject({ code: 'INVALID_TYPE' });
    const listed = (await older.send('alice', 'GET', '/api/markets')).data.markets[0].orderTypes;
    expect(listed).not.toContain('trailing_stop');
    const iceberg = { ...LIMIT, side: 'buy', price: 100_000, displayAmount: 0.002 };
    expect((await older.place('alice', iceberg)).json.error).toMatchObject({
      details: { field: 'displayAmount', rule: 'unknownField' },
    });
    await older.replica.execute({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    expect((await older.place('alice', TRAILING)).data).toMatchObject({ status: 'open' });
    expect((await older.place('alice', iceberg)).data).toMatchObject({ displayAmount: 0.002 });
  } finally {
    await older.close();
  }
});
