import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Command } from '../../engine/command.ts';
import { GuardedClock } from '../../monitoring/clock.ts';
import { ClockControl } from './clock-control.ts';
import { SandboxClock } from './sandbox-clock.ts';
import { Timeline } from './timeline.ts';

const START = 1_000_000;

/** A sandbox whose work is due at given times, and a record of what happened when. */
function setUp(dueTimes: readonly number[] = []) {
  const machine = new GuardedClock({ warn: () => {} });
  const clock = new SandboxClock(machine, START);
  const timeline = new Timeline();
  const due = [...dueTimes].sort((a, b) => a - b);
  const happened: string[] = [];
  const replica = {
    waitingCount: 0,
    exchange: {
      get nextDueTime() {
        return due[0] ?? Number.POSITIVE_INFINITY;
      },
    },
    async execute(_: Command) {
      while (due.length > 0 && due[0]! <= clock.now()) happened.push(`due ${due.shift()}`);
      happened.push(`tick ${clock.now()}`);
      return { kind: 'done' } as const;
    },
  };
  const onFailure = (error: Error) => {
    throw error;
  };
  const options = { clock, timeline, replica, archivist: { lagMs: () => 0 }, onFailure };
  const control = new ClockControl(options, { mode: 'frozen', speed: 1, stepMs: 0 });
  return { clock, timeline, control, happened };
}

test('what is due happens in order and at its time, in one advance as in many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: START, max: START + 1000 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 10 }),
      async (dueTimes, intervalMs, steps) => {
        const play = async (advances: readonly number[]) => {
          const { timeline, control, happened, clock } = setUp(dueTimes);
          timeline.every(intervalMs, START, () => happened.push(`task ${clock.now()}`));
          for (const durationMs of advances) await control.advance(durationMs);
          return happened.filter((line) => !line.startsWith('tick'));
        };
        const total = steps.reduce((sum, step) => sum + step, 0);
        const whole = await play([total]);
        expect(await play(steps)).toEqual(whole);
        const end = START + total;
        const expected = dueTimes.filter((time) => time <= end).length;
        expect(whole.filter((line) => line.startsWith('due')).length).toBe(expected);
        const tasks = whole.filter((line) => line.startsWith('task'));
        expect(tasks.length).toBe(Math.floor(total / intervalMs));
        const times = whole.map((line) => Number(line.split(' ')[1]));
        expect(times).toEqual([...times].sort((a, b) => a - b));
      },
    ),
    { numRuns: 100 },
  );
});

test('the log gets the time of an advance, also if nothing was due', async () => {
  const { control, happened } = setUp();
  await control.advance(500);
  expect(happened).toEqual([`tick ${START + 500}`]);
});

test('advances are played one after another, and time never goes back', async () => {
  const { control } = setUp();
  const first = control.advance(100);
  const second = control.advanceTo(START + 50);
  await first;
  expect(await second).toBe(false);
  expect(control.now).toBe(START + 100);
  await Promise.all([control.advance(10), control.advance(10)]);
  expect(control.now).toBe(START + 120);
});

test('a stepped clock moves before each request, a frozen one does not', async () => {
  const { control } = setUp();
  expect(control.beforeRequest()).toBeUndefined();
  await control.set({ mode: 'stepped', speed: 1, stepMs: 250 });
  await control.beforeRequest();
  await control.beforeRequest();
  expect(control.now).toBe(START + 500);
});

test('a scaled clock moves faster than real time, and a real one as fast, without a jump', async () => {
  const { control } = setUp();
  await control.set({ mode: 'scaled', speed: 1000, stepMs: 0 });
  while (control.now < START + 50_000) await Bun.sleep(1);
  await control.set({ mode: 'real', speed: 1, stepMs: 0 });
  const [before, elapsedMs] = [control.now, performance.now()];
  await Bun.sleep(50);
  expect(control.now - before).toBeWithin(40, performance.now() - elapsedMs + 50);
  await control.stop();
});

test('a scaled clock that the machine cannot keep up with is slower, and stops at once', async () => {
  const { control, timeline } = setUp();
  // Each minute of its time takes a millisecond: it reaches 60,000 times real time at most.
  timeline.every(60_000, START, () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
  });
  await control.set({ mode: 'scaled', speed: 1_000_000, stepMs: 0 });
  const begunAt = performance.now();
  while (performance.now() - begunAt < 1_000) await Bun.sleep(20);
  const askedAt = performance.now();
  await control.set({ mode: 'frozen', speed: 1, stepMs: 0 });
  expect(performance.now() - askedAt).toBeLessThan(2_500);
  await control.stop();
}, 30_000);

test('an advance that the end of the sandbox cuts short fails', async () => {
  const { control, timeline } = setUp();
  timeline.every(1_000, START, () => {});
  const advancing = control.advance(1e9);
  const stopping = control.stop();
  await expect(advancing).rejects.toThrow();
  await stopping;
  expect(control.now).toBeLessThan(START + 1e9);
});

test('tasks of a real clock run at their times', async () => {
  const { control, timeline } = setUp();
  let runs = 0;
  timeline.every(5, START, () => runs++);
  await control.set({ mode: 'real', speed: 1, stepMs: 0 });
  while (runs < 3) await Bun.sleep(1);
  await control.stop();
  const stopped = runs;
  await Bun.sleep(30);
  expect(runs).toBe(stopped);
});
