import { z } from 'zod';

/** The first time of a new sandbox whose clock is not real: the same on every machine, so that runs can be compared. */
export const DEFAULT_CLOCK_START = '2026-01-01T00:00:00Z';
/** A higher speed would not be reached. */
export const MAX_CLOCK_SPEED = 1_000_000;

/** The way the time of a sandbox moves from its start. */
export interface ClockConfig {
  readonly mode: 'real' | 'frozen' | 'scaled';
  /** The time of a scaled clock per real time. */
  readonly speed: number;
}

export const clockSchema = z
  .string()
  .transform((given, context): ClockConfig => {
    if (given === 'real' || given === 'frozen') return { mode: given, speed: 1 };
    const speed = /^\d+(\.\d+)?x$/.test(given) ? Number(given.slice(0, -1)) : 0;
    if (speed > 0 && speed <= MAX_CLOCK_SPEED) return { mode: 'scaled', speed };
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe('real, frozen, or a speed from above 0x to 1000000x such as 60x');

export const timeSchema = z
  .string()
  .transform((given, context) => {
    const time = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : NaN;
    if (time > 0) return time;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe('a time after 1970 with its zone, such as 2026-01-01T00:00:00Z');
