import type { ClockMode } from './clock.ts';

/** Options of `startExchange`. */
export interface ExchangeOptions {
  /** Seed of keys, ids and market makers, 0 to 4294967295; default 1. */
  readonly seed?: number;
  /** The pace of the time; `frozen` by default. */
  readonly clock?: ClockMode;
  /** First time of a clock that is not real; default 2026-01-01T00:00:00Z. */
  readonly clockStart?: Date | string;
  /** Whether market makers trade, after thirty days of trading; default false. */
  readonly makers?: boolean;
  /** Rate limits; default `off`. */
  readonly rateLimits?: 'spec' | '10x' | 'off';
  /** More settings of `buttonwood start`, by the names of their flags: `{ 'hmac-keys': 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Settings that a test exchange chooses itself. */
const OWN_SETTINGS = ['port', 'host', 'data', 'log', 'database', 'tls-cert', 'tls-key'];

/**
 * Returns the flags of `buttonwood start` that decide what a new exchange contains.
 * @throws RangeError for a setting that a test exchange chooses itself
 */
export function toFlags(options: ExchangeOptions): string[] {
  const { seed = 1, clock = 'frozen', clockStart, makers = false, rateLimits = 'off' } = options;
  const { settings = {} } = options;
  const own = OWN_SETTINGS.find((name) => name in settings);
  if (own !== undefined) throw new RangeError(`A test exchange chooses the setting ${own} itself.`);
  const flags = {
    seed: `${seed}`,
    clock: toClockFlag(clock),
    ...(clockStart === undefined ? {} : { 'clock-start': new Date(clockStart).toISOString() }),
    makers: makers ? 'on' : 'off',
    'rate-limits': rateLimits,
    ...settings,
  };
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

function toClockFlag(clock: ClockMode): string {
  if (typeof clock === 'string') return clock;
  // A stepped clock is frozen until its mode is set.
  return 'speed' in clock ? `${clock.speed}x` : 'frozen';
}
