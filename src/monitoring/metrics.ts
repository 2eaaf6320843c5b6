/**
 * Metrics for Prometheus, in its text format 0.0.4. Metrics on the hot path are slots of an array, without allocations or
 * lookups by label.
 */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Returns its lines, without HELP and TYPE. */
  lines(): string[];
}

/** Labels in the text format: `kind="order",outcome="accepted"`, or empty. */
export type Labels = string;

/** Formats labels: `method="GET",route="/api/orders"`. */
export function labels(pairs: Readonly<Record<string, string>>): Labels {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`)
    .join(',');
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

/** Counters with fixed labels, one slot each. If there are several, those that are still zero are omitted. */
export class Counter implements Metric {
  readonly type = 'counter';
  private readonly values: Float64Array;

  constructor(
    readonly name: string,
    readonly help: string,
    private readonly slots: readonly Labels[] = [''],
  ) {
    this.values = new Float64Array(slots.length);
  }

  add(slot = 0, count = 1): void {
    this.values[slot]! += count;
  }

  lines(): string[] {
    const { name, slots, values } = this;
    return slots.flatMap((each, slot) =>
      values[slot] === 0 && slots.length > 1 ? [] : [line(name, each, values[slot]!)],
    );
  }
}

/** Histograms with fixed labels, one slot each; those without a value are omitted. */
export class Histogram implements Metric {
  readonly type = 'histogram';
  private readonly bounds: Float64Array;
  /** For each slot a count per bound, then one for values above all bounds. */
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;

  /** @param bounds In ascending order. */
  constructor(
    readonly name: string,
    readonly help: string,
    bounds: readonly number[],
    private readonly slots: readonly Labels[] = [''],
  ) {
    this.bounds = Float64Array.from(bounds);
    this.counts = new Float64Array(slots.length * (bounds.length + 1));
    this.sums = new Float64Array(slots.length);
  }

  note(value: number, slot = 0): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.counts[slot * (bounds.length + 1) + bucket]!++;
    this.sums[slot]! += value;
  }

  /** Returns the counts of all slots together: one for each bound, then one for values above all bounds. */
  totals(): number[] {
    const size = this.bounds.length + 1;
    const totals = new Array<number>(size).fill(0);
    for (let at = 0; at < this.counts.length; at++) totals[at % size]! += this.counts[at]!;
    return totals;
  }

  lines(): string[] {
    return this.slots.flatMap((_, slot) => this.slotLines(slot));
  }

  /** Returns the lines of one slot, under another name and with other labels if given. */
  slotLines(slot: number, name = this.name, own = this.slots[slot]!): string[] {
    const { bounds, counts, slots } = this;
    const found: string[] = [];
    let count = 0;
    for (let bucket = 0; bucket <= bounds.length; bucket++) {
      count += counts[slot * (bounds.length + 1) + bucket]!;
      const le = `le="${bounds[bucket] ?? '+Inf'}"`;
      found.push(line(`${name}_bucket`, own === '' ? le : `${own},${le}`, count));
    }
    if (count === 0 && slots.length > 1) return [];
    return [
      ...found,
      line(`${name}_sum`, own, this.sums[slot]!),
      line(`${name}_count`, own, count),
    ];
  }
}

/** Returns a gauge whose value is read on request; it is omitted while undefined. */
export function gauge(
  name: string,
  help: string,
  read: () => number | undefined,
  own: Labels = '',
): Metric {
  return computedMetric('gauge', name, help, read, own);
}

/** Returns a gauge with a value for each of its labels, which are read on request. */
export function labeledGauge(
  name: string,
  help: string,
  read: () => readonly (readonly [labels: Labels, value: number])[],
): Metric {
  const lines = () => read().map(([own, value]) => line(name, own, value));
  return { name, help, type: 'gauge', lines };
}

/** Returns a counter whose value is counted elsewhere and read on request. */
export function counter(name: string, help: string, read: () => number | undefined): Metric {
  return computedMetric('counter', name, help, read, '');
}

function computedMetric(
  type: Metric['type'],
  name: string,
  help: string,
  read: () => number | undefined,
  own: Labels,
): Metric {
  const lines = () => {
    const value = read();
    return value === undefined ? [] : [line(name, own, value)];
  };
  return { name, help, type, lines };
}

/** Returns all metrics in the text format. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .flatMap((metric) => {
      const { name, help, type } = metric;
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...metric.lines()];
    })
    .join('\n')
    .concat('\n');
}

function line(name: string, own: Labels, value: number): string {
  return `${own === '' ? name : `${name}{${own}}`} ${value}`;
}

/** Bounds from a tenth of a millisecond to ten seconds. */
export const DURATION_BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
