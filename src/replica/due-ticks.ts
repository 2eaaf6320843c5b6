import { CommandKind, type Tick } from '../engine/command.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Timers } from './timers.ts';

export interface DueTicksOptions {
  readonly exchange: Exchange;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Submits a tick; `done` is called once it was applied or rejected. */
  readonly submit: (tick: Tick, done: () => void) => void;
  /** Whether a batch is in flight, which advances time as well. */
  readonly isAppending: () => boolean;
  /** Lag of the archivist, milliseconds. */
  readonly lagMs: () => number;
}

/** Maximum delay of a timer. The replica checks again within this time even if its clock jumps. */
const MAX_DELAY_MS = 250;
/** Minimum interval of ticks: the time of a clustered log may lag this node's clock. */
const MIN_INTERVAL_MS = 20;
/** Archivist lag at which remaining work is postponed; at four times this, orders are rejected. */
const MAX_LAG_MS = 500;

/**
 * Appends a tick when an expiry or deadline is reached and no command advances time, and at once while work remains for
 * further portions. Appends nothing while nothing is due.
 */
export class DueTicks {
  private isSubmitted = false;
  /** When the next timer fires. */
  private firesAt = Number.POSITIVE_INFINITY;
  private lastTickAt = 0;

  constructor(private readonly options: DueTicksOptions) {}

  /** Checks for due work. Must be called after every batch, and regularly because clocks may jump. */
  check(): void {
    const { exchange, now, isAppending, lagMs } = this.options;
    if (this.isSubmitted) return;
    const due = exchange.nextDueTime;
    if (due === Number.POSITIVE_INFINITY) return;
    const time = now();
    if (due <= exchange.state.time) {
      if (lagMs() > MAX_LAG_MS) {
        this.schedule(time + MIN_INTERVAL_MS, time);
        return;
      }
      // Requests that arrived in the meantime are in the same batch, or in the one in flight.
      if (!isAppending() || time <= exchange.state.time) this.tick(time);
      return;
    }
    const at = Math.max(due, this.lastTickAt + MIN_INTERVAL_MS);
    if (at > time) this.schedule(at, time);
    else if (!isAppending()) this.tick(time);
  }

  private tick(time: number): void {
    this.isSubmitted = true;
    this.lastTickAt = time;
    this.options.submit({ kind: CommandKind.tick }, () => {
      this.isSubmitted = false;
    });
  }

  private schedule(at: number, time: number): void {
    if (at - time > MAX_DELAY_MS || at >= this.firesAt) return;
    this.firesAt = at;
    this.options.timers.after(at - time, () => {
      if (this.firesAt === at) this.firesAt = Number.POSITIVE_INFINITY;
      this.check();
    });
  }
}
