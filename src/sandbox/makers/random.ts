import type { Random } from '../../storage/seeded-random.ts';

/** About the normal distribution: mean 0, variance 1, never beyond 3.5. */
export function normal(random: Random): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** Around 1 on average, many small and few large ones: how trades' sizes are spread. */
export function lognormal(random: Random, spread: number): number {
  return Math.exp(spread * normal(random) - (spread * spread) / 2);
}
