import { CommandKind, type Tick } from '../engine/command.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Timers } from './timers.ts';

export interface DueTicksOptions {
  readonly exchange: Exchange;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Sends a tick on its way; `done` is called once it was applied, or never will be. */
  readonly submit: (tick: Tick, done: () => void) => void;
  /** Whether a batch is on its way: time passes with it. */
  readonly isAppending: () => boolean;
  /** How far the archivist is behind, milliseconds. */
  readonly lagMs: (now: number) => number;
}

/** How far ahead a timer is set; the replica looks again within this time, whatever becomes of its clock. */
const MAX_AIM_MS = 250;
/** Ticks that only let time pass come no closer: the time of a shared log may be behind this node's clock. */
const MIN_INTERVAL_MS = 20;
/** Work that is left waits for an archivist that is further behind: at four times this orders are refused. */
const MAX_LAG_MS = 500;

/**
 * Appends a tick when a date or deadline comes and no command does, and at once while work is left for
 * further portions. Appends nothing while nothing is due.
 */
export class DueTicks {
  private isUnderWay = false;
  /** When the next timer goes off. */
  private aimedAt = Number.POSITIVE_INFINITY;
  private lastTickAt = 0;

  constructor(private readonly options: DueTicksOptions) {}

  /** Looks at what is due: after every batch, and regularly, for clocks may jump. */
  look(): void {
    const { exchange, now, isAppending, lagMs } = this.options;
    if (this.isUnderWay) return;
    const due = exchange.nextDueTime;
    if (due === Number.POSITIVE_INFINITY) return;
    const time = now();
    if (due <= exchange.state.time) {
      if (lagMs(time) > MAX_LAG_MS) {
        this.aim(time + MIN_INTERVAL_MS, time);
        return;
      }
      // Requests that came meanwhile are in the same batch, or in the one that is on its way.
      if (!isAppending() || time <= exchange.state.time) this.tick(time);
      return;
    }
    const at = Math.max(due, this.lastTickAt + MIN_INTERVAL_MS);
    if (at > time) this.aim(at, time);
    else if (!isAppending()) this.tick(time);
  }

  private tick(time: number): void {
    this.isUnderWay = true;
    this.lastTickAt = time;
    this.options.submit({ kind: CommandKind.tick }, () => {
      this.isUnderWay = false;
    });
  }

  private aim(at: number, time: number): void {
    if (at - time > MAX_AIM_MS || at >= this.aimedAt) return;
    this.aimedAt = at;
    this.options.timers.after(at - time, () => {
      if (this.aimedAt === at) this.aimedAt = Number.POSITIVE_INFINITY;
      this.look();
    });
  }
}
