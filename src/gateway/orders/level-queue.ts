import { grown } from '../../engine/numbers/arrays.ts';
import { type Exact, exact } from '../../engine/numbers/exact.ts';

/** Amounts are kept as `high * BASE + low`, so that the sums of millions of them are exact. */
const BASE = 2 ** 27;
const INITIAL_CAPACITY = 64;

/**
 * The remaining amounts of the orders of one price level, in order of arrival, for sums over any number of the first
 * ones: a Fenwick tree. Finding, changing, ending and appending an order takes O(log n).
 */
export class LevelQueue {
  /** Number of places. The places of ended orders stay, with amount 0. */
  length = 0;
  /** Number of orders. */
  orders = 0;
  /** Ids by place, ascending: an order that came back under a lower id has the id before it here. */
  private ids: Float64Array;
  /** Places of orders that came back. */
  private readonly returned = new Map<number, number>();
  private amounts: Float64Array;
  /** The trees, from 1 on. */
  private highs: Float64Array;
  private lows: Float64Array;

  constructor(capacity = INITIAL_CAPACITY) {
    this.ids = new Float64Array(capacity);
    this.amounts = new Float64Array(capacity);
    this.highs = new Float64Array(capacity + 1);
    this.lows = new Float64Array(capacity + 1);
  }

  /** Adds an order as the latest. */
  append(id: number, amount: number): void {
    const place = this.length++;
    this.orders++;
    if (place === this.ids.length) this.grow(place * 2);
    const { ids } = this;
    const last = place === 0 ? 0 : ids[place - 1]!;
    if (id <= last) this.returned.set(id, place);
    ids[place] = id <= last ? last : id;
    this.amounts[place] = amount;
    const high = Math.floor(amount / BASE);
    let highs = high;
    let lows = amount - high * BASE;
    // The nodes that end at the places before and belong to this one.
    const end = place & (place + 1);
    for (let below = place; below > end; below &= below - 1) {
      highs += this.highs[below]!;
      lows += this.lows[below]!;
    }
    this.highs[place + 1] = highs;
    this.lows[place + 1] = lows;
  }

  /** Returns whether an order is in the queue. */
  has(id: number): boolean {
    const place = this.place(id);
    return place !== undefined && this.amounts[place]! > 0;
  }

  /** Changes the remaining amount of an order; 0 ends it. An order that is not in the queue stays so. */
  set(id: number, amount: number): void {
    const place = this.place(id);
    if (place === undefined) return;
    const before = this.amounts[place]!;
    if (before === amount) return;
    if (before > 0 && amount === 0) this.orders--;
    this.amounts[place] = amount;
    const high = Math.floor(amount / BASE);
    const highBefore = Math.floor(before / BASE);
    this.add(this.highs, place + 1, high - highBefore);
    this.add(this.lows, place + 1, amount - high * BASE - (before - highBefore * BASE));
  }

  /** Returns the total amount of the orders before one that is in the queue. */
  ahead(id: number): Exact {
    const place = this.place(id)!;
    const high = this.sum(this.highs, place);
    const low = this.sum(this.lows, place);
    const total = high * BASE + low;
    return Number.isSafeInteger(total) ? total : exact(BigInt(high) * BigInt(BASE) + BigInt(low));
  }

  private place(id: number): number | undefined {
    const returned = this.returned.get(id);
    if (returned !== undefined) return returned;
    const { ids } = this;
    let from = 0;
    let to = this.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (ids[middle]! < id) from = middle + 1;
      else to = middle;
    }
    return from < this.length && ids[from] === id ? from : undefined;
  }

  private add(tree: Float64Array, from: number, value: number): void {
    if (value === 0) return;
    for (let node = from; node <= this.length; node += node & -node) tree[node]! += value;
  }

  private sum(tree: Float64Array, count: number): number {
    let total = 0;
    for (let node = count; node > 0; node &= node - 1) total += tree[node]!;
    return total;
  }

  private grow(capacity: number): void {
    this.ids = grown(this.ids, capacity);
    this.amounts = grown(this.amounts, capacity);
    this.highs = grown(this.highs, capacity + 1);
    this.lows = grown(this.lows, capacity + 1);
  }
}
