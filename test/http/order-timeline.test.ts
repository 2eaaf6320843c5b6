import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { MarketStatus } from '../../src/engine/terms.ts';
import { PAST_LIMIT } from '../../src/gateway/limits/windows.ts';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/orders/:id/timeline. The events are compared with the reference model in `timeline.test.ts`. */

const ORDER = { symbol: 'BTC/USDT', type: 'limit' };
const opened: TestExchange[] = [];
let exchange: TestExchange;

async function open(options: Parameters<typeof TestExchange.open>[0] = {}) {
  const created = await TestExchange.open(options);
  opened.push(created);
  return created;
}

beforeAll(async () => {
  exchange = await open();
});
afterAll(() => Promise.all(opened.map((each) => each.close())));

async function place(name: string, order: Record<string, unknown>): Promise<string> {
  exchange.now += 1000;
  const answer = await exchange.place(name, { ...ORDER, ...order });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.orderId;
}

async function timeline(orderId: string, name = 'alice') {
  const answer = await exchange.send(name, 'GET', `/api/orders/${orderId}/timeline`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

describe('the timeline of an order', () => {
  test('has its events, its place in the queue, and why it has not filled', async () => {
    const first = exchange.replica.position + 1;
    await place('bob', { side: 'buy', price: 1000, amount: 2 });
    const orderId = await place('alice', { side: 'buy', price: 1000, amount: 1 });
    await place('bob', { side: 'buy', price: 1001, amount: 0.5 });
    await place('bob', { side: 'sell', price: 1010, amount: 3 });
    const waiting = await timeline(orderId);
    expect(waiting).toMatchObject({ complete: true, order: { orderId, status: 'open' } });
    expect(waiting.events).toMatchObject([
      { position: first + 1, kind: 'placed', price: 1000, amount: 1, filled: 0, levelsAhead: 0 },
      { position: first + 1, kind: 'rested', queueAhead: 2, amountAhead: 2 },
    ]);
    expect(waiting.points).toMatchObject([
      { position: first + 1, levelsAhead: 0, amountAhead: 2, queueAhead: 2 },
      { position: first + 2, levelsAhead: 1, amountAhead: 2.5, queueAhead: 2 },
    ]);
    expect(waiting.whyNotFilled).toMatchObject({
      code: 'orders_ahead',
      text: '1 price level and 2.5 BTC are ahead of it.',
      levelsAhead: 1,
      amountAhead: 2.5,
      queueAhead: 2,
      counterPrice: 1010,
      distancePercent: 1,
    });
    // His own bids, which are ahead, end instead of trading with it.
    await place('bob', { side: 'sell', price: 1000, amount: 0.3 });
    await exchange.send('bob', 'DELETE', '/api/orders?all=true');
    await exchange.send('alice', 'DELETE', `/api/orders/${orderId}`);
    const { events, whyNotFilled, complete } = await timeline(orderId);
    expect(events.slice(2)).toMatchObject([
      {
        ...{ kind: 'fill', price: 1000, amount: 0.3, filled: 0.3, liquidity: 'maker' },
        ...{ counterpartySide: 'sell', queueAhead: 0, amountAhead: 0 },
      },
      { kind: 'canceled', amount: 1, filled: 0.3, reason: 'requested', levelsAhead: null },
    ]);
    expect([whyNotFilled, complete]).toEqual([null, true]);
  });

  test('says what an order waits for', async () => {
    await place('alice', { side: 'buy', price: 1000, amount: 0.1 });
    await place('bob', { side: 'sell', price: 1000, amount: 0.2 });
    const why = async (order: Record<string, unknown>) =>
      (await timeline(await place('alice', order))).whyNotFilled;
    expect(await why({ side: 'buy', price: 992, amount: 1 })).toMatchObject({
      code: 'price_not_reached',
      text: 'It is first in the queue. The best ask is 0.8065 % above its limit price.',
      distancePercent: 0.8065,
    });
    await exchange.send('bob', 'DELETE', '/api/orders?all=true');
    expect(await why({ side: 'buy', price: 993, amount: 1 })).toMatchObject({
      code: 'no_counter_orders',
      text: 'It is first in the queue, but the book has no asks.',
      counterPrice: null,
    });
    expect(
      await why({ side: 'sell', type: 'stop_limit', triggerPrice: 980, price: 979, amount: 1 }),
    ).toMatchObject({
      code: 'awaiting_trigger',
      text: 'The last price has not reached its trigger price of 980 USDT, 2 % away.',
      lastPrice: 1000,
    });
    const trailing = { type: 'trailing_stop', trailingAmount: 5, activationPrice: 1100 };
    expect(await why({ side: 'sell', ...trailing, amount: 1 })).toMatchObject({
      code: 'awaiting_activation',
      text: 'The last price has not reached its activation price of 1100 USDT, 10 % away.',
      triggerPrice: null,
      activationPrice: 1100,
    });
    const orderId = await place('alice', { side: 'buy', price: 900, amount: 1 });
    const setStatus = (status: number) =>
      exchange.replica.execute({
        ...{ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR },
        ...{ market: exchange.state.marketsBySymbol.get('BTC/USDT')!.index, status },
      });
    await setStatus(MarketStatus.halted);
    const { events, whyNotFilled } = await timeline(orderId);
    expect(events.at(-1)).toMatchObject({ kind: 'market_status', marketStatus: 'halted' });
    expect(whyNotFilled).toMatchObject({
      code: 'market_unavailable',
      text: 'The market does not trade: its status is halted.',
    });
    await setStatus(MarketStatus.online);
  });

  test("is the owner's only, and for orders only", async () => {
    const orderId = await place('alice', { side: 'buy', price: 800, amount: 1 });
    const status = async (name: string | undefined, id: string) =>
      (await exchange.send(name, 'GET', `/api/orders/${id}/timeline`)).status;
    expect(await status('reader', orderId)).toBe(200);
    expect(await status('bob', orderId)).toBe(404);
    expect(await status(undefined, orderId)).toBe(401);
    expect(await status('operator', orderId)).toBe(403);
    for (const id of ['0', 'x', '9007199254740993', '999999']) {
      expect([id, await status('alice', id)]).toEqual([id, 404]);
    }
  });

  test('of a reserved leg begins when it is placed', async () => {
    const attached = { takeProfit: { price: 905 }, stopLoss: { triggerPrice: 700 } };
    const parent = await place('alice', { side: 'buy', price: 890, amount: 1, attached });
    const leg = String(Number(parent) + 1);
    const path = `/api/orders/${leg}/timeline`;
    expect((await exchange.send('alice', 'GET', path)).code).toBe('ORDER_NOT_FOUND');
    await exchange.send('alice', 'DELETE', `/api/orders?all=true`);
    expect((await timeline(leg)).events).toMatchObject([{ kind: 'canceled', filled: 0 }]);
  });
});

test('a real exchange has no timelines', async () => {
  const real = await open({ isSandbox: false });
  const { data } = await real.place('alice', { ...ORDER, side: 'buy', price: 1, amount: 100 });
  const answer = await real.send('alice', 'GET', `/api/orders/${data.orderId}/timeline`);
  expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND']);
});

test('timelines count as requests for past states', async () => {
  const limited = await open({ rateLimits: 'spec' });
  const statuses: number[] = [];
  // Three endpoints, so that the limits of none are reached.
  for (let count = 0; count < PAST_LIMIT / 3; count++) {
    for (const path of ['orders/1/timeline', 'orders?at=9', 'portfolio/balances?at=9']) {
      statuses.push((await limited.send('alice', 'GET', `/api/${path}`)).status);
    }
  }
  expect(statuses).not.toContain(429);
  expect((await limited.send('alice', 'GET', '/api/orders/1/timeline')).status).toBe(429);
});
