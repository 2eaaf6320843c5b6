import { grown } from '../numbers/arrays.ts';
import { NONE } from '../terms.ts';
import type { LevelStore } from './levels.ts';

/** A block has 64 places; in `list`, the last one stores the number of levels in the block. */
enum Block {
  places = 64,
  bits = 6,
  last = 63,
  /** A block with more levels than this is split, so that a gap is always near. */
  crowded = 54,
}

/**
 * The price levels of one side of a book, sorted with the best at the end, found by key.
 *
 * It is a sorted array cut into blocks, with a directory of the blocks: about thirty for a thousand
 * levels. A place is an index into `keys` and `list`. A removed level leaves a gap whose key stays
 * in order, so removing moves nothing, and the next level at about that price can use the gap.
 *
 * In every block the keys ascend, including those of gaps, whose key may equal that of the level
 * before. After the last level of a block keys may be Infinity; after the best level they all are,
 * and so is the last key of each block. Every block has a level, except the only block of an empty
 * ladder.
 */
export class Ladder {
  private keys = new Float64Array(0);
  /** By place: the level, or NONE for a gap. */
  private list = new Int32Array(0);
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;
  /**
   * The blocks in order, and the lowest key that belongs in each; the first block takes all lower
   * keys.
   */
  private directory = new Int32Array(1);
  private fences = new Float64Array(1);
  private length = 0;
  /** Place of the best level; in an empty ladder a gap with the key -Infinity. */
  private top = 0;
  /** The place that `find` chose for a level that it did not find. */
  private insertPlace = 0;

  constructor(private readonly levels: LevelStore) {
    const block = this.allocate();
    this.insertBlock(0, block, Number.NEGATIVE_INFINITY);
    this.clear(block);
  }

  /** The best level, or NONE. */
  get best(): number {
    return this.list[this.top]!;
  }

  /** Key of the best level, or -Infinity. */
  get bestKey(): number {
    return this.keys[this.top]!;
  }

  /**
   * Returns the level with this key. If there is none, returns NONE and prepares a place for it:
   * `insert` must be called next.
   */
  find(key: number): number {
    const top = this.top;
    const bestKey = this.keys[top]!;
    if (key < bestKey) return this.search(key);
    if (key === bestKey) return this.list[top]!;
    if ((top & Block.last) === Block.last - 1) return this.extend(key);
    this.insertPlace = top + 1;
    return -1;
  }

  /** Returns the level with this key, or NONE. Unlike `find` it changes nothing. */
  at(key: number): number {
    if (key > this.bestKey) return NONE;
    const start = this.startFor(key);
    const place = this.firstNotBelow(start, key);
    return this.keys[place] === key ? this.list[place]! : NONE;
  }

  /** Inserts a level whose key `find` has just not found. */
  insert(key: number, level: number): void {
    const keys = this.keys;
    const list = this.list;
    const place = this.insertPlace;
    const count = place | Block.last;
    list[count] = list[count]! + 1;
    list[place] = level;
    this.levels.setPlace(level, place);
    if (key > keys[this.top]!) this.top = place;
    keys[place] = key;
  }

  remove(level: number): void {
    const list = this.list;
    const place = this.levels.place(level);
    const count = place | Block.last;
    const left = list[count]! - 1;
    list[count] = left;
    list[place] = -1;
    if (left === 0) this.drop(place >> Block.bits, this.levels.key(level));
    else if (place === this.top) this.updateTop(place);
  }

  /** Returns the next worse level, or NONE. */
  below(level: number): number {
    const list = this.list;
    let place = this.levels.place(level);
    do {
      if ((place & Block.last) !== 0) place--;
      else {
        const position = this.findBlock(this.levels.key(level));
        if (position === 0) return NONE;
        place = (this.directory[position - 1]! << Block.bits) + Block.last - 1;
      }
    } while (list[place]! < 0);
    return list[place]!;
  }

  /**
   * Returns the best level below a key, which need not be the key of a level; NONE if there is
   * none.
   */
  belowKey(key: number): number {
    const list = this.list;
    let position = this.findBlock(key);
    let start = this.directory[position]! << Block.bits;
    let place = this.firstNotBelow(start, key);
    for (;;) {
      while (place > start) if (list[--place]! >= 0) return list[place]!;
      if (position === 0) return NONE;
      start = this.directory[--position]! << Block.bits;
      place = start + Block.last;
    }
  }

  /** Finds the level of a key below the best one, or a place for it. */
  private search(key: number): number {
    const start = this.startFor(key);
    const list = this.list;
    const place = this.firstNotBelow(start, key);
    // If all keys are below, this is the last place, which is never a gap and has no level's key.
    const level = list[place]!;
    if (level < 0) {
      this.insertPlace = place;
      return NONE;
    }
    if (this.keys[place] === key) return level;
    if (place > start && list[place - 1]! < 0) this.insertPlace = place - 1;
    else if (list[start + Block.last]! > Block.crowded) return this.divide(start, place, key);
    else this.insertPlace = this.openGap(start, place);
    return NONE;
  }

  /** Returns the start of the block that a key, not above the best one, belongs in. */
  private startFor(key: number): number {
    const tail = this.length - 1;
    if (tail > 0 && key < this.fences[tail]!) {
      return this.directory[this.findBlock(key)]! << Block.bits;
    }
    return this.top & -Block.places;
  }

  /**
   * Returns the first place of the block whose key is not below `key`. Each step splits four ways
   * without branches, because a mispredicted branch costs as much as three comparisons.
   */
  private firstNotBelow(start: number, key: number): number {
    const keys = this.keys;
    let place = start;
    for (let shift: number = Block.bits - 2; shift >= 0; shift -= 2) {
      const step = 1 << shift;
      const first = place + step - 1;
      const second = first + step;
      const below = +(keys[first]! < key) + +(keys[second]! < key) + +(keys[second + step]! < key);
      place += below << shift;
    }
    return place;
  }

  /** Returns the index in the directory of the block that a key belongs in. */
  private findBlock(key: number): number {
    const fences = this.fences;
    let position = 0;
    let length = this.length;
    while (length > 1) {
      const half = length >>> 1;
      if (fences[position + half]! <= key) position += half;
      length -= half;
    }
    return position;
  }

  /** Moves levels so that `place`, or the one before it, becomes a gap. @returns That gap. */
  private openGap(start: number, place: number): number {
    const list = this.list;
    const end = start + Block.last;
    let gap = place + 1;
    while (gap < end && list[gap]! >= 0) gap++;
    if (gap < end) {
      for (let to = gap; to > place; to--) this.move(to - 1, to);
      return place;
    }
    gap = place - 2;
    while (list[gap]! >= 0) gap--;
    for (let to = gap; to < place - 1; to++) this.move(to + 1, to);
    return place - 1;
  }

  private move(from: number, to: number): void {
    const level = this.list[from]!;
    this.keys[to] = this.keys[from]!;
    this.list[to] = level;
    this.levels.setPlace(level, to);
    if (from === this.top) this.top = to;
  }

  /** Finds a place for a new best level if the last block has no place left at its end. */
  private extend(key: number): number {
    const tail = this.length - 1;
    const start = this.top & -Block.places;
    const count = this.list[start + Block.last]!;
    if (count === Block.last) {
      // A block without gaps gains nothing from a split: the levels arrive in order.
      const block = this.allocate();
      this.insertBlock(tail + 1, block, key);
      this.insertPlace = block << Block.bits;
      return NONE;
    }
    if (count > Block.crowded) {
      this.split(tail);
      return this.find(key);
    }
    this.compact(start);
    this.top = start + count - 1;
    this.insertPlace = start + count;
    return NONE;
  }

  /** Finds a place for a key whose block is crowded. */
  private divide(start: number, place: number, key: number): number {
    const position = this.findBlock(key);
    if (position > 0 || place > start) {
      this.split(position);
      return this.find(key);
    }
    // A new worst level is probably one of many that arrive in order, so start a block before the
    // first one.
    const block = this.allocate();
    const first = block << Block.bits;
    this.fences[0] = this.keys[start]!;
    this.insertBlock(0, block, Number.NEGATIVE_INFINITY);
    this.insertPlace = first + Block.last - 1;
    this.keys.fill(Number.NEGATIVE_INFINITY, first, this.insertPlace);
    return NONE;
  }

  /** Spreads the levels of a block over two blocks, with a gap after each level. */
  private split(position: number): void {
    const block = this.directory[position]!;
    const fresh = this.allocate();
    const start = block << Block.bits;
    const freshStart = fresh << Block.bits;
    const best = this.best;
    const count = this.compact(start);
    const half = count >> 1;
    for (let i = half; i < count; i++) this.spread(start + i, freshStart + 2 * (i - half));
    for (let i = half - 1; i >= 0; i--) this.spread(start + i, start + 2 * i);
    this.empty(start + 2 * half, start + count);
    this.list[start + Block.last] = half;
    this.list[freshStart + Block.last] = count - half;
    // In a full block, spreading the last level has overwritten the key after it: restore it.
    this.keys[freshStart + Block.last] = Number.POSITIVE_INFINITY;
    this.insertBlock(position + 1, fresh, this.keys[freshStart]!);
    this.top = this.levels.place(best);
    if (this.top >> Block.bits === fresh) this.keys[this.top + 1] = Number.POSITIVE_INFINITY;
  }

  private spread(from: number, to: number): void {
    const key = this.keys[from]!;
    const level = this.list[from]!;
    this.keys[to] = key;
    this.keys[to + 1] = key;
    this.list[to] = level;
    this.list[to + 1] = NONE;
    this.levels.setPlace(level, to);
  }

  /**
   * Closes the gaps of a block. The caller updates `top` if it moved. @returns The number of
   * levels.
   */
  private compact(start: number): number {
    const { keys, list } = this;
    const end = start + Block.last;
    let to = start;
    for (let from = start; from < end; from++) {
      const level = list[from]!;
      if (level < 0) continue;
      keys[to] = keys[from]!;
      list[to] = level;
      this.levels.setPlace(level, to);
      to++;
    }
    this.empty(to, end);
    return to - start;
  }

  private empty(from: number, to: number): void {
    this.keys.fill(Number.POSITIVE_INFINITY, from, to);
    this.list.fill(NONE, from, to);
  }

  /** Sets `top` to the nearest level at or before `place` in the last block. */
  private updateTop(place: number): void {
    const keys = this.keys;
    const list = this.list;
    while (list[place]! < 0) {
      keys[place] = Infinity;
      place--;
    }
    this.top = place;
  }

  /** Removes the block that has just lost its last level, whose key was `key`. */
  private drop(block: number, key: number): void {
    if (this.length === 1) {
      this.clear(block);
      return;
    }
    const position = this.findBlock(key);
    this.directory.copyWithin(position, position + 1, this.length);
    this.fences.copyWithin(position, position + 1, this.length);
    this.length--;
    this.list[block << Block.bits] = this.firstFree;
    this.firstFree = block;
    if (position === this.length) {
      this.updateTop((this.directory[position - 1]! << Block.bits) + Block.last - 1);
    }
  }

  /** Prepares the only block of an empty ladder, with places on both sides. */
  private clear(block: number): void {
    const start = block << Block.bits;
    const middle = start + Block.places / 2;
    this.keys.fill(Number.NEGATIVE_INFINITY, start, middle);
    this.keys.fill(Number.POSITIVE_INFINITY, middle, start + Block.places);
    this.top = middle - 1;
  }

  private insertBlock(position: number, block: number, fence: number): void {
    if (this.length === this.directory.length) {
      this.directory = grown(this.directory, this.length * 2);
      this.fences = grown(this.fences, this.length * 2);
    }
    this.directory.copyWithin(position + 1, position, this.length);
    this.fences.copyWithin(position + 1, position, this.length);
    this.directory[position] = block;
    this.fences[position] = fence;
    this.length++;
  }

  /** Returns a block without levels. */
  private allocate(): number {
    let block = this.firstFree;
    if (block >= 0) {
      this.firstFree = this.list[block << Block.bits]!;
    } else {
      block = this.highWater++;
      if (block === this.capacity) {
        this.capacity = Math.max(block * 2, 1);
        this.keys = grown(this.keys, this.capacity * Block.places);
        this.list = grown(this.list, this.capacity * Block.places);
      }
    }
    const start = block << Block.bits;
    this.empty(start, start + Block.places);
    this.list[start + Block.last] = 0;
    return block;
  }
}
