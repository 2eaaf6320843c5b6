import { mix } from '../digest.ts';
import { invariant } from '../rejection.ts';
import type { IdHash } from './hash.ts';
import { HIGH_BITS } from './hash.ts';

/**
 * Words per entry: two of hash, one of 11 bits of hash and 21 of order id, one of 32 bits of order
 * id, fingerprint, second.
 */
const WORDS = 6;
const BYTES = WORDS * 4;
const ORDER_ID_HIGH = ~HIGH_BITS;
const FIRST_CAPACITY = 4;
/** Up to this capacity it doubles when it is full; a larger one grows by a quarter, to save memory. */
const MAX_DOUBLED = 1024;
/** Up to this many entries are searched one by one, without a table. */
const MAX_WITHOUT_TABLE = 16;
/** Limited by the 16 bits that a table cell has for a position. */
const MAX_CAPACITY = 0xfffe;
const NO_TABLE = new Uint32Array(0);
export const NOT_FOUND = -1;

/**
 * The client order ids that one account used last, oldest first, in a ring of typed arrays. A table
 * with open addressing finds them by hash: a cell holds a position and 16 bits of the hash. These
 * bits also determine the first cell to search, so that the scattered entries are rarely read.
 */
export class RecentIds {
  private words = new Int32Array(WORDS * FIRST_CAPACITY);
  private capacity = FIRST_CAPACITY;
  private head = 0;
  private table = NO_TABLE;
  /** Number of entries. */
  count = 0;
  /** Id of the newest order whose client order id was dropped; 0 for none. */
  droppedOrderId = 0;
  /** Time at which that order was placed, in seconds since 1970. */
  droppedSecond = 0;

  /** Memory of its arrays, in bytes. */
  get bytes(): number {
    return this.words.byteLength + this.table.byteLength;
  }

  /** Whether it differs from an unused instance. */
  get isWorthKeeping(): boolean {
    return this.count > 0 || this.droppedOrderId !== 0;
  }

  /** Returns the position of the newest entry with this hash, or NOT_FOUND. */
  find(hash: IdHash): number {
    const { table } = this;
    if (table.length === 0) return this.scan(hash);
    const tag = hash.b & 0xffff;
    let at = this.homeCell(tag);
    for (let cell = table[at]!; cell !== 0; cell = table[at]!) {
      const position = (cell >>> 16) - 1;
      if ((cell & 0xffff) === tag && this.matches(position, hash.a, hash.b, hash.c))
        return position;
      at = this.after(at);
    }
    return NOT_FOUND;
  }

  /** Reads what `find` and `add` need first. @returns A meaningless number. */
  prefetch(): number {
    return this.words[this.toPosition(this.count) * WORDS]! + this.table.length;
  }

  private scan(hash: IdHash): number {
    for (let place = this.count - 1; place >= 0; place--) {
      const position = this.toPosition(place);
      if (this.matches(position, hash.a, hash.b, hash.c)) return position;
    }
    return NOT_FOUND;
  }

  private matches(position: number, a: number, b: number, c: number): boolean {
    const at = position * WORDS;
    const { words } = this;
    return words[at] === a && words[at + 1] === b && (words[at + 2]! & HIGH_BITS) === c;
  }

  /** Position of the oldest entry. */
  get first(): number {
    return this.head;
  }

  orderId(position: number): number {
    const at = position * WORDS;
    const high = this.words[at + 2]! & ORDER_ID_HIGH;
    return high * 2 ** 32 + (this.words[at + 3]! >>> 0);
  }

  fingerprint(position: number): number {
    return this.words[position * WORDS + 4]!;
  }

  /** Returns the time at which the order was placed, in seconds since 1970. */
  second(position: number): number {
    return this.words[position * WORDS + 5]! >>> 0;
  }

  /** Copies the hash of an entry's id into `hash`. */
  readHash(position: number, hash: IdHash): void {
    const at = position * WORDS;
    hash.a = this.words[at]!;
    hash.b = this.words[at + 1]!;
    hash.c = this.words[at + 2]! & HIGH_BITS;
  }

  /** Returns the hash of an entry for the digest. */
  hash(position: number, account: number): number {
    const at = position * WORDS;
    let hash = mix(20, account);
    for (let word = 0; word < WORDS; word++) hash = mix(hash, this.words[at + word]!);
    return hash;
  }

  /**
   * Adds an entry as the newest one.
   * @param usualMax Number of entries that the account usually has at most.
   * @returns The position of the entry.
   */
  add(
    hash: IdHash,
    orderId: number,
    fingerprint: number,
    second: number,
    usualMax: number,
  ): number {
    if (this.count === this.capacity) this.grow(usualMax);
    const position = this.toPosition(this.count);
    const at = position * WORDS;
    const { words } = this;
    words[at] = hash.a;
    words[at + 1] = hash.b;
    words[at + 2] = hash.c | Math.floor(orderId / 2 ** 32);
    words[at + 3] = orderId | 0;
    words[at + 4] = fingerprint;
    words[at + 5] = second;
    this.count++;
    this.enter(position);
    return position;
  }

  /** Removes the oldest entry. */
  removeFirst(): void {
    this.leave(this.head);
    this.head = this.toPosition(1);
    this.count--;
    if (this.count * 4 < this.capacity && this.capacity > 4 * FIRST_CAPACITY) {
      this.resize(this.count * 2);
    }
  }

  /** Makes the oldest entry the newest one. */
  moveFirstToEnd(): void {
    const from = this.head * WORDS;
    this.leave(this.head);
    // In a full ring the position stays the same.
    const position = this.toPosition(this.count);
    this.words.copyWithin(position * WORDS, from, from + WORDS);
    this.head = this.toPosition(1);
    this.enter(position);
  }

  /** Calls `visit` with the position of every entry, oldest first. */
  forEach(visit: (position: number) => void): void {
    for (let place = 0; place < this.count; place++) visit(this.toPosition(place));
  }

  /** Returns the entries as bytes, oldest first, independent of their positions. */
  toBytes(): Uint8Array {
    const ordered = new Int32Array(this.count * WORDS);
    this.copyTo(ordered);
    return new Uint8Array(ordered.buffer);
  }

  /** Restores the entries returned by `toBytes`; this instance must be empty. */
  restore(bytes: Uint8Array): void {
    invariant(this.count === 0 && bytes.length % BYTES === 0, 'client order ids are truncated');
    const count = bytes.length / BYTES;
    this.capacity = Math.max(count, FIRST_CAPACITY);
    this.words = new Int32Array(WORDS * this.capacity);
    new Uint8Array(this.words.buffer).set(bytes);
    this.count = count;
    this.fillTable();
  }

  private grow(usualMax: number): void {
    invariant(this.capacity < MAX_CAPACITY, 'an account has too many client order ids');
    const { capacity } = this;
    const step = capacity < MAX_DOUBLED ? capacity : capacity >> 2;
    const grown = Math.min(capacity + step, MAX_CAPACITY);
    // Stops growing at the usual maximum instead of exceeding it.
    this.resize(capacity < usualMax && grown > usualMax ? usualMax : grown);
  }

  private resize(capacity: number): void {
    const words = new Int32Array(WORDS * capacity);
    this.copyTo(words);
    const { table, head, capacity: before } = this;
    this.words = words;
    this.capacity = capacity;
    this.head = 0;
    if (table.length === 0 || capacity <= MAX_WITHOUT_TABLE) this.fillTable();
    else this.refillTable(table, head, before);
  }

  /** Rebuilds the table for changed positions. */
  private refillTable(before: Uint32Array, head: number, capacity: number): void {
    const table = this.emptyTable();
    this.table = table;
    for (let i = 0; i < before.length; i++) {
      const cell = before[i]!;
      if (cell === 0) continue;
      const position = (cell >>> 16) - 1;
      const moved = position < head ? position + capacity - head : position - head;
      let place = this.homeCell(cell & 0xffff);
      while (table[place] !== 0) place = this.after(place);
      table[place] = ((moved + 1) << 16) | (cell & 0xffff);
    }
  }

  private emptyTable(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.capacity + (this.capacity >> 1));
  }

  private copyTo(words: Int32Array): void {
    // The usual case, without views.
    if (this.head === 0 && this.count === this.capacity && words.length >= this.words.length) {
      words.set(this.words);
      return;
    }
    const toEnd = Math.min(this.count, this.capacity - this.head);
    words.set(this.words.subarray(this.head * WORDS, (this.head + toEnd) * WORDS));
    words.set(this.words.subarray(0, (this.count - toEnd) * WORDS), toEnd * WORDS);
  }

  private fillTable(): void {
    this.table = this.capacity > MAX_WITHOUT_TABLE ? this.emptyTable() : NO_TABLE;
    for (let place = 0; place < this.count; place++) this.enter(this.toPosition(place));
  }

  private toPosition(place: number): number {
    const position = this.head + place;
    return position < this.capacity ? position : position - this.capacity;
  }

  private homeCell(tag: number): number {
    return (tag * this.table.length) >>> 16;
  }

  private after(at: number): number {
    return at + 1 === this.table.length ? 0 : at + 1;
  }

  /**
   * Adds an entry to the table. It replaces an expired entry with the same id, which is no longer
   * found.
   */
  private enter(position: number): void {
    const { table, words } = this;
    if (table.length === 0) return;
    const at = position * WORDS;
    const a = words[at]!;
    const b = words[at + 1]!;
    const c = words[at + 2]! & HIGH_BITS;
    const tag = b & 0xffff;
    let place = this.homeCell(tag);
    for (let cell = table[place]!; cell !== 0; cell = table[place]!) {
      if ((cell & 0xffff) === tag && this.matches((cell >>> 16) - 1, a, b, c)) break;
      place = this.after(place);
    }
    table[place] = ((position + 1) << 16) | tag;
  }

  /** Removes an entry from the table, and moves displaced cells back into the hole. */
  private leave(position: number): void {
    const { table } = this;
    if (table.length === 0) return;
    let hole = this.homeCell(this.words[position * WORDS + 1]! & 0xffff);
    while (table[hole] !== 0 && table[hole]! >>> 16 !== position + 1) hole = this.after(hole);
    if (table[hole] === 0) return;
    for (let at = this.after(hole); table[at] !== 0; at = this.after(at)) {
      const home = this.homeCell(table[at]! & 0xffff);
      if (this.distance(home, at) < this.distance(hole, at)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = 0;
  }

  private distance(from: number, to: number): number {
    return to >= from ? to - from : to + this.table.length - from;
  }
}
