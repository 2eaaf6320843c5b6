import { grown } from '../numbers/arrays.ts';
import { type Exact, exact } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';

const INITIAL_CAPACITY = 16;

/**
 * A level's record has 32 bytes, half a cache line: two 64-bit numbers (the key and the low part of
 * the total), then three 32-bit words and an unused one. These are the indexes of the words in a
 * record of eight words.
 */
enum Word {
  first = 4,
  last = 5,
  place = 6,
}

/**
 * A total is `high * base + low`: each amount may be up to 2^53 - 1, so a sum may not fit in a
 * number.
 */
enum Total {
  base = 9_007_199_254_740_992,
}

/**
 * The price levels of one book. A level is identified by a number, valid while the level has
 * orders.
 * The key of a level is the price of a bid and the negated price of an ask, so the higher key is
 * the better one on both sides.
 */
export class LevelStore {
  private numbers = new Float64Array(INITIAL_CAPACITY * 4);
  private words = new Int32Array(this.numbers.buffer);
  /** The high parts of totals that have one; they are rare, so they are not part of the record. */
  private readonly highs = new Map<number, number>();
  private capacity = INITIAL_CAPACITY;
  private firstFree: number = NONE;
  private highWater = 0;

  key(level: number): number {
    return this.numbers[level * 4]!;
  }

  /** Returns the earliest order of the level. */
  first(level: number): number {
    return this.words[level * 8 + Word.first]!;
  }

  setFirst(level: number, slot: number): void {
    this.words[level * 8 + Word.first] = slot;
  }

  /** Returns the latest order of the level. */
  last(level: number): number {
    return this.words[level * 8 + Word.last]!;
  }

  setLast(level: number, slot: number): void {
    this.words[level * 8 + Word.last] = slot;
  }

  /** Returns the place of the level in the ladder. */
  place(level: number): number {
    return this.words[level * 8 + Word.place]!;
  }

  setPlace(level: number, place: number): void {
    this.words[level * 8 + Word.place] = place;
  }

  /** Creates a level with one order of `quantity`. */
  open(key: number, slot: number, quantity: number): number {
    let level = this.firstFree;
    if (level < 0) level = this.allocate();
    else this.firstFree = this.words[level * 8 + Word.first]!;
    const numbers = this.numbers;
    const words = this.words;
    numbers[level * 4] = key;
    numbers[level * 4 + 1] = quantity;
    words[level * 8 + Word.first] = slot;
    words[level * 8 + Word.last] = slot;
    return level;
  }

  /** Frees a level whose last order is leaving. */
  release(level: number): void {
    this.words[level * 8 + Word.first] = this.firstFree;
    this.firstFree = level;
  }

  addToTotal(level: number, quantity: number): void {
    const numbers = this.numbers;
    const at = level * 4 + 1;
    const low = numbers[at]!;
    const headroom = Total.base - quantity;
    if (low < headroom) numbers[at] = low + quantity;
    else {
      numbers[at] = low - headroom;
      this.carry(level, 1);
    }
  }

  takeFromTotal(level: number, quantity: number): void {
    const numbers = this.numbers;
    const at = level * 4 + 1;
    const low = numbers[at]!;
    if (low >= quantity) numbers[at] = low - quantity;
    else {
      numbers[at] = low + (Total.base - quantity);
      this.carry(level, -1);
    }
  }

  total(level: number): Exact {
    const low = this.numbers[level * 4 + 1]!;
    if (this.highs.size === 0) return low;
    const high = this.highs.get(level) ?? 0;
    return high === 0 ? low : exact(BigInt(high) * BigInt(Total.base) + BigInt(low));
  }

  private carry(level: number, step: number): void {
    const high = (this.highs.get(level) ?? 0) + step;
    if (high < 0) {
      throw new Error(
        `The total of level ${this.key(level)} became negative: the book is corrupt. Stop and replay the log.`,
      );
    }
    if (high === 0) this.highs.delete(level);
    else this.highs.set(level, high);
  }

  private allocate(): number {
    const level = this.highWater++;
    if (level === this.capacity) {
      this.capacity = level * 2;
      this.numbers = grown(this.numbers, this.capacity * 4);
      this.words = new Int32Array(this.numbers.buffer);
    }
    return level;
  }
}
