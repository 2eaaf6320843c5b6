import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Desk, placed, summary } from '../../../test/desk.ts';
import { auditState } from '../audit/audit.ts';
import { type ChangeableRules, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { MarketStatus, NONE, OrderReason, OrderStatus, TimeInForce } from '../terms.ts';

function change(desk: Desk, rules: Partial<ChangeableRules>): Outcome {
  return desk.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
}

function amend(desk: Desk, orderId: number, terms: { price: number; amount: number }): Outcome {
  return desk.apply({
    kind: CommandKind.amendOrder,
    account: ALICE,
    key: NONE,
    orderId,
    triggerPrice: 0,
    ...terms,
  });
}

function refusal(outcome: Outcome): unknown {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind;
}

describe('a new grid', () => {
  const GRID = { tick: 5, step: 10, minPrice: 5, minAmount: 10 };

  test('leaves resting orders what they are: off it they trade and cancel', () => {
    const desk = new Desk();
    const first = placed(desk.sell(ALICE, 7, 101));
    const second = placed(desk.sell(ALICE, 6, 103));
    expect(change(desk, GRID).kind).toBe('market');
    expect(desk.book()).toBe('| 7@101 6@103');
    desk.buy(BOB, 10, 105);
    expect(desk.trades()).toBe('7@101 3@103');
    expect(desk.exchange.state.openOrder(first.id)).toBeUndefined();
    expect(desk.cancel(ALICE, second.id).kind).toBe('order');
    expect(desk.balances(ALICE)).toBe('990+0 101016+0');
    auditState(desk.exchange.state);
  });

  test('holds for new orders, and for what an amend changes', () => {
    const desk = new Desk();
    const { id } = placed(desk.buy(ALICE, 27, 101));
    change(desk, GRID);
    expect(refusal(desk.buy(ALICE, 10, 101))).toBe(RejectionCode.priceOutOfBounds);
    expect(refusal(desk.buy(ALICE, 27, 100))).toBe(RejectionCode.amountOutOfBounds);
    expect(refusal(amend(desk, id, { price: 102, amount: 0 }))).toBe(
      RejectionCode.priceOutOfBounds,
    );
    expect(refusal(amend(desk, id, { price: 0, amount: 26 }))).toBe(
      RejectionCode.amountOutOfBounds,
    );
    expect(summary(amend(desk, id, { price: 0, amount: 20 }))).toBe('open 0/20');
    expect(desk.book()).toBe('20@101 |');
    expect(summary(amend(desk, id, { price: 100, amount: 0 }))).toBe('open 0/20');
  });

  test('is refused where the other rules do not fit it', () => {
    const desk = new Desk();
    const { digest } = desk.exchange.state;
    expect(change(desk, { tick: 5 })).toMatchObject({ code: RejectionCode.invalidRules });
    expect(change(desk, { takerFee: 100_001 })).toMatchObject({ code: RejectionCode.invalidRules });
    expect(desk.exchange.state.digest).toBe(digest);
  });
});

test('new fees hold from the next trade on', () => {
  const desk = new Desk();
  desk.sell(ALICE, 10, 100);
  desk.buy(BOB, 1, 100);
  change(desk, { makerFee: 10_000, takerFee: 0 });
  desk.buy(BOB, 1, 100);
  expect(desk.events).toMatchObject([{ makerFee: 1, takerFee: 0 }, {}, {}]);
});

describe('delisting', () => {
  const delist = { kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 } as const;

  test('ends every order with a reason, and lets no more in', () => {
    const desk = new Desk();
    const ids = [
      desk.buy(ALICE, 1, 99),
      desk.sell(BOB, 2, 102),
      desk.buy(BOB, 3, 100),
      desk.sell(ALICE, 4, 101),
    ].map((outcome) => placed(outcome).id);
    const outcome = desk.apply(delist);
    if (outcome.kind !== 'orders') throw new Error(`not orders, but ${outcome.kind}`);
    expect(outcome.orders.map(({ id }) => id)).toEqual([ids[2]!, ids[0]!, ids[3]!, ids[1]!]);
    for (const order of outcome.orders) {
      expect(order).toMatchObject({ status: OrderStatus.canceled, reason: OrderReason.delisted });
    }
    expect(desk.balances(ALICE)).toBe('1000+0 100000+0');
    expect(refusal(desk.buy(ALICE, 1, 100))).toBe(RejectionCode.marketUnavailable);
    auditState(desk.exchange.state);
  });

  test('is for good', () => {
    const desk = new Desk();
    desk.apply(delist);
    expect(desk.apply(delist)).toEqual({ kind: 'orders', orders: [] });
    expect(refusal(desk.setStatus(MarketStatus.online))).toBe(RejectionCode.invalidRules);
    expect(refusal(change(desk, { makerFee: 1 }))).toBe(RejectionCode.invalidRules);
    expect(desk.exchange.state.markets[0]!.status).toBe(MarketStatus.delisted);
  });
});

test('an operator cancels for an account, a frozen one too', () => {
  const desk = new Desk();
  desk.buy(ALICE, 1, 99);
  const { id } = placed(desk.buy(ALICE, 1, 100));
  desk.buy(BOB, 1, 98);
  desk.apply({ kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: ALICE, frozen: true });
  const all = { market: NONE, orderIds: null, clientOrderId: null };
  const kind = CommandKind.cancelOrdersOf;
  const one = desk.apply({ kind, ...SYSTEM_ACTOR, owner: ALICE, ...all, orderIds: [id] });
  const status = { status: OrderStatus.canceled, reason: OrderReason.operator };
  expect(one).toMatchObject({ orders: [{ id, ...status }] });
  expect(desk.apply({ kind, ...SYSTEM_ACTOR, owner: ALICE, ...all })).toMatchObject({
    orders: [status],
  });
  expect(desk.book()).toBe('1@98 |');
  const nobody = desk.apply({ kind, ...SYSTEM_ACTOR, owner: 99, ...all });
  expect(refusal(nobody)).toBe(RejectionCode.unknownAccount);
});

test("a book's sequence grows by one with a command that changes it, by none with another", () => {
  const desk = new Desk();
  const market = desk.exchange.state.markets[0]!;
  const growth = (act: () => unknown): number => {
    const before = market.bookSequence;
    act();
    return market.bookSequence - before;
  };
  expect(growth(() => desk.sell(ALICE, 2, 101))).toBe(1);
  expect(growth(() => desk.sell(ALICE, 3, 102))).toBe(1);
  // Two makers, and a rest that stays: one command.
  expect(growth(() => desk.buy(BOB, 9, 102))).toBe(1);
  // Nothing to take within its price, and it does not rest.
  expect(growth(() => desk.sell(ALICE, 1, 103, { timeInForce: TimeInForce.ioc }))).toBe(0);
  expect(growth(() => amend(desk, 99, { price: 1, amount: 1 }))).toBe(0);
  const id = placed(desk.sell(ALICE, 5, 103)).id;
  expect(growth(() => amend(desk, id, { price: 0, amount: 4 }))).toBe(1);
  expect(growth(() => amend(desk, id, { price: 104, amount: 0 }))).toBe(1);
  expect(growth(() => desk.cancel(ALICE, id))).toBe(1);
  expect(growth(() => desk.cancel(ALICE, id))).toBe(0);
});
