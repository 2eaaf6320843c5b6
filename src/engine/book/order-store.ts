import { grown } from '../numbers/arrays.ts';
import { NONE } from '../terms.ts';

const INITIAL_CAPACITY = 1024;

/**
 * What a book touches lies together, 32 bytes an order, so that an order costs one cache line:
 * two 64-bit numbers, then four 32-bit words. These are the words' places in a record of eight.
 */
enum Word {
  next = 4,
  previous = 5,
  level = 6,
  account = 7,
}

/**
 * What the books need of the open orders of all markets, one slot an order; the rest is in
 * OrderDetails, under the same slot.
 *
 * A slot number is a handle with no meaning of its own: it is reused after `release`, differs
 * between replicas, and must never influence what the engine does. Nothing here allocates per
 * order.
 *
 * The orders of a price level form a ring, earliest first, closed from the latest to the earliest.
 * Only books link it; everybody else walks it with `Book.firstOrder` and `Book.nextOrder`.
 */
export class OrderStore {
  /** Orders in use. */
  size = 0;
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;

  /** One record an order, seen as numbers and as words. */
  private numbers = new Float64Array(0);
  private words = new Int32Array(0);
  side = new Uint8Array(0);

  constructor() {
    this.grow(INITIAL_CAPACITY);
  }

  /** A free slot. It holds what the last order left there: the caller sets every column. */
  allocate(): number {
    let slot = this.firstFree;
    if (slot >= 0) {
      this.firstFree = this.words[(slot << 3) + Word.next]!;
    } else {
      slot = this.highWater;
      if (slot === this.capacity) this.grow(slot * 2);
      this.highWater = slot + 1;
    }
    this.size++;
    return slot;
  }

  /** Gives a slot back; it must not be linked into any queue any more. */
  release(slot: number): void {
    this.words[(slot << 3) + Word.next] = this.firstFree;
    this.firstFree = slot;
    this.size--;
  }

  /** Limit price in the market's price units, 1 to 2^53 - 1. */
  price(slot: number): number {
    return this.numbers[slot << 2]!;
  }

  setPrice(slot: number, price: number): void {
    this.numbers[slot << 2] = price;
  }

  /** Quantity not yet filled, in the market's amount units, 1 to 2^53 - 1. */
  remaining(slot: number): number {
    return this.numbers[(slot << 2) + 1]!;
  }

  /** For an order that does not rest; of one that does, `Book.reduce` lowers it. */
  setRemaining(slot: number, remaining: number): void {
    this.numbers[(slot << 2) + 1] = remaining;
  }

  account(slot: number): number {
    return this.words[(slot << 3) + Word.account]!;
  }

  setAccount(slot: number, account: number): void {
    this.words[(slot << 3) + Word.account] = account;
  }

  /** The book's own number of the price level the order rests at; of one that waits, see setLevel. */
  level(slot: number): number {
    return this.words[(slot << 3) + Word.level]!;
  }

  /** For an order in no book: its place among the triggers. */
  setLevel(slot: number, place: number): void {
    this.words[(slot << 3) + Word.level] = place;
  }

  /** The next in the ring of the level; after the latest order comes the earliest. */
  next(slot: number): number {
    return this.words[(slot << 3) + Word.next]!;
  }

  previous(slot: number): number {
    return this.words[(slot << 3) + Word.previous]!;
  }

  /** Makes the order the only one of its level. */
  linkAlone(slot: number, level: number): void {
    const words = this.words;
    const at = slot << 3;
    words[at + Word.next] = slot;
    words[at + Word.previous] = slot;
    words[at + Word.level] = level;
  }

  /** Makes the order the latest of the level whose earliest is `first`. */
  linkLast(slot: number, level: number, first: number): void {
    const words = this.words;
    const at = slot << 3;
    const beforeFirst = (first << 3) + Word.previous;
    const last = words[beforeFirst]!;
    words[at + Word.next] = first;
    words[at + Word.previous] = last;
    words[at + Word.level] = level;
    words[beforeFirst] = slot;
    words[(last << 3) + Word.next] = slot;
  }

  /** Takes the order out of its ring. */
  unlink(slot: number): void {
    const words = this.words;
    const at = slot << 3;
    const next = words[at + Word.next]!;
    const previous = words[at + Word.previous]!;
    words[(next << 3) + Word.previous] = previous;
    words[(previous << 3) + Word.next] = next;
  }

  /** Makes room for `count` orders at once, so that loading a snapshot does not grow step by step. */
  reserve(count: number): void {
    if (count > this.capacity) this.grow(count);
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    this.numbers = grown(this.numbers, capacity * 4);
    this.words = new Int32Array(this.numbers.buffer);
    this.side = grown(this.side, capacity);
  }
}
