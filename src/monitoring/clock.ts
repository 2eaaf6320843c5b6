/**
 * Largest difference between wall clock and monotonic clock that counts as a correction: more than a leap second, an
 * hour of slewing (1.8 s at 500 ppm) or clock drift, less than any order's deadline should move.
 */
export const MAX_STEP_MS = 5000;
/** Corrections are summed over this time, so that many small steps count as one jump. */
const COUNTED_MS = 3_600_000;
/** The time for which a jumped wall clock must be stable before a node may accept it without an operator. */
const STABLE_MS = 10_000;
/** Maximum time between reads of the two clocks; their difference is meaningless beyond it. */
const MAX_READ_MS = 100;
const CHECK_EVERY_MS = 250;

/** The clock of a node. */
export interface NodeClock {
  /** Whole milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the machine's wall clock has jumped and the jump is not confirmed. */
  readonly isOff: boolean;
  /** The machine's wall clock, milliseconds since 1970. */
  readonly wallMs: number;
  /** Trusts the wall clock from now on. */
  confirm(): void;
}

/** The clock of a process, which a node starts and watches. */
export interface MachineClock extends NodeClock {
  /** The wall clock minus the node's time, milliseconds. */
  readonly offsetMs: number;
  /** Starts from the time of the newest batch in the log, 0 if there is none. */
  startAfter(logTime: number): void;
  /** Checks the clock regularly. @returns a function that stops it */
  watch(): () => void;
}

export interface ClockOptions {
  /** The machine's clock, milliseconds since 1970. */
  readonly wall?: () => number;
  /** The monotonic clock, milliseconds since an arbitrary start. */
  readonly elapsedMs?: () => number;
  readonly warn: (message: string) => void;
}

/**
 * The wall clock, checked against the monotonic clock. While they agree, its time is that of the wall clock. When the
 * wall clock jumps, time advances with the monotonic clock until the jump is reverted or confirmed. Time never goes back:
 * while it is ahead of a trusted wall clock, it runs at half speed.
 */
export class GuardedClock implements MachineClock {
  /**
   * Whether to accept a wall clock that jumped by `offsetMs`, once the difference has been stable for ten
   * seconds. By default only `confirm` does.
   */
  accepts: (offsetMs: number) => boolean = () => false;
  /** Whether time may go back when a jump is accepted: the log of a cluster has a time of its own. */
  canGoBack = false;
  private readonly wall: () => number;
  private readonly elapsedMs: () => number;
  private time: number;
  private readAtMs: number;
  /** Both clocks at the time when they last agreed. */
  private agreed: { readonly wall: number; readonly elapsedMs: number };
  /** The current jump: when it was first seen, and how far it goes. */
  private jump: { readonly sinceMs: number; readonly offsetMs: number } | undefined;
  /** The log is ahead of the wall clock, which has not been right since the start. */
  private isBehindLog = false;

  constructor(private readonly options: ClockOptions) {
    this.wall = options.wall ?? Date.now;
    this.elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.readAtMs = this.elapsedMs();
    this.time = this.wall();
    this.agreed = { wall: this.time, elapsedMs: this.readAtMs };
  }

  /** Starts from the time of the newest batch in the log, 0 if there is none. */
  startAfter(logTime: number): void {
    const now = this.now();
    if (logTime - now > MAX_STEP_MS) {
      this.isBehindLog = true;
      this.agreed = { wall: logTime, elapsedMs: this.elapsedMs() };
      this.time = logTime;
      this.now();
      return;
    }
    this.time = Math.max(this.time, logTime);
    if (logTime > 0 && now - logTime > LONG_STOP_MS) {
      this.options.warn(
        `The newest batch of the log is from ${text(logTime)}, and this machine's clock reads ${text(now)}. If the clock is wrong, ` +
          'stop this node before it accepts orders and set the clock, because time in the log never goes back.',
      );
    }
  }

  readonly now = (): number => {
    let wall = this.wall();
    let elapsedMs = this.elapsedMs();
    let offsetMs = this.offsetAt(wall, elapsedMs);
    // The process may have been suspended between reading the two clocks.
    if (Math.abs(offsetMs) > MAX_STEP_MS) {
      ({ wall, elapsedMs } = this.readTogether());
      offsetMs = this.offsetAt(wall, elapsedMs);
    }
    const stepMs = Math.max(0, elapsedMs - this.readAtMs);
    this.readAtMs = elapsedMs;
    const isOff = Math.abs(offsetMs) > MAX_STEP_MS;
    this.time += isOff ? stepMs : stepMs / 2;
    if (!isOff || this.mayAccept(wall, elapsedMs, offsetMs)) {
      if (this.jump !== undefined) this.noteAgreement(wall);
      if (elapsedMs - this.agreed.elapsedMs > COUNTED_MS) this.agreed = { wall, elapsedMs };
      this.time = Math.max(wall, this.time);
    }
    return Math.floor(this.time);
  };

  /** Checks the clocks regularly, so that a jump is reported even without requests. @returns a function that stops it */
  watch(): () => void {
    const timer = setInterval(this.now, CHECK_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  get isOff(): boolean {
    this.now();
    return this.jump !== undefined;
  }

  get wallMs(): number {
    return this.wall();
  }

  /** The wall clock minus the node's time, milliseconds. */
  get offsetMs(): number {
    const now = this.now();
    return this.wall() - now;
  }

  confirm(): void {
    this.accept(this.readTogether());
    this.now();
  }

  private mayAccept(wall: number, elapsedMs: number, offsetMs: number): boolean {
    const isNew = this.jump === undefined;
    if (isNew || Math.abs(offsetMs - this.jump!.offsetMs) > MAX_STEP_MS) {
      this.jump = { sinceMs: elapsedMs, offsetMs };
    }
    if (isNew) this.options.warn(this.isBehindLog ? this.behindText(wall) : this.jumpText(wall));
    const isStable = elapsedMs - this.jump!.sinceMs >= STABLE_MS;
    // A clock that was corrected after the start counts like one that was correct at the start.
    const isSet = this.isBehindLog && offsetMs > 0;
    if (!isSet && !(isStable && this.accepts(wall - this.time))) return false;
    this.accept({ wall, elapsedMs });
    return true;
  }

  private accept(now: { readonly wall: number; readonly elapsedMs: number }): void {
    this.agreed = now;
    if (this.canGoBack) this.time = Math.min(this.time, now.wall);
  }

  private noteAgreement(wall: number): void {
    this.jump = undefined;
    this.isBehindLog = false;
    this.options.warn(`This node uses the machine's clock again, which reads ${text(wall)}.`);
  }

  /** Returns by how much the wall clock has diverged from the monotonic clock. */
  private offsetAt(wall: number, elapsedMs: number): number {
    return wall - this.agreed.wall - (elapsedMs - this.agreed.elapsedMs);
  }

  private readTogether() {
    for (;;) {
      const beforeMs = this.elapsedMs();
      const wall = this.wall();
      const elapsedMs = this.elapsedMs();
      if (elapsedMs - beforeMs <= MAX_READ_MS) return { wall, elapsedMs };
    }
  }

  private jumpText(wall: number): string {
    return (
      `clock off: the machine's clock jumped from ${text(this.time)} to ${text(wall)}. This node keeps its own time and rejects ` +
      `orders and keys that expire. Correct the clock; ${CONFIRM}`
    );
  }

  private behindText(wall: number): string {
    return (
      `clock off: the machine's clock reads ${text(wall)}, but the log has batches from ${text(this.agreed.wall)}. This node continues ` +
      `from there and rejects orders and keys that expire. Correct the clock; ${CONFIRM}`
    );
  }
}

const CONFIRM = 'if it is right, confirm it with "buttonwood clock confirm".';
/** A stop longer than this is unusual enough for a warning: the clock may be wrong. */
const LONG_STOP_MS = 30 * 24 * 3_600_000;

function text(time: number): string {
  const isDate = Math.abs(time) <= 8.64e15;
  return isDate ? new Date(time).toISOString() : `${time} ms`;
}
