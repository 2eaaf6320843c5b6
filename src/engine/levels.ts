import { NONE } from './orders.ts';

const TOTAL_BASE = 2 ** 53;

export class LevelStore {
  hot = new Float64Array(64);
  links = new Int32Array(this.hot.buffer);
  key(level: number): number {
    return this.hot[level << 2]!;
  }
  totalLow(level: number): number {
    return this.hot[(level << 2) + 1]!;
  }
  totalHigh(level: number): number {
    return this.links[(level << 3) + 4]!;
  }
  head(level: number): number {
    return this.links[(level << 3) + 5]!;
  }
  tail(level: number): number {
    return this.links[(level << 3) + 6]!;
  }
  place(level: number): number {
    return this.links[(level << 3) + 7]!;
  }
  setKey(level: number, v: number): void {
    this.hot[level << 2] = v;
  }
  setTotalLow(level: number, v: number): void {
    this.hot[(level << 2) + 1] = v;
  }
  setTotalHigh(level: number, v: number): void {
    this.links[(level << 3) + 4] = v;
  }
  setHead(level: number, v: number): void {
    this.links[(level << 3) + 5] = v;
  }
  setTail(level: number, v: number): void {
    this.links[(level << 3) + 6] = v;
  }
  setPlace(level: number, v: number): void {
    this.links[(level << 3) + 7] = v;
  }
  private capacity = 16;
  private firstFree: number = NONE;
  private highWater = 0;

  allocate(): number {
    let level = this.firstFree;
    if (level !== NONE) {
      this.firstFree = this.head(level);
      return level;
    }
    level = this.highWater;
    if (level === this.capacity) this.grow();
    this.highWater = level + 1;
    return level;
  }

  release(level: number): void {
    this.setHead(level, this.firstFree);
    this.firstFree = level;
  }

  addToTotal(level: number, quantity: number): void {
    const low = this.totalLow(level);
    const room = TOTAL_BASE - quantity;
    if (low >= room) {
      this.setTotalLow(level, low - room);
      this.setTotalHigh(level, this.totalHigh(level) + 1);
    } else {
      this.setTotalLow(level, low + quantity);
    }
  }

  takeFromTotal(level: number, quantity: number): void {
    const low = this.totalLow(level);
    if (low < quantity) {
      this.setTotalLow(level, low + (TOTAL_BASE - quantity));
      this.setTotalHigh(level, this.totalHigh(level) - 1);
    } else {
      this.setTotalLow(level, low - quantity);
    }
  }

  total(level: number): bigint {
    return (BigInt(this.totalHigh(level)) << 53n) + BigInt(this.totalLow(level));
  }

  private grow(): void {
    this.capacity *= 2;
    this.hot = gf(this.hot, this.capacity * 4);
    this.links = new Int32Array(this.hot.buffer);
  }
}

export function gf(old: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(capacity);
  grown.set(old);
  return grown;
}

export function gi(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(capacity);
  grown.set(old);
  return grown;
}
