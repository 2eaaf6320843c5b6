import { NONE } from '../terms.ts';
import type { OrderDetails } from './order-details.ts';

const INITIAL_CAPACITY = 4096;

/**
 * Finds the slot of an open order by its id. Open addressing over slots; the ids stay in the store.
 * Uses four to eight bytes per order, where a Map uses forty.
 */
export class OrderIndex {
  private slots = new Int32Array(INITIAL_CAPACITY).fill(NONE);
  private mask = INITIAL_CAPACITY - 1;
  private size = 0;

  constructor(private readonly details: OrderDetails) {}

  /** Returns the slot of the open order `id`, or NONE. */
  find(id: number): number {
    const { details } = this;
    for (let place = this.home(id); ; place = (place + 1) & this.mask) {
      const slot = this.slots[place]!;
      if (slot === NONE || details.id(slot) === id) return slot;
    }
  }

  /** Adds the order in `slot`, whose id must not be in the index. */
  add(slot: number): void {
    if (this.size * 2 > this.mask) this.resize((this.mask + 1) * 2);
    this.size++;
    this.put(slot);
  }

  /** Reserves memory for `count` orders. */
  reserve(count: number): void {
    let capacity = this.mask + 1;
    while (capacity < count * 2) capacity *= 2;
    if (capacity > this.mask + 1) this.resize(capacity);
  }

  remove(id: number): void {
    const { slots, mask, details } = this;
    let hole = this.home(id);
    while (details.id(slots[hole]!) !== id) hole = (hole + 1) & mask;
    this.size--;
    // Moves displaced slots back into the hole, so that no tombstones accumulate.
    for (let place = (hole + 1) & mask; slots[place] !== NONE; place = (place + 1) & mask) {
      const distance = (place - this.home(details.id(slots[place]!))) & mask;
      if (distance >= ((place - hole) & mask)) {
        slots[hole] = slots[place]!;
        hole = place;
      }
    }
    slots[hole] = NONE;
  }

  private put(slot: number): void {
    let place = this.home(this.details.id(slot));
    while (this.slots[place] !== NONE) place = (place + 1) & this.mask;
    this.slots[place] = slot;
  }

  private resize(capacity: number): void {
    const old = this.slots;
    this.slots = new Int32Array(capacity).fill(NONE);
    this.mask = capacity - 1;
    for (const slot of old) if (slot !== NONE) this.put(slot);
  }

  /**
   * Returns the first place to look for an id. Ids are consecutive, so they are spread; otherwise
   * old orders would form long runs.
   */
  private home(id: number): number {
    const hash = Math.imul(id, 0x9e3779b1);
    return (hash ^ (hash >>> 16)) & this.mask;
  }
}
