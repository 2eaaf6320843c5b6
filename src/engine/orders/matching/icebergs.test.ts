import { describe, expect, test } from 'bun:test';
import { CheckedFixture } from '../../../../test/checked-fixture.ts';
import {
  ALICE,
  BOB,
  CAROL,
  Fixture,
  limitOrder,
  placed,
  summary,
} from '../../../../test/fixture.ts';
import { CommandKind } from '../../command.ts';
import type { Outcome } from '../../event.ts';
import { MAX_ICEBERG_PARTS } from '../../limits.ts';
import { RejectionCode } from '../../rejection.ts';
import { NONE, SelfTradePrevention, Side, TimeInForce } from '../../terms.ts';

const { ioc, fok } = TimeInForce;

function amend(fixture: Fixture, orderId: number, changes: Record<string, unknown>): Outcome {
  const numbers = { price: 0, amount: 0, triggerPrice: 0 };
  const command = { kind: CommandKind.amendOrder, account: ALICE, key: NONE, orderId } as const;
  return fixture.apply({ ...command, ...numbers, ...changes });
}

describe('the book', () => {
  test('shows a part of an iceberg, and the next part at the end of the queue', () => {
    const fixture = new CheckedFixture();
    fixture.sell(ALICE, 10, 100, { displayAmount: 3 });
    fixture.sell(BOB, 4, 100);
    expect(fixture.book()).toBe('| 3@100 4@100');
    fixture.buy(CAROL, 2, 100, { timeInForce: ioc });
    expect(fixture.book()).toBe('| 1@100 4@100');
    fixture.buy(CAROL, 1, 100, { timeInForce: ioc });
    expect(fixture.book()).toBe('| 4@100 3@100');
    fixture.restore();
    fixture.buy(CAROL, 12, 100, { timeInForce: ioc });
    expect([fixture.trades(), fixture.book()]).toEqual(['4@100 3@100 3@100 1@100', '|']);
  });

  test('never shows more than remains, and holds are for all of it', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100, { displayAmount: 4 }));
    expect([fixture.book(), fixture.balances(ALICE)]).toEqual(['4@100 |', '1000+0 99500+500']);
    fixture.sell(BOB, 4, 100, { timeInForce: ioc });
    expect([fixture.book(), fixture.balances(ALICE)]).toEqual(['1@100 |', '1004+0 99500+100']);
    fixture.cancel(ALICE, id);
    expect(fixture.balances(ALICE)).toBe('1004+0 99600+0');
  });

  test('reports the exact totals of what it shows', () => {
    const fixture = new CheckedFixture();
    fixture.sell(ALICE, 10, 100, { displayAmount: 3 });
    fixture.sell(BOB, 4, 100);
    const { book } = fixture.exchange.state.markets[0]!;
    expect([book.totalAt(Side.sell, 100), book.bestAmount(Side.sell)]).toEqual([7, 7]);
  });

  test('takes a remainder of a taker as an iceberg, after it has traded with its whole amount', () => {
    const fixture = new CheckedFixture();
    fixture.sell(BOB, 6, 100);
    expect(summary(fixture.buy(ALICE, 10, 100, { displayAmount: 3 }))).toBe('open 6/10');
    expect(fixture.book()).toBe('3@100 |');
  });
});

describe('hidden quantity counts', () => {
  function seeded(): CheckedFixture {
    const fixture = new CheckedFixture();
    fixture.sell(ALICE, 10, 100, { displayAmount: 3 });
    fixture.sell(BOB, 2, 101);
    return fixture;
  }

  test.each([
    [10, 'filled 10/10'],
    [12, 'filled 12/12'],
    [13, 'expired 0/13'],
  ])('for a fill-or-kill order of %i', (amount, expected) => {
    const outcome = seeded().buy(CAROL, amount, 101, { timeInForce: fok });
    expect(summary(outcome)).toBe(expected);
  });

  test('for a fill-or-kill order that stops at an own order only after that one', () => {
    const fixture = seeded();
    fixture.sell(CAROL, 1, 100);
    const stp = SelfTradePrevention.expireTaker;
    const terms = { timeInForce: fok, selfTradePrevention: stp };
    expect(summary(fixture.buy(CAROL, 3, 100, terms))).toBe('filled 3/3');
    expect(summary(fixture.buy(CAROL, 1, 100, terms))).toBe('expired 0/1');
  });

  test('for a deep level, by the totals of the levels', () => {
    const fixture = new Fixture({ minNotional: 1 });
    for (let count = 0; count < 40; count++) fixture.sell(BOB, 1, 100);
    fixture.sell(ALICE, 10, 100, { displayAmount: 3 });
    const terms = { timeInForce: fok };
    expect(summary(fixture.buy(CAROL, 51, 100, terms))).toBe('expired 0/51');
    expect(summary(fixture.buy(CAROL, 50, 100, terms))).toBe('filled 50/50');
  });

  test('for the funds of a market buy, and not for those of its owner', () => {
    const fixture = seeded();
    const { exchange } = fixture;
    const market = exchange.state.markets[0]!;
    expect(exchange.costToBuy(CAROL, market, 12)).toBe(1_202);
    expect(exchange.costToBuy(ALICE, market, 12)).toBe(202);
    for (let count = 0; count < 40; count++) fixture.sell(BOB, 1, 102);
    expect(exchange.costToBuy(CAROL, market, 52)).toBe(1_202 + 40 * 102);
    expect(summary(fixture.spend(CAROL, 1_202))).toBe('filled 12/12');
  });
});

describe('self-trade prevention', () => {
  test.each([
    [SelfTradePrevention.expireMaker, '| '],
    [SelfTradePrevention.decrement, '| 3@100'],
  ])('in mode %i meets the whole iceberg', (selfTradePrevention, book) => {
    const fixture = new CheckedFixture();
    const { id } = placed(fixture.sell(ALICE, 10, 100, { displayAmount: 3 }));
    fixture.buy(ALICE, 5, 100, { selfTradePrevention, timeInForce: ioc });
    expect([fixture.trades(), fixture.book()]).toEqual(['', book.trim()]);
    const left = fixture.exchange.state.openOrder(id)?.remaining;
    expect(left).toBe(selfTradePrevention === SelfTradePrevention.decrement ? 5 : undefined);
  });
});

describe('an amendment', () => {
  test('that lowers the amount hides less and keeps the place in the queue', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(fixture.sell(ALICE, 10, 100, { displayAmount: 3 }));
    fixture.sell(BOB, 4, 100);
    amend(fixture, id, { amount: 5 });
    expect(fixture.book()).toBe('| 3@100 4@100');
    amend(fixture, id, { amount: 2 });
    expect(fixture.book()).toBe('| 2@100 4@100');
    expect(fixture.balances(ALICE)).toBe('998+2 100000+0');
  });

  test('of what is shown, the price or a higher amount moves it to the end of the queue', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(fixture.sell(ALICE, 10, 100));
    fixture.sell(BOB, 4, 100);
    expect(placed(amend(fixture, id, { displayAmount: 2 })).displayAmount).toBe(2);
    expect(fixture.book()).toBe('| 4@100 2@100');
    amend(fixture, id, { amount: 12, displayAmount: 5 });
    expect(fixture.book()).toBe('| 4@100 5@100');
    amend(fixture, id, { price: 99 });
    expect(fixture.book()).toBe('| 5@99 4@100');
    expect(amend(fixture, id, { displayAmount: 13 })).toMatchObject({
      code: RejectionCode.displayOutOfBounds,
    });
  });

  test('of a resting leg of an OCO order changes what is shown', () => {
    const fixture = new CheckedFixture();
    const outcome = fixture.apply({
      kind: CommandKind.placeOco,
      account: ALICE,
      key: NONE,
      market: 0,
      side: Side.sell,
      amount: 6,
      expiresAt: 0,
      selfTradePrevention: 0,
      clientOrderId: null,
      takeProfit: { price: 110, triggerPrice: 0, displayAmount: 2 },
      stopLoss: {
        price: 0,
        triggerPrice: 0,
        trailing: { amount: 5, basisPoints: 0, activationPrice: 0 },
      },
    });
    if (outcome.kind !== 'oco') throw new Error('the pair was refused');
    expect([fixture.book(), outcome.orders[1].triggerPrice]).toEqual(['| 2@110', 95]);
    amend(fixture, outcome.orders[0].id, { price: 111, displayAmount: 4 });
    expect(fixture.book()).toBe('| 4@111');
    fixture.buy(BOB, 4, 111, { timeInForce: ioc });
    expect([fixture.book(), fixture.exchange.state.orders.size]).toEqual(['| 2@111', 1]);
  });
});

test.each([
  [4, 'minAmount'],
  [13, 'amount'],
  [7, 'stepSize'],
])('a visible amount of %i is rejected', (displayAmount, rule) => {
  const fixture = new Fixture({ minAmount: 5, step: 5 });
  const code = RejectionCode.displayOutOfBounds;
  const outcome = fixture.sell(ALICE, 10, 100, { displayAmount });
  expect(outcome).toEqual({ kind: 'rejected', code, rule });
});

test('an iceberg has a bounded number of parts', () => {
  const fixture = new Fixture({ minNotional: 1 });
  const code = RejectionCode.displayOutOfBounds;
  const tooMany = fixture.sell(ALICE, MAX_ICEBERG_PARTS + 1, 100, { displayAmount: 1 });
  expect(tooMany).toEqual({ kind: 'rejected', code, rule: 'icebergParts' });
  fixture.sell(ALICE, MAX_ICEBERG_PARTS, 100, { displayAmount: 1 });
  fixture.apply(limitOrder(BOB, Side.buy, MAX_ICEBERG_PARTS, 100));
  expect(fixture.trades().split(' ')).toHaveLength(MAX_ICEBERG_PARTS);
});
