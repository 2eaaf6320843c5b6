import type { FeeMark } from '../../archivist/archivist.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/durations.ts';
import { difference, type Exact } from '../../engine/numbers/exact.ts';

export interface FeeChanges {
  /** Time from which fees are counted: 24 hours ago, or later if earlier ones are not known. */
  readonly since: number;
  /** The change of the fee account in each of the last 24 hours, oldest first, by the asset's index. */
  readonly hours: readonly (readonly Exact[])[];
}

const HOURS = 24;

/** The balances of the fee account in the last 24 hours. */
export class FeeMarks {
  /** Oldest first. */
  private marks: FeeMark[] = [];
  /** Whether the 24 hours before the first mark have been read. */
  private isComplete = false;
  private earlier: Promise<void> | undefined;

  /** Keeps a balance once a minute. */
  note(time: number, fees: readonly Exact[]): void {
    const last = this.marks.at(-1);
    if (last !== undefined && Math.abs(time - last.time) < MINUTE_MS) return;
    this.marks.push({ time, fees: [...fees] });
    while (this.marks.length > 1 && this.marks[1]!.time <= time - DAY_MS) this.marks.shift();
  }

  /**
   * Reads the balances of the day before the first mark, once.
   * @param read Resolves to undefined if they cannot be read.
   */
  complete(
    read: (from: number, to: number) => Promise<readonly FeeMark[] | undefined>,
  ): Promise<void> {
    this.earlier ??= this.readEarlier(read).catch(() => {
      // The next request tries again.
      this.earlier = undefined;
    });
    return this.earlier;
  }

  private async readEarlier(
    read: (from: number, to: number) => Promise<readonly FeeMark[] | undefined>,
  ): Promise<void> {
    const first = this.marks[0];
    if (first === undefined) return;
    const earlier = await read(first.time - DAY_MS, first.time);
    if (earlier === undefined) return;
    const { time } = first;
    this.marks = [...earlier.filter((mark) => mark.time < time), ...this.marks];
    this.isComplete = true;
  }

  /** Returns the changes up to a time at which the fee account has `fees`. */
  changes(now: number, fees: readonly Exact[]): FeeChanges {
    const start = now - DAY_MS;
    const ends = Array.from({ length: HOURS + 1 }, (_, hour) =>
      hour === HOURS ? fees : this.feesAt(start + hour * HOUR_MS),
    );
    const hours = ends
      .slice(1)
      .map((end, hour) =>
        fees.map((_, asset) => difference(end[asset] ?? 0, ends[hour]![asset] ?? 0)),
      );
    const first = this.marks[0]?.time ?? now;
    return { since: this.isComplete ? start : Math.max(start, first), hours };
  }

  /** Returns the last known balance at a time, or the first one of all. */
  private feesAt(time: number): readonly Exact[] {
    return (this.marks.findLast((mark) => mark.time <= time) ?? this.marks[0])?.fees ?? [];
  }
}
