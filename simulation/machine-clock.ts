import type { Batch } from '../src/log/log.ts';
import { GuardedClock, MAX_STEP_MS } from '../src/monitoring/clock.ts';
import type { Coverage } from './coverage.ts';
import { check } from './failure.ts';
import { below, type Random } from './random.ts';
import type { Schedule } from './schedule.ts';

/** Maximum time until a clock that jumped is corrected, unless it is confirmed. */
const MAX_WRONG_MS = 2000;

/**
 * The clocks of the simulated computer. The wall clock jumps, and is either confirmed at once or corrected soon after.
 * No batch may have a time from an unconfirmed jump.
 */
export class MachineClock {
  private jumpedMs = 0;
  /** The part of the jumps that will be corrected. */
  private wrongMs = 0;
  /** The clock of the running process. */
  private clock: GuardedClock | undefined;
  /** The latest correct time, minus the simulated time at which it was read. */
  private latest = Number.NEGATIVE_INFINITY;
  private batchTime = 0;

  constructor(
    private readonly start: number,
    private readonly schedule: Schedule,
    private readonly random: Random,
    private readonly coverage: Coverage,
  ) {}

  /** The time of the running process; the wall clock while none runs. */
  get now(): number {
    return this.clock?.now() ?? this.wall;
  }

  /** Returns the clock of a starting process, after correcting the wall clock. */
  newClock(): GuardedClock {
    this.correct();
    this.clock = new GuardedClock({
      wall: () => this.wall,
      elapsedMs: () => this.schedule.elapsedMs,
      warn: () => this.coverage.count('clock', 'warned'),
    });
    this.trustWall();
    return this.clock;
  }

  /** Makes the wall clock jump. */
  jump(byMs: number): void {
    this.jumpedMs += byMs;
    if (below(2, this.random) === 0) {
      // The operator confirms the wall clock, so it has to be correct.
      this.correct();
      this.clock?.confirm();
      this.trustWall();
      this.coverage.count('clock', 'confirmed');
      return;
    }
    this.wrongMs += byMs;
    this.schedule.after(this, below(MAX_WRONG_MS, this.random), 'clock set right', () => {
      this.correct();
      this.coverage.count('clock', 'corrected');
    });
  }

  /** Checks the time of a durable batch. */
  note({ time, sequence }: Batch): void {
    const isNew = time > this.batchTime;
    this.batchTime = time;
    const latest = this.latest + this.schedule.elapsedMs + MAX_STEP_MS;
    check(
      !isNew || time <= latest,
      `batch ${sequence} has the time ${time}, ${time - latest} ms later than any correct clock`,
    );
  }

  private get wall(): number {
    return this.start + this.schedule.elapsedMs + this.jumpedMs;
  }

  private correct(): void {
    this.jumpedMs -= this.wrongMs;
    this.wrongMs = 0;
  }

  private trustWall(): void {
    this.latest = Math.max(this.latest, this.wall - this.schedule.elapsedMs);
  }
}
