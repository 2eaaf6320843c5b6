import { describe, expect, test } from 'bun:test';
import {
  ALICE,
  BOB,
  BTC,
  CAROL,
  entries,
  Fixture,
  placed,
  summary,
  trades,
  USDT,
} from '../../../../test/fixture.ts';
import { MAX_UNITS } from '../../limits.ts';
import { exact } from '../../numbers/exact.ts';
import { RejectionCode } from '../../rejection.ts';
import { OrderReason, SelfTradePrevention, Side, TimeInForce } from '../../terms.ts';

const { ioc, fok } = TimeInForce;

describe('a limit order', () => {
  test('rests and holds its maximum cost', () => {
    const fixture = new Fixture();
    expect(summary(fixture.buy(ALICE, 3, 100))).toBe('open 0/3');
    expect(summary(fixture.sell(BOB, 4, 101))).toBe('open 0/4');
    expect(fixture.book()).toBe('3@100 | 4@101');
    expect(fixture.balances(ALICE)).toBe('1000+0 99700+300');
    expect(fixture.balances(BOB)).toBe('996+4 100000+0');
  });

  test("trades at the maker's price, and holds nothing for the price improvement", () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    expect(summary(fixture.buy(ALICE, 3, 105))).toBe('open 2/3');
    expect(fixture.trades()).toBe('2@100');
    expect(fixture.entries()).toEqual([
      `${BOB} release ${BTC} 2`,
      `${BOB} trade ${BTC} -2`,
      `${BOB} trade ${USDT} 200`,
      `${ALICE} trade ${USDT} -200`,
      `${ALICE} trade ${BTC} 2`,
      `${ALICE} hold ${USDT} -105`,
    ]);
    expect(fixture.balances(ALICE)).toBe('1002+0 99695+105');
    expect(fixture.balances(BOB)).toBe('998+0 100200+0');
  });

  test('matches the best price first, at equal prices the oldest order, and stops at its limit', () => {
    const fixture = new Fixture();
    const ids = [
      fixture.sell(BOB, 1, 103),
      fixture.sell(BOB, 2, 101),
      fixture.sell(CAROL, 3, 101),
      fixture.sell(BOB, 4, 102),
    ].map((outcome) => placed(outcome).id);
    expect(summary(fixture.buy(ALICE, 20, 102))).toBe('open 9/20');
    expect(fixture.trades()).toBe('2@101 3@101 4@102');
    expect(trades(fixture.events).map((trade) => trade.makerOrderId)).toEqual(
      [1, 2, 3].map((place) => ids[place]!),
    );
    expect(fixture.book()).toBe('11@102 | 1@103');
  });

  test('leaves a partly filled maker in its place', () => {
    const fixture = new Fixture();
    const first = placed(fixture.buy(ALICE, 5, 100)).id;
    fixture.buy(BOB, 5, 100);
    fixture.sell(CAROL, 1, 100);
    fixture.sell(CAROL, 1, 100);
    expect(trades(fixture.events)[0]!.makerOrderId).toBe(first);
    expect(fixture.book()).toBe('3@100 5@100 |');
  });

  test('reports its cost, its last fill and its remaining quantity', () => {
    const fixture = new Fixture({ takerFee: 10_000 });
    fixture.sell(BOB, 200, 100);
    fixture.time += 5;
    const order = placed(fixture.buy(ALICE, 300, 110));
    expect(order).toMatchObject({ amount: 300, remaining: 100, filledCost: 20_000, fees: 2 });
    expect(order).toMatchObject({ createdAt: fixture.time, lastFillAt: fixture.time });
    expect(fixture.exchange.state.openOrder(order.id)).toEqual(order);
  });

  test('sets the last price to that of its last trade', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 1, 100);
    fixture.sell(BOB, 1, 101);
    fixture.buy(ALICE, 2, 101);
    expect(fixture.exchange.state.markets[0]!.lastPrice).toBe(101);
  });
});

describe('fees', () => {
  test('are deducted from the asset received, rounded up, and booked', () => {
    const fixture = new Fixture({ makerFee: 1_000, takerFee: 2_500 });
    fixture.sell(BOB, 401, 10);
    fixture.buy(ALICE, 401, 10);
    // 0.1 % of 4010 and 0.25 % of 401 are 4.01 and 1.0025.
    expect(trades(fixture.events)[0]).toMatchObject({ cost: 4010, makerFee: 5, takerFee: 2 });
    expect(fixture.balances(ALICE)).toBe('1399+0 95990+0');
    expect(fixture.balances(BOB)).toBe('599+0 104005+0');
    expect(fixture.exchange.state.ledger.fees).toEqual([2, 5]);
  });

  test('are not rounded without a remainder, and a zero fee has no entry', () => {
    const fixture = new Fixture({ makerFee: 1_000, takerFee: 0 });
    fixture.sell(BOB, 400, 10);
    fixture.buy(ALICE, 400, 10);
    expect(trades(fixture.events)[0]).toMatchObject({ makerFee: 4, takerFee: 0 });
    expect(fixture.entries().filter((entry) => entry.includes('fee'))).toEqual([
      `${BOB} fee ${USDT} -4`,
    ]);
  });

  test('are in entries that report the available balance', () => {
    const fixture = new Fixture({ makerFee: 1_000, takerFee: 1_000 });
    fixture.sell(BOB, 10, 100);
    fixture.buy(ALICE, 20, 100);
    const last = new Map(
      entries(fixture.events).map((each) => [`${each.account} ${each.asset}`, each]),
    );
    expect(last.get(`${ALICE} ${USDT}`)!.after).toBe(98_000);
    expect(last.get(`${ALICE} ${BTC}`)!.after).toBe(1_009);
    expect(last.get(`${BOB} ${USDT}`)!.after).toBe(100_999);
    expect(last.get(`${BOB} ${BTC}`)!.after).toBe(990);
  });
});

describe('time in force', () => {
  test('IOC fills what it can and does not rest', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    const outcome = fixture.buy(ALICE, 5, 100, { timeInForce: ioc });
    expect(summary(outcome)).toBe('expired 2/5');
    expect(placed(outcome).reason).toBe(OrderReason.timeInForce);
    expect(fixture.book()).toBe('|');
    expect(fixture.balances(ALICE)).toBe('1002+0 99800+0');
  });

  test('IOC filled completely is filled', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 5, 100);
    expect(summary(fixture.buy(ALICE, 5, 100, { timeInForce: ioc }))).toBe('filled 5/5');
  });

  test('FOK fills completely against several makers', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    fixture.sell(CAROL, 3, 101);
    expect(summary(fixture.buy(ALICE, 5, 101, { timeInForce: fok }))).toBe('filled 5/5');
    expect(fixture.trades()).toBe('2@100 3@101');
  });

  test('FOK that lacks one step within its limit fills nothing', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    fixture.sell(CAROL, 3, 102);
    expect(summary(fixture.buy(ALICE, 3, 101, { timeInForce: fok }))).toBe('expired 0/3');
    expect(fixture.entries()).toEqual([]);
    expect(fixture.book()).toBe('| 2@100 3@102');
  });
});

describe('a post-only order', () => {
  test.each([
    [Side.buy, 101, 13],
    [Side.buy, 102, 13],
    [Side.buy, 100, undefined],
    [Side.sell, 99, 13],
    [Side.sell, 98, 13],
    [Side.sell, 100, undefined],
  ])('side %d at %d between 99 and 101: rejection %p', (side, price, code) => {
    const fixture = new Fixture();
    fixture.buy(BOB, 1, 99);
    fixture.sell(BOB, 1, 101);
    const outcome =
      side === Side.buy
        ? fixture.buy(ALICE, 1, price, { postOnly: true })
        : fixture.sell(ALICE, 1, price, { postOnly: true });
    if (code === undefined) expect(summary(outcome)).toBe('open 0/1');
    else expect(outcome).toMatchObject({ kind: 'rejected', code });
  });
});

describe('a market order by amount', () => {
  test('matches as many price levels as needed', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 1, 100);
    fixture.sell(BOB, 1, 5_000);
    expect(summary(fixture.market(ALICE, Side.buy, 2))).toBe('filled 2/2');
    expect(fixture.balances(ALICE)).toBe('1002+0 94900+0');
  });

  test('expires with the quantity that the book lacks', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 1, 100);
    expect(summary(fixture.market(ALICE, Side.sell, 2))).toBe('expired 1/2');
    expect(fixture.balances(ALICE)).toBe('999+0 100100+0');
  });

  test('fills all or nothing if FOK', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 1, 100);
    expect(summary(fixture.market(ALICE, Side.sell, 2, { timeInForce: fok }))).toBe('expired 0/2');
    expect(fixture.book()).toBe('1@100 |');
  });
});

describe('a market order by cost', () => {
  test('spends its cost to the last step', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 2, 100);
    fixture.sell(BOB, 9, 150);
    // 200 for the first two, 600 for four more; the remaining 49 pay for nothing.
    const outcome = fixture.spend(ALICE, 849);
    expect(summary(outcome)).toBe('filled 6/6');
    expect(placed(outcome)).toMatchObject({ cost: 849, filledCost: 800, price: 0 });
    expect(fixture.balances(ALICE)).toBe('1006+0 99200+0');
  });

  test('buys whole steps only', () => {
    const fixture = new Fixture({ step: 5, minAmount: 5 });
    fixture.sell(BOB, 20, 10);
    expect(placed(fixture.spend(ALICE, 140))).toMatchObject({ amount: 10, filledCost: 100 });
  });

  test('that pays exactly for the whole book is filled', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 3, 100);
    expect(summary(fixture.spend(ALICE, 300))).toBe('filled 3/3');
  });

  test('that leaves less than a step at the end of the book is filled', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 3, 100);
    expect(summary(fixture.spend(ALICE, 399))).toBe('filled 3/3');
  });

  test('expires if the book ends before its cost is spent', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 3, 100);
    const outcome = fixture.spend(ALICE, 400);
    expect(summary(outcome)).toBe('expired 3/3');
    expect(placed(outcome).reason).toBe(OrderReason.timeInForce);
  });

  test('that does not pay for a step buys nothing and expires', () => {
    const fixture = new Fixture();
    fixture.sell(BOB, 3, 100);
    expect(summary(fixture.spend(ALICE, 99))).toBe('expired 0/0');
    expect(fixture.balances(ALICE)).toBe('1000+0 100000+0');
  });

  test('buys at most maxAmount', () => {
    const fixture = new Fixture({ maxAmount: 4 });
    fixture.sell(BOB, 3, 100);
    fixture.sell(BOB, 3, 100);
    expect(summary(fixture.spend(ALICE, 600))).toBe('expired 4/4');
    expect(fixture.book()).toBe('| 2@100');
  });
});

describe('a market sell by cost', () => {
  test('sells for its cost to the last step, and never for more', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 2, 100);
    fixture.buy(BOB, 9, 70);
    // 200 for the first two, 140 for two more; the remaining 69 pay for nothing.
    const outcome = fixture.sellFor(ALICE, 409);
    expect(summary(outcome)).toBe('filled 4/4');
    expect(placed(outcome)).toMatchObject({ cost: 409, filledCost: 340, price: 0 });
    expect(fixture.balances(ALICE)).toBe('996+0 100340+0');
  });

  test('does not trade through a bid to use up its cost', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 5, 100);
    fixture.buy(BOB, 5, 50);
    expect(summary(fixture.sellFor(ALICE, 350))).toBe('filled 3/3');
    expect(fixture.book()).toBe('2@100 5@50 |');
  });

  test('sells whole steps only', () => {
    const fixture = new Fixture({ step: 5, minAmount: 5 });
    fixture.buy(BOB, 20, 10);
    expect(placed(fixture.sellFor(ALICE, 140))).toMatchObject({ amount: 10, filledCost: 100 });
  });

  test('expires if the book ends before its cost is reached', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 3, 100);
    const outcome = fixture.sellFor(ALICE, 400);
    expect(summary(outcome)).toBe('expired 3/3');
    expect(placed(outcome).reason).toBe(OrderReason.timeInForce);
  });

  test('needs what it would sell at the best bid', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 1, 10);
    expect(fixture.sellFor(ALICE, 10_010)).toMatchObject({
      kind: 'rejected',
      code: RejectionCode.insufficientBalance,
      required: 1001,
      available: 1000,
    });
    expect(summary(fixture.sellFor(ALICE, 10_009))).toBe('expired 1/1');
  });

  test('sells all that is available if lower bids need more, and expires', () => {
    const fixture = new Fixture();
    fixture.buy(BOB, 400, 20);
    fixture.buy(BOB, 5000, 10);
    // 8000 for the first 400, 6000 for the other 600; another 200 would be needed.
    const outcome = fixture.sellFor(ALICE, 16_000);
    expect(summary(outcome)).toBe('expired 1000/1000');
    expect(placed(outcome)).toMatchObject({
      filledCost: 14_000,
      reason: OrderReason.insufficientBalance,
    });
    expect(fixture.balances(ALICE)).toBe('0+0 114000+0');
  });

  test('sells at most maxAmount', () => {
    const fixture = new Fixture({ maxAmount: 4 });
    fixture.buy(BOB, 4, 100);
    fixture.buy(BOB, 4, 100);
    const outcome = fixture.sellFor(ALICE, 600);
    expect(summary(outcome)).toBe('expired 4/4');
    expect(placed(outcome).reason).toBe(OrderReason.timeInForce);
  });

  test('loses the cost of own bids that self-trade prevention reduces', () => {
    const fixture = new Fixture();
    fixture.buy(ALICE, 2, 100);
    fixture.buy(BOB, 5, 100);
    const terms = { selfTradePrevention: SelfTradePrevention.decrement };
    expect(summary(fixture.sellFor(ALICE, 500, terms))).toBe('filled 3/3');
    expect(fixture.book()).toBe('2@100 |');
  });
});

test('the largest amounts stay exact', () => {
  const fixture = new Fixture({
    maxAmount: MAX_UNITS,
    maxPrice: MAX_UNITS,
    makerFee: 1,
    takerFee: 1,
  });
  const price = 10 ** 14 + 1;
  const worth = BigInt(MAX_UNITS) * BigInt(price);
  fixture.transfer(ALICE, USDT, exact(worth));
  fixture.transfer(BOB, BTC, MAX_UNITS);
  fixture.sell(BOB, MAX_UNITS, price);
  expect(summary(fixture.buy(ALICE, MAX_UNITS, price))).toBe(`filled ${MAX_UNITS}/${MAX_UNITS}`);
  expect(trades(fixture.events)[0]!.cost).toBe(worth);
  expect(fixture.balances(BOB)).toBe(`1000+0 ${100_000n + worth - worth / 1_000_000n - 1n}+0`);
});

describe('a cancel', () => {
  test('releases the hold for the remaining quantity', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    fixture.sell(BOB, 2, 90);
    expect(summary(fixture.cancel(ALICE, id))).toBe('canceled 2/5');
    expect(fixture.entries()).toEqual([`${ALICE} release ${USDT} 300`]);
    expect(fixture.balances(ALICE)).toBe('1002+0 99800+0');
    expect(fixture.book()).toBe('|');
  });

  test('of an unknown order, a final one or that of another account is rejected as not open', () => {
    const fixture = new Fixture();
    const { id } = placed(fixture.buy(ALICE, 5, 100));
    const notOpen = { kind: 'rejected', code: 17 } as const;
    expect(fixture.cancel(BOB, id)).toEqual(notOpen);
    expect(fixture.cancel(ALICE, id + 1)).toEqual(notOpen);
    fixture.cancel(ALICE, id);
    expect(fixture.cancel(ALICE, id)).toEqual(notOpen);
  });
});

test('a cost that pays for exactly one step is filled by it', () => {
  const fixture = new Fixture();
  fixture.sell(BOB, 5, 100);
  expect(summary(fixture.spend(ALICE, 150))).toBe('filled 1/1');
  expect(fixture.balances(ALICE)).toBe('1001+0 99900+0');
});
