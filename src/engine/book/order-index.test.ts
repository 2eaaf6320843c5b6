import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../../test/check.ts';
import { limitOrder } from '../../../test/fixture.ts';
import { NONE, OrderReason, Side } from '../terms.ts';
import { OrderDetails } from './order-details.ts';
import { OrderIndex } from './order-index.ts';
import { OrderStore } from './order-store.ts';

const TERMS = limitOrder(0, Side.buy, 1, 1);

/** An index that is compared with a Map. */
class IndexAndMap {
  readonly orders = new OrderStore();
  readonly details = new OrderDetails();
  readonly index = new OrderIndex(this.details);
  readonly map = new Map<number, number>();

  add(id: number): void {
    const slot = this.orders.allocate();
    this.details.set(slot, id, 1, 0, OrderReason.none, TERMS);
    this.index.add(slot);
    this.map.set(id, slot);
  }

  remove(id: number): void {
    this.index.remove(id);
    this.orders.release(this.map.get(id)!);
    this.map.delete(id);
  }

  expectEqual(upTo: number): void {
    for (let id = 0; id <= upTo; id++) expect(this.index.find(id)).toBe(this.map.get(id) ?? NONE);
  }
}

test(
  'finds the same as a Map after any operations',
  () => {
    // A few distant ids and many close ones, so that they displace each other.
    const id = fc.oneof(
      fc.nat(60),
      fc.nat(60).map((n) => n * 4096 + 7),
    );
    const property = fc.property(fc.array(id, { maxLength: 200, size: 'max' }), (ids) => {
      const both = new IndexAndMap();
      for (const each of ids) {
        if (both.map.has(each)) both.remove(each);
        else both.add(each);
        for (const other of ids) expect(both.index.find(other)).toBe(both.map.get(other) ?? NONE);
      }
    });
    check(property, 30);
  },
  CHECK_TIMEOUT_MS,
);

test('grows with and without reserved memory', () => {
  for (const reserved of [0, 10_000]) {
    const both = new IndexAndMap();
    both.index.reserve(reserved);
    for (let id = 1; id <= 10_000; id++) both.add(id);
    both.expectEqual(10_001);
    for (let id = 1; id <= 10_000; id += 3) both.remove(id);
    both.expectEqual(10_001);
  }
});

test('ids beyond 32 bits are distinguished', () => {
  const both = new IndexAndMap();
  const ids = [1, 2 ** 32 + 1, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER];
  for (const id of ids) both.add(id);
  for (const id of ids) expect(both.index.find(id)).toBe(both.map.get(id)!);
  both.remove(2 ** 32 + 1);
  expect(both.index.find(2 ** 32 + 1)).toBe(NONE);
  expect(both.index.find(1)).toBe(both.map.get(1)!);
});
