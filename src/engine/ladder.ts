import { gf, gi, type LevelStore } from './levels.ts';
import { NONE } from './orders.ts';

const BLOCK = 64;
const BITS = Math.log2(BLOCK);

export class Ladder {
  best: number = NONE;
  private keys = new Float64Array(0);
  private list = new Int32Array(0);
  private live = new Int32Array(0);
  private capacity = 0;
  private firstFree: number = NONE;
  private highWater = 0;
  private directory = new Int32Array(1);
  private fences = new Float64Array(1);
  private length = 0;

  constructor(private readonly levels: LevelStore) {}

  seat(key: number): number {
    const position = this.length > 1 ? this.positionOf(key) : 0;
    if (this.length === 0) return this.newBlock(0, key, BLOCK >>> 1);
    const block = this.directory[position]!;
    const start = block << BITS;
    const keys = this.keys;
    const list = this.list;
    const at = this.lowerBound(start, key);
    const end = start + BLOCK;
    if (at < end) {
      const there = list[at]!;
      if (there === NONE) return this.settle(block, at, key);
      if (keys[at] === key) return there;
    }
    if (at > start && list[at - 1] === NONE) return this.settle(block, at - 1, key);
    if (this.live[block] === BLOCK) return this.split(position, at, key);
    return this.shift(block, at, key);
  }

  forEach(visit: (level: number) => void): void {
    for (let p = this.length - 1; p >= 0; p--) {
      const start = this.directory[p]! << BITS;
      for (let at = start + BLOCK - 1; at >= start; at--) {
        const level = this.list[at]!;
        if (level !== NONE) visit(level);
      }
    }
  }

  private settle(block: number, at: number, key: number): number {
    const levels = this.levels;
    const level = levels.allocate();
    levels.setKey(level, key);
    levels.setTotalLow(level, 0);
    levels.setTotalHigh(level, 0);
    levels.setHead(level, NONE);
    levels.setTail(level, NONE);
    levels.setPlace(level, at);
    this.keys[at] = key;
    this.list[at] = level;
    this.live[block]!++;
    if (this.best === NONE || key > levels.key(this.best)) this.best = level;
    return level;
  }

  private shift(block: number, at: number, key: number): number {
    const { keys, list, levels } = this;
    const start = block << BITS;
    const end = start + BLOCK;
    let hole = at + 1;
    while (hole < end && list[hole] !== NONE) hole++;
    if (hole < end) {
      for (let i = hole; i > at; i--) {
        const level = list[i - 1]!;
        keys[i] = keys[i - 1]!;
        list[i] = level;
        levels.setPlace(level, i);
      }
      return this.settle(block, at, key);
    }
    hole = at - 2;
    while (list[hole] !== NONE) hole--;
    for (let i = hole; i < at - 1; i++) {
      const level = list[i + 1]!;
      keys[i] = keys[i + 1]!;
      list[i] = level;
      levels.setPlace(level, i);
    }
    return this.settle(block, at - 1, key);
  }

  remove(level: number): void {
    const place = this.levels.place(level);
    const block = place >>> BITS;
    this.list[place] = NONE;
    if (--this.live[block]! === 0) this.dropBlock(this.levels.key(level));
    if (level === this.best) this.findBest(place);
    this.levels.release(level);
  }

  private findBest(place: number): void {
    if (this.length === 0) {
      this.best = NONE;
      return;
    }
    const block = this.directory[this.length - 1]!;
    const start = block << BITS;
    const list = this.list;
    let at = place >>> BITS === block ? place : start + BLOCK;
    do at--;
    while (list[at] === NONE);
    this.best = list[at]!;
  }

  private lowerBound(start: number, key: number): number {
    const keys = this.keys;
    let low = start;
    for (let half = BLOCK >>> 1; half > 0; half >>>= 1) {
      low += half * +(keys[low + half - 1]! < key);
    }
    return low + +(keys[low]! < key);
  }

  private positionOf(key: number): number {
    const fences = this.fences;
    let low = 0;
    let size = this.length;
    if (key >= fences[size - 1]!) return size - 1;
    while (size > 1) {
      const half = size >>> 1;
      low += half * +(fences[low + half]! <= key);
      size -= half;
    }
    return low;
  }

  private newBlock(position: number, key: number, offset: number): number {
    const block = this.allocateBlock();
    const start = block << BITS;
    this.keys.fill(-Infinity, start, start + offset);
    this.insertDirectory(position, block, key);
    return this.settle(block, start + offset, key);
  }

  private split(position: number, at: number, key: number): number {
    const block = this.directory[position]!;
    const start = block << BITS;
    if (at === start + BLOCK && position === this.length - 1)
      return this.newBlock(position + 1, key, 0);
    if (at === start && position === 0) {
      this.fences[0] = this.keys[start]!;
      return this.newBlock(0, key, BLOCK - 1);
    }
    const fresh = this.allocateBlock();
    const freshStart = fresh << BITS;
    const { keys, list } = this;
    const half = BLOCK >>> 1;
    for (let i = half - 1; i >= 0; i--) {
      this.put(freshStart + 2 * i, keys[start + half + i]!, list[start + half + i]!);
    }
    for (let i = half - 1; i >= 0; i--) {
      this.put(start + 2 * i, keys[start + i]!, list[start + i]!);
    }
    this.live[block] = half;
    this.live[fresh] = half;
    this.insertDirectory(position + 1, fresh, keys[freshStart]!);
    return this.seat(key);
  }

  private put(at: number, key: number, level: number): void {
    this.keys[at] = key;
    this.keys[at + 1] = key;
    this.list[at] = level;
    this.list[at + 1] = NONE;
    this.levels.setPlace(level, at);
  }

  private insertDirectory(position: number, block: number, fence: number): void {
    if (this.length === this.directory.length) {
      this.directory = gi(this.directory, this.length * 2);
      this.fences = gf(this.fences, this.length * 2);
    }
    this.directory.copyWithin(position + 1, position, this.length);
    this.fences.copyWithin(position + 1, position, this.length);
    this.directory[position] = block;
    this.fences[position] = fence;
    this.length++;
  }

  private dropBlock(key: number): void {
    const position = this.positionOf(key);
    const block = this.directory[position]!;
    this.directory.copyWithin(position, position + 1, this.length);
    this.fences.copyWithin(position, position + 1, this.length);
    this.length--;
    this.live[block] = this.firstFree;
    this.firstFree = block;
  }

  private allocateBlock(): number {
    let block = this.firstFree;
    if (block !== NONE) {
      this.firstFree = this.live[block]!;
    } else {
      block = this.highWater;
      if (block === this.capacity) {
        this.capacity = Math.max(this.capacity * 2, 1);
        this.keys = gf(this.keys, this.capacity * BLOCK);
        this.list = gi(this.list, this.capacity * BLOCK);
        this.live = gi(this.live, this.capacity);
      }
      this.highWater++;
    }
    const start = block << BITS;
    this.keys.fill(Infinity, start, start + BLOCK);
    this.list.fill(NONE, start, start + BLOCK);
    this.live[block] = 0;
    return block;
  }
}
