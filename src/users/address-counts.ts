import { randomBytes } from 'node:crypto';

/** Counters in a row: as many as 16 bits can number. */
const ROW_SIZE = 65_536;
const ROWS = 4;
const MAX_COUNT = 255;

/**
 * Counts by email address in memory of a fixed size (a count-min sketch, 256 KiB). An address has one counter in
 * each row and its count is the lowest of them: never too low, and too high only if other addresses share all four.
 * No number of other addresses resets a count.
 */
export class AddressCounts {
  private readonly counts = new Uint8Array(ROWS * ROW_SIZE);
  /** Keeps others from choosing addresses that share counters. */
  private readonly key = randomBytes(16).toString('hex');

  /** Counts an address. Returns its count since the last `clear`, including this time; at most 255. */
  add(address: string): number {
    const hash = Bun.SHA256.hash(`${this.key} ${address}`) as Uint8Array;
    const places = Array.from(
      { length: ROWS },
      (_, row) => row * ROW_SIZE + hash[2 * row]! * 256 + hash[2 * row + 1]!,
    );
    const count = Math.min(MAX_COUNT, Math.min(...places.map((place) => this.counts[place]!)) + 1);
    for (const place of places) this.counts[place] = Math.max(this.counts[place]!, count);
    return count;
  }

  clear(): void {
    this.counts.fill(0);
  }
}
