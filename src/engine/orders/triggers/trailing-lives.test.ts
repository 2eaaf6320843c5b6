import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../../../test/check.ts';
import { CheckedFixture } from '../../../../test/checked-fixture.ts';
import { ALICE, BOB, CAROL, limitOrder } from '../../../../test/fixture.ts';
import { SMALL_PORTION, withPortion } from '../../../../test/portions.ts';
import { CommandKind } from '../../command.ts';
import { NONE, OrderType, Side, TimeInForce } from '../../terms.ts';

/** Random lives of trailing stops, compared with those of the reference model. */

const OWNERS = [ALICE, BOB, CAROL];
const move = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('trail' as const),
      side: fc.constantFrom(Side.buy, Side.sell),
      distance: fc.integer({ min: 5, max: 45 }),
      isShare: fc.boolean(),
      activation: fc.constantFrom(0, 0, 0, 90, 97, 103, 110),
      owner: fc.nat(2),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      price: fc.integer({ min: 90, max: 110 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('amend' as const),
      which: fc.nat(),
      distance: fc.nat(40),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);
type Step = typeof move extends fc.Arbitrary<infer T> ? T : never;

function run(fixture: CheckedFixture, step: Step): void {
  const ids = [...fixture.exchange.state.markets[0]!.trailing.inOrder()].map((slot) =>
    fixture.exchange.state.details.id(slot),
  );
  const id = 'which' in step ? ids[step.which % (ids.length + 1)] : undefined;
  if (step.kind === 'trade') {
    fixture.sell(BOB, 1, step.price, { selfTradePrevention: 3 });
    fixture.buy(CAROL, 1, step.price, { timeInForce: TimeInForce.ioc });
  } else if (step.kind === 'restore') fixture.restore();
  else if (step.kind === 'wait') fixture.wait(1);
  else if (step.kind === 'trail') {
    const { distance, isShare, activation } = step;
    const terms = {
      amount: isShare ? 0 : distance,
      basisPoints: isShare ? distance * 80 : 0,
      activationPrice: activation,
    };
    const order = limitOrder(OWNERS[step.owner]!, step.side, 2, 0, {
      type: OrderType.trailingStop,
    });
    const kind = CommandKind.placeStopOrder;
    fixture.apply({ ...order, kind, triggerPrice: 0, trailing: terms });
  } else if (id !== undefined) {
    if (step.kind === 'cancel') for (const owner of OWNERS) fixture.cancel(owner, id);
    else {
      const trailing = { amount: step.distance, basisPoints: 0, activationPrice: 0 };
      const order = {
        account: ALICE,
        key: NONE,
        orderId: id,
        price: 0,
        amount: 0,
        triggerPrice: 0,
      };
      fixture.apply({ kind: CommandKind.amendOrder, ...order, trailing });
    }
  }
}

function checkedFixture(): CheckedFixture {
  const fixture = new CheckedFixture();
  for (const account of OWNERS) {
    fixture.buy(account, 30, 60);
    fixture.sell(account, 30, 140);
  }
  return fixture;
}

test(
  'trailing stops do what the reference does at any prices, also after a snapshot',
  () => {
    let groups = 0;
    const property = fc.property(fc.array(move, { maxLength: 70, size: 'max' }), (steps) => {
      const fixture = checkedFixture();
      for (const step of steps) {
        run(fixture, step);
        const { buys, sells } = fixture.exchange.state.markets[0]!.trailing;
        groups = Math.max(groups, buys.groupCount, sells.groupCount);
      }
    });
    check(property, 300);
    expect(groups).toBeGreaterThan(3);
  },
  CHECK_TIMEOUT_MS,
);

test(
  'trailing stops that run in several portions do what the reference does, also when the market is delisted',
  () => {
    let most = 0;
    const property = fc.property(
      fc.array(move, { maxLength: 70, size: 'max' }),
      fc.boolean(),
      (steps, isDelisted) => {
        const fixture = checkedFixture();
        for (const step of steps) {
          run(fixture, step);
          const { buys, sells } = fixture.exchange.state.markets[0]!.trailing;
          most = Math.max(most, buys.moves.length, sells.moves.length);
        }
        if (!isDelisted) return;
        fixture.apply({ kind: CommandKind.delistMarket, account: NONE, key: NONE, market: 0 });
        fixture.restore();
        while (fixture.exchange.state.orders.size > 0) fixture.wait(1);
      },
    );
    withPortion({ ...SMALL_PORTION, triggers: 1 }, () => check(property, 200));
    expect(most).toBeGreaterThan(3);
  },
  CHECK_TIMEOUT_MS,
);

test('a stop that is placed while others still run does not follow an earlier price', () => {
  const trailed = (side: Side, owner = 0): Step => ({
    ...{ kind: 'trail', side, distance: 5, isShare: false, activation: 0, owner },
  });
  const steps: Step[] = [
    ...[trailed(Side.buy), trailed(Side.buy), trailed(Side.sell)],
    { ...trailed(Side.buy), activation: 97 } as Step,
    ...[105, 90, 95].map((price) => ({ kind: 'trade', price }) as const),
    ...[trailed(Side.sell), { kind: 'wait' } as const, { kind: 'trade', price: 90 } as const],
    ...[{ kind: 'cancel', which: 2 } as const, { kind: 'trade', price: 96 } as const],
    // The oldest stop sells at 60.
    ...[{ kind: 'wait' } as const, trailed(Side.sell), { kind: 'trade', price: 90 } as const],
  ];
  withPortion({ ...SMALL_PORTION, triggers: 1 }, () => {
    const fixture = checkedFixture();
    for (const step of steps) run(fixture, step);
    const { details, markets } = fixture.exchange.state;
    const last = [...markets[0]!.trailing.inOrder()].at(-1)!;
    expect([details.trail(last).bestPrice, details.trail(last).triggerPrice]).toEqual([90, 85]);
  });
});
