import { DAY_MS } from '../../config/durations.ts';
import type { Random } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { normal } from './random.ts';

/** Reversion of deviations from the reference: their half-life is three days. */
const REVERSION_PER_MINUTE = Math.LN2 / (3 * 1440);
/** Maximum deviation (logarithm): BTC stays between 108,000 and 128,000. */
const MAX_DEVIATION = 0.08;
/** Weight of ETH's and SOL's own moves; they share the remainder with BTC. */
const OWN_WEIGHT = 0.6;
/** Reversion of the activity to its average: the half-life is three hours. */
const COOLING_PER_MINUTE = Math.LN2 / 180;
const HEAT_NOISE_PER_MINUTE = 0.03;
/** Probability of a news event: about one in 12 hours. */
const NEWS_PER_MINUTE = 1 / 720;
const NEWS_HEAT = 0.8;
const MAX_HEAT = 1.3;

/** UTC hour at which both Europe and America trade. */
const BUSIEST_HOUR = 14.5;

/**
 * A mean-reverting random walk of the sandbox's prices, with calm and volatile periods and more activity by day
 * than at night. Deterministic for the same random numbers.
 */
export class Walk {
  /** Logarithm of the activity, 0 on average. */
  private heat = 0;
  /** Logarithms of the ratios of BTC's, ETH's and SOL's prices to their references. */
  private readonly deviations: [number, number, number];

  /** Multipliers of the moves of BTC, ETH and SOL. */
  readonly volatility: [number, number, number] = [1, 1, 1];

  /** @param prices Initial prices of BTC, ETH and SOL; by default their references. */
  constructor(
    private readonly random: Random,
    prices: readonly number[] = [],
  ) {
    const deviation = (coin: number) =>
      clamp(Math.log((prices[coin] ?? reference(coin)) / reference(coin)));
    this.deviations = [deviation(0), deviation(1), deviation(2)];
  }

  /**
   * Advances the walk.
   * @param minutes At most a few. @param time Milliseconds since 1970.
   * @param returnIn Minutes until the walk must be back at its references; by default it reverts slowly.
   */
  step(minutes: number, time: number, returnIn = Infinity): void {
    const { random, deviations } = this;
    const scale = Math.sqrt(minutes);
    this.heat +=
      HEAT_NOISE_PER_MINUTE * scale * normal(random) - this.heat * COOLING_PER_MINUTE * minutes;
    if (random() < NEWS_PER_MINUTE * minutes) this.heat += NEWS_HEAT;
    this.heat = Math.min(MAX_HEAT, Math.max(-MAX_HEAT, this.heat));
    const size = scale * this.activity(time);
    const reversion = Math.min(1, minutes * Math.max(REVERSION_PER_MINUTE, 1 / returnIn));
    const shared = normal(random);
    for (let coin = 0; coin < deviations.length; coin++) {
      const ownWeight = coin === 0 ? 0 : OWN_WEIGHT;
      const move = Math.sqrt(1 - ownWeight * ownWeight) * shared + ownWeight * normal(random);
      const { minuteMove } = MAKER_MARKETS[coin]!;
      const before = deviations[coin]!;
      const change = minuteMove * size * move * this.volatility[coin]!;
      deviations[coin] = reflect(before - before * reversion + change);
    }
  }

  /** The state from which a walk continues. */
  get state(): WalkState {
    return { heat: this.heat, deviations: [...this.deviations] };
  }

  /** Continues from an earlier walk. */
  restore({ heat, deviations }: WalkState): void {
    this.heat = heat;
    for (let coin = 0; coin < 3; coin++) this.deviations[coin] = deviations[coin]!;
  }

  /** Returns the market activity, 1 on average. */
  activity(time: number): number {
    return Math.exp(this.heat) * timeOfWeekFactor(time);
  }

  /** Returns a market's fair price. @param market Index. */
  fair(market: number): number {
    if (market < 3) return reference(market) * Math.exp(this.deviations[market]!);
    // ETH/BTC follows from the other markets, so that there is no arbitrage.
    return this.fair(1) / this.fair(0);
  }
}

export interface WalkState {
  readonly heat: number;
  readonly deviations: readonly number[];
}

/** Returns the activity by time of day and weekday, about 1 on average. */
function timeOfWeekFactor(time: number): number {
  const hour = ((time % DAY_MS) / DAY_MS) * 24;
  // 1970 began on a Thursday.
  const weekday = (Math.floor(time / DAY_MS) + 4) % 7;
  const isWeekend = weekday === 0 || weekday === 6;
  return (isWeekend ? 0.7 : 1.05) * (1 + 0.35 * Math.cos(((hour - BUSIEST_HOUR) / 12) * Math.PI));
}

function reference(coin: number): number {
  return MAKER_MARKETS[coin]!.reference;
}

function clamp(deviation: number): number {
  return Math.min(MAX_DEVIATION, Math.max(-MAX_DEVIATION, deviation));
}

/** Reflects a step beyond the maximum deviation back inside. */
function reflect(deviation: number): number {
  const over = Math.abs(deviation) - MAX_DEVIATION;
  return over > 0 ? clamp(Math.sign(deviation) * (MAX_DEVIATION - over)) : deviation;
}
