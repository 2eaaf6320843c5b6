import { DAY_MS } from '../../config/durations.ts';
import type { Random } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { normal } from './random.ts';

/** Half of a deviation is gone after three days: the walk stays about its reference. */
const REVERSION_PER_MINUTE = Math.LN2 / (3 * 1440);
/** Where the walk turns round, so that BTC stays between 108,000 and 128,000. */
const FURTHEST = 0.08;
/** Of the moves of ETH and SOL, this much is their own; the rest they share with BTC. */
const OWN_PART = 0.6;
/** Excitement fades to half in three hours. */
const COOLING_PER_MINUTE = Math.LN2 / 180;
const RESTLESSNESS_PER_MINUTE = 0.03;
/** Once in half a day something happens. */
const NEWS_PER_MINUTE = 1 / 720;
const NEWS_HEAT = 0.8;
const HOTTEST = 1.3;

/** When Europe and America both trade. */
const BUSIEST_HOUR = 14.5;

/**
 * A random walk of the sandbox's prices about their references: mean-reverting, calm and excited in
 * turns, busier by day than at night. The same random numbers give the same walk.
 */
export class Walk {
  /** Logarithm of the activity, 0 on average. */
  private heat = 0;
  /** Logarithms of BTC's, ETH's and SOL's prices over their references. */
  private readonly deviations: [number, number, number];

  /** @param prices What BTC, ETH and SOL cost at the start; their references unless given. */
  constructor(
    private readonly random: Random,
    prices: readonly number[] = [],
  ) {
    const deviation = (coin: number) =>
      clamped(Math.log((prices[coin] ?? reference(coin)) / reference(coin)));
    this.deviations = [deviation(0), deviation(1), deviation(2)];
  }

  /**
   * Lets `minutes` pass, a few at most; `time` is milliseconds since 1970.
   * @param homeIn Minutes until the walk is to be at its references; unless given, it is drawn there
   * but slowly.
   */
  step(minutes: number, time: number, homeIn = Infinity): void {
    const { random, deviations } = this;
    const scale = Math.sqrt(minutes);
    this.heat +=
      RESTLESSNESS_PER_MINUTE * scale * normal(random) - this.heat * COOLING_PER_MINUTE * minutes;
    if (random() < NEWS_PER_MINUTE * minutes) this.heat += NEWS_HEAT;
    this.heat = Math.min(HOTTEST, Math.max(-HOTTEST, this.heat));
    const size = scale * this.activity(time);
    const reversion = Math.min(1, minutes * Math.max(REVERSION_PER_MINUTE, 1 / homeIn));
    const shared = normal(random);
    for (let coin = 0; coin < deviations.length; coin++) {
      const own = coin === 0 ? 0 : OWN_PART;
      const move = Math.sqrt(1 - own * own) * shared + own * normal(random);
      const { minuteMove } = MAKER_MARKETS[coin]!;
      const before = deviations[coin]!;
      deviations[coin] = turned(before - before * reversion + minuteMove * size * move);
    }
  }

  /** How lively the market is: 1 on average. */
  activity(time: number): number {
    return Math.exp(this.heat) * rhythm(time);
  }

  /** What a market is worth, in its quote. @param market Index. */
  fair(market: number): number {
    if (market < 3) return reference(market) * Math.exp(this.deviations[market]!);
    // Of what the other markets say, so that nobody gains by going round.
    return this.fair(1) / this.fair(0);
  }
}

/** The rhythm of day and night, and of weekends. */
function rhythm(time: number): number {
  const hour = ((time % DAY_MS) / DAY_MS) * 24;
  // 1970 began on a Thursday.
  const weekday = (Math.floor(time / DAY_MS) + 4) % 7;
  const isWeekend = weekday === 0 || weekday === 6;
  return (isWeekend ? 0.7 : 1.05) * (1 + 0.35 * Math.cos(((hour - BUSIEST_HOUR) / 12) * Math.PI));
}

function reference(coin: number): number {
  return MAKER_MARKETS[coin]!.reference;
}

function clamped(deviation: number): number {
  return Math.min(FURTHEST, Math.max(-FURTHEST, deviation));
}

/** A step over the edge leads back inside. */
function turned(deviation: number): number {
  const over = Math.abs(deviation) - FURTHEST;
  return over > 0 ? clamped(Math.sign(deviation) * (FURTHEST - over)) : deviation;
}
