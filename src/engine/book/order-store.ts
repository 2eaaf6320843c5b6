import { grown } from '../numbers/arrays.ts';
import { NONE } from '../terms.ts';

const INITIAL_CAPACITY = 1024;

/**
 * A record has 32 bytes, so that the book needs one cache line per order: two 64-bit numbers, then
 * four 32-bit words. These are the indexes of the words in a record of eight words.
 */
enum Word {
  next = 4,
  previous = 5,
  level = 6,
  account = 7,
}

/**
 * The data of open orders that the books need, for all markets; OrderDetails has the rest under the
 * same slot.
 *
 * A slot number is an opaque handle: it is reused after `release`, differs between replicas, and
 * must never affect the behavior of the engine. Nothing here allocates per order.
 *
 * The orders of a price level are linked from the earliest to the latest; the level knows both ends.
 * Only books link them; all other code iterates with `Book.firstOrder` and `Book.nextOrder`.
 */
export class OrderStore {
  /** Number of open orders. */
  size = 0;
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;

  /** One record per order, viewed as numbers and as words. */
  private numbers = new Float64Array(0);
  private words = new Int32Array(0);
  side = new Uint8Array(0);
  private hashes = new Int32Array(0);
  /** By account: 0, or the index of its main account plus 1. */
  private mains = new Int32Array(0);

  constructor() {
    this.grow(INITIAL_CAPACITY);
  }

  /**
   * Returns a free slot. It still holds the data of its last order: the caller sets every field.
   */
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

  /** Frees a slot, which must not be linked any more. */
  release(slot: number): void {
    this.words[(slot << 3) + Word.next] = this.firstFree;
    this.firstFree = slot;
    this.size--;
  }

  /** Returns the limit price, in price units of the market, 1 to 2^53 - 1. */
  price(slot: number): number {
    return this.numbers[slot << 2]!;
  }

  setPrice(slot: number, price: number): void {
    this.numbers[slot << 2] = price;
  }

  /** Returns the unfilled quantity, in amount units of the market, 1 to 2^53 - 1. */
  remaining(slot: number): number {
    return this.numbers[(slot << 2) + 1]!;
  }

  /** Sets the unfilled quantity of an order that is not in a book; for others use `Book.reduce`. */
  setRemaining(slot: number, remaining: number): void {
    this.numbers[(slot << 2) + 1] = remaining;
  }

  account(slot: number): number {
    return this.words[(slot << 3) + Word.account]!;
  }

  setAccount(slot: number, account: number): void {
    this.words[(slot << 3) + Word.account] = account;
  }

  /** Returns the main account of the account that placed the order. */
  owner(slot: number): number {
    const account = this.words[(slot << 3) + Word.account]!;
    if (account >= this.mains.length) return account;
    const main = this.mains[account]!;
    return main === 0 ? account : main - 1;
  }

  /** Makes an account a sub-account of a main account, for `owner`. */
  setMain(account: number, main: number): void {
    if (account >= this.mains.length) this.mains = grown(this.mains, account * 2 + 1);
    this.mains[account] = main + 1;
  }

  /** Returns the number of the price level in the book; for pending orders see setLevel. */
  level(slot: number): number {
    return this.words[(slot << 3) + Word.level]!;
  }

  /** Sets the level; for a pending order, its place among the triggers. */
  setLevel(slot: number, place: number): void {
    this.words[(slot << 3) + Word.level] = place;
  }

  /** Returns the hash of the order that is included in the digest; see `State.includeOrder`. */
  hash(slot: number): number {
    return this.hashes[slot]!;
  }

  setHash(slot: number, hash: number): void {
    this.hashes[slot] = hash;
  }

  /** Returns the next later order of the level; meaningless for the latest one. */
  next(slot: number): number {
    return this.words[(slot << 3) + Word.next]!;
  }

  /** Returns the next earlier order of the level; meaningless for the earliest one. */
  previous(slot: number): number {
    return this.words[(slot << 3) + Word.previous]!;
  }

  /** Makes the order the latest of a level, after `last`; for a new level `last` is the order itself. */
  linkLast(slot: number, level: number, last: number): void {
    const words = this.words;
    const at = slot << 3;
    words[(last << 3) + Word.next] = slot;
    words[at + Word.previous] = last;
    words[at + Word.level] = level;
  }

  /** Joins the neighbors of an order that is neither the earliest nor the latest of its level. */
  unlink(slot: number): void {
    const words = this.words;
    const at = slot << 3;
    const next = words[at + Word.next]!;
    const previous = words[at + Word.previous]!;
    words[(next << 3) + Word.previous] = previous;
    words[(previous << 3) + Word.next] = next;
  }

  /**
   * Reserves memory for `count` orders, so that loading a snapshot does not grow it step by step.
   */
  reserve(count: number): void {
    if (count > this.capacity) this.grow(count);
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    this.numbers = grown(this.numbers, capacity * 4);
    this.words = new Int32Array(this.numbers.buffer);
    this.side = grown(this.side, capacity);
    this.hashes = grown(this.hashes, capacity);
  }
}
