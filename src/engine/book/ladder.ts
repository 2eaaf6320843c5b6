import { grown } from '../numbers/arrays.ts';
import { NONE } from '../terms.ts';
import type { LevelStore } from './levels.ts';

/** A block has 64 places; the last holds no level but, in `list`, the number of levels in the block. */
enum Block {
  places = 64,
  bits = 6,
  last = 63,
  /** With more levels than this it is split, so that a gap is never far. */
  crowded = 54,
}

/**
 * The price levels of one side of a book in order, the best at the end, found by key.
 *
 * It is a sorted array cut into blocks, with a directory of the blocks: about thirty for a thousand
 * levels. A place is an index into `keys` and `list`. Where a level has left stays a gap with its key
 * still in order, so leaving moves nothing, and the next level to come at about that price finds room.
 *
 * In every block the keys ascend, gaps included; a gap's key may equal that of the level before it.
 * Beyond the last level of a block they may be Infinity, beyond the best they all are, and so is
 * each block's last one. No block is without levels except the only one of an empty ladder.
 */
export class Ladder {
  private keys = new Float64Array(0);
  /** The level at each place, NONE for a gap. */
  private list = new Int32Array(0);
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;
  /** The blocks in order, and the lowest key that belongs into each; the first takes all below. */
  private directory = new Int32Array(1);
  private fences = new Float64Array(1);
  private length = 0;
  /** Place of the best level; of an empty ladder a gap with the key -Infinity. */
  private top = 0;
  /** The place that `find` chose for a level it did not find. */
  private insertPlace = 0;

  constructor(private readonly levels: LevelStore) {
    const block = this.allocate();
    this.insertBlock(0, block, Number.NEGATIVE_INFINITY);
    this.clear(block);
  }

  /** The best level, NONE if there is none. */
  get best(): number {
    return this.list[this.top]!;
  }

  /** Key of the best level, -Infinity if there is none. */
  get bestKey(): number {
    return this.keys[this.top]!;
  }

  /** The level with this key, or NONE: then there is room for it, and `insert` must follow at once. */
  find(key: number): number {
    const top = this.top;
    const bestKey = this.keys[top]!;
    if (key < bestKey) return this.search(key);
    if (key === bestKey) return this.list[top]!;
    if ((top & Block.last) === Block.last - 1) return this.extend(key);
    this.insertPlace = top + 1;
    return -1;
  }

  /** The level with this key, or NONE. Unlike `find` it makes no room for one: it changes nothing. */
  at(key: number): number {
    if (key > this.bestKey) return NONE;
    const start = this.startFor(key);
    const place = this.firstNotBelow(start, key);
    return this.keys[place] === key ? this.list[place]! : NONE;
  }

  /** Lists a level whose key `find` has just not found. */
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
    else if (place === this.top) this.settle(place);
  }

  /** The next worse level, NONE after the worst. */
  below(level: number): number {
    const list = this.list;
    let place = this.levels.place(level);
    do {
      if ((place & Block.last) !== 0) place--;
      else {
        const position = this.positionOf(this.levels.key(level));
        if (position === 0) return NONE;
        place = (this.directory[position - 1]! << Block.bits) + Block.last - 1;
      }
    } while (list[place]! < 0);
    return list[place]!;
  }

  /** The best level below a key, which need not be a level's; NONE if there is none. */
  belowKey(key: number): number {
    const list = this.list;
    let position = this.positionOf(key);
    let start = this.directory[position]! << Block.bits;
    let place = this.firstNotBelow(start, key);
    for (;;) {
      while (place > start) if (list[--place]! >= 0) return list[place]!;
      if (position === 0) return NONE;
      start = this.directory[--position]! << Block.bits;
      place = start + Block.last;
    }
  }

  /** `find` for a key below the best. */
  private search(key: number): number {
    const start = this.startFor(key);
    const list = this.list;
    const place = this.firstNotBelow(start, key);
    // The last place, where all keys are below, is never a gap and its key is no level's.
    const level = list[place]!;
    if (level < 0) {
      this.insertPlace = place;
      return NONE;
    }
    if (this.keys[place] === key) return level;
    if (place > start && list[place - 1]! < 0) this.insertPlace = place - 1;
    else if (list[start + Block.last]! > Block.crowded) return this.divide(start, place, key);
    else this.insertPlace = this.makeRoom(start, place);
    return NONE;
  }

  /** Where the block starts that a key not above the best belongs into. */
  private startFor(key: number): number {
    const tail = this.length - 1;
    if (tail > 0 && key < this.fences[tail]!) {
      return this.directory[this.positionOf(key)]! << Block.bits;
    }
    return this.top & -Block.places;
  }

  /**
   * The first place of the block whose key is not below `key`. Four ways at a step, without
   * branches: a wrongly guessed branch costs as much as three comparisons.
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

  /** Where in the directory the block stands that a key belongs into. */
  private positionOf(key: number): number {
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

  /** Moves levels so that `place`, or the one before it, becomes a gap; gives that gap. */
  private makeRoom(start: number, place: number): number {
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

  /** `find` for a new best level when the last block has no place left at its end. */
  private extend(key: number): number {
    const tail = this.length - 1;
    const start = this.top & -Block.places;
    const count = this.list[start + Block.last]!;
    if (count === Block.last) {
      // Nothing to gain from splitting a block without gaps: levels come in order.
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

  /** `search` where the block is crowded. */
  private divide(start: number, place: number, key: number): number {
    const position = this.positionOf(key);
    if (position > 0 || place > start) {
      this.split(position);
      return this.find(key);
    }
    // A new worst level: likely one of many that come in order, so start a block before the first.
    const block = this.allocate();
    const first = block << Block.bits;
    this.fences[0] = this.keys[start]!;
    this.insertBlock(0, block, Number.NEGATIVE_INFINITY);
    this.insertPlace = first + Block.last - 1;
    this.keys.fill(Number.NEGATIVE_INFINITY, first, this.insertPlace);
    return NONE;
  }

  /** Spreads the levels of a block over two, a gap after each. */
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
    // Of a block that had no gap, the last level's spare place is this one.
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

  /** Closes the gaps of a block; gives how many levels it has. The caller sets `top` if it moved. */
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

  /** Makes the best level the first one found from `place` down in the last block. */
  private settle(place: number): void {
    const keys = this.keys;
    const list = this.list;
    while (list[place]! < 0) {
      keys[place] = Infinity;
      place--;
    }
    this.top = place;
  }

  /** Takes away the block that has just lost its last level, which had this key. */
  private drop(block: number, key: number): void {
    if (this.length === 1) {
      this.clear(block);
      return;
    }
    const position = this.positionOf(key);
    this.directory.copyWithin(position, position + 1, this.length);
    this.fences.copyWithin(position, position + 1, this.length);
    this.length--;
    this.list[block << Block.bits] = this.firstFree;
    this.firstFree = block;
    if (position === this.length) {
      this.settle((this.directory[position - 1]! << Block.bits) + Block.last - 1);
    }
  }

  /** Prepares the only block of an empty ladder, with room on both sides. */
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

  /** A block without levels. */
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
