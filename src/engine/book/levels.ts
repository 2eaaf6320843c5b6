import { grown } from '../numbers/arrays.ts';
import { type Exact, exact } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';

const INITIAL_CAPACITY = 16;

/**
 * A level's record is 24 bytes: two 64-bit numbers (key, low part of the total), then two 32-bit
 * words. These are the words' places in a record of six.
 */
enum Word {
  first = 4,
  place = 5,
}

/** A total is `high * base + low`: amounts go up to 2^53 - 1 each, so their sum may not fit a number. */
enum Total {
  base = 9_007_199_254_740_992,
}

/**
 * The price levels of one book, one number a level, valid while the level has orders.
 *
 * A level's key is the price of a bid and the negated price of an ask: the higher is the better on
 * both sides.
 */
export class LevelStore {
  private numbers = new Float64Array(INITIAL_CAPACITY * 3);
  private words = new Int32Array(this.numbers.buffer);
  /** The high part of the totals that have one: few, so not in the record. */
  private readonly highs = new Map<number, number>();
  private capacity = INITIAL_CAPACITY;
  private firstFree: number = NONE;
  private highWater = 0;

  key(level: number): number {
    return this.numbers[level * 3]!;
  }

  /** The earliest order. */
  first(level: number): number {
    return this.words[level * 6 + Word.first]!;
  }

  setFirst(level: number, slot: number): void {
    this.words[level * 6 + Word.first] = slot;
  }

  /** Where the ladder lists the level. */
  place(level: number): number {
    return this.words[level * 6 + Word.place]!;
  }

  setPlace(level: number, place: number): void {
    this.words[level * 6 + Word.place] = place;
  }

  /** A new level with one order of `quantity`. */
  open(key: number, slot: number, quantity: number): number {
    let level = this.firstFree;
    if (level < 0) level = this.unused();
    else this.firstFree = this.words[level * 6 + Word.first]!;
    const numbers = this.numbers;
    const words = this.words;
    numbers[level * 3] = key;
    numbers[level * 3 + 1] = quantity;
    words[level * 6 + Word.first] = slot;
    return level;
  }

  /** For a level down to its last order. */
  release(level: number): void {
    this.words[level * 6 + Word.first] = this.firstFree;
    this.firstFree = level;
  }

  addToTotal(level: number, quantity: number): void {
    const numbers = this.numbers;
    const at = level * 3 + 1;
    const low = numbers[at]!;
    const room = Total.base - quantity;
    if (low < room) numbers[at] = low + quantity;
    else {
      numbers[at] = low - room;
      this.carry(level, 1);
    }
  }

  takeFromTotal(level: number, quantity: number): void {
    const numbers = this.numbers;
    const at = level * 3 + 1;
    const low = numbers[at]!;
    if (low >= quantity) numbers[at] = low - quantity;
    else {
      numbers[at] = low + (Total.base - quantity);
      this.carry(level, -1);
    }
  }

  total(level: number): Exact {
    const low = this.numbers[level * 3 + 1]!;
    if (this.highs.size === 0) return low;
    const high = this.highs.get(level) ?? 0;
    return high === 0 ? low : exact(BigInt(high) * BigInt(Total.base) + BigInt(low));
  }

  private carry(level: number, step: number): void {
    const high = (this.highs.get(level) ?? 0) + step;
    if (high < 0) {
      throw new Error(
        `Level ${this.key(level)} holds less than was taken from it: the book is broken, stop and replay the log.`,
      );
    }
    if (high === 0) this.highs.delete(level);
    else this.highs.set(level, high);
  }

  private unused(): number {
    const level = this.highWater++;
    if (level === this.capacity) {
      this.capacity = level * 2;
      this.numbers = grown(this.numbers, this.capacity * 3);
      this.words = new Int32Array(this.numbers.buffer);
    }
    return level;
  }
}
