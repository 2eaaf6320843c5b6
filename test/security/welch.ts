/**
 * Checks whether the times of two kinds of requests can be distinguished, by Welch's t-test after dudect
 * (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", DATE 2017). Slow samples are noise
 * of the machine, so the test uses all samples and those below several percentiles of both kinds
 * together.
 */

/** Threshold of |t| above which the times differ for all practical purposes. */
export const THRESHOLD = 4.5;
const CROPS = [1, 0.99, 0.9, 0.75, 0.5] as const;

export interface Comparison {
  /** The result of the crop with the largest |t|. */
  readonly t: number;
  readonly crops: readonly Crop[];
}

export interface Crop {
  /** The share of the fastest samples used. */
  readonly share: number;
  readonly t: number;
  readonly n: readonly [number, number];
  /** Difference of the means, in the unit of the samples. */
  readonly mean: readonly [number, number];
}

export function compare(first: Float64Array, second: Float64Array): Comparison {
  const all = Float64Array.from([...first, ...second]).sort();
  const crops = CROPS.map((share): Crop => {
    const limit = all[Math.ceil(share * all.length) - 1]!;
    const [a, b] = [computeMoments(first, limit), computeMoments(second, limit)];
    const spread = Math.sqrt(a.variance / a.n + b.variance / b.n);
    const t = spread === 0 ? 0 : (a.mean - b.mean) / spread;
    return { share, t, n: [a.n, b.n], mean: [a.mean, b.mean] };
  });
  const worst = crops.reduce((one, other) => (Math.abs(other.t) > Math.abs(one.t) ? other : one));
  return { t: worst.t, crops };
}

/** Returns mean and variance of the samples up to `limit`, in one numerically stable pass (Welford). */
function computeMoments(samples: Float64Array, limit: number) {
  let [n, mean, squares] = [0, 0, 0];
  for (const sample of samples) {
    if (sample > limit) continue;
    n++;
    const step = sample - mean;
    mean += step / n;
    squares += step * (sample - mean);
  }
  return { n, mean, variance: n < 2 ? 0 : squares / (n - 1) };
}
