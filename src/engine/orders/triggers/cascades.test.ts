import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../../../test/check.ts';
import { CheckedFixture } from '../../../../test/checked-fixture.ts';
import { ALICE, BOB, CAROL, type Fixture, limitOrder, placed } from '../../../../test/fixture.ts';
import { SMALL_PORTION, withPortion } from '../../../../test/portions.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../command.ts';
import { NONE, OrderType, Side, TimeInForce } from '../../terms.ts';

const STOPS = [OrderType.stop, OrderType.takeProfit, OrderType.stopLimit];
const price = fc.integer({ min: 85, max: 115 });
const step = fc.oneof(
  {
    weight: 80,
    arbitrary: fc.record({
      kind: fc.constant('stop' as const),
      account: fc.constantFrom(ALICE, BOB),
      type: fc.constantFrom(...STOPS),
      side: fc.constantFrom(Side.buy, Side.sell),
      triggerPrice: price,
    }),
  },
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('trade' as const), price }) },
  {
    weight: 20,
    arbitrary: fc.record({ kind: fc.constantFrom('cancel', 'amend'), order: fc.nat(200), price }),
  },
  { weight: 20, arbitrary: fc.constant({ kind: 'restore' as const }) },
  { weight: 10, arbitrary: fc.constant({ kind: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delist' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function stopOrder(account: number, side: Side, type: number, triggerPrice: number) {
  const limit = side === Side.buy ? triggerPrice + 1 : triggerPrice - 1;
  const terms =
    type === OrderType.stopLimit
      ? { type, price: limit, timeInForce: TimeInForce.fok }
      : { type, price: 0, timeInForce: TimeInForce.ioc };
  const order = limitOrder(account, side, 1, 0, terms);
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice } as const;
}

/** Makes `price` the last price, if no order of the book is in the way. */
function trade(fixture: Fixture, price: number): void {
  fixture.sell(BOB, 1, price);
  fixture.buy(CAROL, 1, price, { timeInForce: TimeInForce.ioc });
}

function take(fixture: CheckedFixture, ids: number[], step: Step): void {
  switch (step.kind) {
    case 'stop': {
      const { account, side, type, triggerPrice } = step;
      const outcome = fixture.apply(stopOrder(account, side, type, triggerPrice));
      if (outcome.kind === 'order') ids.push(outcome.order.id);
      return;
    }
    case 'trade':
      trade(fixture, step.price);
      return;
    case 'cancel':
    case 'amend': {
      const orderId = ids[step.order % ids.length] ?? 1;
      const actor = { account: ALICE, key: NONE };
      const change = { price: 0, amount: 0, triggerPrice: step.price };
      if (step.kind === 'cancel') fixture.cancel(ALICE, orderId);
      else fixture.apply({ kind: CommandKind.amendOrder, ...actor, orderId, ...change });
      return;
    }
    case 'restore':
      fixture.restore();
      return;
    case 'wait':
      fixture.wait(0);
      return;
    default:
      fixture.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
  }
}

test(
  'stops placed during a cascade do what the reference does, also after a snapshot',
  () => {
    let deepest = 0;
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
      const fixture = new CheckedFixture();
      const ids: number[] = [];
      for (const each of steps) {
        take(fixture, ids, each as Step);
        deepest = Math.max(deepest, fixture.generations);
      }
      while (fixture.exchange.nextDueTime <= fixture.time) fixture.wait(0);
    });
    withPortion(SMALL_PORTION, () => check(property, 150));
    expect(deepest).toBeGreaterThanOrEqual(2);
  },
  CHECK_TIMEOUT_MS,
);

test('late stops that a trade reaches run after those before them, by their triggers', () => {
  withPortion(SMALL_PORTION, () => {
    const fixture = new CheckedFixture();
    fixture.buy(BOB, 200, 10);
    const place = (triggerPrice: number) =>
      placed(fixture.apply(stopOrder(ALICE, Side.sell, OrderType.stopLimit, triggerPrice))).id;
    const ids = [90, 90, 90, 90, 90].map(place);
    fixture.wait(1);
    trade(fixture, 80);
    trade(fixture, 99);
    const late = [85, 89, 87].map(place);
    trade(fixture, 85);
    trade(fixture, 99);
    const latest = [86, 84].map(place);
    fixture.restore();
    trade(fixture, 84);
    expect(fixture.generations).toBe(3);
    const ran: number[] = [];
    while (fixture.exchange.nextDueTime <= fixture.time) {
      fixture.wait(0);
      for (const event of fixture.events) {
        if (event.kind === 'order' && event.account === ALICE) ran.push(event.id);
      }
    }
    const expected = [...ids.slice(2), late[1]!, late[2]!, late[0]!, ...latest];
    expect(ran).toEqual(expected);
    expect(fixture.generations).toBe(1);
  });
});

test('a price that reaches all late stops reaches none of the stops beyond it', () => {
  withPortion(SMALL_PORTION, () => {
    const fixture = new CheckedFixture();
    fixture.buy(BOB, 200, 10);
    const place = (triggerPrice: number) =>
      placed(fixture.apply(stopOrder(ALICE, Side.sell, OrderType.stopLimit, triggerPrice))).id;
    const far = [60, 70].map(place);
    const near = [90, 90, 90, 90].map(place);
    fixture.wait(1);
    trade(fixture, 80);
    trade(fixture, 99);
    const late = [85, 85, 85].map(place);
    trade(fixture, 80);
    fixture.restore();
    while (fixture.exchange.nextDueTime <= fixture.time) fixture.wait(0);
    const isOpen = (id: number) => fixture.exchange.state.openOrder(id) !== undefined;
    expect([...near, ...late].filter(isOpen)).toEqual([]);
    expect(far.filter(isOpen)).toEqual(far);
    trade(fixture, 65);
    expect(far.filter(isOpen)).toEqual([far[0]!]);
  });
});
