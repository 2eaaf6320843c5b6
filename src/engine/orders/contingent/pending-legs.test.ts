import { expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, limitOrder } from '../../../../test/fixture.ts';
import { auditState } from '../../audit/audit.ts';
import { type Attached, CommandKind, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { orderStatuses, orderTypes, Side } from '../../terms.ts';
import { listPendingLegs } from './pending-legs.ts';

const BOTH: Attached = {
  takeProfit: { price: 110, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
};
const STOP: Attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };

/** Places a bracket order: Alice buys 5 at 100. */
function place(fixture: Fixture, attached: Attached): Outcome {
  const order = limitOrder(ALICE, Side.buy, 5, 100);
  return fixture.apply({ kind: CommandKind.placeBracket, order, attached });
}

const placedId = (outcome: Outcome) => (outcome as { order: OrderRecord }).order.id;

/** Returns the legs as changed by the last command: `type amount status`. */
function children(fixture: Fixture): string[] {
  auditState(fixture.exchange.state);
  return fixture.events.flatMap((event) => {
    if (event.kind !== 'order' || event.parentId === 0) return [];
    return `${orderTypes[event.type]} ${event.amount} ${orderStatuses[event.status]}`;
  });
}

test('the order ids of legs follow that of their order, whenever they are activated', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const parent = placedId(place(fixture, BOTH));
  const placedAt = fixture.time;
  const { state } = fixture.exchange;
  expect(state.openOrder(parent)?.attached).toEqual({ ...BOTH, firstOrderId: parent + 1 });
  const next = placedId(place(fixture, STOP));
  expect(next).toBe(parent + 3);
  expect(state.nextOrderId).toBe(next + 2);
  fixture.wait(10);
  fixture.sell(BOB, 5, 100);
  const legs = fixture.events.filter((event) => event.kind === 'order' && event.parentId !== 0);
  expect(legs).toMatchObject([
    { id: parent + 1, createdAt: placedAt, updatedAt: placedAt + 10 },
    { id: parent + 2, createdAt: placedAt, updatedAt: placedAt + 10 },
  ]);
});

test('an order of engine version 1 activates legs under new ids, and drops them in silence', () => {
  const fixture = new Fixture({ collar: 100_000 }, 1);
  const parent = placedId(place(fixture, BOTH));
  const canceled = placedId(place(fixture, BOTH));
  const { state } = fixture.exchange;
  expect(canceled).toBe(parent + 1);
  fixture.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
  fixture.wait(10);
  fixture.cancel(ALICE, canceled);
  expect(children(fixture)).toEqual([]);
  fixture.sell(BOB, 5, 100);
  expect(children(fixture)).toEqual(['limit 5 open', 'stop 5 open']);
  expect(state.accountOpenOrders(state.accounts[ALICE]!)).toMatchObject([
    { id: canceled + 2, createdAt: fixture.time },
    { id: canceled + 3, createdAt: fixture.time },
  ]);
});

test('legs are listed as they will be, under the ids that they will have', () => {
  const fixture = new Fixture({ collar: 100_000 });
  place(fixture, BOTH);
  const { state } = fixture.exchange;
  const pending = state.accountOpenOrders(state.accounts[ALICE]!).flatMap(listPendingLegs);
  fixture.sell(BOB, 5, 100);
  expect(pending).toEqual(state.accountOpenOrders(state.accounts[ALICE]!));
  expect(pending.flatMap(listPendingLegs)).toEqual([]);
});
