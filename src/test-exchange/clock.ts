import type { Client } from '../client/index.ts';

/**
 * The pace of the time of an exchange: as fast as real time, only by `advance` and `until`, so many times as fast as real time,
 * or by so many milliseconds before each request.
 */
export type ClockMode =
  | 'real'
  | 'frozen'
  | { readonly speed: number }
  | { readonly stepMs: number };

/** The clock of an exchange, which everything in it follows. */
export class ExchangeClock {
  constructor(private readonly operator: Client) {}

  async now(): Promise<Date> {
    return toDate(await this.operator.getSandboxClock());
  }

  /**
   * Moves the time on and plays what is due, in order: expiries, deadlines, turns of the market makers.
   * @param ms At most 366 days.
   * @returns the time, once all of it has happened
   */
  async advance(ms: number): Promise<Date> {
    return toDate(await this.operator.setSandboxClock({ advanceMs: ms }));
  }

  /**
   * Like `advance`, to a time.
   * @throws ApiRequestError if the time is in the past: only a checkpoint returns to it
   */
  async until(time: Date | string | number): Promise<Date> {
    const until = time instanceof Date ? time.toISOString() : time;
    return toDate(await this.operator.setSandboxClock({ until }));
  }

  /** Changes how the time moves, from its present. */
  async set(mode: ClockMode): Promise<Date> {
    return toDate(await this.operator.setSandboxClock(toRequest(mode)));
  }
}

function toRequest(mode: ClockMode) {
  if (typeof mode === 'string') return { mode };
  if ('speed' in mode) return { mode: 'scaled', speed: mode.speed } as const;
  return { mode: 'stepped', advanceMs: mode.stepMs } as const;
}

function toDate({ timestamp }: { readonly timestamp: string }): Date {
  return new Date(timestamp);
}
