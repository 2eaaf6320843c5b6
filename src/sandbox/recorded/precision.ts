import { compareDecimals, type Decimal } from './decimal.ts';

/** The decimals and the maximum of a column of prices or amounts. */
export class Precision {
  /** The most decimals of a number. */
  finest = 0;
  maximum: Decimal = { units: 0, decimals: 0 };
  maximumLine = 0;
  /** Numbers by their decimals, and the line of the first. */
  private readonly counts: { count: number; firstLine: number }[] = [];

  note(value: Decimal, line: number): void {
    const { decimals } = value;
    const found = this.counts[decimals];
    if (found === undefined) this.counts[decimals] = { count: 1, firstLine: line };
    else found.count++;
    if (decimals > this.finest) this.finest = decimals;
    if (compareDecimals(value, this.maximum) > 0) {
      this.maximum = value;
      this.maximumLine = line;
    }
  }

  /** Returns how many numbers have more decimals, and the first line with one. */
  finerThan(decimals: number): { readonly count: number; readonly firstLine: number } {
    const finer = this.counts.slice(decimals + 1).filter((each) => each !== undefined);
    return {
      count: finer.reduce((sum, { count }) => sum + count, 0),
      firstLine: Math.min(...finer.map(({ firstLine }) => firstLine)),
    };
  }
}
