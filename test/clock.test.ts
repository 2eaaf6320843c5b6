import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../src/config/durations.ts';
import { GuardedClock, MAX_STEP_MS } from '../src/monitoring/clock.ts';

const START = Date.UTC(2026, 0, 5, 12);

/** A machine with two clocks that a test controls. */
class Machine {
  elapsedMs = 5000;
  wall = START;
  readonly warnings: string[] = [];
  readonly clock: GuardedClock;

  constructor(readonly options: Partial<GuardedClock> = {}) {
    this.clock = this.restart();
  }

  restart(): GuardedClock {
    const clock = new GuardedClock({
      wall: () => Math.floor(this.wall),
      elapsedMs: () => this.elapsedMs,
      warn: (message) => this.warnings.push(message),
    });
    Object.assign(clock, this.options);
    return clock;
  }

  /** Advances the time, reading it four times a second as a replica does. */
  pass(ms: number, clock = this.clock): number {
    for (let left = ms; left > 0; left -= 250) {
      this.elapsedMs += Math.min(250, left);
      this.wall += Math.min(250, left);
      clock.now();
    }
    return clock.now();
  }
}

test('it is the wall clock while that agrees with the monotonic clock', () => {
  const machine = new Machine();
  expect(machine.pass(90_000)).toBe(START + 90_000);
  expect([machine.clock.isOff, machine.warnings]).toEqual([false, []]);
});

test('a jump of 400 days for 0.6 s moves no time', () => {
  const machine = new Machine();
  machine.wall += 400 * DAY_MS;
  expect(machine.pass(600)).toBe(START + 600);
  expect(machine.clock.isOff).toBe(true);
  expect(machine.warnings).toHaveLength(1);
  expect(machine.warnings[0]).toContain('clock off: the machine');
  machine.wall -= 400 * DAY_MS;
  expect(machine.pass(1000)).toBe(START + 1600);
  expect(machine.clock.isOff).toBe(false);
});

test.each([1000, -1000, MAX_STEP_MS, -MAX_STEP_MS])('a step of %d ms passes', (stepMs) => {
  const machine = new Machine();
  machine.wall += stepMs;
  const before = machine.clock.now();
  expect(machine.clock.isOff).toBe(false);
  expect(before).toBeGreaterThanOrEqual(START);
  // Five seconds late, it has caught up after ten.
  expect(machine.pass(12_000)).toBe(machine.wall);
  expect(machine.warnings).toEqual([]);
});

test('a slew of 500 ppm passes for days, small steps that add up do not', () => {
  const machine = new Machine();
  for (let minute = 0; minute < 48 * 60; minute++) {
    machine.wall += 30;
    machine.pass(60_000);
  }
  expect([machine.clock.isOff, machine.clock.now()]).toEqual([false, machine.wall]);
  for (let step = 0; step < 10; step++) {
    machine.wall += 1000;
    machine.pass(1000);
  }
  expect(machine.clock.isOff).toBe(true);
});

test('a jump holds until it is confirmed, however long it lasts', () => {
  const machine = new Machine();
  machine.wall += DAY_MS;
  expect(machine.pass(7_200_000)).toBe(START + 7_200_000);
  expect(machine.clock.isOff).toBe(true);
  machine.clock.confirm();
  expect([machine.clock.isOff, machine.clock.now()]).toEqual([false, machine.wall]);
  expect(machine.pass(60_000)).toBe(machine.wall);
});

test('after a confirmed jump back time runs at half speed until the wall clock is there', () => {
  const machine = new Machine();
  machine.wall -= 60_000;
  expect(machine.pass(1000)).toBe(START + 1000);
  expect(machine.clock.isOff).toBe(true);
  machine.clock.confirm();
  expect(machine.pass(60_000)).toBe(START + 31_000);
  expect(machine.clock.isOff).toBe(false);
  expect(machine.pass(70_000)).toBe(machine.wall);
});

test('a node whose log is of the future keeps the time of the log, and warns', () => {
  const machine = new Machine();
  const logTime = START + 400 * DAY_MS;
  machine.clock.startAfter(logTime);
  expect(machine.pass(1000)).toBe(logTime + 1000);
  expect(machine.clock.isOff).toBe(true);
  expect(machine.warnings[0]).toContain('but the log has batches from 2027-02-09');
  machine.clock.confirm();
  expect(machine.clock.isOff).toBe(false);
  expect(machine.pass(2000)).toBe(logTime + 2000);
});

test('a clock that is corrected after the start needs no confirmation', () => {
  const machine = new Machine();
  // A machine may start in 1970 until it gets the network time.
  machine.clock.startAfter(START + 10 * DAY_MS);
  machine.pass(5000);
  machine.wall += 11 * DAY_MS;
  expect(machine.pass(250)).toBe(machine.wall);
  expect(machine.clock.isOff).toBe(false);
});

test('a node that was stopped for long starts at the wall clock, and warns after a month', () => {
  const machine = new Machine();
  machine.clock.startAfter(START - 29 * DAY_MS);
  expect([machine.clock.now(), machine.warnings]).toEqual([START, []]);
  machine.clock.startAfter(START - 31 * DAY_MS);
  expect([machine.clock.now(), machine.clock.isOff]).toEqual([START, false]);
  expect(machine.warnings[0]).toContain('newest batch of the log is from 2025-12-05');
});

test('a jump is accepted after ten stable seconds only if the node may do so', () => {
  const asked: number[] = [];
  const accepts = (offsetMs: number) => asked.push(offsetMs) > 0;
  const machine = new Machine({ accepts });
  machine.wall += 3_600_000;
  machine.pass(9000);
  // Another jump restarts the ten seconds.
  machine.wall += 3_600_000;
  expect(machine.pass(9750)).toBe(START + 18_750);
  expect([machine.clock.isOff, asked]).toEqual([true, []]);
  expect(machine.pass(500)).toBe(machine.wall);
  expect([machine.clock.isOff, asked]).toEqual([false, [7_200_000]]);
});

test('time goes back with an accepted jump only if the node may do so', () => {
  const machine = new Machine({ accepts: () => true, canGoBack: true });
  machine.wall -= 3_600_000;
  expect(machine.pass(9000)).toBe(START + 9000);
  expect(machine.pass(2000)).toBe(machine.wall);
});

test('a process that is paused between reading the two clocks sees no jump', () => {
  const machine = new Machine();
  let pauseMs = 60_000;
  const clock = new GuardedClock({
    wall: () => machine.wall,
    elapsedMs: () => {
      machine.elapsedMs += pauseMs;
      machine.wall += pauseMs;
      pauseMs = 0;
      return machine.elapsedMs;
    },
    warn: (message) => machine.warnings.push(message),
  });
  pauseMs = 60_000;
  clock.now();
  expect([clock.isOff, clock.now(), machine.warnings]).toEqual([false, machine.wall, []]);
});

test('whatever the wall clock does, time never goes back and never runs away', () => {
  const act = fc.oneof(
    fc.record({ pass: fc.integer({ min: 1, max: 20_000 }) }),
    fc.record({ jump: fc.integer({ min: -1e11, max: 1e11 }) }),
    fc.record({ jump: fc.integer({ min: -4000, max: 4000 }) }),
    fc.record({ confirm: fc.constant(true) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const machine = new Machine();
      let before = machine.clock.now();
      // The latest possible time: the confirmed one plus the time passed since.
      let latest = machine.wall;
      for (const one of acts) {
        if ('confirm' in one) {
          machine.clock.confirm();
          latest = Math.max(latest, machine.wall);
        } else if ('jump' in one) machine.wall += one.jump;
        else {
          machine.pass(one.pass);
          latest += one.pass;
        }
        const now = machine.clock.now();
        expect(Number.isSafeInteger(now)).toBe(true);
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThanOrEqual(latest + MAX_STEP_MS);
        before = now;
      }
    }),
  );
});
