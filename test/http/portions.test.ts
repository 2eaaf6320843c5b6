import { afterAll, beforeAll, expect, test } from 'bun:test';
import { auditState } from '../../src/engine/audit/audit.ts';
import { RejectionCode, rejected, TOO_MANY_SWEEPS } from '../../src/engine/rejection.ts';
import { rejectionError } from '../../src/gateway/orders/rejections.ts';
import { SMALL_PORTION, setPortion } from '../portions.ts';
import { TestExchange } from './exchange.ts';

/** Tests cancellations that take several portions of the engine's work. */

let exchange: TestExchange;
let restore: () => void;
beforeAll(async () => {
  exchange = await TestExchange.open();
  restore = setPortion(SMALL_PORTION);
  // The current portion is still a large one.
  exchange.now += 1;
});
afterAll(async () => {
  restore();
  await exchange.close();
});

const ORDERS = 20;
const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
const placeMany = async (name: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < ORDERS; n++) ids.push((await exchange.place(name, order)).data.orderId);
  return ids;
};
const listIds = ({ data }: { data: { orders: { orderId: string; status: string }[] } }) => {
  for (const { status } of data.orders) expect(status).toBe('canceled');
  return data.orders.map(({ orderId }) => orderId);
};

test('the answer has all orders, and an order placed in between stays open', async () => {
  const ids = await placeMany('alice');
  const balances = async () =>
    (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data.balances;
  const canceled = exchange.send('alice', 'DELETE', '/api/orders?all=true');
  const placed = exchange.place('alice', order);
  expect(listIds(await canceled)).toEqual(ids);
  const later = await placed;
  expect(exchange.state.sweeps.queue).toHaveLength(0);
  expect(exchange.state.openOrder(Number(later.data.orderId))).toBeDefined();
  expect(listIds(await exchange.send('alice', 'DELETE', '/api/orders?all=true'))).toEqual([
    later.data.orderId,
  ]);
  expect((await balances()).every(({ held }: { held: number }) => Number(held) === 0)).toBe(true);
  auditState(exchange.state);
});

test('concurrent callers are all answered, each with its own orders', async () => {
  const [alices, bobs] = [await placeMany('alice'), await placeMany('bob')];
  const half = alices.slice(0, ORDERS / 2);
  const answers = await Promise.all([
    exchange.send('alice', 'DELETE', `/api/orders?ids=${half.join()}`),
    exchange.send('bob', 'DELETE', '/api/orders?symbol=BTC/USDT'),
    exchange.send('operator', 'DELETE', '/api/admin/accounts/alice/orders?all=true'),
  ]);
  const [byIds, bySymbol, byOperator] = answers.map((answer) => listIds(answer as never));
  expect(byIds!.concat(byOperator!).sort()).toEqual(alices.sort());
  expect(bySymbol).toEqual(bobs);
});

test('a caller with too many pending cancellations must wait', () => {
  const refusal = rejected(RejectionCode.limitReached, TOO_MANY_SWEEPS);
  expect(rejectionError(refusal, exchange.state)).toMatchObject({ code: 'OVERLOADED' });
});

test('delisting closes the market at once and returns the number of orders it ends', async () => {
  await placeMany('alice');
  const body = JSON.stringify({ symbol: 'BTC/USDT', status: 'delisted' });
  const preview = await exchange.send('operator', 'PATCH', '/api/admin/markets?preview=true', body);
  expect(preview.data).toMatchObject({ affected: ORDERS });
  const { data } = await exchange.send('operator', 'PATCH', '/api/admin/markets', body);
  expect(data).toMatchObject({ market: { status: 'delisted' }, affected: ORDERS });
  expect(data.orders.length).toBeLessThan(ORDERS);
  expect(await exchange.place('bob', order)).toMatchObject({ code: 'MARKET_UNAVAILABLE' });
  while (exchange.state.orders.size > 0) await Bun.sleep(1);
  const { orders } = (await exchange.send('alice', 'GET', '/api/orders?limit=1000')).data;
  const delisted = orders.filter(({ reason }: { reason: string }) => reason === 'delisted');
  expect(delisted).toHaveLength(ORDERS);
  auditState(exchange.state);
});

test('upgrade raises the version of the engine, and a second one changes nothing', async () => {
  const upgrade = (name: string, body = '{}') =>
    exchange.send(name, 'POST', '/api/admin/upgrade', body);
  expect(await upgrade('alice')).toMatchObject({ status: 403 });
  expect(await upgrade('operator', '{"version":3}')).toMatchObject({ code: 'INVALID_REQUEST' });
  // The state of an older release.
  exchange.state.version = 1;
  const state = async () => (await exchange.send('operator', 'GET', '/api/admin/state')).data;
  expect(exchange.state.version).toBe(1);
  exchange.archive.exchange.state.version = 1;
  expect(await state()).toMatchObject({ engineVersion: 1, newestEngineVersion: 2 });
  for (let times = 0; times < 2; times++) {
    const { data } = await upgrade('operator');
    expect(data).toEqual({ engineVersion: 2, newestEngineVersion: 2 });
  }
  expect(await state()).toMatchObject({ engineVersion: 2 });
  const { entries } = (await exchange.send('operator', 'GET', '/api/admin/audit?action=upgrade'))
    .data;
  expect(entries).toHaveLength(2);
});
