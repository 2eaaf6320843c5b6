import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { SlotHeap } from './slot-heap.ts';

/** Sorts slots by a key, and equal keys by slot. */
class Heap extends SlotHeap {
  readonly keys: number[] = [];
  readonly places: number[] = [];

  protected getPlace(slot: number): number {
    return this.places[slot]!;
  }

  protected setPlace(slot: number, place: number): void {
    this.places[slot] = place;
  }

  protected isBefore(a: number, b: number): boolean {
    return this.keys[a] === this.keys[b] ? a < b : this.keys[a]! < this.keys[b]!;
  }
}

test('after any operations the first slot is correct and every slot knows its place', () => {
  const keys = fc.array(fc.nat(30), { minLength: 1, maxLength: 40 });
  const property = fc.property(keys, fc.array(fc.nat()), (keys, leaving) => {
    const heap = new Heap();
    let present = keys.map((key, slot) => {
      heap.keys[slot] = key;
      heap.add(slot);
      return slot;
    });
    for (const choice of [...leaving, ...keys.fill(0)]) {
      const order = present.toSorted((a, b) => heap.keys[a]! - heap.keys[b]! || a - b);
      expect(heap.size).toBe(order.length);
      for (const slot of order) expect(heap.isInPlace(slot)).toBe(true);
      if (order.length === 0) return;
      expect(heap.first).toBe(order[0]!);
      const gone = order[choice % order.length]!;
      heap.remove(gone);
      present = present.filter((slot) => slot !== gone);
    }
  });
  check(property, 300);
});

test('isInPlace detects a slot in the wrong place', () => {
  const heap = new Heap();
  for (let slot = 0; slot < 10; slot++) {
    heap.keys[slot] = slot * 10;
    heap.add(slot);
  }
  const places = heap.places.slice();
  for (let slot = 0; slot < 10; slot++) {
    heap.places[slot] = (places[slot]! + 1) % 10;
    expect(heap.isInPlace(slot)).toBe(false);
    heap.places[slot] = places[slot]!;
    expect(heap.isInPlace(slot)).toBe(true);
    if (slot === 0) continue;
    heap.keys[slot] = -1;
    expect(heap.isInPlace(slot)).toBe(false);
    heap.keys[slot] = slot * 10;
  }
  // Slot 3 now belongs before its parent, whose key is 10, but not before the root.
  heap.keys[3] = 5;
  expect(heap.isInPlace(3)).toBe(false);
});

test('the slot that replaces a removed one moves up as well as down', () => {
  const heap = new Heap();
  for (const key of [0, 10, 1, 11, 12, 2, 3]) heap.add(heap.keys.push(key) - 1);
  heap.remove(3);
  expect(heap.isInPlace(6)).toBe(true);
  for (const key of [0, 1, 2, 3, 10, 12]) {
    expect(heap.keys[heap.first]).toBe(key);
    heap.remove(heap.first);
  }
});
