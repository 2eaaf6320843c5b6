import { expect, test } from 'bun:test';
import { ALICE, Fixture } from '../../test/fixture.ts';
import { withLittleMemory } from '../../test/reference/with-little-memory.ts';
import { MAX_REMEMBERED } from '../engine/limits.ts';
import { OrderStatus, TimeInForce } from '../engine/terms.ts';
import { RememberedByEngine } from './remembered.ts';

withLittleMemory();

test('an order keeps its fingerprint if the command that ends it also drops its client order id', () => {
  const fixture = new Fixture();
  const remembered = new RememberedByEngine(fixture.exchange.state);
  const expiresAt = fixture.time + 10;
  const gtd = { timeInForce: TimeInForce.gtd, expiresAt, clientOrderId: 'first' };
  fixture.sell(ALICE, 1, 200, gtd);
  const ioc = (clientOrderId: string) =>
    fixture.sell(ALICE, 1, 200, { timeInForce: TimeInForce.ioc, clientOrderId });
  for (let n = 1; n < MAX_REMEMBERED.clientOrderIds; n++) ioc(`other-${n}`);
  const { recentIds } = fixture.exchange.state.accounts[ALICE]!;
  const fingerprint = recentIds!.fingerprint(recentIds!.first);
  expect(fingerprint).not.toBe(0);
  fixture.time += 10;
  ioc('last');
  expect(recentIds!.droppedOrderId).toBe(1);
  const ended = fixture.events.find((event) => event.kind === 'order' && event.id === 1);
  if (ended?.kind !== 'order') throw new Error('the first order did not end');
  expect(ended.status).toBe(OrderStatus.expired);
  expect(remembered.fingerprint(ended)).toBe(fingerprint);
  // The next command drops no id.
  fixture.wait(0);
  expect(remembered.fingerprint(ended)).toBeUndefined();
});
