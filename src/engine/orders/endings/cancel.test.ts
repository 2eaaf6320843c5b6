import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../../../test/check.ts';
import { ALICE, BOB, Fixture, placed } from '../../../../test/fixture.ts';
import { play, scenario } from '../../../../test/reference/scenario.ts';
import { withLittleMemory } from '../../../../test/reference/with-little-memory.ts';
import { auditState } from '../../audit/audit.ts';
import { CancelCondition, type Command, CommandKind, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord } from '../../event.ts';
import { Exchange } from '../../exchange.ts';
import { RejectionCode } from '../../rejection.ts';
import {
  NONE,
  OrderReason,
  OrderStatus,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../terms.ts';

withLittleMemory();

/** Places an OCO order of Alice, and one order before and after it. @returns The ids. */
function orders(fixture: Fixture, expiresAt = 0): number[] {
  fixture.sell(ALICE, 1, 120);
  const outcome = fixture.apply({
    kind: CommandKind.placeOco,
    ...SYSTEM_ACTOR,
    account: ALICE,
    market: 0,
    side: Side.sell,
    amount: 5,
    expiresAt,
    takeProfit: { price: 110, triggerPrice: 0 },
    stopLoss: { price: 0, triggerPrice: 90 },
    selfTradePrevention: SelfTradePrevention.expireMaker,
    clientOrderId: 'pair',
  });
  expect(outcome.kind).toBe('oco');
  fixture.buy(ALICE, 1, 80);
  return [1, 2, 3, 4];
}

/** Returns the ids of the orders that the last command ended, in order. */
function ended(fixture: Fixture): number[] {
  auditState(fixture.exchange.state);
  return final(fixture.events).map(({ id }) => id);
}

function final(events: Fixture['events']): OrderRecord[] {
  return events.filter((event) => event.kind === 'order').filter(({ status }) => status !== 0);
}

describe('each leg of an OCO order is ended and reported once when canceled', () => {
  const all = { market: -1, orderIds: null, clientOrderId: null };
  const cancel = {
    kind: CommandKind.cancelOrders,
    ...SYSTEM_ACTOR,
    account: ALICE,
    ...all,
  } as const;
  const operate = {
    kind: CommandKind.cancelOrdersOf,
    ...SYSTEM_ACTOR,
    owner: ALICE,
    ...all,
  } as const;
  test.each<[string, Command, number[]]>([
    ['with all orders', cancel, [1, 2, 3, 4]],
    ['with those of a market', { ...cancel, market: 0 }, [1, 2, 3, 4]],
    ['by the ids of both legs', { ...cancel, orderIds: [3, 2] }, [2, 3]],
    ['by one id, given twice', { ...cancel, orderIds: [3, 3] }, [3, 2]],
    ['by ids of one leg and other orders', { ...cancel, orderIds: [4, 3, 99] }, [3, 2, 4]],
    ['by client order id', { ...cancel, clientOrderId: 'pair' }, [2, 3]],
    ['by an operator', operate, [1, 2, 3, 4]],
    ['by an operator, one leg', { ...operate, orderIds: [2] }, [2, 3]],
    // In the order of the book: bids, asks, pending orders.
    ['by delisting', { kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }, [4, 2, 3, 1]],
  ])('%s', (_, command, expected) => {
    const fixture = new Fixture({ collar: 100_000 });
    orders(fixture);
    const outcome = fixture.apply(command);
    expect(ended(fixture)).toEqual(expected);
    expect(outcome).toEqual({ kind: 'orders', orders: final(fixture.events) });
    const { state } = fixture.exchange;
    const left = state.accountOpenOrders(state.accounts[ALICE]!).map(({ id }) => id);
    expect(left).toEqual([1, 2, 3, 4].filter((id) => !expected.includes(id)));
  });

  test('by cancel-after', () => {
    const fixture = new Fixture({ collar: 100_000 });
    orders(fixture);
    const silence = { ...SYSTEM_ACTOR, account: ALICE, market: -1, timeoutMs: 10 };
    fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
    fixture.wait(10);
    expect(ended(fixture)).toEqual([1, 2, 3, 4]);
  });

  test('by its expiry, at the time at which cancel-after is due', () => {
    const fixture = new Fixture({ collar: 100_000 });
    orders(fixture, fixture.time + 10);
    const silence = { ...SYSTEM_ACTOR, account: ALICE, market: -1, timeoutMs: 10 };
    fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
    fixture.wait(10);
    expect(ended(fixture)).toEqual([2, 3, 1, 4]);
    const reasons = final(fixture.events).map(({ reason }) => reason);
    const { expired, cancelAfter } = OrderReason;
    expect(reasons).toEqual([expired, expired, cancelAfter, cancelAfter]);
  });
});

test('a deadline for one market does not cancel orders in others', () => {
  const fixture = new Fixture();
  const names = { symbol: 'USDT/BTC', base: 'USDT', quote: 'BTC' };
  const { rules } = fixture.exchange.state.markets[0]!;
  fixture.apply({ kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...names, ...rules });
  fixture.sell(ALICE, 1, 120);
  fixture.sell(ALICE, 1, 120, { market: 1 });
  const silence = { ...SYSTEM_ACTOR, account: ALICE, market: 1, timeoutMs: 10 };
  fixture.apply({ kind: CommandKind.cancelAfter, ...silence });
  fixture.wait(10);
  expect(ended(fixture)).toEqual([2]);
});

test('the outcome of a cancel lists the orders it ended, not those that were due before', () => {
  const fixture = new Fixture();
  fixture.buy(ALICE, 1, 90, { timeInForce: TimeInForce.gtd, expiresAt: fixture.time + 10 });
  fixture.buy(ALICE, 1, 91);
  fixture.time += 10;
  const all = { market: -1, orderIds: null, clientOrderId: null };
  const outcome = fixture.apply({
    kind: CommandKind.cancelOrders,
    ...SYSTEM_ACTOR,
    account: ALICE,
    ...all,
  });
  expect(ended(fixture)).toEqual([1, 2]);
  expect(outcome).toMatchObject({ kind: 'orders', orders: [{ id: 2 }] });
  expect(outcome).toHaveProperty('orders.length', 1);
});

test(
  'in any scenario each order ends once and is not reported again, and the outcome of a cancel lists what ended',
  () => {
    const property = fc.property(scenario(80), (run) => {
      const exchange = new Exchange();
      const gone = new Set<number>();
      for (const { command, time } of play(run)) {
        const isLate = time > exchange.state.time;
        if (isLate) exchange.apply({ kind: CommandKind.tick }, time);
        if (isLate) note(exchange, gone);
        const outcome = exchange.apply(command, time);
        const finals = note(exchange, gone);
        if (outcome.kind !== 'orders') continue;
        // Triggered orders may have ended before or after it.
        const answered = new Set(outcome.orders.map(({ id }) => id));
        expect(answered.size).toBe(outcome.orders.length);
        expect(outcome.orders).toEqual(finals.filter(({ id }) => answered.has(id)));
      }
    });
    check(property, 150);
  },
  CHECK_TIMEOUT_MS,
);

/**
 * Adds the orders that the last command ended to `gone`. @throws Error if one had already ended.
 */
function note({ events }: Exchange, gone: Set<number>): OrderRecord[] {
  const finals: OrderRecord[] = [];
  for (const event of events) {
    if (event.kind !== 'order') continue;
    expect(gone.has(event.id)).toBe(false);
    if (event.status === OrderStatus.open) continue;
    gone.add(event.id);
    finals.push(event);
  }
  return finals;
}

test.each([
  ['unfilled', CancelCondition.unfilled, [false, true]],
  ['partially filled', CancelCondition.partiallyFilled, [true, false]],
] as const)(
  'a cancellation of an order that is %s leaves others as they are',
  (_, onlyIf, rejects) => {
    const fixture = new Fixture();
    const filled = placed(fixture.buy(ALICE, 5, 100));
    fixture.sell(BOB, 3, 100);
    const unfilled = placed(fixture.buy(ALICE, 5, 90));
    for (const [index, { id }] of [unfilled, filled].entries()) {
      const actor = { ...SYSTEM_ACTOR, account: ALICE };
      const before = fixture.book();
      const outcome = fixture.apply({
        kind: CommandKind.cancelOrder,
        ...actor,
        orderId: id,
        onlyIf,
      });
      const isRejected = outcome.kind === 'rejected';
      expect(isRejected).toBe(rejects[index]!);
      if (isRejected) expect(outcome.code).toBe(RejectionCode.cancelRestricted);
      expect(fixture.book() === before).toBe(isRejected);
      auditState(fixture.exchange.state);
    }
  },
);

test.each([CommandKind.cancelOrder, CommandKind.cancelOrders])(
  'a cancellation of kind %i is not executed after its deadline',
  (kind) => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    const actor = { ...SYSTEM_ACTOR, account: ALICE };
    const command =
      kind === CommandKind.cancelOrder
        ? { kind, ...actor, orderId: id }
        : { kind, ...actor, market: NONE, orderIds: null, clientOrderId: null };
    const by = (deadline: number) =>
      fixture.apply({ kind: CommandKind.executeBy, deadline, command });
    const { time } = fixture.exchange.state;
    expect(by(time - 1)).toMatchObject({ code: RejectionCode.signatureExpired });
    expect(fixture.book()).toBe('5@100 |');
    expect(by(time).kind).toBe(kind === CommandKind.cancelOrder ? 'order' : 'orders');
    expect(fixture.book()).toBe('|');
  },
);
