import { type Random, seededRandom } from '../src/storage/seeded-random.ts';

export { below, type Random } from '../src/storage/seeded-random.ts';

/**
 * One of a seed's streams of random numbers. What draws from one does not move the others, so that a
 * run without a kind of fault, or with fewer commands, is otherwise the same.
 */
export function stream(seed: number, name: string): Random {
  const random = seededRandom(Number(Bun.hash.wyhash(`${seed} ${name}`) & 0xffff_fffen));
  // Its first numbers resemble those of its neighbours.
  for (let skipped = 0; skipped < 8; skipped++) random();
  return random;
}
