import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/** Requests that the log reaches later than their client sent them: after their window, or after the order has changed. */

let dialect: BinanceVenue;
beforeEach(async () => {
  dialect = await BinanceVenue.open();
});
afterEach(() => dialect.close());

const LIMIT = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
const ORDER: Values = { ...LIMIT, quantity: '0.1', price: '50000' };
const OUTSIDE = 'Timestamp for this request is outside of the recvWindow.';
const AHEAD = "Timestamp for this request was 1000ms ahead of the server's time.";
const MISSING = "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed.";

const place = (values: Values = {}): Promise<Json> =>
  dialect.send('alice', 'POST', '/api/v3/order', { ...ORDER, ...values });
const query = (orderId: number): Promise<Json> =>
  dialect.send('alice', 'GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
const listOpen = (): Promise<Json> => dialect.send('alice', 'GET', '/api/v3/openOrders', {});
const error = ({ body }: { body: Json }) => [body.code, body.msg];

/** Sends requests while the log is held, in their order; the log reaches them `waitMs` later. */
async function sendHeld<Answer>(
  waitMs: number,
  ...requests: (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const release = await dialect.exchange.holdLog();
  const answers: Promise<Answer>[] = [];
  for (const request of requests) {
    answers.push(request());
    await Bun.sleep(20);
  }
  dialect.exchange.now += waitMs;
  release();
  return Promise.all(answers);
}

test('requests of a connection that is logged on have a window', async () => {
  const { now } = dialect.exchange;
  const api = await dialect.connect('/ws-api/v3?returnRateLimits=false');
  await api.call('session.logon', dialect.signed('alice'));
  const rejected: [Values, number, string][] = [
    [{}, -1102, MISSING],
    [{ timestamp: 1_000_000_000_000, recvWindow: 5 }, -1021, OUTSIDE],
    [{ timestamp: now - 5001 }, -1021, OUTSIDE],
    [{ timestamp: now + 1001 }, -1021, AHEAD],
    [{ timestamp: now, recvWindow: 60_001 }, -1131, 'recvWindow must be less than 60000.'],
  ];
  for (const method of ['order.place', 'order.cancel', 'openOrders.status', 'account.status']) {
    for (const [window, code, msg] of rejected) {
      const { status, error } = await api.call(method, { ...ORDER, orderId: 1, ...window });
      expect([method, status, error]).toEqual([method, 400, { code, msg }]);
    }
  }
  expect(await listOpen()).toEqual([]);
  const inWindow = { timestamp: (now - 5000) * 1000, recvWindow: 5000.5 };
  expect((await api.call('order.place', { ...ORDER, ...inWindow })).status).toBe(200);
});

test('no order or cancellation of a connection that is logged on is executed after its window', async () => {
  const api = await dialect.connect('/ws-api/v3?returnRateLimits=false');
  await api.call('session.logon', dialect.signed('alice'));
  const timestamp = dialect.exchange.now;
  const send = () => api.call('order.place', { ...ORDER, timestamp });
  const [late] = await sendHeld(5001, send);
  expect(late.error).toEqual({ code: -1021, msg: OUTSIDE });
  expect(await listOpen()).toEqual([]);
  await place();
  const cancelAll = { symbol: 'BTCUSDT', timestamp: dialect.exchange.now };
  const [kept] = await sendHeld(5001, () => api.call('openOrders.cancelAll', cancelAll));
  expect(kept.error).toEqual({ code: -1021, msg: OUTSIDE });
  expect(await listOpen()).toHaveLength(1);
});

const OCO: Values = {
  ...{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', listClientOrderId: 'both' },
  ...{ aboveType: 'LIMIT_MAKER', abovePrice: 160_000, belowType: 'STOP_LOSS' },
  belowStopPrice: 45_000,
};

test('no cancellation is executed after its window', async () => {
  await dialect.trade(50_100, 0.01);
  const { orderId } = await place();
  const { orderListId } = await dialect.send('alice', 'POST', '/api/v3/orderList/oco', OCO);
  const symbol = 'BTCUSDT';
  const cancelReplaceMode = 'ALLOW_FAILURE';
  const replacement = { ...ORDER, cancelReplaceMode, cancelOrderId: orderId };
  const requests: [string, string, Values][] = [
    ['DELETE', '/api/v3/order', { symbol, orderId }],
    ['DELETE', '/api/v3/openOrders', { symbol }],
    ['DELETE', '/api/v3/orderList', { symbol, orderListId }],
    ['POST', '/api/v3/order/cancelReplace', replacement],
  ];
  for (const request of requests) {
    const [late] = await sendHeld(70_000, () => dialect.request('alice', ...request));
    const { code, data } = late!.body;
    const late1021 = { code: -1021, msg: OUTSIDE };
    if (data === undefined) expect([request[1], code]).toEqual([request[1], -1021]);
    else expect([data.cancelResponse, data.newOrderResponse]).toEqual([late1021, late1021]);
    expect(await listOpen()).toHaveLength(3);
  }
});

test('a cancellation for unfilled orders does not end an order that a trade before it filled in part', async () => {
  const { orderId } = await place();
  const cancel = (cancelRestrictions: string) => () =>
    dialect.request('alice', 'DELETE', '/api/v3/order', {
      ...{ symbol: 'BTCUSDT', orderId, cancelRestrictions },
    });
  const restricted = [-2011, 'Order was not canceled due to cancel restrictions.'];
  expect(error(await cancel('ONLY_PARTIALLY_FILLED')())).toEqual(restricted);
  const sell = () =>
    dialect.request('bob', 'POST', '/api/v3/order', { ...ORDER, side: 'SELL', quantity: '0.04' });
  const [, canceled] = await sendHeld(0, sell, cancel('ONLY_NEW'));
  expect(error(canceled!)).toEqual(restricted);
  expect((await query(orderId)).status).toBe('PARTIALLY_FILLED');
  expect((await cancel('ONLY_PARTIALLY_FILLED')()).body.status).toBe('CANCELED');
  expect(error(await cancel('ONLY_NEW')())).toEqual([-2011, 'Unknown order sent.']);
});

test('an amendment in place only reduces, whatever amendment came before it', async () => {
  const { orderId } = await place();
  const amend = (newQty: string) => () =>
    dialect.request('alice', 'PUT', '/api/v3/order/amend/keepPriority', {
      ...{ symbol: 'BTCUSDT', orderId, newQty },
    });
  const increase = [-2038, 'Order amend (quantity increase) is not supported.'];
  const [first, second, third] = await sendHeld(0, amend('0.02'), amend('0.08'), amend('0.02'));
  expect(first!.body.amendedOrder.qty).toBe('0.02000000');
  expect(error(second!)).toEqual(increase);
  const same = 'The requested action would change no state; rejecting.';
  expect(error(third!)).toEqual([-2038, same]);
  expect((await query(orderId)).origQty).toBe('0.02000000');
  await dialect.send('alice', 'DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId });
  expect(error(await amend('0.01')())).toEqual([-2038, 'Unknown order sent.']);
});
