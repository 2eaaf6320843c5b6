import { expect, test } from 'bun:test';
import { ALICE, BOB, Desk } from '../../../test/desk.ts';
import { auditState } from '../audit/audit.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../limits.ts';
import { TimeInForce } from '../terms.ts';

/** Engine version 1. */

const gone = { timeInForce: TimeInForce.ioc };

test('an id is remembered for its time to the last millisecond, of an open order for longer', () => {
  const desk = new Desk({}, 1);
  desk.buy(ALICE, 1, 100, { ...gone, clientOrderId: 'gone' });
  desk.buy(ALICE, 1, 100, { clientOrderId: 'open' });
  const again = (clientOrderId: string, terms = {}) =>
    desk.buy(ALICE, 1, 101, { ...terms, clientOrderId }).kind;
  desk.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect([again('gone'), again('open')]).toEqual(['rejected', 'rejected']);
  desk.wait(1);
  expect([again('gone', gone), again('open')]).toEqual(['order', 'rejected']);
  desk.cancel(ALICE, 2);
  desk.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect(again('open')).toBe('rejected');
  desk.wait(1);
  expect(again('open')).toBe('order');
});

test('many are forgotten in their order, and the memory for them is given back', () => {
  const desk = new Desk({}, 1);
  const { state } = desk.exchange;
  const { clientOrderQueue } = state;
  const kept: string[] = [];
  const remembered = () => clientOrderQueue.all().map(({ clientOrderId }) => clientOrderId);
  const queueLength = () =>
    (clientOrderQueue as unknown as { readonly orders: readonly unknown[] }).orders.length;
  const placeAll = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      desk.sell(BOB, 1, 200, { ...gone, clientOrderId: `id-${n}` });
      kept.push(`id-${n}`);
    }
  };
  placeAll(0, 9_000);
  desk.wait(10);
  placeAll(9_000, 22_000);
  desk.wait(CLIENT_ORDER_ID_LIFETIME_MS - 10);
  expect(remembered()).toEqual(kept.slice(9_000));
  expect(clientOrderQueue.size).toBe(13_000);
  expect(queueLength()).toBe(22_000);
  placeAll(22_000, 25_000);
  desk.wait(10);
  expect(remembered()).toEqual(kept.slice(22_000));
  expect(clientOrderQueue.size).toBe(3_000);
  expect(queueLength()).toBe(3_000);
  auditState(state);
  desk.wait(CLIENT_ORDER_ID_LIFETIME_MS);
  expect(remembered()).toEqual([]);
  auditState(state);
});
