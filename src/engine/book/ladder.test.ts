import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NONE } from '../terms.ts';
import { Ladder } from './ladder.ts';
import { LevelStore } from './levels.ts';

/** A faster `expect(actual).toBe(expected)`, for millions of calls. */
function expectEqual(actual: number | undefined, expected: number | undefined): void {
  if (actual !== expected) expect(actual).toBe(expected);
}

/** A ladder that is compared with a sorted array of its keys. */
class Checked {
  private readonly levels = new LevelStore();
  private readonly ladder = new Ladder(this.levels);
  private readonly byKey = new Map<number, number>();
  readonly keys: number[] = [];

  toggle(key: number): void {
    if (this.byKey.has(key)) this.remove(key);
    else this.insert(key);
  }

  insert(key: number): void {
    for (const near of [key - 1, key, key + 1]) this.look(near);
    expectEqual(this.ladder.find(key), NONE);
    const level = this.levels.open(key, 0, 1);
    this.ladder.insert(key, level);
    this.byKey.set(key, level);
    this.keys.splice(this.indexOf(key), 0, key);
    this.expectBest();
  }

  remove(key: number): void {
    const level = this.byKey.get(key)!;
    expectEqual(this.ladder.find(key), level);
    this.ladder.remove(level);
    this.levels.release(level);
    this.byKey.delete(key);
    this.keys.splice(this.indexOf(key), 1);
    this.expectBest();
  }

  /** Finds an existing or absent key, which must not change the ladder. */
  look(key: number): void {
    expectEqual(this.ladder.at(key), this.byKey.get(key) ?? NONE);
  }

  expectAll(): void {
    const found: number[] = [];
    for (let level = this.ladder.best; level !== NONE; level = this.ladder.below(level)) {
      found.push(this.levels.key(level));
      expectEqual(this.ladder.find(found.at(-1)!), level);
    }
    expect(found).toEqual(this.keys.toReversed());
    this.keys.forEach((key, index) => {
      expectEqual(this.keyBelow(key), this.keys[index - 1]);
      expectEqual(this.keyBelow(key + 0.5), key);
    });
    expectEqual(this.keyBelow(Infinity), this.keys.at(-1));
  }

  private keyBelow(key: number): number | undefined {
    const level = this.ladder.belowKey(key);
    return level === NONE ? undefined : this.levels.key(level);
  }

  private expectBest(): void {
    const best = this.keys.at(-1);
    expectEqual(this.ladder.best, best === undefined ? NONE : this.byKey.get(best)!);
    expectEqual(this.ladder.bestKey, best ?? Number.NEGATIVE_INFINITY);
  }

  private indexOf(key: number): number {
    let low = 0;
    for (let high = this.keys.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A sequence of operations on one region of keys. */
const stretch = fc.record({
  move: fc.constantFrom('up', 'down', 'random', 'hover', 'empty from top', 'empty from bottom'),
  from: fc.integer({ min: -3000, max: 3000 }),
  count: fc.integer({ min: 1, max: 700 }),
  stride: fc.constantFrom(1, 1, 7, -1),
});
type Stretch = typeof stretch extends fc.Arbitrary<infer T> ? T : never;

function work(ladder: Checked, { move, from, count, stride }: Stretch): void {
  let scattered = from >>> 0;
  for (let i = 0; i < count; i++) {
    if (move === 'up') ladder.toggle(from + i * stride);
    else if (move === 'down') ladder.toggle(from - i * stride);
    else if (move === 'random') {
      scattered = (Math.imul(scattered, 1_664_525) + 1_013_904_223) >>> 0;
      ladder.toggle(from + ((scattered >>> 16) % (count * 2)));
    } else if (move === 'hover') {
      // The best level changes repeatedly, and the levels below it become sparse.
      const best = ladder.keys.at(-1) ?? from;
      ladder.insert(best + 1);
      if (i % 3 > 0) ladder.remove(best + 1);
      else if (ladder.keys.length > 2) ladder.remove(ladder.keys.at(-3)!);
    } else if (ladder.keys.length > 0) {
      ladder.remove(ladder.keys.at(move === 'empty from top' ? -1 : 0)!);
    }
  }
}

test('levels are found and visited in order after any operations', () => {
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 12 }), (stretches) => {
      const ladder = new Checked();
      for (const one of stretches) {
        work(ladder, one);
        ladder.expectAll();
      }
    }),
    { numRuns: 400 },
  );
});

test('splitting a block without gaps leaves no key after its last level', () => {
  const ladder = new Checked();
  for (const one of [
    { move: 'down', from: -166, count: 149, stride: 7 },
    { move: 'down', from: -1203, count: 29, stride: 1 },
    { move: 'random', from: -2240, count: 104, stride: 1 },
    { move: 'random', from: -1754, count: 383, stride: 1 },
  ] as const) {
    work(ladder, one);
    ladder.expectAll();
  }
});

test('no key remains after the best level of a split block', () => {
  const ladder = new Checked();
  for (let i = 0; i < 60; i++) ladder.insert(10 * i);
  // No gap is near, so the only block is split and the best level moves.
  ladder.insert(5);
  ladder.remove(590);
  ladder.insert(700);
  ladder.insert(650);
  ladder.expectAll();
});

test.each([
  ['best last', 1],
  ['best first', -1],
])('a hundred thousand levels that come in order, %s', (_, direction) => {
  const levels = new LevelStore();
  const ladder = new Ladder(levels);
  const count = 100_000;
  for (let i = 1; i <= count; i++) {
    const key = direction * i;
    expectEqual(ladder.find(key), NONE);
    ladder.insert(key, levels.open(key, 0, 1));
  }
  let level = ladder.best;
  for (let i = 0; i < count; i++, level = ladder.below(level)) {
    expectEqual(levels.key(level), direction > 0 ? count - i : -i - 1);
  }
  expect(level).toBe(NONE);
});

test('all blocks that lost their last level are reused', () => {
  const levels = new LevelStore();
  const ladder = new Ladder(levels);
  const fill = () =>
    Array.from({ length: 1_000 }, (_, key) => {
      expect(ladder.find(key + 1)).toBe(NONE);
      const level = levels.open(key + 1, 0, 1);
      ladder.insert(key + 1, level);
      return level;
    });
  const capacities = Array.from({ length: 4 }, () => {
    for (const level of fill()) {
      ladder.remove(level);
      levels.release(level);
    }
    return (ladder as unknown as { readonly highWater: number }).highWater;
  });
  expect(new Set(capacities).size).toBe(1);
});
