/** Returns the next pseudo-random number in [0, 1), reproducible by the seed. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  // Xorshift gets stuck at zero and starts badly from few set bits, so the seed's bits are spread first.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns an integer from 0 to `limit` - 1. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}
