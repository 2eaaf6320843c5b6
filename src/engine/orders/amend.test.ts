import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Desk, limitOrder, placed, summary } from '../../../test/desk.ts';
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

function amend(desk: Desk, orderId: number, change: Partial<AmendOrder>): Outcome {
  const terms = { price: 0, amount: 0, triggerPrice: 0, ...change };
  const command = { kind: CommandKind.amendOrder, account: ALICE, key: NONE, orderId, ...terms };
  const outcome = desk.apply(command);
  auditState(desk.exchange.state);
  return outcome;
}

function refusal(outcome: Outcome): unknown {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind;
}

describe('less amount', () => {
  test('keeps the place in the queue and gives back what it held', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100));
    desk.buy(BOB, 7, 100);
    expect(placed(amend(desk, id, { amount: 2 }))).toMatchObject({
      ...{ id, amount: 2, remaining: 2, reason: OrderReason.amended },
    });
    expect(desk.book()).toBe('2@100 7@100 |');
    expect(desk.balances(ALICE)).toBe('1000+0 99800+200');
  });

  test('is the new total: what is filled counts', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100));
    desk.sell(BOB, 3, 100);
    expect(refusal(amend(desk, id, { amount: 2 }))).toBe(RejectionCode.amountBelowFilled);
    expect(summary(amend(desk, id, { amount: 4 }))).toBe('open 3/4');
    expect(summary(amend(desk, id, { amount: 3 }))).toBe('filled 3/3');
    expect(refusal(amend(desk, id, { amount: 4 }))).toBe(RejectionCode.orderNotOpen);
    expect(desk.balances(ALICE)).toBe('1003+0 99700+0');
  });

  test('is taken where cancels are, though the market takes no orders', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100));
    desk.setStatus(MarketStatus.halted);
    expect(summary(amend(desk, id, { amount: 4 }))).toBe('open 0/4');
    expect(refusal(amend(desk, id, { amount: 5 }))).toBe(RejectionCode.marketUnavailable);
    expect(refusal(amend(desk, id, { price: 99 }))).toBe(RejectionCode.marketUnavailable);
  });
});

describe('anything else', () => {
  test.each([
    ['more amount', { amount: 6 }, '7@100 6@100 |'],
    ['another price', { price: 101 }, '5@101 7@100 |'],
    ['a price and back', { price: 99 }, '7@100 5@99 |'],
    ['less at another price', { price: 99, amount: 1 }, '7@100 1@99 |'],
  ])('%s loses the place', (_, change, book) => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100));
    desk.buy(BOB, 7, 100);
    expect(placed(amend(desk, id, change)).id).toBe(id);
    expect(desk.book()).toBe(book);
  });

  test('crosses as a taker, and keeps id, times, fills and client order id', () => {
    const desk = new Desk();
    const terms = {
      clientOrderId: 'mine',
      timeInForce: TimeInForce.gtd,
      expiresAt: desk.time + 99,
    };
    const before = placed(desk.buy(ALICE, 5, 100, terms));
    desk.wait(1);
    desk.sell(BOB, 1, 100);
    const filledAt = desk.time;
    desk.wait(1);
    desk.sell(BOB, 2, 103);
    const after = placed(amend(desk, before.id, { price: 105, amount: 6 }));
    expect(desk.trades()).toBe('2@103');
    const { id, createdAt, clientOrderId, expiresAt } = before;
    expect(after).toMatchObject({ id, createdAt, clientOrderId, expiresAt });
    expect(after).toMatchObject({ price: 105, amount: 6, remaining: 3, filledCost: 306 });
    expect(after).toMatchObject({ updatedAt: desk.time, lastFillAt: desk.time });
    expect(desk.balances(ALICE)).toBe('1003+0 99379+315');
    desk.wait(1);
    const moved = placed(amend(desk, id, { price: 90 }));
    expect(moved).toMatchObject({ createdAt, lastFillAt: filledAt + 1, updatedAt: desk.time });
    expect(placed(desk.buy(ALICE, 5, 100, { ...terms, clientOrderId: 'other' })).id).toBe(id + 3);
    expect(desk.buy(ALICE, 5, 100, terms)).toEqual({ kind: 'repeated', orderId: id });
    desk.wait(200);
    expect(desk.exchange.state.openOrder(id)).toBeUndefined();
  });

  test('fills to the end', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100));
    desk.sell(BOB, 9, 101);
    expect(summary(amend(desk, id, { price: 101 }))).toBe('filled 5/5');
    expect(desk.balances(ALICE)).toBe('1005+0 99495+0');
  });

  test('that meets an own order is the incoming one of its own mode', () => {
    const desk = new Desk();
    const selfTradePrevention = SelfTradePrevention.expireTaker;
    const { id } = placed(desk.buy(ALICE, 5, 100, { selfTradePrevention }));
    desk.sell(ALICE, 2, 105);
    expect(summary(amend(desk, id, { price: 105 }))).toBe('expired 0/5');
    expect(desk.book()).toBe('| 2@105');
  });

  test('needs no room among the open orders', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 10, 1));
    for (let n = 1; n < MAX_OPEN_ORDERS_PER_ACCOUNT; n++) desk.buy(ALICE, 10, 1);
    expect(summary(amend(desk, id, { price: 2 }))).toBe('open 0/10');
  });
});

describe('refused: the order stays exactly as it was', () => {
  test.each([
    ['beyond the funds', { amount: 1001 }, RejectionCode.insufficientBalance],
    ['off the step', { amount: 0.5 }, RejectionCode.amountOutOfBounds],
    ['above maxAmount', { amount: 10_001, price: 1 }, RejectionCode.amountOutOfBounds],
    [
      'above maxPrice, funds first',
      { price: 1_000_001, amount: 1 },
      RejectionCode.insufficientBalance,
    ],
    ['below the least worth', { price: 1 }, RejectionCode.minNotional],
    ['post-only that would take', { price: 110 }, RejectionCode.postOnlyWouldTake],
  ])('%s', (_, change, code) => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 5, 100, { postOnly: true }));
    desk.buy(BOB, 7, 100);
    desk.sell(BOB, 7, 110);
    const { digest } = desk.exchange.state;
    expect(refusal(amend(desk, id, change))).toBe(code);
    expect(desk.events).toEqual([]);
    expect(desk.exchange.state.digest).toBe(digest);
  });

  test('what it needs is told beyond what it holds', () => {
    const desk = new Desk();
    const { id } = placed(desk.sell(ALICE, 900, 100));
    const outcome = amend(desk, id, { amount: 1200 });
    expect(outcome).toMatchObject({ required: 300, available: 100, asset: 0 });
    expect(summary(amend(desk, id, { amount: 1000 }))).toBe('open 0/1000');
  });

  test('of another account', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(BOB, 5, 100));
    expect(refusal(amend(desk, id, { amount: 1 }))).toBe(RejectionCode.orderNotOpen);
  });
});

test('equal values change nothing', () => {
  const desk = new Desk();
  const order = placed(desk.apply(limitOrder(ALICE, Side.buy, 5, 100)));
  desk.buy(BOB, 7, 100);
  desk.wait(10);
  const { digest } = desk.exchange.state;
  expect(placed(amend(desk, order.id, { amount: 5, price: 100 }))).toEqual(order);
  expect(desk.events).toEqual([]);
  expect(desk.exchange.state.digest).toBe(digest);
});
