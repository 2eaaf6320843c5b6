import { existsSync, writeFileSync } from 'node:fs';

/** A power of two: more updates than can be on their way at a time. */
const PLACES = 1 << 16;

/** When each update of a book was sent, in memory that several processes share. */
export class SentTimes {
  private readonly times: Float64Array;

  constructor(path: string) {
    if (!existsSync(path)) writeFileSync(path, new Uint8Array(PLACES * 8));
    this.times = new Float64Array(Bun.mmap(path, { shared: true }).buffer);
  }

  note(sequence: number): void {
    this.times[sequence & (PLACES - 1)] = clockMs();
  }

  of(sequence: number): number {
    return this.times[sequence & (PLACES - 1)]!;
  }
}

/** Milliseconds by the machine's clock, with more digits than Date gives. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}
