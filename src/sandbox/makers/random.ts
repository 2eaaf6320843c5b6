import type { Random } from '../../storage/seeded-random.ts';

/** Returns an approximately normal number: mean 0, variance 1, never beyond 3.5. */
export function normal(random: Random): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** Returns a log-normal number with mean 1, for the sizes of trades. */
export function lognormal(random: Random, spread: number): number {
  return Math.exp(spread * normal(random) - (spread * spread) / 2);
}
