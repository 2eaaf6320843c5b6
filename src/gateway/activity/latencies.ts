/** Each bucket ends at this multiple of the one before, so that an estimate is right within 5 %. */
const GROWTH = 1.1;
/** Upper end of the first bucket, milliseconds. */
const FIRST_MS = 0.01;
/** The last bucket begins above a minute. */
const BUCKETS = 170;
const LOG_GROWTH = Math.log(GROWTH);

/** Counts response times in fine buckets. */
export class Latencies {
  /** Number of times in each bucket since the start. */
  readonly counts = new Float64Array(BUCKETS);

  note(ms: number): void {
    const place = ms <= FIRST_MS ? 0 : Math.ceil(Math.log(ms / FIRST_MS) / LOG_GROWTH);
    this.counts[Math.min(place, BUCKETS - 1)]!++;
  }
}

/** The response times of requests that place, amend or cancel orders, and those of all other requests to the API. */
export class RequestLatencies {
  readonly orders = new Latencies();
  readonly others = new Latencies();
}

/** Percentiles of response times, milliseconds; undefined with too few requests. */
export interface LatencyFigures {
  readonly requests: number;
  readonly median: number | undefined;
  readonly p99: number | undefined;
}

/** With fewer requests, the 99th percentile would be the slowest request. */
const MIN_REQUESTS = 100;

/** Response times within a moving window. */
export class LatencyWindow {
  /** Counts at the beginning of the window and at each sample since, oldest first. */
  private readonly marks: Float64Array[] = [];

  /** @param samples Length of the window. */
  constructor(
    private readonly sources: readonly Latencies[],
    private readonly samples: number,
  ) {
    this.marks.push(this.read());
  }

  /** Moves the window to now. */
  sample(): LatencyFigures {
    const now = this.read();
    this.marks.push(now);
    if (this.marks.length > this.samples + 1) this.marks.shift();
    const [first] = this.marks;
    return figures(now.map((count, place) => count - first![place]!));
  }

  private read(): Float64Array {
    const all = new Float64Array(BUCKETS);
    for (const { counts } of this.sources) {
      for (const [place, count] of counts.entries()) all[place]! += count;
    }
    return all;
  }
}

function figures(counts: Float64Array): LatencyFigures {
  const requests = counts.reduce((all, count) => all + count, 0);
  if (requests < MIN_REQUESTS) return { requests, median: undefined, p99: undefined };
  return { requests, median: quantile(counts, 0.5), p99: quantile(counts, 0.99) };
}

/** Returns the geometric middle of the bucket in which a share of all times ends, milliseconds. */
export function quantile(counts: ArrayLike<number>, share: number): number {
  const list = Array.from(counts);
  let rest = share * list.reduce((all, count) => all + count, 0);
  const place = list.findIndex((count) => {
    rest -= count;
    return rest <= 0;
  });
  return FIRST_MS * GROWTH ** (place - 0.5);
}
