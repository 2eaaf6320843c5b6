import { type Exact, exact } from '../../engine/numbers/exact.ts';

/** Amounts are kept as `high * BASE + low`, so that the sums of millions of them are exact. */
const BASE = 2 ** 27;
/** A block has 2 to the power of this many places. Growing by blocks copies nothing. */
const BLOCK_BITS = 13;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;

/** The numbers of a place: an order, and the node of the tree that ends with this place. */
enum Field {
  /** Ids ascend by place: an order that came back under a lower id has the id before it here. */
  id = 0,
  amount = 1,
  high = 2,
  low = 3,
}

/**
 * The remaining amounts of the orders of one price level, in order of arrival, for sums over any number of the first
 * ones: a Fenwick tree. Finding, changing, ending and appending an order takes O(log n).
 */
export class LevelQueue {
  /** Number of places. The places of ended orders stay, with amount 0. */
  length = 0;
  /** Number of orders. */
  orders = 0;
  /** Four numbers per place, see `Field`. */
  private readonly blocks: Float64Array[] = [];
  /** Places of orders that came back. */
  private readonly returned = new Map<number, number>();

  /** Adds an order as the latest. */
  append(id: number, amount: number): void {
    const place = this.length++;
    this.orders++;
    if ((place & BLOCK_MASK) === 0) this.blocks.push(new Float64Array(4 << BLOCK_BITS));
    const last = place === 0 ? 0 : this.read(place - 1, Field.id);
    if (id <= last) this.returned.set(id, place);
    this.write(place, Field.id, id <= last ? last : id);
    this.write(place, Field.amount, amount);
    let high = Math.floor(amount / BASE);
    let low = amount - high * BASE;
    // The nodes that end at the places before and belong to this one.
    const end = place & (place + 1);
    for (let below = place; below > end; below &= below - 1) {
      high += this.read(below - 1, Field.high);
      low += this.read(below - 1, Field.low);
    }
    this.write(place, Field.high, high);
    this.write(place, Field.low, low);
  }

  /** Returns whether an order is in the queue. */
  has(id: number): boolean {
    const place = this.place(id);
    return place !== undefined && this.read(place, Field.amount) > 0;
  }

  /** Changes the remaining amount of an order; 0 ends it. An order that is not in the queue stays so. */
  set(id: number, amount: number): void {
    const place = this.place(id);
    if (place === undefined) return;
    const before = this.read(place, Field.amount);
    if (before === amount) return;
    if (before > 0 && amount === 0) this.orders--;
    this.write(place, Field.amount, amount);
    const high = Math.floor(amount / BASE);
    const highBefore = Math.floor(before / BASE);
    this.add(Field.high, place + 1, high - highBefore);
    this.add(Field.low, place + 1, amount - high * BASE - (before - highBefore * BASE));
  }

  /** Returns the total amount of the orders before one that is in the queue. */
  ahead(id: number): Exact {
    const place = this.place(id)!;
    const high = this.sum(Field.high, place);
    const low = this.sum(Field.low, place);
    const total = high * BASE + low;
    return Number.isSafeInteger(total) ? total : exact(BigInt(high) * BigInt(BASE) + BigInt(low));
  }

  private place(id: number): number | undefined {
    const returned = this.returned.get(id);
    if (returned !== undefined) return returned;
    let from = 0;
    let to = this.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.read(middle, Field.id) < id) from = middle + 1;
      else to = middle;
    }
    return from < this.length && this.read(from, Field.id) === id ? from : undefined;
  }

  /** Nodes are counted from 1 on. */
  private add(field: Field, from: number, value: number): void {
    if (value === 0) return;
    for (let node = from; node <= this.length; node += node & -node) {
      this.write(node - 1, field, this.read(node - 1, field) + value);
    }
  }

  private sum(field: Field, count: number): number {
    let total = 0;
    for (let node = count; node > 0; node &= node - 1) total += this.read(node - 1, field);
    return total;
  }

  private read(place: number, field: Field): number {
    return this.blocks[place >> BLOCK_BITS]![((place & BLOCK_MASK) << 2) + field]!;
  }

  private write(place: number, field: Field, value: number): void {
    this.blocks[place >> BLOCK_BITS]![((place & BLOCK_MASK) << 2) + field] = value;
  }
}
