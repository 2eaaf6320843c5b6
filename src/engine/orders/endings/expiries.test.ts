import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import { ALICE, BOB, Fixture, limitOrder, placed, summary } from '../../../../test/fixture.ts';
import { OrderDetails } from '../../book/order-details.ts';
import { OrderReason, Side, TimeInForce } from '../../terms.ts';
import { Expiries } from './expiries.ts';

const TERMS = limitOrder(ALICE, Side.buy, 1, 1);

test('returns the earliest expiry, and the older order of equal ones, after any removals', () => {
  const step = fc.record({ expiresAt: fc.integer({ min: 1, max: 20 }), removes: fc.nat(3) });
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const details = new OrderDetails();
    const expiries = new Expiries(details);
    let waiting: { slot: number; id: number; expiresAt: number }[] = [];
    steps.forEach(({ expiresAt, removes }, id) => {
      // Slots have no meaning, so any free one will do.
      const slot = 99 - id;
      details.set(slot, id, 1, 0, OrderReason.none, { ...TERMS, expiresAt });
      expiries.add(slot);
      waiting.push({ slot, id, expiresAt });
      if (removes === 0) {
        const gone = waiting[(id * 7) % waiting.length]!;
        expiries.remove(gone.slot);
        waiting = waiting.filter((each) => each !== gone);
      }
    });
    const sorted = waiting.toSorted((a, b) => a.expiresAt - b.expiresAt || a.id - b.id);
    for (const { slot, expiresAt } of sorted) {
      expect(expiries.nextTime).toBe(expiresAt);
      expect(expiries.first).toBe(slot);
      expiries.remove(slot);
    }
    expect(expiries.nextTime).toBe(Number.POSITIVE_INFINITY);
  });
  check(property, 200);
});

describe('a good-till-date order', () => {
  const gtd = (expiresAt: number) => ({ timeInForce: TimeInForce.gtd, expiresAt });

  function ended(fixture: Fixture): number[] {
    return fixture.events.flatMap((event) => (event.kind === 'order' ? event.id : []));
  }

  test('expires at its time, and releases its hold', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100, gtd(fixture.time + 10)));
    fixture.sell(BOB, 2, 100);
    expect(fixture.exchange.nextDueTime).toBe(fixture.time + 10);
    fixture.wait(9);
    expect(fixture.events).toEqual([]);
    fixture.wait(1);
    expect(fixture.events.at(-1)).toMatchObject({
      id,
      amount: 5,
      remaining: 3,
      reason: OrderReason.expired,
      updatedAt: fixture.time,
    });
    expect(fixture.balances(ALICE)).toBe('1002+0 99800+0');
    expect(fixture.book()).toBe('|');
    expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
  });

  test('expires before the command with that time', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 1, 100, gtd(fixture.time + 10));
    fixture.time += 10;
    expect(summary(fixture.buy(ALICE, 1, 100))).toBe('open 0/1');
  });

  test('expires in order of time, then of placement', () => {
    const fixture = new Fixture();
    const ids = [30, 10, 20, 10].map(
      (after) => placed(fixture.buy(ALICE, 1, 100 - after, gtd(fixture.time + after))).id,
    );
    fixture.cancel(ALICE, ids[2]!);
    fixture.wait(100);
    expect(ended(fixture)).toEqual([ids[1]!, ids[3]!, ids[0]!]);
  });

  test('is not affected by a time that goes backwards', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 1, 100, gtd(fixture.time + 10));
    fixture.wait(5);
    const reached = fixture.time;
    fixture.wait(-1_000);
    expect(fixture.exchange.state.time).toBe(reached);
    expect(placed(fixture.buy(ALICE, 1, 99)).createdAt).toBe(reached);
  });

  test('must expire in the future', () => {
    const fixture = new Fixture();
    expect(fixture.buy(ALICE, 1, 100, gtd(fixture.time))).toMatchObject({
      kind: 'rejected',
      code: 18,
    });
    expect(fixture.buy(ALICE, 1, 100, gtd(fixture.time + 1)).kind).toBe('order');
  });

  test('is removed from the expiries once filled', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 1, 100, gtd(fixture.time + 10));
    fixture.sell(BOB, 1, 100);
    expect(fixture.exchange.nextDueTime).toBe(Number.POSITIVE_INFINITY);
  });
});
