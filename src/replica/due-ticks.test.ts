import { expect, test } from 'bun:test';
import { DueTicks } from './due-ticks.ts';

/** An exchange of which only is known when something is due, and a clock that tests turn. */
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
  /** Lets the clock go on to a time, and timers go off on the way. */
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

test('a tick comes at the very time that something is due, and none before', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = 1_137;
  dueTicks.look();
  runTo(1_136);
  expect(ticks()).toBe(0);
  runTo(1_137);
  expect(ticks()).toBe(1);
});

test('nothing is appended, and no timer set, while nothing is due soon', () => {
  const { world, timers, dueTicks, ticks } = setUp();
  for (const due of [Number.POSITIVE_INFINITY, 61_000]) {
    world.due = due;
    dueTicks.look();
  }
  expect([timers.length, ticks()]).toEqual([0, 0]);
});

test('what is due earlier than what a timer was set for is in time too', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = 1_200;
  dueTicks.look();
  world.due = 1_050;
  dueTicks.look();
  runTo(1_050);
  expect(ticks()).toBe(1);
});

test('a clock that jumps ahead is noticed when the replica next looks', () => {
  const { world, dueTicks, ticks } = setUp();
  world.due = 500_000;
  dueTicks.look();
  world.now = 600_000;
  dueTicks.look();
  expect(ticks()).toBe(1);
});

test('work that is left goes on at once, also where the clock is behind the log', () => {
  const { world, dueTicks, done, ticks } = setUp();
  world.due = world.time;
  dueTicks.look();
  dueTicks.look();
  // One at a time.
  expect(ticks()).toBe(1);
  done();
  // The batch on its way brings time along, unless the clock stands still.
  world.isAppending = true;
  world.now = world.time + 1;
  dueTicks.look();
  expect(ticks()).toBe(1);
  world.now = world.time - 5_000;
  dueTicks.look();
  expect(ticks()).toBe(2);
});

test('work that is left waits for an archivist that is behind', () => {
  const { world, dueTicks, runTo, ticks } = setUp();
  world.due = world.time;
  world.lagMs = 600;
  dueTicks.look();
  runTo(1_100);
  expect(ticks()).toBe(0);
  world.lagMs = 400;
  runTo(1_200);
  expect(ticks()).toBe(1);
});

test('ticks keep a distance where the time of a shared log is behind this clock', () => {
  const { world, dueTicks, runTo, done, ticks } = setUp();
  world.due = 1_010;
  world.now = 2_000;
  dueTicks.look();
  for (let now = 2_001; now <= 2_100; now++) {
    done();
    runTo(now);
    dueTicks.look();
  }
  expect(ticks()).toBeLessThanOrEqual(6);
});
