import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  ArgumentsRequired,
  InsufficientFunds,
  InvalidOrder,
  NotSupported,
  type Order,
  OrderNotFound,
  RequestTimeout,
} from 'ccxt';
import { requestBody } from '../../src/client/ccxt/exact-json.ts';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { orderRequest } from '../../src/client/ccxt/order-request.ts';
import { expectInOrder, expectOrder, expectTrade } from './structures.ts';
import { Venue } from './venue.ts';

const SYMBOL = 'BTC/USDT';
let venue: Venue;
let alice: buttonwood;
let bob: buttonwood;

beforeAll(async () => {
  venue = await Venue.open();
  alice = venue.bot('alice');
  bob = venue.bot('bob');
});
afterAll(() => venue.close());
beforeEach(async () => {
  await alice.cancelAllOrders();
  await bob.cancelAllOrders();
  venue.exchange.now += 1000;
});

/** Returns the order from plain REST, and compares it with the CCXT structure. */
async function expectSameAsRest(name: string, order: Order): Promise<Record<string, unknown>> {
  const bot = name === 'alice' ? alice : bob;
  expectOrder(order, bot);
  const raw = (await venue.exchange.send(name, 'GET', `/api/orders/${order.id!}`)).data;
  const words: Record<string, string> = { filled: 'closed' };
  const orNone = (value: unknown) => value ?? undefined;
  expect(order).toMatchObject({
    id: raw.orderId,
    symbol: raw.symbol,
    side: raw.side,
    amount: raw.amount,
    price: orNone(raw.price),
    filled: raw.filled,
    remaining: raw.remaining,
    cost: raw.cost,
    average: orNone(raw.average),
    status: words[raw.status] ?? raw.status,
    triggerPrice: orNone(raw.triggerPrice),
    timeInForce: raw.postOnly && raw.timeInForce === 'GTC' ? 'PO' : raw.timeInForce,
    postOnly: raw.postOnly,
    clientOrderId: orNone(raw.clientOrderId),
    timestamp: Date.parse(raw.timestamp),
    lastUpdateTimestamp: Date.parse(raw.updatedAt),
    lastTradeTimestamp: raw.lastFillAt === null ? undefined : Date.parse(raw.lastFillAt),
    fees: raw.fees.map(({ asset, cost }: Record<string, unknown>) => ({ currency: asset, cost })),
  });
  return raw;
}

test('a limit order before and after a trade', async () => {
  const order = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 118_000);
  expect(order).toMatchObject({ status: 'open', type: 'limit', filled: 0, fee: undefined });
  const sale = await bob.createLimitSellOrder(SYMBOL, 0.04, 117_000);
  expect(sale).toMatchObject({ status: 'closed', average: 118_000, fee: { currency: 'USDT' } });
  await expectSameAsRest('bob', sale);
  const partly = await alice.fetchOrder(order.id!);
  expect(partly).toMatchObject({ status: 'open', filled: 0.04, cost: 4720 });
  expect(partly.fee).toEqual({ currency: 'BTC', cost: 0.000032 } as never);
  await expectSameAsRest('alice', partly);
});

test('an order has its trades if they are requested', async () => {
  await alice.createOrder(SYMBOL, 'limit', 'sell', 0.02, 118_000);
  await alice.createOrder(SYMBOL, 'limit', 'sell', 0.02, 118_001);
  const params = { returnFills: true };
  const order = await bob.createOrder(SYMBOL, 'limit', 'buy', 0.03, 118_001, params);
  await expectSameAsRest('bob', order);
  expect(order.trades).toHaveLength(2);
  for (const trade of order.trades) expectTrade(trade, bob, true);
  expect(order.trades).toEqual(await bob.fetchOrderTrades(order.id!, SYMBOL));
  const resting = await bob.createOrder(SYMBOL, 'limit', 'buy', 0.03, 90_000, params);
  expect(resting.trades).toEqual([]);
});

test('rounds prices and amounts like CCXT', async () => {
  const order = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1 + 0.2, 10_000.129);
  expect(order).toMatchObject({ amount: 0.3, price: 10_000.13 });
});

test('market orders, by amount and by cost', async () => {
  await alice.createOrder(SYMBOL, 'limit', 'sell', 0.5, 118_000);
  const byAmount = await bob.createMarketBuyOrder(SYMBOL, 0.1);
  expect(byAmount).toMatchObject({ type: 'market', status: 'closed', price: 118_000 });
  await expectSameAsRest('bob', byAmount);
  for (const byCost of [
    await bob.createMarketBuyOrderWithCost(SYMBOL, 100),
    await bob.createOrder(SYMBOL, 'market', 'buy', 100, undefined, { cost: 100 }),
  ]) {
    expect(byCost).toMatchObject({ status: 'closed', amount: 0.00084745, cost: 99.9991 });
    await expectSameAsRest('bob', byCost);
  }
  // 0.1 + 0.2 as a double is not 0.3.
  expect((await bob.createMarketBuyOrderWithCost(SYMBOL, 0.1 + 0.2)).status).toBe('closed');
  const byCost = { symbol: SYMBOL, type: 'market', side: 'buy', params: { cost: 0.1 + 0.2 } };
  expect(requestBody(orderRequest(bob, byCost))).toContain('"cost":0.3,');
  await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 90_000);
  expect(await bob.createMarketSellOrder(SYMBOL, 0.1)).toMatchObject({ average: 90_000 });
  await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 90_000);
  for (const sale of [
    await bob.createMarketSellOrderWithCost(SYMBOL, 100),
    await bob.createMarketOrderWithCost(SYMBOL, 'sell', 100),
  ]) {
    expect(sale).toMatchObject({ status: 'closed', side: 'sell', amount: 0.00111111 });
    expect(sale.cost).toBe(99.9999);
    await expectSameAsRest('bob', sale);
  }
});

/** Last price of the market in the next test. */
const LAST = 5200;
const ETH = 'ETH/USDT';

const TRIGGERS: [type: string, ...Parameters<buttonwood['createOrder']>][] = [
  ['stop', ETH, 'market', 'sell', 1, undefined, { stopLossPrice: LAST - 100 }],
  ['stop_limit', ETH, 'limit', 'sell', 1, 5000, { stopLossPrice: LAST - 100 }],
  ['take_profit', ETH, 'market', 'sell', 1, undefined, { takeProfitPrice: LAST + 100 }],
  ['take_profit_limit', ETH, 'limit', 'sell', 1, 5300, { takeProfitPrice: LAST + 100 }],
  ['stop', ETH, 'market', 'buy', 1, undefined, { triggerPrice: LAST + 100 }],
  ['stop_limit', ETH, 'limit', 'buy', 1, 5400, { stopPrice: LAST + 100 }],
  [
    'stop',
    ETH,
    'market',
    'buy',
    1,
    undefined,
    { triggerPrice: 5300, triggerDirection: 'ascending' },
  ],
  [
    'take_profit',
    ETH,
    'market',
    'buy',
    1,
    undefined,
    { triggerPrice: 5100, triggerDirection: 'descending' },
  ],
  [
    'take_profit_limit',
    ETH,
    'limit',
    'sell',
    1,
    5400,
    { triggerPrice: 5300, triggerDirection: 'above' },
  ],
  ['stop_limit', ETH, 'stop_limit', 'sell', 1, 5000, { triggerPrice: LAST - 100 }],
  ['take_profit', ETH, 'take_profit', 'buy', 1, undefined, { triggerPrice: LAST - 100 }],
];

test.each(TRIGGERS.map(([type, ...terms]) => ({ type, terms })))(
  'creates a $type order',
  async ({ type, terms }) => {
    const order = await alice.createOrder(...terms);
    const raw = await expectSameAsRest('alice', order);
    expect(raw.type).toBe(type);
    expect(order.status).toBe('open');
    expect(order.type).toBe(type.endsWith('limit') ? 'limit' : 'market');
    const { triggerPrice, stopLossPrice, takeProfitPrice } = order;
    const isStop = type.startsWith('stop');
    expect([stopLossPrice, takeProfitPrice]).toEqual(
      isStop ? [triggerPrice, undefined] : [undefined, triggerPrice],
    );
  },
);

test('accepts CCXT’s own names of order types', async () => {
  const rawType = async (placing: Promise<Order>) =>
    ((await placing).info as { type: string }).type;
  const trigger = LAST - 100;
  expect(await rawType(alice.createStopMarketOrder(ETH, 'sell', 1, trigger))).toBe('stop');
  expect(await rawType(alice.createStopLimitOrder(ETH, 'sell', 1, 5000, trigger))).toBe(
    'stop_limit',
  );
  expect(await rawType(alice.createStopOrder(ETH, 'market', 'sell', 1, undefined, trigger))).toBe(
    'stop',
  );
  expect(
    await rawType(alice.createTriggerOrder(ETH, 'market', 'sell', 1, undefined, trigger)),
  ).toBe('stop');
  expect(
    await rawType(alice.createStopLossOrder(ETH, 'market', 'sell', 1, undefined, trigger)),
  ).toBe('stop');
  expect(await rawType(alice.createTakeProfitOrder(ETH, 'limit', 'sell', 1, 5400, 5300))).toBe(
    'take_profit_limit',
  );
  const postOnly = await alice.createPostOnlyOrder(ETH, 'limit', 'buy', 1, 5000);
  expect(postOnly.postOnly).toBe(true);
});

test('attaches a take profit and a stop loss', async () => {
  const params = {
    takeProfit: { triggerPrice: 120_000.001, price: '121000', type: 'limit' },
    stopLoss: { triggerPrice: 90_000 },
  };
  const terms = { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 1, price: 100_000 };
  const body = orderRequest(alice, { ...terms, params });
  expect(requestBody(body.attached)).toBe(
    '{"takeProfit":{"triggerPrice":120000,"price":121000},"stopLoss":{"triggerPrice":90000}}',
  );
  expect(orderRequest(alice, terms).attached).toBeUndefined();
});

test('attached orders are activated by the fill', async () => {
  const params = [120_000, 90_000] as const;
  const [amount, price] = [0.1, 100_000];
  const order = await alice.createOrderWithTakeProfitAndStopLoss(
    SYMBOL,
    'limit',
    'buy',
    amount,
    price,
    ...params,
  );
  expect(order).toMatchObject({ takeProfitPrice: 120_000, stopLossPrice: 90_000 });
  expect(order.triggerPrice).toBeUndefined();
  await venue.bot('bob').createLimitSellOrder(SYMBOL, amount, price);
  const exits = await alice.fetchOpenOrders(SYMBOL);
  for (const exit of exits) expectOrder(exit, alice);
  expect(exits).toMatchObject([
    { side: 'sell', type: 'market', takeProfitPrice: 120_000, info: { parentOrderId: order.id } },
    { side: 'sell', type: 'market', stopLossPrice: 90_000, info: { parentOrderId: order.id } },
  ]);
  const [gain, loss] = exits.map(({ id }) => id!);
  const change = (id: string, params: object) =>
    alice.editOrder(id, SYMBOL, 'market', 'sell', undefined, undefined, params);
  expect((await change(gain!, { takeProfitPrice: 125_000 })).triggerPrice).toBe(125_000);
  expect((await change(loss!, { stopLossPrice: 95_000.001 })).triggerPrice).toBe(95_000);
  expect((await alice.cancelAllOrders(SYMBOL)).map(({ id }) => id!)).toEqual([gain!, loss!]);
});

const OCO: [name: string, params: object, takeProfit: object, stopLoss: object][] = [
  [
    'of market orders',
    { takeProfitPrice: LAST + 100, stopLossPrice: LAST - 100.001 },
    { type: 'take_profit', triggerPrice: LAST + 100, price: null },
    { type: 'stop', triggerPrice: LAST - 100, price: null },
  ],
  [
    'of triggered limit orders',
    {
      takeProfitPrice: LAST + 100,
      takeProfitLimitPrice: LAST + 90,
      stopLossPrice: LAST - 100,
      stopLossLimitPrice: LAST - 110,
    },
    { type: 'take_profit_limit', triggerPrice: LAST + 100, price: LAST + 90 },
    { type: 'stop_limit', triggerPrice: LAST - 100, price: LAST - 110 },
  ],
  [
    'of a resting iceberg and a stop',
    { takeProfitLimitPrice: LAST + 100, icebergAmount: 0.5, stopLossPrice: LAST - 100 },
    { type: 'limit', postOnly: true, price: LAST + 100, displayAmount: 0.5 },
    { type: 'stop', triggerPrice: LAST - 100 },
  ],
  [
    'with a trailing stop',
    { takeProfitLimitPrice: LAST + 100, trailingPercent: 2.5 },
    { type: 'limit', price: LAST + 100 },
    { type: 'trailing_stop', trailingPercent: 2.5 },
  ],
];

test.each(OCO)('an OCO order %s', async (_, params, takeProfit, stopLoss) => {
  const order = await alice.createOrder(ETH, 'market', 'sell', 1, undefined, params);
  expectOrder(order, alice);
  const open = await alice.fetchOpenOrders(ETH);
  // In `info` numbers are texts.
  const toTexts = (record: object) =>
    JSON.parse(JSON.stringify(record), (_, value) =>
      typeof value === 'number' ? String(value) : value,
    );
  expect(open.map(({ info }) => info)).toMatchObject([takeProfit, stopLoss].map(toTexts));
  expect((order.info as { orders: object[] }).orders).toEqual(open.map(({ info }) => info));
  const [first, second] = open as [Order, Order];
  expect(order).toMatchObject({ id: first.id, status: 'open', amount: 1, price: first.price });
  expect(order.stopLossPrice).toBe(second.triggerPrice!);
  expect(order.takeProfitPrice).toBe(first.takeProfitPrice!);
  // Its id ends both.
  expect((await alice.cancelOrder(order.id!)).status).toBe('canceled');
  expect(await alice.fetchOpenOrders(ETH)).toEqual([]);
});

test('an OCO order takes no price, and no batch takes OCO orders', async () => {
  const params = { stopLossPrice: LAST - 100, takeProfitPrice: LAST + 100 };
  const placing = alice.createOrder(ETH, 'limit', 'sell', 1, LAST, params);
  await expect(placing).rejects.toBeInstanceOf(InvalidOrder);
  await expect(
    alice.createOrder(ETH, 'market', 'sell', undefined, undefined, params),
  ).rejects.toBeInstanceOf(ArgumentsRequired);
  const one = { symbol: ETH, type: 'market', side: 'sell', amount: 1, params } as const;
  await expect(alice.createOrders([one])).rejects.toBeInstanceOf(NotSupported);
  expect(await alice.fetchOpenOrders(ETH)).toEqual([]);
});

test('a repeated OCO order is placed once', async () => {
  const params = { stopLossPrice: LAST - 100, takeProfitPrice: LAST + 100, clientOrderId: 'oco' };
  const place = () => alice.createOrder(ETH, 'market', 'sell', 1, undefined, params);
  expect((await place()).id).toBe((await place()).id);
  expect(await alice.fetchOpenOrders(ETH)).toHaveLength(2);
});

test('a test of an order places nothing, and returns the order or its error', async () => {
  await bob.createOrder(ETH, 'limit', 'buy', 1, LAST - 50);
  const before = await alice.fetchBalance();
  const params = { test: true };
  const limit = await alice.createOrder(ETH, 'limit', 'sell', 1.5, LAST - 50, params);
  expect(limit).toMatchObject({
    id: undefined,
    status: 'open',
    filled: 1,
    remaining: 0.5,
    average: LAST - 50,
    info: { fills: [{ amount: '1' }], hold: { asset: 'ETH', amount: '0.5' } },
  });
  const oco = { ...params, takeProfitLimitPrice: LAST + 100, stopLossPrice: LAST - 100 };
  const exits = await alice.createOrder(ETH, 'market', 'sell', 1, undefined, oco);
  expect(exits).toMatchObject({ id: undefined, price: LAST + 100, stopLossPrice: LAST - 100 });
  await expect(alice.createOrder(ETH, 'limit', 'sell', 1e6, 9000, params)).rejects.toBeInstanceOf(
    InsufficientFunds,
  );
  const one = { symbol: ETH, type: 'limit', side: 'sell', amount: 1, price: 9000 } as const;
  for (const batch of [
    () => alice.createOrders([one], params),
    () => alice.createOrders([{ ...one, params }]),
  ]) {
    await expect(batch()).rejects.toBeInstanceOf(NotSupported);
  }
  expect(await alice.fetchOpenOrders()).toEqual([]);
  const { info: _, ...after } = await alice.fetchBalance();
  expect(before).toMatchObject(after);
});

test('time in force, post-only, expiry, self-trade prevention, client order id', async () => {
  const place = (params: object) => alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 10_000, params);
  expect((await place({ timeInForce: 'IOC' })).status).toBe('expired');
  for (const params of [{ timeInForce: 'PO' }, { postOnly: true }]) {
    const maker = await place(params);
    expect(maker).toMatchObject({
      postOnly: true,
      timeInForce: 'PO',
      info: { timeInForce: 'GTC' },
    });
    expect(await alice.fetchOrder(maker.id!)).toEqual(maker);
  }
  const expiresAt = venue.exchange.now + 60_000;
  for (const params of [
    { expiresAt },
    { timeInForce: 'gtd', expiresAt: alice.iso8601(expiresAt) },
  ]) {
    const order = await place(params);
    expect(order.timeInForce).toBe('GTD');
    expect((order.info as { expiresAt: string }).expiresAt).toBe(alice.iso8601(expiresAt)!);
  }
  const both = await place({ expiresAt, postOnly: true });
  expect(both).toMatchObject({ postOnly: true, timeInForce: 'GTD' });
  const own = await place({ selfTradePrevention: 'DECREMENT', clientOrderId: 'bot-7' });
  expect(own.clientOrderId).toBe('bot-7');
  expect((own.info as { selfTradePrevention: string }).selfTradePrevention).toBe('decrement');
  expect((await place({})).clientOrderId).toMatch(/^[0-9a-f-]{36}$/);
});

// Over a socket, test/ccxt/socket-trading.test.ts breaks the connection.
test.skipIf(process.env.TEST_TRANSPORT === 'socket')(
  'a retried request places no second order',
  async () => {
    const place = () =>
      alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 9000, { clientOrderId: 'once' });
    expect((await place()).id).toBe((await place()).id);
    // If configured, CCXT retries a timeout with the id that was generated for the first attempt.
    const bot = venue.bot('alice', { options: { maxRetriesOnFailure: 1 } });
    await bot.loadMarkets();
    const { fetch } = bot;
    let sent = 0;
    bot.fetch = async (...request: Parameters<typeof fetch>) => {
      const answer = await fetch.apply(bot, request);
      if (sent++ === 0) throw new RequestTimeout('the answer is lost');
      return answer;
    };
    const order = await bot.createOrder(SYMBOL, 'limit', 'buy', 0.1, 8000);
    expect(sent).toBe(2);
    const open = await alice.fetchOpenOrders(SYMBOL);
    expect(open.filter(({ price }) => price === 8000).map(({ id }) => id!)).toEqual([order.id!]);
  },
);

test('several orders in one request', async () => {
  const orders = await alice.createOrders([
    { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.1, price: 10_000 },
    { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 1000, price: 100_000 },
    { symbol: ETH, type: 'market', side: 'sell', amount: 1, params: { stopLossPrice: 5100 } },
  ]);
  expect(orders.map(({ status }) => status)).toEqual(['open', 'rejected', 'open']);
  await expectSameAsRest('alice', orders[0]!);
  await expectSameAsRest('alice', orders[2]!);
  const error = { code: 'INSUFFICIENT_BALANCE', details: { required: '100000000' } };
  expect(orders[1]).toMatchObject({ id: undefined, symbol: SYMBOL, amount: 1000, info: { error } });
});

test('amends an order', async () => {
  const order = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 10_000);
  const less = await alice.editOrder(order.id!, SYMBOL, 'limit', 'buy', 0.05);
  expect(less).toMatchObject({ id: order.id!, amount: 0.05, price: 10_000 });
  const moved = await alice.editOrder(order.id!, SYMBOL, 'limit', 'buy', undefined, 10_500.129);
  expect(moved).toMatchObject({ id: order.id!, amount: 0.05, price: 10_500.13 });
  await expectSameAsRest('alice', moved);
});

test('cancels by id, by client order id, several, by market, all', async () => {
  const place = (symbol: string, params = {}) =>
    alice.createOrder(symbol, 'limit', 'buy', 0.1, 1000, params);
  const one = await alice.cancelOrder((await place(SYMBOL)).id!);
  expect(one.status).toBe('canceled');
  await expectSameAsRest('alice', one);
  const named = await place(SYMBOL, { clientOrderId: 'mine' });
  expect((await alice.cancelOrderWithClientOrderId('mine')).id).toBe(named.id!);
  await expect(alice.cancelOrder('', SYMBOL, { clientOrderId: 'mine' })).rejects.toBeInstanceOf(
    OrderNotFound,
  );
  const [a, b, c, d] = [
    await place(SYMBOL),
    await place(SYMBOL),
    await place(ETH),
    await place(ETH),
  ];
  const ids = (orders: Order[]) => orders.map(({ id }) => id!);
  expect(ids(await alice.cancelOrders([a.id!, c.id!, '999']))).toEqual([a.id!, c.id!]);
  expect(ids(await alice.cancelAllOrders(ETH))).toEqual([d.id!]);
  expect(ids(await alice.cancelAllOrders())).toEqual([b.id!]);
});

test('a cancel without an id cancels nothing', async () => {
  const id = (await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 1000)).id!;
  await expect(alice.cancelOrder('')).rejects.toThrow('needs an order id');
  expect((await alice.fetchOrder(id)).status).toBe('open');
});

test('cancels all orders if the bot stops sending heartbeats', async () => {
  const armed = (answer: { armed: unknown }) => answer.armed;
  const cancelAt = (ms: number) => alice.iso8601(venue.exchange.now + ms);
  // Rounded up, so that half a second does not disarm it.
  expect(armed((await alice.cancelAllOrdersAfter(500)) as never)).toEqual([
    { symbol: null, cancelAt: cancelAt(1000) },
  ]);
  expect(armed((await alice.cancelAllOrdersAfter(60_000)) as never)).toEqual([
    { symbol: null, cancelAt: cancelAt(60_000) },
  ]);
  expect(armed((await alice.cancelAllOrdersAfter(0)) as never)).toEqual([]);
});

test('lists orders by status, market and time over several pages', async () => {
  const bot = venue.bot('alice');
  const since = venue.exchange.now;
  const sent = Array.from(
    { length: 6 },
    () => ({ symbol: 'SOL/USDT', type: 'limit', side: 'buy', amount: 1, price: 100 }) as const,
  );
  const placed = await bot.createOrders(sent);
  const ids = (orders: Order[]) => orders.map(({ id }) => id!);
  const all = ids(placed);
  await bot.cancelOrder(all[0]!);
  venue.exchange.now += 1000;
  await bob.createOrder('SOL/USDT', 'market', 'sell', 1);
  const orders = await bot.fetchOrders('SOL/USDT');
  for (const order of orders) await expectSameAsRest('alice', order);
  expectInOrder(orders);
  expect(ids(orders)).toEqual(all);
  expect(ids(await bot.fetchOpenOrders('SOL/USDT'))).toEqual(all.slice(2));
  expect(ids(await bot.fetchClosedOrders('SOL/USDT'))).toEqual([all[1]!]);
  expect(ids(await bot.fetchCanceledOrders('SOL/USDT'))).toEqual([all[0]!]);
  expect(ids(await bot.fetchCanceledAndClosedOrders('SOL/USDT'))).toEqual(all.slice(0, 2));
  expect(ids(await bot.fetchOrders('SOL/USDT', undefined, 2))).toEqual(all.slice(-2));
  expect(ids(await bot.fetchOrders(undefined, since, 2))).toEqual(all.slice(0, 2));
  expect(ids(await bot.fetchOrders('SOL/USDT', since + 1))).toEqual([]);
  // Pages of two rows, whatever limit is requested.
  const { privateGetOrders } = bot;
  bot.privateGetOrders = (request: object) => privateGetOrders({ ...request, limit: 2 });
  expect(ids(await bot.fetchOrders('SOL/USDT', since, 5))).toEqual(all.slice(0, 5));
  expect(ids(await bot.fetchOrders('SOL/USDT'))).toEqual(all);
});

test('returns all open orders and all trades of an order, and other lists up to their limit', async () => {
  const since = venue.exchange.now;
  const price = 300;
  const sale = { symbol: 'SOL/USDT', type: 'limit', side: 'sell', amount: 0.01, price } as const;
  const placed: Order[] = [];
  while (placed.length < 1005) {
    placed.push(...(await alice.createOrders(Array.from({ length: 15 }, () => sale))));
  }
  const ids = (orders: Order[]) => orders.map(({ id }) => id!);
  const all = ids(placed);
  expect(ids(await alice.fetchOpenOrders())).toEqual(all);
  expect(ids(await alice.fetchOpenOrders('SOL/USDT', since))).toEqual(all);
  expect(ids(await alice.fetchOpenOrders('SOL/USDT', undefined, 3))).toEqual(all.slice(-3));
  expect(ids(await alice.fetchOpenOrders('SOL/USDT', since, 3))).toEqual(all.slice(0, 3));
  expect(ids(await alice.fetchOrders('SOL/USDT', since))).toEqual(all.slice(0, 100));
  const bought = await bob.createOrder('SOL/USDT', 'limit', 'buy', 10.01, price);
  const trades = await bob.fetchOrderTrades(bought.id!, 'SOL/USDT');
  expect(trades).toHaveLength(1001);
  const sum = trades.reduce((units, { amount }) => units + Math.round(amount! * 100), 0);
  expect(sum / 100).toBe(bought.filled!);
  expect(await bob.fetchOrderTrades(bought.id!, 'SOL/USDT', undefined, 2)).toEqual(
    trades.slice(-2),
  );
  expect(await bob.fetchMyTrades('SOL/USDT', since)).toEqual(trades.slice(0, 100));
  expect(ids(await alice.fetchClosedOrders('SOL/USDT', since))).toEqual(all.slice(0, 100));
});

test('fetches an order by id or client order id', async () => {
  const placed = await alice.createOrder(SYMBOL, 'limit', 'buy', 0.1, 1000, {
    clientOrderId: 'it',
  });
  expect(await alice.fetchOrder(placed.id!, SYMBOL)).toEqual(placed);
  expect(await alice.fetchOrderWithClientOrderId('it')).toEqual(placed);
  await expect(alice.fetchOrderWithClientOrderId('other')).rejects.toBeInstanceOf(OrderNotFound);
  await expect(bob.fetchOrder(placed.id!)).rejects.toBeInstanceOf(OrderNotFound);
});

test('trailing stops by amount and by percent, with an activation price, and amended', async () => {
  const percent = await alice.createTrailingPercentOrder(ETH, 'market', 'sell', 1, undefined, 2.5);
  expect(await expectSameAsRest('alice', percent)).toMatchObject({
    type: 'trailing_stop',
    trailingPercent: 2.5,
    trailingAmount: null,
    triggerPrice: LAST * 0.975,
  });
  const amount = await alice.createTrailingAmountOrder(
    ETH,
    'market',
    'sell',
    1,
    undefined,
    50,
    LAST + 100,
  );
  expect(await expectSameAsRest('alice', amount)).toMatchObject({
    trailingAmount: 50,
    activationPrice: LAST + 100,
    triggerPrice: null,
  });
  const params = { trailingAmount: 60 };
  const edited = await alice.editOrder(
    amount.id!,
    ETH,
    'market',
    'sell',
    undefined,
    undefined,
    params,
  );
  expect(await expectSameAsRest('alice', edited)).toMatchObject({ trailingAmount: 60 });
});

test('an iceberg shows a part, and a bracket order attaches a trailing stop', async () => {
  const order = await alice.createOrder(ETH, 'limit', 'buy', 1, LAST - 200, {
    icebergAmount: 0.25,
    stopLoss: { trailingPercent: 1 },
  });
  expect(await expectSameAsRest('alice', order)).toMatchObject({
    displayAmount: 0.25,
    attached: { stopLoss: { trailingPercent: 1, triggerPrice: null } },
  });
  const { bids } = await alice.fetchOrderBook(ETH);
  expect(bids.find(([price]) => price === LAST - 200)?.[1]).toBe(0.25);
});
