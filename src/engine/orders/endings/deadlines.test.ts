import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import { ALICE, BOB, Fixture, placed } from '../../../../test/fixture.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../command.ts';
import type { Outcome } from '../../event.ts';
import { MAX_DEADLINES_PER_ACCOUNT } from '../../limits.ts';
import { RejectionCode } from '../../rejection.ts';
import { readSnapshot, writeSnapshot } from '../../snapshot/snapshot.ts';
import { NONE, OrderReason, OrderStatus, TimeInForce } from '../../terms.ts';
import { type Deadline, Deadlines } from './deadlines.ts';

test('deadlines are sorted by time and found by account after any operations', () => {
  const deadline = fc.record({
    account: fc.nat(3),
    key: fc.integer({ min: -1, max: 3 }),
    market: fc.integer({ min: -1, max: 2 }),
    dueAt: fc.nat(5),
  });
  const unique = fc.uniqueArray(deadline, { selector: (each) => JSON.stringify(each) });
  const property = fc.property(unique, fc.infiniteStream(fc.boolean()), (all, stays) => {
    const deadlines = new Deadlines();
    for (const each of all) deadlines.arm(each);
    const left = all.filter((each) => stays.next().value || void deadlines.disarm(each));
    const sorted = left.toSorted(
      (a, b) => a.dueAt - b.dueAt || a.account - b.account || a.key - b.key || a.market - b.market,
    );
    expect(deadlines.all()).toEqual(sorted);
    expect(deadlines.nextTime).toBe(sorted[0]?.dueAt ?? Number.POSITIVE_INFINITY);
    for (const account of [0, 1, 2, 3]) {
      expect(deadlines.get(account)).toEqual(sorted.filter((each) => each.account === account));
    }
  });
  check(property, 200);
});

test('moving one of many deadlines takes logarithmic time', () => {
  let steps = 0;
  class Counted extends Deadlines {
    protected override isBefore(a: number, b: number): boolean {
      steps++;
      return super.isBefore(a, b);
    }
  }
  const deadlines = new Counted();
  const count = 50_000;
  const all = Array.from({ length: count }, (_, account) => {
    const deadline = { account, key: NONE, market: NONE, dueAt: (account * 7_919) % count };
    deadlines.arm(deadline);
    return deadline;
  });
  steps = 0;
  for (const deadline of all.slice(0, 1_000)) {
    deadlines.disarm(deadline);
    deadlines.arm({ ...deadline, dueAt: deadline.dueAt + count });
  }
  expect(steps).toBeLessThan(1_000 * 4 * Math.log2(count));
  expect(deadlines.size).toBe(count);
});

describe('cancel after', () => {
  function arm(
    fixture: Fixture,
    timeoutMs: number,
    market = NONE,
    account = ALICE,
  ): readonly Deadline[] {
    const kind = CommandKind.cancelAfter;
    const outcome = fixture.apply({ kind, account, key: NONE, market, timeoutMs });
    if (outcome.kind !== 'deadlines') throw new Error(`no deadlines, but ${outcome.kind}`);
    return outcome.deadlines;
  }

  test('cancels the orders of the key before the next command', () => {
    const fixture = new Fixture();
    const [first, second] = [fixture.buy(ALICE, 5, 100), fixture.sell(ALICE, 5, 200)].map(placed);
    fixture.buy(BOB, 5, 90);
    expect(arm(fixture, 10)).toMatchObject([{ market: NONE, dueAt: fixture.time + 10 }]);
    expect(fixture.exchange.nextDueTime).toBe(fixture.time + 10);
    fixture.time += 10;
    fixture.sell(BOB, 5, 90);
    const ended = fixture.events.filter((event) => event.kind === 'order').slice(0, 2);
    const status = { status: OrderStatus.canceled, reason: OrderReason.cancelAfter };
    expect(ended).toMatchObject([
      { id: first!.id, ...status },
      { id: second!.id, ...status },
    ]);
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
    expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
  });

  test('is moved by repeating it and disarmed by 0', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 5, 100);
    arm(fixture, 10);
    fixture.wait(9);
    expect(arm(fixture, 10)).toHaveLength(1);
    fixture.wait(9);
    expect(fixture.book()).toBe('5@100 |');
    expect(arm(fixture, 0)).toEqual([]);
    fixture.wait(100);
    expect(fixture.book()).toBe('5@100 |');
  });

  test('is separate for one market and for all; 0 without a market disarms all', () => {
    const fixture = new Fixture();
    arm(fixture, 20);
    expect(arm(fixture, 10, 0).map(({ market }) => market)).toEqual([0, NONE]);
    expect(arm(fixture, 0, 0).map(({ market }) => market)).toEqual([NONE]);
    arm(fixture, 10, 0);
    expect(arm(fixture, 0)).toEqual([]);
    const unknown = { account: ALICE, key: NONE, market: 7, timeoutMs: 5 };
    const outcome: Outcome = fixture.apply({ kind: CommandKind.cancelAfter, ...unknown });
    expect(outcome).toMatchObject({ code: RejectionCode.unknownMarket });
  });

  test('does not prevent an order from expiring before it or at the same time', () => {
    const fixture = new Fixture();
    const gtd = (wait: number) => ({
      timeInForce: TimeInForce.gtd,
      expiresAt: fixture.time + wait,
    });
    for (const wait of [5, 10, 11]) fixture.buy(ALICE, 5, 100, gtd(wait));
    arm(fixture, 10);
    fixture.wait(100);
    const reasons = fixture.events.flatMap((event) => (event.kind === 'order' ? event.reason : []));
    const { expired, cancelAfter } = OrderReason;
    expect(reasons).toEqual([expired, expired, cancelAfter]);
  });

  test('still runs if the account was frozen', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 5, 100);
    arm(fixture, 10);
    fixture.apply({
      kind: CommandKind.setAccountStatus,
      ...SYSTEM_ACTOR,
      owner: ALICE,
      frozen: true,
    });
    fixture.wait(10);
    expect(fixture.book()).toBe('|');
  });

  test('survives a restart', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    arm(fixture, 10);
    const exchange = readSnapshot(writeSnapshot(fixture.exchange));
    expect(exchange.state.digest).toBe(fixture.exchange.state.digest);
    exchange.apply({ kind: CommandKind.tick }, fixture.time + 9);
    expect(exchange.state.openOrder(id)).toBeDefined();
    exchange.apply({ kind: CommandKind.tick }, fixture.time + 10);
    expect(exchange.state.openOrder(id)).toBeUndefined();
  });

  test('is limited in number', () => {
    const fixture = new Fixture();
    for (let key = 0; key < MAX_DEADLINES_PER_ACCOUNT; key++) {
      fixture.exchange.state.arm({ account: ALICE, key, market: NONE, dueAt: fixture.time + 10 });
    }
    const more = { account: ALICE, key: NONE, market: NONE, timeoutMs: 5 };
    const outcome: Outcome = fixture.apply({ kind: CommandKind.cancelAfter, ...more });
    expect(outcome).toMatchObject({ code: RejectionCode.limitReached });
    expect(arm(fixture, 5, NONE, BOB)).toHaveLength(1);
  });
});
