import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Desk, limitOrder, placed } from '../../../test/desk.ts';
import { SMALL_PORTION, withPortion } from '../../../test/portions.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { MAX_SWEEPS_PER_ACCOUNT, PORTION } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import {
  MarketStatus,
  NONE,
  OrderReason,
  OrderStatus,
  OrderType,
  Side,
  TimeInForce,
} from '../terms.ts';

const ALL = { market: NONE, orderIds: null, clientOrderId: null } as const;

function cancelAll(desk: Desk, account = ALICE, terms: object = {}) {
  return desk.apply({ kind: CommandKind.cancelOrders, account, key: NONE, ...ALL, ...terms });
}

function placeMany(desk: Desk, account: number, count: number, terms: object = {}): number[] {
  return Array.from({ length: count }, () => placed(desk.buy(account, 1, 10, terms)).id);
}

function ended(desk: Desk): OrderRecord[] {
  return desk.events.filter(
    (event) => event.kind === 'order' && event.status !== OrderStatus.open,
  ) as OrderRecord[];
}

function sweepOf(outcome: Outcome): number | undefined {
  return outcome.kind === 'orders' ? outcome.sweep : undefined;
}

/** Lets portions pass until nothing is due. @returns What each ended. */
function portions(desk: Desk): number[] {
  const counts: number[] = [];
  while (desk.exchange.nextDueTime <= desk.time) {
    desk.wait(0);
    counts.push(ended(desk).length);
    auditState(desk.exchange.state);
  }
  return counts;
}

test.each<[string, (desk: Desk) => void, number]>([
  ['canceled by its account', (desk) => void cancelAll(desk), OrderReason.requested],
  [
    'canceled by an operator',
    (desk) =>
      void desk.apply({ kind: CommandKind.cancelOrdersOf, ...SYSTEM_ACTOR, owner: ALICE, ...ALL }),
    OrderReason.operator,
  ],
  [
    'of a delisted market',
    (desk) => void desk.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }),
    OrderReason.delisted,
  ],
  [
    'of a key that fell silent',
    (desk) => {
      desk.apply({
        kind: CommandKind.cancelAfter,
        ...{ account: ALICE, key: NONE },
        market: NONE,
        timeoutMs: 5,
      });
      desk.wait(5);
    },
    OrderReason.cancelAfter,
  ],
  ['whose date has come', (desk) => desk.wait(100), OrderReason.expired],
])('orders %s end in portions, each with its hold', (_, begin, reason) => {
  const desk = new Desk();
  const count = PORTION.ends * 3 + 7;
  const expiresAt = desk.time + 100;
  const ids = placeMany(desk, ALICE, count, { timeInForce: TimeInForce.gtd, expiresAt });
  const [other] = placeMany(desk, BOB, 1);
  desk.wait(1);
  begin(desk);
  expect(ended(desk).map(({ id }) => id)).toEqual(ids.slice(0, PORTION.ends));
  const held = 10 * (count - PORTION.ends);
  expect(desk.balances(ALICE)).toBe(`1000+0 ${100_000 - held}+${held}`);
  const all = ended(desk);
  expect(desk.exchange.nextDueTime).toBe(desk.time);
  while (desk.exchange.nextDueTime <= desk.time) {
    desk.wait(0);
    const now = ended(desk);
    expect(now.length).toBeLessThanOrEqual(PORTION.ends);
    all.push(...now);
    auditState(desk.exchange.state);
  }
  const own = all.filter(({ account }) => account === ALICE);
  expect(own.map(({ id }) => id)).toEqual(ids);
  expect(own.every((order) => order.reason === reason)).toBe(true);
  expect(desk.balances(ALICE)).toBe('1000+0 100000+0');
  const isOpen = desk.exchange.state.openOrder(other!) !== undefined;
  expect(isOpen).toBe(reason !== OrderReason.delisted);
});

test('all commands of one time share one portion', () => {
  const desk = new Desk();
  for (const account of [ALICE, BOB]) placeMany(desk, account, PORTION.ends);
  desk.wait(1);
  expect(sweepOf(cancelAll(desk, ALICE))).toBeUndefined();
  const sweep = sweepOf(cancelAll(desk, BOB));
  expect(sweep).toBeDefined();
  expect(ended(desk)).toEqual([]);
  desk.wait(0);
  const { swept } = desk.exchange.state.sweeps;
  expect(swept).toMatchObject([{ sweep, isDone: true }]);
  expect(swept[0]!.orders).toHaveLength(PORTION.ends);
});

test('an order that is placed while its account is swept stays', () => {
  const desk = new Desk();
  placeMany(desk, ALICE, PORTION.ends * 2);
  cancelAll(desk);
  const { id } = placed(desk.buy(ALICE, 1, 10));
  portions(desk);
  expect(desk.exchange.state.openOrder(id)).toBeDefined();
  expect(desk.exchange.state.orders.size).toBe(1);
});

test('sweeps take turns, so that a small one does not wait for a large one', () => {
  const desk = new Desk();
  placeMany(desk, ALICE, PORTION.ends * 4);
  placeMany(desk, BOB, PORTION.turn);
  cancelAll(desk, ALICE);
  const small = sweepOf(cancelAll(desk, BOB));
  desk.wait(0);
  const { swept } = desk.exchange.state.sweeps;
  expect(swept.find(({ sweep }) => sweep === small)).toMatchObject({ isDone: true });
});

test('dates have their part while sweeps are under way', () => {
  const desk = new Desk();
  placeMany(desk, ALICE, PORTION.ends * 4);
  const [gtd] = placeMany(desk, BOB, 1, { timeInForce: TimeInForce.gtd, expiresAt: desk.time + 5 });
  cancelAll(desk, ALICE);
  desk.wait(5);
  expect(desk.exchange.state.openOrder(gtd!)).toBeUndefined();
  expect(desk.exchange.state.sweeps.queue).toHaveLength(1);
});

test('an account has a bounded number of sweeps, which concerns no other', () => {
  const desk = new Desk();
  placeMany(desk, ALICE, PORTION.ends * 2);
  for (let n = 0; n < MAX_SWEEPS_PER_ACCOUNT; n++) {
    expect(cancelAll(desk).kind).toBe('orders');
  }
  cancelAll(desk);
  expect(cancelAll(desk)).toMatchObject({ code: RejectionCode.limitReached });
  expect(cancelAll(desk, BOB).kind).toBe('orders');
  portions(desk);
  expect(cancelAll(desk).kind).toBe('orders');
});

describe('delisting', () => {
  const count = PORTION.ends * 2 + 1;

  test('closes the market at once: nothing trades, runs or enters', () => {
    const desk = new Desk();
    placeMany(desk, ALICE, count);
    const outcome = desk.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
    expect(outcome).toMatchObject({ kind: 'orders', left: count - PORTION.ends });
    expect(desk.exchange.state.markets[0]!.status).toBe(MarketStatus.delisted);
    expect(desk.sell(BOB, 1, 10)).toMatchObject({ code: RejectionCode.marketUnavailable });
    portions(desk);
    expect(desk.exchange.state.markets[0]!.openOrders).toBe(0);
  });

  test('ends orders that were to run, and no order is left to run', () => {
    withPortion(SMALL_PORTION, () => {
      const desk = new Desk();
      for (let n = 0; n < 9; n++) desk.apply(stop(ALICE, Side.sell, 90));
      desk.buy(BOB, 9, 90);
      desk.sell(CAROL, 1, 90);
      desk.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
      portions(desk);
      expect(desk.exchange.state.triggered.size).toBe(0);
      expect(desk.exchange.state.orders.size).toBe(0);
    });
  });
});

describe('a price that triggers many orders', () => {
  const count = PORTION.triggers * 2 + 5;

  function cascade(desk: Desk, bids = count): number[] {
    const ids = Array.from(
      { length: count },
      () => placed(desk.apply(stop(ALICE, Side.sell, 90))).id,
    );
    desk.buy(BOB, 1, 90);
    desk.buy(BOB, bids, 50);
    desk.wait(1);
    desk.sell(CAROL, 1, 90);
    return ids;
  }

  test('runs them in portions, in their order', () => {
    const desk = new Desk({ collar: 1_000_000 });
    const ids = cascade(desk);
    const ran = ended(desk).filter(({ account }) => account === ALICE);
    expect(ran.map(({ id }) => id)).toEqual(ids.slice(0, PORTION.triggers));
    portions(desk);
    expect(desk.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
  });

  test('does not trigger a stop that is placed before all have run', () => {
    const desk = new Desk({ collar: 1_000_000 });
    // Only as many bids as the first portion takes: the others trade nothing.
    cascade(desk, PORTION.triggers);
    desk.sell(BOB, 1, 95);
    desk.buy(CAROL, 1, 95);
    const { id } = placed(desk.apply(stop(CAROL, Side.sell, 70)));
    const restored = readSnapshot(writeSnapshot(desk.exchange));
    expect(restored.state.digest).toBe(desk.exchange.state.digest);
    portions(desk);
    expect(desk.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
    expect(desk.exchange.state.openOrder(id)).toBeDefined();
    // A later trade does.
    desk.buy(BOB, 2, 70);
    desk.sell(CAROL, 1, 70);
    expect(ended(desk).map((order) => order.id)).toContain(id);
  });

  test('has an order that is to run refuse its amendment, and take its cancel', () => {
    const desk = new Desk({ collar: 1_000_000 });
    const orderId = cascade(desk).at(-1)!;
    const actor = { account: ALICE, key: NONE };
    const amend = { kind: CommandKind.amendOrder, ...actor, orderId, price: 0, triggerPrice: 80 };
    expect(desk.apply({ ...amend, amount: 0 })).toMatchObject({ code: RejectionCode.notAmendable });
    expect(desk.cancel(ALICE, orderId).kind).toBe('order');
    portions(desk);
    auditState(desk.exchange.state);
  });
});

test('a snapshot in the midst of it all leads to the same end', () => {
  const desk = new Desk();
  placeMany(desk, ALICE, PORTION.ends * 3);
  placeMany(desk, BOB, PORTION.ends);
  cancelAll(desk, ALICE);
  cancelAll(desk, BOB, { orderIds: [1, PORTION.ends * 3 + 1, PORTION.ends * 3 + 2] });
  desk.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
  const restored = readSnapshot(writeSnapshot(desk.exchange));
  while (desk.exchange.nextDueTime <= desk.time) {
    desk.wait(0);
    restored.apply({ kind: CommandKind.tick }, desk.time);
    expect(restored.events).toEqual(desk.events);
    expect(restored.state.digest).toBe(desk.exchange.state.digest);
  }
  expect(Bun.deepEquals(writeSnapshot(restored), writeSnapshot(desk.exchange))).toBe(true);
});

test('version 1 ends all within one command', () => {
  const desk = new Desk();
  desk.exchange.state.version = 1;
  placeMany(desk, ALICE, PORTION.ends * 2);
  const outcome = cancelAll(desk);
  expect(outcome.kind === 'orders' && outcome.orders.length).toBe(PORTION.ends * 2);
});

function stop(account: number, side: Side, triggerPrice: number) {
  const order = limitOrder(account, side, 1, 0, { type: OrderType.stop });
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice } as const;
}
