import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, placed, summary } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type ChangeableRules, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { MarketStatus, NONE, OrderReason, OrderStatus, TimeInForce } from '../terms.ts';

function change(fixture: Fixture, rules: Partial<ChangeableRules>): Outcome {
  return fixture.apply({ kind: CommandKind.changeMarketRules, ...SYSTEM_ACTOR, market: 0, rules });
}

function amend(
  fixture: Fixture,
  orderId: number,
  terms: { price: number; amount: number },
): Outcome {
  return fixture.apply({
    kind: CommandKind.amendOrder,
    account: ALICE,
    key: NONE,
    orderId,
    triggerPrice: 0,
    ...terms,
  });
}

function rejectionCode(outcome: Outcome): unknown {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind;
}

describe('a new tick and step', () => {
  const GRID = { tick: 5, step: 10, minPrice: 5, minAmount: 10 };

  test('leave resting orders unchanged, which still trade and cancel off the grid', () => {
    const fixture = new Fixture();
    const first = placed(fixture.sell(ALICE, 7, 101));
    const second = placed(fixture.sell(ALICE, 6, 103));
    expect(change(fixture, GRID).kind).toBe('market');
    expect(fixture.book()).toBe('| 7@101 6@103');
    fixture.buy(BOB, 10, 105);
    expect(fixture.trades()).toBe('7@101 3@103');
    expect(fixture.exchange.state.openOrder(first.id)).toBeUndefined();
    expect(fixture.cancel(ALICE, second.id).kind).toBe('order');
    expect(fixture.balances(ALICE)).toBe('990+0 101016+0');
    auditState(fixture.exchange.state);
  });

  test('apply to new orders and to the amended fields of open ones', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 27, 101));
    change(fixture, GRID);
    expect(rejectionCode(fixture.buy(ALICE, 10, 101))).toBe(RejectionCode.priceOutOfBounds);
    expect(rejectionCode(fixture.buy(ALICE, 27, 100))).toBe(RejectionCode.amountOutOfBounds);
    expect(rejectionCode(amend(fixture, id, { price: 102, amount: 0 }))).toBe(
      RejectionCode.priceOutOfBounds,
    );
    expect(rejectionCode(amend(fixture, id, { price: 0, amount: 26 }))).toBe(
      RejectionCode.amountOutOfBounds,
    );
    expect(summary(amend(fixture, id, { price: 0, amount: 20 }))).toBe('open 0/20');
    expect(fixture.book()).toBe('20@101 |');
    expect(summary(amend(fixture, id, { price: 100, amount: 0 }))).toBe('open 0/20');
  });

  test('are rejected if the other rules do not fit them', () => {
    const fixture = new Fixture();
    const { digest } = fixture.exchange.state;
    expect(change(fixture, { tick: 5 })).toMatchObject({ code: RejectionCode.invalidRules });
    expect(change(fixture, { takerFee: 100_001 })).toMatchObject({
      code: RejectionCode.invalidRules,
    });
    expect(fixture.exchange.state.digest).toBe(digest);
  });
});

test('new fees apply from the next trade on', () => {
  const fixture = new Fixture();
  fixture.sell(ALICE, 10, 100);
  fixture.buy(BOB, 1, 100);
  change(fixture, { makerFee: 10_000, takerFee: 0 });
  fixture.buy(BOB, 1, 100);
  expect(fixture.events).toMatchObject([{ makerFee: 1, takerFee: 0 }, {}, {}]);
});

describe('delisting', () => {
  const delist = { kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 } as const;

  test('ends every order with a reason, and accepts no more', () => {
    const fixture = new Fixture();
    const ids = [
      fixture.buy(ALICE, 1, 99),
      fixture.sell(BOB, 2, 102),
      fixture.buy(BOB, 3, 100),
      fixture.sell(ALICE, 4, 101),
    ].map((outcome) => placed(outcome).id);
    const outcome = fixture.apply(delist);
    if (outcome.kind !== 'orders') throw new Error(`not orders, but ${outcome.kind}`);
    expect(outcome.orders.map(({ id }) => id)).toEqual([ids[2]!, ids[0]!, ids[3]!, ids[1]!]);
    for (const order of outcome.orders) {
      expect(order).toMatchObject({ status: OrderStatus.canceled, reason: OrderReason.delisted });
    }
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
    expect(rejectionCode(fixture.buy(ALICE, 1, 100))).toBe(RejectionCode.marketUnavailable);
    auditState(fixture.exchange.state);
  });

  test('is permanent', () => {
    const fixture = new Fixture();
    fixture.apply(delist);
    expect(fixture.apply(delist)).toEqual({ kind: 'orders', orders: [] });
    expect(rejectionCode(fixture.setStatus(MarketStatus.online))).toBe(RejectionCode.invalidRules);
    expect(rejectionCode(change(fixture, { makerFee: 1 }))).toBe(RejectionCode.invalidRules);
    expect(fixture.exchange.state.markets[0]!.status).toBe(MarketStatus.delisted);
  });
});

test('an operator cancels on behalf of an account, even a frozen one', () => {
  const fixture = new Fixture();
  fixture.buy(ALICE, 1, 99);
  const { id } = placed(fixture.buy(ALICE, 1, 100));
  fixture.buy(BOB, 1, 98);
  fixture.apply({
    kind: CommandKind.setAccountStatus,
    ...SYSTEM_ACTOR,
    owner: ALICE,
    frozen: true,
  });
  const all = { market: NONE, orderIds: null, clientOrderId: null };
  const kind = CommandKind.cancelOrdersOf;
  const one = fixture.apply({ kind, ...SYSTEM_ACTOR, owner: ALICE, ...all, orderIds: [id] });
  const status = { status: OrderStatus.canceled, reason: OrderReason.operator };
  expect(one).toMatchObject({ orders: [{ id, ...status }] });
  expect(fixture.apply({ kind, ...SYSTEM_ACTOR, owner: ALICE, ...all })).toMatchObject({
    orders: [status],
  });
  expect(fixture.book()).toBe('1@98 |');
  const unknownOwner = fixture.apply({ kind, ...SYSTEM_ACTOR, owner: 99, ...all });
  expect(rejectionCode(unknownOwner)).toBe(RejectionCode.unknownAccount);
});

test('the book sequence grows by one with each command that changes the book, and with no other', () => {
  const fixture = new Fixture();
  const market = fixture.exchange.state.markets[0]!;
  const growth = (act: () => unknown): number => {
    const before = market.bookSequence;
    act();
    return market.bookSequence - before;
  };
  expect(growth(() => fixture.sell(ALICE, 2, 101))).toBe(1);
  expect(growth(() => fixture.sell(ALICE, 3, 102))).toBe(1);
  // Two makers and a remainder that rests: one command.
  expect(growth(() => fixture.buy(BOB, 9, 102))).toBe(1);
  // Nothing matches within its price, and it does not rest.
  expect(growth(() => fixture.sell(ALICE, 1, 103, { timeInForce: TimeInForce.ioc }))).toBe(0);
  expect(growth(() => amend(fixture, 99, { price: 1, amount: 1 }))).toBe(0);
  const id = placed(fixture.sell(ALICE, 5, 103)).id;
  expect(growth(() => amend(fixture, id, { price: 0, amount: 4 }))).toBe(1);
  expect(growth(() => amend(fixture, id, { price: 104, amount: 0 }))).toBe(1);
  expect(growth(() => fixture.cancel(ALICE, id))).toBe(1);
  expect(growth(() => fixture.cancel(ALICE, id))).toBe(0);
});
