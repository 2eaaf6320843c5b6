const BUCKET_US = 10;

/** Latency counts in buckets of 10 µs up to 10 s. */
export class Latencies {
  count = 0;
  private readonly buckets = new Uint32Array(1_000_000);

  add(milliseconds: number): void {
    this.count++;
    const bucket = Math.floor((milliseconds * 1000) / BUCKET_US);
    this.buckets[Math.min(bucket, this.buckets.length - 1)]!++;
  }

  /** @param share 0.99 for the 99th percentile. @returns Milliseconds. */
  percentile(share: number): number {
    let left = Math.ceil(this.count * share);
    for (let bucket = 0; bucket < this.buckets.length; bucket++) {
      left -= this.buckets[bucket]!;
      if (left <= 0) return ((bucket + 1) * BUCKET_US) / 1000;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Returns the figures of a run that took `elapsedMs`. */
  summary(elapsedMs: number) {
    return {
      perSecond: (this.count / elapsedMs) * 1000,
      p50Ms: this.percentile(0.5),
      p99Ms: this.percentile(0.99),
      maxMs: this.percentile(1),
    };
  }
}
