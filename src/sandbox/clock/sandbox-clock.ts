import type { MachineClock } from '../../monitoring/clock.ts';

/**
 * The way a sandbox's time moves.
 *
 * - `real`: as fast as the machine's clock.
 * - `frozen`: only when a request advances it.
 * - `stepped`: by a fixed time before each request.
 * - `scaled`: faster or slower than the machine's clock.
 */
export type ClockMode = 'real' | 'frozen' | 'stepped' | 'scaled';

/** The time of a checkpoint. */
interface ResumedTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly clock: { readonly mode: ClockMode };
  readonly isMachineTime: boolean;
}

/**
 * The clock of a sandbox: the machine's, or a virtual one that its `ClockControl` moves. It never goes back and jumps
 * nowhere: a virtual clock that becomes real continues from its own time.
 */
export class SandboxClock implements MachineClock {
  /** Whether the time moves only by `moveTo`. */
  isVirtual: boolean;
  /** The virtual time, milliseconds since 1970. */
  private time = 0;
  /** The time by which a real clock differs from the machine's, milliseconds. */
  private aheadMs = 0;

  /** @param start The first time of a virtual clock; undefined for a real one. */
  constructor(
    private readonly machine: MachineClock,
    start: number | undefined,
  ) {
    this.isVirtual = start !== undefined;
    this.time = start ?? 0;
  }

  readonly now = (): number => (this.isVirtual ? this.time : this.machine.now() + this.aheadMs);

  /** Continues from the newest batch of the log, which may be of a virtual time. */
  startAfter(logTime: number): void {
    if (this.isVirtual) this.time = logTime === 0 ? this.time : logTime;
    else {
      this.aheadMs = Math.max(0, logTime - this.machine.now());
      this.machine.startAfter(Math.min(logTime, this.machine.now()));
    }
  }

  /** Moves a virtual clock. @param time Not before the present. */
  moveTo(time: number): void {
    this.time = Math.max(this.time, time);
  }

  /** Stops the clock at the present, from where only `moveTo` moves it. */
  becomeVirtual(): void {
    this.time = this.now();
    this.isVirtual = true;
  }

  /** Continues from the present as fast as the machine's clock. */
  becomeReal(): void {
    if (!this.isVirtual) return;
    this.aheadMs = this.time - this.machine.now();
    this.isVirtual = false;
  }

  /** Continues from the time of a checkpoint, unless the clock was the machine's then. */
  resume({ time, clock, isMachineTime }: ResumedTime): void {
    this.isVirtual = true;
    this.time = isMachineTime ? Math.max(time, this.machine.now()) : time;
    if (clock.mode === 'real') this.becomeReal();
  }

  /** Whether the time is that of the machine's clock. */
  get isMachineTime(): boolean {
    return !this.isVirtual && this.aheadMs === 0;
  }

  /** A jump of the machine's clock does not matter to a virtual one. */
  get isOff(): boolean {
    return !this.isVirtual && this.machine.isOff;
  }

  get wallMs(): number {
    return this.machine.wallMs;
  }

  /** The machine's clock minus the sandbox's that follows it; 0 while it is virtual. */
  get offsetMs(): number {
    return this.isVirtual ? 0 : this.machine.offsetMs;
  }

  confirm(): void {
    this.machine.confirm();
  }

  watch(): () => void {
    return this.machine.watch();
  }
}
