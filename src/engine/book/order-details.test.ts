import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ALICE, BOB, Fixture, limitOrder } from '../../../test/fixture.ts';
import { CommandKind } from '../command.ts';
import { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { Trail } from '../orders/triggers/trail.ts';
import { OrderType, Side } from '../terms.ts';
import { OrderDetails } from './order-details.ts';

const time = fc.integer({ min: 1, max: 2 ** 42 });
const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const order = fc.record({
  id: units,
  amount: units,
  createdAt: time,
  updatedAt: time,
  lastFillAt: fc.option(time, { nil: 0 }),
  reason: fc.nat(15),
  filled: fc.option(fc.record({ cost: units, fees: fc.nat() }), { nil: undefined }),
  triggerPrice: units,
  triggeredAt: fc.option(time, { nil: 0 }),
  iceberg: fc.option(fc.record({ displayAmount: units, hidden: units }), { nil: undefined }),
  trailing: fc.record({ amount: fc.nat(9), basisPoints: fc.constant(0), activationPrice: units }),
  terms: fc.record({
    key: fc.integer({ min: -1 }),
    market: fc.nat(32_767),
    type: fc.nat(6),
    timeInForce: fc.nat(3),
    postOnly: fc.boolean(),
    selfTradePrevention: fc.nat(3),
    expiresAt: fc.option(time, { nil: 0 }),
    clientOrderId: fc.option(fc.string({ maxLength: 8 }), { nil: null }),
  }),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

const isTrailing = ({ terms }: Order) => terms.type === OrderType.trailingStop;
const isStop = (each: Order) => each.terms.type >= OrderType.stop && !isTrailing(each);

function put(details: OrderDetails, slot: number, order: Order): void {
  const { id, amount, createdAt, updatedAt, lastFillAt, reason, filled } = order;
  details.set(slot, id, amount, createdAt, 0, order.terms);
  if (isStop(order)) details.setTriggerPrice(slot, order.triggerPrice);
  if (isStop(order) && order.triggeredAt !== 0) details.triggers.setTime(slot, order.triggeredAt);
  if (isTrailing(order)) {
    const trail = new Trail(slot, id, Side.buy, order.trailing);
    trail.leave(order.triggerPrice);
    details.setTrail(trail);
  } else if (order.iceberg !== undefined) {
    const { displayAmount, hidden } = order.iceberg;
    details.setIceberg(slot, displayAmount, hidden);
  }
  details.change(slot, reason, updatedAt);
  details.setTimes(slot, createdAt, lastFillAt);
  if (filled !== undefined) details.setFilled(slot, filled);
}

function expectKept(details: OrderDetails, slot: number, order: Order): void {
  const { terms, iceberg, trailing, ...rest } = order;
  const kept = {
    id: details.id(slot),
    amount: details.amount(slot),
    createdAt: details.createdAt(slot),
    updatedAt: details.updatedAt(slot),
    lastFillAt: details.lastFillAt(slot),
    reason: details.reason(slot),
    filled: details.filled(slot),
    triggerPrice: details.triggerPrice(slot),
    triggeredAt: details.triggers.time(slot),
    terms: {
      key: details.key(slot),
      market: details.market(slot),
      type: details.type(slot),
      timeInForce: details.timeInForce(slot),
      postOnly: details.postOnly(slot),
      selfTradePrevention: details.selfTradePrevention(slot),
      expiresAt: details.expiresAt(slot),
      clientOrderId: details.clientOrderId(slot),
    },
  };
  const filled = order.filled ?? { cost: 0, fees: 0 };
  const best = order.triggerPrice;
  const trailed = Math.min(best + trailing.amount, Number.MAX_SAFE_INTEGER);
  const fixed = isStop(order) ? order.triggerPrice : 0;
  const triggerPrice = isTrailing(order) ? trailed : fixed;
  const triggeredAt = isStop(order) ? order.triggeredAt : 0;
  expect(kept).toEqual({ ...rest, filled, triggerPrice, triggeredAt, terms });
  const isIceberg = iceberg !== undefined && !isTrailing(order);
  expect([details.isIceberg(slot), details.hidden(slot)]).toEqual([
    isIceberg,
    isIceberg ? iceberg.hidden : 0,
  ]);
  if (isTrailing(order)) expect(details.trail(slot).terms).toEqual(trailing);
}

/** Distant slots, so that memory is reserved for the last of them. */
const slots = [0, 1, 1_023, 1_024, 2_048, 5_000];
const orders = fc.tuple(order, order, order, order, order, order);

describe('the details of an order', () => {
  test('are independent of neighboring slots', () => {
    const property = fc.property(orders, (all) => {
      const details = new OrderDetails();
      all.forEach((each, at) => {
        put(details, slots[at]!, each);
      });
      all.forEach((each, at) => {
        expectKept(details, slots[at]!, each);
      });
    });
    check(property, 30);
  });

  test('are cleared with the slot: the next order there inherits nothing', () => {
    const property = fc.property(order, order, (gone, next) => {
      const details = new OrderDetails();
      put(details, 7, gone);
      details.setAwaitingTrigger(7);
      details.clear(7);
      put(details, 7, next);
      expectKept(details, 7, next);
      expect(details.isPending(7)).toBe(false);
    });
    check(property, 100);
  });

  test('use no memory once they are cleared', () => {
    const property = fc.property(order, (order) => {
      const details = new OrderDetails();
      put(details, 7, order);
      details.clear(7);
      const memory = details as unknown as Record<'fills' | 'clientOrderIds', unknown[]> & {
        triggers: Record<'prices' | 'times', Map<number, unknown>>;
        special: Record<'trails' | 'icebergs', Map<number, unknown>>;
      };
      const { trails, icebergs } = memory.special;
      const { prices, times } = memory.triggers;
      const sizes = [prices, times, trails, icebergs].map(({ size }) => size);
      expect(sizes).toEqual([0, 0, 0, 0]);
      expect([memory.fills[7], memory.clientOrderIds[7]]).toEqual([null, null]);
    });
    check(property, 50);
  });

  test('are equal after writing and reading, in any slot', () => {
    const property = fc.property(orders, (all) => {
      const [live, loaded] = [new OrderDetails(), new OrderDetails()];
      const writer = new ByteWriter();
      all.forEach((each, at) => {
        put(live, slots[at]!, each);
        live.write(writer, slots[at]!);
      });
      const reader = new ByteReader(writer.bytes());
      all.forEach((each, at) => {
        loaded.read(reader, slots.at(-at)!, Side.buy);
        expectKept(loaded, slots.at(-at)!, each);
        expect(loaded.mix(5, slots.at(-at)!)).toBe(live.mix(5, slots[at]!));
      });
      expect(reader.isAtEnd).toBe(true);
    });
    check(property, 30);
  });

  test('are all part of the hash', () => {
    const property = fc.property(order, order, (one, other) => {
      const hashState = (order: Order) => {
        const details = new OrderDetails();
        put(details, 3, order);
        return details.mix(5, 3);
      };
      const hash = hashState(one);
      const stop = { ...one.terms, type: OrderType.stop };
      const filled = { cost: 1, fees: 1 };
      for (const part of ['id', 'amount', 'createdAt', 'updatedAt', 'lastFillAt'] as const) {
        expect(hashState({ ...one, [part]: one[part] + 1 })).not.toBe(hash);
      }
      expect(hashState({ ...one, reason: one.reason ^ 1 })).not.toBe(hash);
      for (const part of ['cost', 'fees'] as const) {
        const more = { ...filled, [part]: 2 };
        expect(hashState({ ...one, filled: more })).not.toBe(hashState({ ...one, filled }));
      }
      const [low, high] = [1, 2].map((triggerPrice) =>
        hashState({ ...one, terms: stop, triggerPrice }),
      );
      expect(low).not.toBe(high);
      for (const part of Object.keys(one.terms) as (keyof Order['terms'])[]) {
        if (one.terms[part] === other.terms[part]) continue;
        expect(hashState({ ...one, terms: { ...one.terms, [part]: other.terms[part] } })).not.toBe(
          hash,
        );
      }
    });
    check(property, 100);
  });
});

test('an order that awaits its trigger or is triggered is pending', () => {
  const details = new OrderDetails();
  const readState = () => [details.awaitsTrigger(2), details.isTriggered(2), details.isPending(2)];
  details.set(2, 1, 1, 1, 0, {
    key: -1,
    market: 0,
    type: OrderType.stop,
    timeInForce: 0,
    postOnly: false,
    selfTradePrevention: 0,
    expiresAt: 0,
    clientOrderId: null,
  });
  expect(readState()).toEqual([false, false, false]);
  details.setAwaitingTrigger(2);
  expect(readState()).toEqual([true, false, true]);
  details.switchTriggered(2);
  expect(readState()).toEqual([false, true, true]);
});

test('an exchange without open orders keeps no details', () => {
  const fixture = new Fixture({ makerFee: 1_000 });
  const { state } = fixture.exchange;
  const stop = { ...limitOrder(ALICE, Side.sell, 5, 0), type: OrderType.stop, triggerPrice: 90 };
  fixture.apply({ ...stop, kind: CommandKind.placeStopOrder, clientOrderId: 'a' });
  fixture.buy(ALICE, 5, 95, { clientOrderId: 'b' });
  fixture.sell(BOB, 2, 95);
  const kept = () => {
    const { fills, triggers, clientOrderIds } = state.details as unknown as {
      readonly fills: readonly unknown[];
      readonly triggers: { readonly prices: ReadonlyMap<number, unknown> };
      readonly clientOrderIds: readonly (string | null)[];
    };
    const count = (list: readonly unknown[]) => list.filter((each) => each !== null).length;
    return [count(fills), triggers.prices.size, count(clientOrderIds)];
  };
  expect(kept()).toEqual([1, 1, 2]);
  for (const id of [1, 2]) expect(fixture.cancel(ALICE, id).kind).toBe('order');
  expect(kept()).toEqual([0, 0, 0]);
});
