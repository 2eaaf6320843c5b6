/** Something to do at a time, in milliseconds since 1970; 0 for at once. */
export interface Due {
  readonly time: number;
  readonly id: number;
}

/** The work that is due without a command, sorted by time and id. Each id is there at most once. */
export class DueQueue {
  private readonly sorted: Due[] = [];
  private readonly times = new Map<number, number>();

  get size(): number {
    return this.sorted.length;
  }

  /** Infinity if nothing is due. */
  get nextTime(): number {
    return this.sorted[0]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** The id that is due first; something must be due. */
  get first(): number {
    return this.sorted[0]!.id;
  }

  /** Returns when an id is due, or undefined. */
  get(id: number): number | undefined {
    return this.times.get(id);
  }

  /** Sets when an id is due; undefined for never. */
  set(id: number, time: number | undefined): void {
    const before = this.times.get(id);
    if (before === time) return;
    if (before !== undefined) {
      this.sorted.splice(this.place({ time: before, id }), 1);
      this.times.delete(id);
    }
    if (time === undefined) return;
    this.sorted.splice(this.place({ time, id }), 0, { time, id });
    this.times.set(id, time);
  }

  /** Returns the place of the first entry that is not before `due`. */
  private place(due: Due): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const each = this.sorted[middle]!;
      if (each.time < due.time || (each.time === due.time && each.id < due.id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
