import type { Batch } from '../src/log/log.ts';
import { GuardedClock, MAX_STEP_MS } from '../src/monitoring/clock.ts';
import type { Coverage } from './coverage.ts';
import { check } from './failure.ts';
import { below, type Random } from './random.ts';
import type { Schedule } from './schedule.ts';

/** A clock that jumped is set right within so long, unless it is confirmed. */
const SET_RIGHT_MS = 2000;

/**
 * The clocks of the simulated computer: the wall clock jumps, and is either confirmed at once or set right a little later.
 * No batch may have a time that nobody has confirmed.
 */
export class MachineClock {
  private jumpedMs = 0;
  /** Of the jumps, those that will be taken back. */
  private wrongMs = 0;
  /** The clock of the process that runs. */
  private clock: GuardedClock | undefined;
  /** The latest time that was right, less the simulated time at which it was. */
  private latest = Number.NEGATIVE_INFINITY;
  private batchTime = 0;

  constructor(
    private readonly start: number,
    private readonly schedule: Schedule,
    private readonly random: Random,
    private readonly coverage: Coverage,
  ) {}

  /** The time that the process goes by; the wall clock while none runs. */
  get now(): number {
    return this.clock?.now() ?? this.wall;
  }

  /** For a process that starts, with a wall clock that is right. */
  newClock(): GuardedClock {
    this.setRight();
    this.clock = new GuardedClock({
      wall: () => this.wall,
      elapsedMs: () => this.schedule.elapsedMs,
      warn: () => this.coverage.count('clock', 'warned'),
    });
    this.trustWall();
    return this.clock;
  }

  /** The wall clock jumps. */
  jump(byMs: number): void {
    this.jumpedMs += byMs;
    if (below(2, this.random) === 0) {
      // The operator confirms what the machine says, so it has to be right.
      this.setRight();
      this.clock?.confirm();
      this.trustWall();
      this.coverage.count('clock', 'confirmed');
      return;
    }
    this.wrongMs += byMs;
    this.schedule.after(this, below(SET_RIGHT_MS, this.random), 'clock set right', () => {
      this.setRight();
      this.coverage.count('clock', 'set right');
    });
  }

  /** Checks the time of a batch that has become durable. */
  note({ time, sequence }: Batch): void {
    const isNew = time > this.batchTime;
    this.batchTime = time;
    const latest = this.latest + this.schedule.elapsedMs + MAX_STEP_MS;
    check(
      !isNew || time <= latest,
      `batch ${sequence} has the time ${time}, ${time - latest} ms later than the clock was ever right`,
    );
  }

  private get wall(): number {
    return this.start + this.schedule.elapsedMs + this.jumpedMs;
  }

  private setRight(): void {
    this.jumpedMs -= this.wrongMs;
    this.wrongMs = 0;
  }

  private trustWall(): void {
    this.latest = Math.max(this.latest, this.wall - this.schedule.elapsedMs);
  }
}
