import { type Random, seededRandom } from '../src/storage/seeded-random.ts';

export { below, type Random } from '../src/storage/seeded-random.ts';

/**
 * Returns one of a seed's streams of random numbers. Streams are independent, so that a run without a
 * kind of fault, or with fewer commands, is otherwise the same.
 */
export function stream(seed: number, name: string): Random {
  const random = seededRandom(Number(Bun.hash.wyhash(`${seed} ${name}`) & 0xffff_fffen));
  // The first numbers resemble those of similar seeds.
  for (let skipped = 0; skipped < 8; skipped++) random();
  return random;
}
