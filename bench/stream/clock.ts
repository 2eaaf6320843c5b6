import { existsSync, writeFileSync } from 'node:fs';

/** Number of slots, a power of two above the number of updates in transit at a time. */
const PLACES = 1 << 16;

/** The send time of each update of a book, in memory shared by several processes. */
export class SentTimes {
  private readonly times: Float64Array;

  constructor(path: string) {
    if (!existsSync(path)) writeFileSync(path, new Uint8Array(PLACES * 8));
    this.times = new Float64Array(Bun.mmap(path, { shared: true }).buffer);
  }

  note(sequence: number): void {
    this.times[sequence & (PLACES - 1)] = clockMs();
  }

  get(sequence: number): number {
    return this.times[sequence & (PLACES - 1)]!;
  }
}

/** Returns the machine's time in milliseconds, with a higher resolution than Date. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}
