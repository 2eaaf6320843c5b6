import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, placed, summary, USDT } from '../../../../test/fixture.ts';
import type { Outcome } from '../../event.ts';
import { OrderReason, OrderStatus, SelfTradePrevention, Side, TimeInForce } from '../../terms.ts';

const { expireMaker, expireTaker, expireBoth, decrement } = SelfTradePrevention;

/** Returns an exchange in which Bob asks 2 at 100, Alice 3 at 101 and Bob 4 at 102. */
function fixture(): Fixture {
  const fixture = new Fixture();
  fixture.sell(BOB, 2, 100);
  fixture.sell(ALICE, 3, 101);
  fixture.sell(BOB, 4, 102);
  return fixture;
}

function orderReason(outcome: Outcome): number {
  return placed(outcome).reason;
}

describe('an order of 5 that matches an order of 3 of its own account', () => {
  test('expire_maker ends the resting order and continues', () => {
    const { book, outcome } = meet(expireMaker, 5);
    expect(summary(outcome)).toBe('filled 5/5');
    expect(orderReason(outcome)).toBe(OrderReason.none);
    expect(book).toBe('| 1@102');
  });

  test('expire_taker ends the new order', () => {
    const { book, outcome } = meet(expireTaker, 5);
    expect(summary(outcome)).toBe('expired 2/5');
    expect(orderReason(outcome)).toBe(OrderReason.selfTrade);
    expect(book).toBe('| 3@101 4@102');
  });

  test('expire_both ends both', () => {
    const { book, outcome } = meet(expireBoth, 5);
    expect(summary(outcome)).toBe('expired 2/5');
    expect(book).toBe('| 4@102');
  });

  test('decrement ends both when they are equal', () => {
    const { book, outcome } = meet(decrement, 5);
    // 2 bought, 3 deducted for the own order.
    expect(summary(outcome)).toBe('expired 2/2');
    expect(orderReason(outcome)).toBe(OrderReason.selfTrade);
    expect(book).toBe('| 4@102');
  });

  test('decrement ends the smaller one, the resting order', () => {
    const { book, outcome } = meet(decrement, 6);
    expect(summary(outcome)).toBe('filled 3/3');
    expect(orderReason(outcome)).toBe(OrderReason.selfTrade);
    expect(book).toBe('| 3@102');
  });

  test('decrement ends the smaller one, the new order', () => {
    const { book, outcome } = meet(decrement, 4);
    expect(summary(outcome)).toBe('expired 2/2');
    expect(book).toBe('| 1@101 4@102');
  });

  function meet(selfTradePrevention: number, amount: number) {
    const some = fixture();
    const outcome = some.buy(ALICE, amount, 102, { selfTradePrevention });
    return { outcome, book: some.book() };
  }
});

test('the record of the resting order shows the reason', () => {
  const some = fixture();
  some.buy(ALICE, 4, 102, { selfTradePrevention: decrement });
  const records = some.events.flatMap((event) => (event.kind === 'order' ? event : []));
  const own = records.find((order) => order.account === ALICE && order.side === Side.sell);
  expect(own).toMatchObject({ amount: 1, remaining: 1, status: OrderStatus.open });
  expect(own!.reason).toBe(OrderReason.selfTrade);
  expect(some.balances(ALICE)).toBe('1001+1 99800+0');
});

test('decrement keeps the earlier fills of a resting order that it ends', () => {
  const some = new Fixture();
  const { id } = placed(some.sell(ALICE, 5, 100));
  some.buy(BOB, 2, 100);
  some.buy(ALICE, 9, 100, { selfTradePrevention: decrement });
  const ended = some.events.find((event) => event.kind === 'order' && event.id === id);
  expect(ended).toMatchObject({
    amount: 2,
    remaining: 0,
    status: OrderStatus.expired,
    filledCost: 200,
  });
  expect(some.book()).toBe('6@100 |');
});

test('the mode of the taker applies, not that of the maker', () => {
  const some = new Fixture();
  some.sell(ALICE, 3, 100, { selfTradePrevention: expireTaker });
  some.buy(ALICE, 3, 100, { selfTradePrevention: expireMaker });
  expect(some.book()).toBe('3@100 |');
});

describe('fill or kill', () => {
  const fok = TimeInForce.fok;

  test('does not count own orders', () => {
    const some = fixture();
    const terms = { timeInForce: fok, selfTradePrevention: expireMaker };
    expect(summary(some.buy(ALICE, 7, 102, terms))).toBe('expired 0/7');
    expect(some.book()).toBe('| 2@100 3@101 4@102');
    expect(summary(some.buy(ALICE, 6, 102, terms))).toBe('filled 6/6');
    expect(some.book()).toBe('|');
  });

  test.each([expireTaker, expireBoth, decrement])('expires at an own order in mode %d', (mode) => {
    const some = fixture();
    const terms = { timeInForce: fok, selfTradePrevention: mode };
    expect(summary(some.buy(ALICE, 3, 102, terms))).toBe('expired 0/3');
    expect(some.book()).toBe('| 2@100 3@101 4@102');
    expect(summary(some.buy(ALICE, 2, 102, terms))).toBe('filled 2/2');
  });
});

describe('a market order by cost', () => {
  test('expire_maker: an own order costs nothing', () => {
    const some = fixture();
    const outcome = some.spend(ALICE, 404, { selfTradePrevention: expireMaker });
    expect(summary(outcome)).toBe('filled 4/4');
    expect(some.book()).toBe('| 2@102');
  });

  test('decrement: deducts the cost of the own order', () => {
    const some = fixture();
    // 200 for 2, then 303 deducted, then 102 for 1.
    const outcome = some.spend(ALICE, 605, { selfTradePrevention: decrement });
    expect(summary(outcome)).toBe('filled 3/3');
    expect(placed(outcome)).toMatchObject({ filledCost: 302, reason: OrderReason.selfTrade });
    expect(some.book()).toBe('| 3@102');
  });

  test('decrement: ends at the own order', () => {
    const some = fixture();
    const outcome = some.spend(ALICE, 402, { selfTradePrevention: decrement });
    expect(summary(outcome)).toBe('expired 2/2');
    expect(some.book()).toBe('| 1@101 4@102');
  });

  test.each([expireTaker, expireBoth])('mode %d ends it with the quantity bought', (mode) => {
    const some = fixture();
    expect(summary(some.spend(ALICE, 605, { selfTradePrevention: mode }))).toBe('expired 2/2');
  });
});

test('the cost of a market buy excludes own orders', () => {
  const some = fixture();
  some.transfer(ALICE, USDT, -99_492);
  // 200 for Bob's 2 and 306 for 3 of his 4 are 506; 508 are available.
  expect(summary(some.market(ALICE, Side.buy, 5))).toBe('filled 5/5');
});
