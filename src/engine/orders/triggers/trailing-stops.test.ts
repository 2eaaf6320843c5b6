import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import { CheckedFixture } from '../../../../test/checked-fixture.ts';
import { ALICE, BOB, CAROL, Fixture, limitOrder, placed } from '../../../../test/fixture.ts';
import { CommandKind, type Trailing } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import { RejectionCode } from '../../rejection.ts';
import { NONE, OrderReason, OrderStatus, OrderType, Side, TimeInForce } from '../../terms.ts';
import { trailingTrigger } from './trail.ts';

const TEN: Trailing = { amount: 10, basisPoints: 0, activationPrice: 0 };
const FIVE_PERCENT: Trailing = { amount: 0, basisPoints: 500, activationPrice: 0 };

function trail(
  fixture: Fixture,
  side: Side,
  trailing: Trailing,
  amount = 5,
  account = ALICE,
): Outcome {
  const order = limitOrder(account, side, amount, 0, { type: OrderType.trailingStop });
  return fixture.apply({
    ...order,
    kind: CommandKind.placeStopOrder,
    triggerPrice: 0,
    trailing,
  });
}

function amend(fixture: Fixture, orderId: number, changes: Record<string, unknown>): Outcome {
  const numbers = { price: 0, amount: 0, triggerPrice: 0 };
  const command = { kind: CommandKind.amendOrder, account: ALICE, key: NONE, orderId } as const;
  return fixture.apply({ ...command, ...numbers, ...changes });
}

/** Trades at `price`, which becomes the last price. */
function trade(fixture: Fixture, price: number): void {
  fixture.sell(BOB, 1, price);
  fixture.buy(CAROL, 1, price, { timeInForce: TimeInForce.ioc });
}

function trigger(fixture: Fixture, id: number): number | undefined {
  return fixture.exchange.state.openOrder(id)?.triggerPrice;
}

/** Returns the orders that the last command ended, in order. */
function ended({ events }: Fixture): number[] {
  return events
    .filter((event): event is OrderRecord => event.kind === 'order')
    .filter(({ status, trailing }) => status !== OrderStatus.open && trailing !== undefined)
    .map(({ id }) => id);
}

describe('the trigger price', () => {
  test('of a sell follows the highest price, and never falls', () => {
    const fixture = new CheckedFixture();
    const { id, triggerPrice, trailing } = placed(trail(fixture, Side.sell, TEN));
    expect([triggerPrice, trailing]).toEqual([90, TEN]);
    const seen = [105, 101, 120, 111].map((price) => {
      trade(fixture, price);
      return trigger(fixture, id);
    });
    expect(seen).toEqual([95, 95, 110, 110]);
    fixture.buy(BOB, 5, 50);
    trade(fixture, 110);
    expect([trigger(fixture, id), ended(fixture)]).toEqual([undefined, [id]]);
  });

  test('of a buy follows the lowest price, and never rises', () => {
    const fixture = new CheckedFixture();
    const { id, triggerPrice } = placed(trail(fixture, Side.buy, FIVE_PERCENT));
    expect(triggerPrice).toBe(105);
    const seen = [98, 101, 80, 83].map((price) => {
      trade(fixture, price);
      return trigger(fixture, id);
    });
    expect(seen).toEqual([103, 103, 84, 84]);
    fixture.sell(BOB, 5, 84);
    trade(fixture, 84);
    expect(ended(fixture)).toEqual([id]);
  });

  test.each([
    [Side.sell, 1_001, 250, 975],
    [Side.buy, 1_001, 250, 1_027],
    [Side.sell, 1_000, 250, 975],
    [Side.buy, 1_000, 1, 1_001],
    [Side.sell, 9_007_199_254_740_991, 1, 9_006_298_534_815_516],
    [Side.buy, 9_007_199_254_740_991, 5_000, 9_007_199_254_740_991],
  ])('of side %i at best %i and %i basis points is %i', (side, best, basisPoints, expected) => {
    const terms = { amount: 0, basisPoints, activationPrice: 0 };
    expect(trailingTrigger(side as Side, best, terms)).toBe(expected);
  });

  test('lies exactly where the first price as far away as promised triggers the order', () => {
    const property = fc.property(
      fc.constantFrom(Side.buy, Side.sell),
      fc.integer({ min: 2, max: 2 ** 40 }),
      fc.integer({ min: 1, max: 5_000 }),
      (side, best, basisPoints) => {
        const price = trailingTrigger(side, best, { amount: 0, basisPoints, activationPrice: 0 });
        const away = (at: number) => BigInt(Math.abs(best - at)) * 10_000n;
        const promised = BigInt(best) * BigInt(basisPoints);
        expect(away(price) >= promised).toBe(true);
        expect(away(price + (side === Side.sell ? 1 : -1)) < promised).toBe(true);
      },
    );
    check(property, 500);
  });
});

describe('an activation price', () => {
  test('delays the trailing until a last price reaches it', () => {
    const fixture = new CheckedFixture();
    const terms = { ...TEN, activationPrice: 110 };
    const { id, triggerPrice } = placed(trail(fixture, Side.sell, terms));
    expect(triggerPrice).toBe(0);
    for (const price of [95, 109]) trade(fixture, price);
    expect(trigger(fixture, id)).toBe(0);
    trade(fixture, 112);
    expect(trigger(fixture, id)).toBe(102);
    fixture.restore();
    trade(fixture, 115);
    expect(trigger(fixture, id)).toBe(105);
  });

  test('that the last price has reached starts the trailing at once', () => {
    const fixture = new CheckedFixture();
    const order = placed(trail(fixture, Side.buy, { ...TEN, activationPrice: 101 }));
    expect(order.triggerPrice).toBe(110);
  });
});

describe('a trailing stop', () => {
  test('holds what its first trigger price may cost within the collar', () => {
    const fixture = new CheckedFixture({ collar: 100_000 });
    placed(trail(fixture, Side.buy, TEN));
    expect(fixture.balances(ALICE)).toBe('1000+0 99395+605');
    const fixed = { ...TEN, activationPrice: 80 };
    placed(trail(fixture, Side.buy, fixed));
    expect(fixture.balances(ALICE)).toBe('1000+0 98900+1100');
  });

  test('runs as a market order, after fixed stops and the nearest trigger first', () => {
    const fixture = new CheckedFixture();
    fixture.buy(BOB, 100, 50);
    const far = placed(trail(fixture, Side.sell, { ...TEN, amount: 12 }, 1));
    const near = placed(trail(fixture, Side.sell, TEN, 1));
    const share = placed(trail(fixture, Side.sell, { ...FIVE_PERCENT, basisPoints: 1_200 }, 1));
    const fixed = limitOrder(ALICE, Side.sell, 1, 0, { type: OrderType.stop });
    fixture.apply({ ...fixed, kind: CommandKind.placeStopOrder, triggerPrice: 70 });
    trade(fixture, 60);
    expect(fixture.trades()).toBe('1@60 1@50 1@50 1@50 1@50');
    expect(ended(fixture)).toEqual([near.id, far.id, share.id]);
  });

  test.each([
    [{ ...TEN, amount: 15 }, 'trailingAmount.tickSize'],
    [{ ...FIVE_PERCENT, basisPoints: 5_001 }, 'trailingPercent.maximum'],
    [{ ...TEN, amount: 100 }, 'trailingAmount.tooFar'],
    [{ ...TEN, activationPrice: 105 }, 'activationPrice.tickSize'],
    [{ ...TEN, activationPrice: 1_000_010 }, 'activationPrice.maxPrice'],
  ])('is rejected for %j', (terms, rule) => {
    const fixture = new Fixture({ tick: 10, minPrice: 10 });
    const code = RejectionCode.trailingOutOfBounds;
    expect(trail(fixture, Side.sell, terms)).toEqual({ kind: 'rejected', code, rule });
  });

  test('expires, and a delisting ends those that trail before those that wait', () => {
    const fixture = new CheckedFixture();
    const waiting = placed(trail(fixture, Side.sell, { ...TEN, activationPrice: 200 }));
    const trailing = [TEN, FIVE_PERCENT].map((terms) => placed(trail(fixture, Side.sell, terms)));
    trade(fixture, 130);
    const newest = placed(trail(fixture, Side.buy, TEN));
    fixture.apply({ kind: CommandKind.delistMarket, account: NONE, key: NONE, market: 0 });
    expect(ended(fixture)).toEqual([newest.id, ...trailing.map(({ id }) => id), waiting.id]);
  });
});

describe('an amendment', () => {
  test('changes the distance from the best price that was followed', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(trail(fixture, Side.sell, TEN));
    trade(fixture, 150);
    trade(fixture, 145);
    const order = placed(amend(fixture, id, { trailing: { ...FIVE_PERCENT, basisPoints: 1_000 } }));
    expect([order.triggerPrice, order.reason]).toEqual([135, OrderReason.amended]);
    trade(fixture, 160);
    expect(trigger(fixture, id)).toBe(144);
    const crossed = amend(fixture, id, { trailing: { ...TEN, amount: 1 } });
    expect(crossed).toMatchObject({ order: { triggerPrice: 159 } });
    trade(fixture, 161);
    fixture.setStatus(0);
    expect(amend(fixture, id, { amount: 7 })).toMatchObject({
      order: { amount: 7, triggerPrice: 160 },
    });
  });

  test('that moves the trigger to where the last price is already is rejected', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(trail(fixture, Side.sell, TEN));
    trade(fixture, 150);
    trade(fixture, 145);
    const code = RejectionCode.triggerCrossed;
    expect(amend(fixture, id, { trailing: { ...TEN, amount: 5 } })).toEqual({
      kind: 'rejected',
      code,
    });
  });

  test('of the activation price is only possible before the activation', () => {
    const fixture = new CheckedFixture();
    const { id } = placed(trail(fixture, Side.sell, { ...TEN, activationPrice: 110 }));
    const change = (activationPrice: number) =>
      amend(fixture, id, { trailing: { amount: 0, basisPoints: 0, activationPrice } });
    expect(placed(change(105)).trailing).toEqual({ ...TEN, activationPrice: 105 });
    expect(placed(change(100)).triggerPrice).toBe(90);
    expect(change(120)).toMatchObject({ code: RejectionCode.notAmendable, rule: 'activated' });
  });

  test.each([
    [{ triggerPrice: 80 }, 'trailing'],
    [{ displayAmount: 1 }, 'notIceberg'],
  ])('%j is rejected', (changes, rule) => {
    const fixture = new CheckedFixture();
    const { id } = placed(trail(fixture, Side.sell, TEN));
    expect(amend(fixture, id, changes)).toMatchObject({ code: RejectionCode.notAmendable, rule });
  });
});

test('the time of a trade does not grow with the number of triggers that it moves', () => {
  const fixture = new Fixture({ minNotional: 1 });
  const { state } = fixture.exchange;
  for (let account = 0; account < 3; account++) {
    for (let count = 0; count < 300; count++) {
      const amount = 1 + (count % 90);
      trail(fixture, Side.sell, { ...TEN, amount }, 1, account);
    }
  }
  const side = state.markets[0]!.trailing.sells;
  expect([side.size, side.groupCount]).toEqual([900, 1]);
  for (let price = 101; price <= 400; price++) trade(fixture, price);
  // One group moved at each new price, whatever its size.
  expect(side.changes).toBe(900 + 300);
});

test('the work of a trade does not grow with the number of trailing stops that it triggers', () => {
  const fixture = new Fixture({ minNotional: 1 });
  const { state } = fixture.exchange;
  for (let account = 0; account < 3; account++) {
    for (let count = 0; count < 300; count++) {
      trail(fixture, Side.sell, { ...TEN, amount: 1 + (count % 90) }, 1, account);
    }
  }
  let hashed = 0;
  const { include } = state;
  state.include = (hash) => {
    hashed++;
    include.call(state, hash);
  };
  fixture.buy(BOB, 1, 5);
  state.triggered.left = 0;
  hashed = 0;
  fixture.sell(CAROL, 1, 5, { timeInForce: TimeInForce.ioc });
  expect([state.triggered.size, state.markets[0]!.trailing.size]).toEqual([1, 900]);
  expect(hashed).toBeLessThan(20);
  let portions = 0;
  for (; state.triggered.size > 0; portions++) fixture.wait(1);
  expect(portions).toBe(9);
});
