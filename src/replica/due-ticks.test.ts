import { expect, test } from 'bun:test';
import { DueTicks } from './due-ticks.ts';

/** An exchange with only a due time, and a clock that tests set. */
function setUp() {
  const world = {
    now: 1_000,
    due: Number.POSITIVE_INFINITY,
    time: 1_000,
    isAppending: false,
    lagMs: 0,
  };
  const timers: { at: number; work: () => void }[] = [];
  let ticks = 0;
  let done = () => {};
  const dueTicks = new DueTicks({
    exchange: {
      get nextDueTime() {
        return world.due;
      },
      get state() {
        return { time: world.time };
      },
    } as never,
    now: () => world.now,
    timers: {
      soon: () => {},
      every: () => () => {},
      after: (delayMs, work) => void timers.push({ at: world.now + delayMs, work }),
    },
    submit: (_, isDone) => {
      ticks++;
      done = isDone;
    },
    isAppending: () => world.isAppending,
    lagMs: () => world.lagMs,
  });
  /** Advances the clock and fires timers on the way. */
  const runTo = (time: number) => {
    for (;;) {
      timers.sort((a, b) => a.at - b.at);
      if (timers.length === 0 || timers[0]!.at > time) break;
      const { at, work } = timers.shift()!;
      world.now = Math.max(world.now, at);
      work();
    }
    world.now = time;
  };
  return { world, timers, dueTicks, runTo, done: () => done(), ticks: () => ticks };
}

test('a tick is sent exactly when something is due', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = 1_137;
  dueTicks.check();
  runTo(1_136);
  expect(ticks()).toBe(0);
  runTo(1_137);
  expect(ticks()).toBe(1);
});

test('nothing is appended and no timer set while nothing is due soon', () => {
  const { world, timers, dueTicks, ticks } = setUp();
  for (const due of [Number.POSITIVE_INFINITY, 61_000]) {
    world.due = due;
    dueTicks.check();
  }
  expect([timers.length, ticks()]).toEqual([0, 0]);
});

test('work that is due before the current timer is on time too', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = 1_200;
  dueTicks.check();
  world.due = 1_050;
  dueTicks.check();
  runTo(1_050);
  expect(ticks()).toBe(1);
});

test('a clock that jumps ahead is noticed at the next check', () => {
  const { world, dueTicks, ticks } = setUp();
  world.due = 500_000;
  dueTicks.check();
  world.now = 600_000;
  dueTicks.check();
  expect(ticks()).toBe(1);
});

test('remaining work continues at once, even if the clock is behind the log', () => {
  const { world, dueTicks, done, ticks } = setUp();
  world.due = world.time;
  dueTicks.check();
  dueTicks.check();
  // One at a time.
  expect(ticks()).toBe(1);
  done();
  // The batch in flight advances time, unless the clock stands still.
  world.isAppending = true;
  world.now = world.time + 1;
  dueTicks.check();
  expect(ticks()).toBe(1);
  world.now = world.time - 5_000;
  dueTicks.check();
  expect(ticks()).toBe(2);
});

test('remaining work waits for an archivist that lags', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = world.time;
  world.lagMs = 600;
  dueTicks.check();
  runTo(1_100);
  expect(ticks()).toBe(0);
  world.lagMs = 400;
  runTo(1_200);
  expect(ticks()).toBe(1);
});

test('ticks keep a distance if the time of a clustered log is behind this clock', () => {
  const { world, dueTicks, runTo, done, ticks } = setUp();
  world.due = 1_010;
  world.now = 2_000;
  dueTicks.check();
  for (let now = 2_001; now <= 2_100; now++) {
    done();
    runTo(now);
    dueTicks.check();
  }
  expect(ticks()).toBeLessThanOrEqual(6);
});
