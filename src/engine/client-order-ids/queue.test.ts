import { expect, test } from 'bun:test';
import { ALICE, BOB, Fixture } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../limits.ts';
import { TimeInForce } from '../terms.ts';

/** Engine version 1. */

const gone = { timeInForce: TimeInForce.ioc };

test('an id is remembered until its last millisecond, and as long as its order is open', () => {
  const fixture = new Fixture({}, 1);
  fixture.buy(ALICE, 1, 100, { ...gone, clientOrderId: 'gone' });
  fixture.buy(ALICE, 1, 100, { clientOrderId: 'open' });
  const again = (clientOrderId: string, terms = {}) =>
    fixture.buy(ALICE, 1, 101, { ...terms, clientOrderId }).kind;
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect([again('gone'), again('open')]).toEqual(['rejected', 'rejected']);
  fixture.wait(1);
  expect([again('gone', gone), again('open')]).toEqual(['order', 'rejected']);
  fixture.cancel(ALICE, 2);
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect(again('open')).toBe('rejected');
  fixture.wait(1);
  expect(again('open')).toBe('order');
});

test('ids are forgotten in order, and their memory is released', () => {
  const fixture = new Fixture({}, 1);
  const { state } = fixture.exchange;
  const { clientOrderQueue } = state;
  const kept: string[] = [];
  const remembered = () => clientOrderQueue.all().map(({ clientOrderId }) => clientOrderId);
  const queueLength = () =>
    (clientOrderQueue as unknown as { readonly orders: readonly unknown[] }).orders.length;
  const placeAll = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      fixture.sell(BOB, 1, 200, { ...gone, clientOrderId: `id-${n}` });
      kept.push(`id-${n}`);
    }
  };
  placeAll(0, 9_000);
  fixture.wait(10);
  placeAll(9_000, 22_000);
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS - 10);
  expect(remembered()).toEqual(kept.slice(9_000));
  expect(clientOrderQueue.size).toBe(13_000);
  expect(queueLength()).toBe(22_000);
  placeAll(22_000, 25_000);
  fixture.wait(10);
  expect(remembered()).toEqual(kept.slice(22_000));
  expect(clientOrderQueue.size).toBe(3_000);
  expect(queueLength()).toBe(3_000);
  auditState(state);
  fixture.wait(CLIENT_ORDER_ID_LIFETIME_MS);
  expect(remembered()).toEqual([]);
  auditState(state);
});
