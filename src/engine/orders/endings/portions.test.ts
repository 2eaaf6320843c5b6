import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, Fixture, limitOrder, placed } from '../../../../test/fixture.ts';
import { SMALL_PORTION, withPortion } from '../../../../test/portions.ts';
import { auditState } from '../../audit/audit.ts';
import { CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { MAX_SWEEPS_PER_ACCOUNT, PORTION } from '../../limits.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import {
  MarketStatus,
  NONE,
  OrderReason,
  OrderStatus,
  OrderType,
  Side,
  TimeInForce,
} from '../../terms.ts';
import { Sweeps } from './sweeps.ts';

const ALL = { market: NONE, orderIds: null, clientOrderId: null } as const;

function cancelAll(fixture: Fixture, account = ALICE, terms: object = {}) {
  return fixture.apply({ kind: CommandKind.cancelOrders, account, key: NONE, ...ALL, ...terms });
}

function placeMany(fixture: Fixture, account: number, count: number, terms: object = {}): number[] {
  return Array.from({ length: count }, () => placed(fixture.buy(account, 1, 10, terms)).id);
}

function ended(fixture: Fixture): OrderRecord[] {
  return fixture.events.filter(
    (event) => event.kind === 'order' && event.status !== OrderStatus.open,
  ) as OrderRecord[];
}

function sweepId(outcome: Outcome): number | undefined {
  return outcome.kind === 'orders' ? outcome.sweep : undefined;
}

/** Runs portions until nothing is due. @returns The number of orders that each ended. */
function portions(fixture: Fixture): number[] {
  const counts: number[] = [];
  while (fixture.exchange.nextDueTime <= fixture.time) {
    fixture.wait(0);
    counts.push(ended(fixture).length);
    auditState(fixture.exchange.state);
  }
  return counts;
}

test.each<[string, (fixture: Fixture) => void, number]>([
  ['canceled by its account', (fixture) => void cancelAll(fixture), OrderReason.requested],
  [
    'canceled by an operator',
    (fixture) =>
      void fixture.apply({
        kind: CommandKind.cancelOrdersOf,
        ...SYSTEM_ACTOR,
        owner: ALICE,
        ...ALL,
      }),
    OrderReason.operator,
  ],
  [
    'of a delisted market',
    (fixture) => void fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }),
    OrderReason.delisted,
  ],
  [
    'of a key without heartbeat',
    (fixture) => {
      fixture.apply({
        kind: CommandKind.cancelAfter,
        account: ALICE,
        key: NONE,
        market: NONE,
        timeoutMs: 5,
      });
      fixture.wait(5);
    },
    OrderReason.cancelAfter,
  ],
  ['that have expired', (fixture) => fixture.wait(100), OrderReason.expired],
])('orders %s end in portions, and each releases its hold', (_, begin, reason) => {
  const fixture = new Fixture();
  const count = PORTION.ends * 3 + 7;
  const expiresAt = fixture.time + 100;
  const ids = placeMany(fixture, ALICE, count, { timeInForce: TimeInForce.gtd, expiresAt });
  const [other] = placeMany(fixture, BOB, 1);
  fixture.wait(1);
  begin(fixture);
  expect(ended(fixture).map(({ id }) => id)).toEqual(ids.slice(0, PORTION.ends));
  const held = 10 * (count - PORTION.ends);
  expect(fixture.balances(ALICE)).toBe(`1000+0 ${100_000 - held}+${held}`);
  const all = ended(fixture);
  expect(fixture.exchange.nextDueTime).toBe(fixture.time);
  while (fixture.exchange.nextDueTime <= fixture.time) {
    fixture.wait(0);
    const now = ended(fixture);
    expect(now.length).toBeLessThanOrEqual(PORTION.ends);
    all.push(...now);
    auditState(fixture.exchange.state);
  }
  const own = all.filter(({ account }) => account === ALICE);
  expect(own.map(({ id }) => id)).toEqual(ids);
  expect(own.every((order) => order.reason === reason)).toBe(true);
  expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  const isOpen = fixture.exchange.state.openOrder(other!) !== undefined;
  expect(isOpen).toBe(reason !== OrderReason.delisted);
});

test('all commands with the same time share one portion', () => {
  const fixture = new Fixture();
  for (const account of [ALICE, BOB]) placeMany(fixture, account, PORTION.ends);
  fixture.wait(1);
  expect(sweepId(cancelAll(fixture, ALICE))).toBeUndefined();
  const sweep = sweepId(cancelAll(fixture, BOB));
  expect(sweep).toBeDefined();
  expect(ended(fixture)).toEqual([]);
  fixture.wait(0);
  const { swept } = fixture.exchange.state.sweeps;
  expect(swept).toMatchObject([{ sweep, isDone: true }]);
  expect(swept[0]!.orders).toHaveLength(PORTION.ends);
});

test('an order placed during a sweep of its account is not canceled', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, PORTION.ends * 2);
  cancelAll(fixture);
  const { id } = placed(fixture.buy(ALICE, 1, 10));
  portions(fixture);
  expect(fixture.exchange.state.openOrder(id)).toBeDefined();
  expect(fixture.exchange.state.orders.size).toBe(1);
});

test('sweeps take turns, so that a large one does not delay a small one', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, PORTION.ends * 4);
  placeMany(fixture, BOB, PORTION.turn);
  cancelAll(fixture, ALICE);
  const small = sweepId(cancelAll(fixture, BOB));
  fixture.wait(0);
  const { swept } = fixture.exchange.state.sweeps;
  expect(swept.find(({ sweep }) => sweep === small)).toMatchObject({ isDone: true });
});

test('expiries and deadlines get their share of a portion during sweeps', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, PORTION.ends * 4);
  const [gtd] = placeMany(fixture, BOB, 1, {
    timeInForce: TimeInForce.gtd,
    expiresAt: fixture.time + 5,
  });
  cancelAll(fixture, ALICE);
  fixture.wait(5);
  expect(fixture.exchange.state.openOrder(gtd!)).toBeUndefined();
  expect(fixture.exchange.state.sweeps.queue).toHaveLength(1);
});

test('the number of sweeps per account is limited, independently of other accounts', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, PORTION.ends * 2);
  for (let n = 0; n < MAX_SWEEPS_PER_ACCOUNT; n++) {
    expect(cancelAll(fixture).kind).toBe('orders');
  }
  cancelAll(fixture);
  expect(cancelAll(fixture)).toMatchObject({ code: RejectionCode.limitReached });
  expect(cancelAll(fixture, BOB).kind).toBe('orders');
  portions(fixture);
  expect(cancelAll(fixture).kind).toBe('orders');
});

describe('delisting', () => {
  const count = PORTION.ends * 2 + 1;

  test('closes the market immediately: nothing trades, runs or is accepted', () => {
    const fixture = new Fixture();
    placeMany(fixture, ALICE, count);
    const outcome = fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
    expect(outcome).toMatchObject({ kind: 'orders', left: count - PORTION.ends });
    expect(fixture.exchange.state.markets[0]!.status).toBe(MarketStatus.delisted);
    expect(fixture.sell(BOB, 1, 10)).toMatchObject({ code: RejectionCode.marketUnavailable });
    portions(fixture);
    expect(fixture.exchange.state.markets[0]!.openOrders).toBe(0);
  });

  test('ends triggered orders, so that none is left to run', () => {
    withPortion(SMALL_PORTION, () => {
      const fixture = new Fixture();
      for (let n = 0; n < 9; n++) fixture.apply(stop(ALICE, Side.sell, 90));
      fixture.buy(BOB, 9, 90);
      fixture.sell(CAROL, 1, 90);
      fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
      portions(fixture);
      expect(fixture.exchange.state.triggered.size).toBe(0);
      expect(fixture.exchange.state.orders.size).toBe(0);
    });
  });
});

describe('a price that triggers many orders', () => {
  const count = PORTION.triggers * 2 + 5;

  function cascade(fixture: Fixture, bids = count): number[] {
    const ids = Array.from(
      { length: count },
      () => placed(fixture.apply(stop(ALICE, Side.sell, 90))).id,
    );
    fixture.buy(BOB, 1, 90);
    fixture.buy(BOB, bids, 50);
    fixture.wait(1);
    fixture.sell(CAROL, 1, 90);
    return ids;
  }

  test('runs them in portions, in order', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const ids = cascade(fixture);
    const ran = ended(fixture).filter(({ account }) => account === ALICE);
    expect(ran.map(({ id }) => id)).toEqual(ids.slice(0, PORTION.triggers));
    portions(fixture);
    expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
  });

  test('does not trigger a stop placed before all have run', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    // Only as many bids as the first portion takes; the other orders match nothing.
    cascade(fixture, PORTION.triggers);
    fixture.sell(BOB, 1, 95);
    fixture.buy(CAROL, 1, 95);
    const { id } = placed(fixture.apply(stop(CAROL, Side.sell, 70)));
    const restored = readSnapshot(writeSnapshot(fixture.exchange));
    expect(restored.state.digest).toBe(fixture.exchange.state.digest);
    portions(fixture);
    expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
    expect(fixture.exchange.state.openOrder(id)).toBeDefined();
    // A later trade triggers it.
    fixture.buy(BOB, 2, 70);
    fixture.sell(CAROL, 1, 70);
    expect(ended(fixture).map((order) => order.id)).toContain(id);
  });

  test('lets a triggered order be canceled but not amended', () => {
    const fixture = new Fixture({ collar: 1_000_000 });
    const orderId = cascade(fixture).at(-1)!;
    const actor = { account: ALICE, key: NONE };
    const amend = { kind: CommandKind.amendOrder, ...actor, orderId, price: 0, triggerPrice: 80 };
    expect(fixture.apply({ ...amend, amount: 0 })).toMatchObject({
      code: RejectionCode.notAmendable,
    });
    expect(fixture.cancel(ALICE, orderId).kind).toBe('order');
    portions(fixture);
    auditState(fixture.exchange.state);
  });
});

describe('a portion of triggered orders ends once its work is used up', () => {
  test('by trades', () => {
    withPortion({ ...PORTION, triggers: 10, trades: 4 }, () => {
      const fixture = new Fixture({ collar: 1_000_000 });
      fixture.apply(stop(ALICE, Side.sell, 90, { amount: 20 }));
      fixture.apply(stop(ALICE, Side.sell, 90, { amount: 20 }));
      const ids = [1, 1, 1].map(() => placed(fixture.apply(stop(ALICE, Side.sell, 90))).id);
      fixture.buy(BOB, 1, 90);
      for (let n = 0; n < 100; n++) fixture.buy(BOB, 1, 50);
      fixture.wait(1);
      fixture.sell(CAROL, 1, 90);
      // Two orders, and 20 trades of each, which count for five.
      expect(fixture.exchange.state.triggered.left).toBe(-2);
      expect(ids.map((id) => fixture.exchange.state.openOrder(id)?.status)).toEqual([0, 0, 0]);
      portions(fixture);
      expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
    });
  });

  test('by price levels that fill-or-kill orders look at', () => {
    withPortion({ ...PORTION, triggers: 10, scanned: 20 }, () => {
      const fixture = new Fixture();
      fixture.buy(BOB, 1, 90);
      for (let price = 11; price < 71; price++) fixture.buy(BOB, 1, price);
      const fok = { type: OrderType.stopLimit, price: 10, timeInForce: TimeInForce.fok };
      for (let n = 0; n < 5; n++) fixture.apply(stop(ALICE, Side.sell, 90, { ...fok, amount: 61 }));
      fixture.wait(1);
      fixture.sell(CAROL, 1, 90);
      // Three orders, and 60 levels of each.
      expect(fixture.exchange.state.triggered.left).toBe(-2);
      expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(2);
      portions(fixture);
      expect(fixture.exchange.state.accounts[ALICE]!.openOrders).toBe(0);
    });
  });
});

test('a snapshot during portions leads to the same result', () => {
  const fixture = new Fixture();
  placeMany(fixture, ALICE, PORTION.ends * 3);
  placeMany(fixture, BOB, PORTION.ends);
  cancelAll(fixture, ALICE);
  cancelAll(fixture, BOB, { orderIds: [1, PORTION.ends * 3 + 1, PORTION.ends * 3 + 2] });
  fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
  const restored = readSnapshot(writeSnapshot(fixture.exchange));
  while (fixture.exchange.nextDueTime <= fixture.time) {
    fixture.wait(0);
    restored.apply({ kind: CommandKind.tick }, fixture.time);
    expect(restored.events).toEqual(fixture.events);
    expect(restored.state.digest).toBe(fixture.exchange.state.digest);
  }
  expect(Bun.deepEquals(writeSnapshot(restored), writeSnapshot(fixture.exchange))).toBe(true);
});

test('version 1 ends all orders within one command', () => {
  const fixture = new Fixture();
  fixture.exchange.state.version = 1;
  placeMany(fixture, ALICE, PORTION.ends * 2);
  const outcome = cancelAll(fixture);
  expect(outcome.kind === 'orders' && outcome.orders.length).toBe(PORTION.ends * 2);
});

function stop(account: number, side: Side, triggerPrice: number, terms: Partial<PlaceOrder> = {}) {
  const order = limitOrder(account, side, 1, 0, { type: OrderType.stop, ...terms });
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice } as const;
}

test('the digest depends on the order of the sweeps alone, not on those that are done', () => {
  const sweeps = new Sweeps();
  const sweep = (id: number, account: number) =>
    ({ id, account, reason: 0, key: NONE, market: NONE, orderIds: null, below: 1 }) as const;
  const digestAfter = (...ids: number[]) => {
    const fresh = new Sweeps();
    for (const id of ids) fresh.push(sweep(id, id % 3));
    return fresh.mixInto(0);
  };
  const left: number[] = [];
  for (let id = 1; id < 60; id++) {
    sweeps.push(sweep(id, id % 3));
    left.push(id);
    if (id % 4 === 0) expect(sweeps.shift().id).toBe(left.shift()!);
    // The first one moves to the end.
    if (id % 5 === 0) {
      sweeps.push(sweeps.shift());
      left.push(left.shift()!);
    }
    expect(sweeps.mixInto(0)).toBe(digestAfter(...left));
    expect(sweeps.mixInto(0)).not.toBe(digestAfter(...left.toReversed(), 99));
    const counts = [0, 1, 2].map((account) => left.filter((each) => each % 3 === account).length);
    expect([0, 1, 2].map((account) => sweeps.count(account))).toEqual(counts);
  }
  while (left.length > 0) expect(sweeps.shift().id).toBe(left.shift()!);
  expect(sweeps.mixInto(0)).toBe(new Sweeps().mixInto(0));
  expect(digestAfter(1, 2)).not.toBe(digestAfter(2, 1));
});
