import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, limitOrder, placed, summary } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type AmendOrder, CommandKind } from '../command.ts';
import type { Outcome } from '../event.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import {
  MarketStatus,
  NONE,
  OrderReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../terms.ts';

function amend(fixture: Fixture, orderId: number, change: Partial<AmendOrder>): Outcome {
  const terms = { price: 0, amount: 0, triggerPrice: 0, ...change };
  const command = { kind: CommandKind.amendOrder, account: ALICE, key: NONE, orderId, ...terms };
  const outcome = fixture.apply(command);
  auditState(fixture.exchange.state);
  return outcome;
}

function rejectionCode(outcome: Outcome): unknown {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind;
}

describe('lowering the amount', () => {
  test('keeps the place in the queue and releases a part of the hold', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.buy(BOB, 7, 100);
    expect(placed(amend(fixture, id, { amount: 2 }))).toMatchObject({
      id,
      amount: 2,
      remaining: 2,
      reason: OrderReason.amended,
    });
    expect(fixture.book()).toBe('2@100 7@100 |');
    expect(fixture.balances(ALICE)).toBe('1000+0 99800+200');
  });

  test('sets the new total, including the filled quantity', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.sell(BOB, 3, 100);
    expect(rejectionCode(amend(fixture, id, { amount: 2 }))).toBe(RejectionCode.amountBelowFilled);
    expect(summary(amend(fixture, id, { amount: 4 }))).toBe('open 3/4');
    expect(summary(amend(fixture, id, { amount: 3 }))).toBe('filled 3/3');
    expect(rejectionCode(amend(fixture, id, { amount: 4 }))).toBe(RejectionCode.orderNotOpen);
    expect(fixture.balances(ALICE)).toBe('1003+0 99700+0');
  });

  test('is rejected beyond the amount that an amendment before left, if it may only reduce', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 10, 100));
    const reduce = (amount: number) => amend(fixture, id, { amount, reduceOnly: true });
    expect(placed(reduce(2))).toMatchObject({ amount: 2, remaining: 2 });
    const rejection = { kind: 'rejected', code: RejectionCode.amountNotReduced };
    expect(reduce(8)).toEqual({ ...rejection, rule: 'increase' } as Outcome);
    expect(reduce(2)).toEqual({ ...rejection, rule: 'same' } as Outcome);
    expect(reduce(0)).toEqual({ ...rejection, rule: 'same' } as Outcome);
    expect(fixture.book()).toBe('2@100 |');
  });

  test('is accepted wherever cancels are, even if the market accepts no orders', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.setStatus(MarketStatus.halted);
    expect(summary(amend(fixture, id, { amount: 4 }))).toBe('open 0/4');
    expect(rejectionCode(amend(fixture, id, { amount: 5 }))).toBe(RejectionCode.marketUnavailable);
    expect(rejectionCode(amend(fixture, id, { price: 99 }))).toBe(RejectionCode.marketUnavailable);
  });
});

describe('any other change', () => {
  test.each([
    ['a higher amount', { amount: 6 }, '7@100 6@100 |'],
    ['another price', { price: 101 }, '5@101 7@100 |'],
    ['a lower price', { price: 99 }, '7@100 5@99 |'],
    ['a lower amount at another price', { price: 99, amount: 1 }, '7@100 1@99 |'],
  ])('%s loses the place in the queue', (_, change, book) => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.buy(BOB, 7, 100);
    expect(placed(amend(fixture, id, change)).id).toBe(id);
    expect(fixture.book()).toBe(book);
  });

  test('can match as a taker, and keeps id, times, fills and client order id', () => {
    const fixture = new Fixture();
    const terms = {
      clientOrderId: 'mine',
      timeInForce: TimeInForce.gtd,
      expiresAt: fixture.time + 99,
    };
    const before = placed(fixture.buy(ALICE, 5, 100, terms));
    fixture.wait(1);
    fixture.sell(BOB, 1, 100);
    const filledAt = fixture.time;
    fixture.wait(1);
    fixture.sell(BOB, 2, 103);
    const after = placed(amend(fixture, before.id, { price: 105, amount: 6 }));
    expect(fixture.trades()).toBe('2@103');
    const { id, createdAt, clientOrderId, expiresAt } = before;
    expect(after).toMatchObject({ id, createdAt, clientOrderId, expiresAt });
    expect(after).toMatchObject({ price: 105, amount: 6, remaining: 3, filledCost: 306 });
    expect(after).toMatchObject({ updatedAt: fixture.time, lastFillAt: fixture.time });
    expect(fixture.balances(ALICE)).toBe('1003+0 99379+315');
    fixture.wait(1);
    const moved = placed(amend(fixture, id, { price: 90 }));
    expect(moved).toMatchObject({ createdAt, lastFillAt: filledAt + 1, updatedAt: fixture.time });
    expect(placed(fixture.buy(ALICE, 5, 100, { ...terms, clientOrderId: 'other' })).id).toBe(
      id + 3,
    );
    expect(fixture.buy(ALICE, 5, 100, terms)).toEqual({ kind: 'repeated', orderId: id });
    fixture.wait(200);
    expect(fixture.exchange.state.openOrder(id)).toBeUndefined();
  });

  test('can fill the order completely', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.sell(BOB, 9, 101);
    expect(summary(amend(fixture, id, { price: 101 }))).toBe('filled 5/5');
    expect(fixture.balances(ALICE)).toBe('1005+0 99495+0');
  });

  test('makes the order the taker, whose self-trade prevention mode applies', () => {
    const fixture = new Fixture();
    const selfTradePrevention = SelfTradePrevention.expireTaker;
    const { id } = placed(fixture.buy(ALICE, 5, 100, { selfTradePrevention }));
    fixture.sell(ALICE, 2, 105);
    expect(summary(amend(fixture, id, { price: 105 }))).toBe('expired 0/5');
    expect(fixture.book()).toBe('| 2@105');
  });

  test('needs no capacity for open orders', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 10, 1));
    for (let n = 1; n < MAX_OPEN_ORDERS_PER_ACCOUNT; n++) fixture.buy(ALICE, 10, 1);
    expect(summary(amend(fixture, id, { price: 2 }))).toBe('open 0/10');
  });
});

describe('a rejection, which leaves the order unchanged', () => {
  test.each([
    ['beyond the funds', { amount: 1001 }, RejectionCode.insufficientBalance],
    ['off the step', { amount: 0.5 }, RejectionCode.amountOutOfBounds],
    ['above maxAmount', { amount: 10_001, price: 1 }, RejectionCode.amountOutOfBounds],
    [
      'above maxPrice, but funds are checked first',
      { price: 1_000_001, amount: 1 },
      RejectionCode.insufficientBalance,
    ],
    ['below minNotional', { price: 1 }, RejectionCode.minNotional],
    ['post-only that would match', { price: 110 }, RejectionCode.postOnlyWouldTake],
  ])('%s', (_, change, code) => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100, { postOnly: true }));
    fixture.buy(BOB, 7, 100);
    fixture.sell(BOB, 7, 110);
    const { digest } = fixture.exchange.state;
    expect(rejectionCode(amend(fixture, id, change))).toBe(code);
    expect(fixture.events).toEqual([]);
    expect(fixture.exchange.state.digest).toBe(digest);
  });

  test('reports the funds required beyond the current hold', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.sell(ALICE, 900, 100));
    const outcome = amend(fixture, id, { amount: 1200 });
    expect(outcome).toMatchObject({ required: 300, available: 100, asset: 0 });
    expect(summary(amend(fixture, id, { amount: 1000 }))).toBe('open 0/1000');
  });

  test('of an order of another account', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(BOB, 5, 100));
    expect(rejectionCode(amend(fixture, id, { amount: 1 }))).toBe(RejectionCode.orderNotOpen);
  });
});

test('equal values change nothing', () => {
  const fixture = new Fixture();
  const order = placed(fixture.apply(limitOrder(ALICE, Side.buy, 5, 100)));
  fixture.buy(BOB, 7, 100);
  fixture.wait(10);
  const { digest } = fixture.exchange.state;
  expect(placed(amend(fixture, order.id, { amount: 5, price: 100 }))).toEqual(order);
  expect(fixture.events).toEqual([]);
  expect(fixture.exchange.state.digest).toBe(digest);
});
