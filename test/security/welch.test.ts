import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/storage/seeded-random.ts';
import { compare, THRESHOLD } from './welch.ts';

/** Returns times of about 20 µs with a long tail, like those of requests. */
function times(count: number, seed: number, extra = 0): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from(
    { length: count },
    () => 20_000 + extra + 500 * (random() + random() + random()) - 2000 * Math.log(1 - random()),
  );
}

test('samples of the same kind do not differ', () => {
  expect(Math.abs(compare(times(20_000, 1), times(20_000, 2)).t)).toBeLessThan(THRESHOLD);
});

test('a difference of one percent is found', () => {
  const { t, crops } = compare(times(20_000, 1), times(20_000, 2, 200));
  expect(Math.abs(t)).toBeGreaterThan(THRESHOLD);
  expect(crops[0]!.n).toEqual([20_000, 20_000]);
});

test('t matches the textbook', () => {
  const [first, second] = [Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(2, 4, 6, 8, 10)];
  // (3 - 6) / sqrt(2.5 / 5 + 10 / 5)
  expect(compare(first, second).crops[0]!.t).toBeCloseTo(-3 / Math.sqrt(2.5), 12);
});
