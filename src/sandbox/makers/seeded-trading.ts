import { MINUTE_MS } from '../../config/durations.ts';
import type { Command } from '../../engine/command.ts';
import { oppositeSide, Side, TimeInForce } from '../../engine/terms.ts';
import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import { placeLimit } from '../limit-orders.ts';
import { AMOUNT_DECIMALS } from '../sandbox.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { Walk } from './price-walk.ts';
import { lognormal } from './random.ts';

const DAY_MINUTES = 1440;
export const HISTORY_MINUTES = 30 * DAY_MINUTES;
/** The last day has more trades, and each market its own timestamps, because charts show it in detail. */
const DETAILED_MINUTES = DAY_MINUTES;
/** The last two days, in which the walk returns to its reference prices. */
const RETURN_MINUTES = 2 * DAY_MINUTES;

/** Commands with the same timestamp. */
export interface TimedCommands {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly commands: readonly Command[];
}

/** The indexes of the market makers' accounts. */
export interface MakerIds {
  readonly maker: number;
  readonly taker: number;
}

/**
 * Yields thirty days of trading between the market makers' accounts in order of time, with trades in nearly
 * every minute of every market. Leaves no order open. Deterministic for a seed and start.
 * @param start Milliseconds since 1970, the start of a minute.
 */
export function* seededTrading(
  seed: number,
  start: number,
  makers: MakerIds,
): Generator<TimedCommands> {
  const random = seededRandom(seed);
  const walk = new Walk(random);
  const trader = new SeededTrader(random, makers);
  let previous = MAKER_MARKETS.map((_, market) => walk.fair(market));
  for (let minute = 0; minute < HISTORY_MINUTES; minute++) {
    const left = HISTORY_MINUTES - minute;
    const time = start + minute * MINUTE_MS;
    walk.step(1, time, left <= RETURN_MINUTES ? left : Infinity);
    const fairs = MAKER_MARKETS.map((_, market) => walk.fair(market));
    const activity = walk.activity(time);
    const isDetailed = left <= DETAILED_MINUTES;
    const timed = MAKER_MARKETS.flatMap((_, market) => {
      const commands = trader.minute(
        market,
        previous[market]!,
        fairs[market]!,
        activity,
        isDetailed,
      );
      return commands.length === 0 ? [] : [{ time, commands }];
    });
    if (isDetailed) yield* scattered(timed, random);
    else yield* together(timed, time + Math.floor(random() * MINUTE_MS));
    previous = fairs;
  }
}

/** Merges all markets into one batch, because a batch costs as much as several orders. */
function together(timed: readonly TimedCommands[], time: number): TimedCommands[] {
  if (timed.length === 0) return [];
  return [{ time, commands: timed.flatMap(({ commands }) => commands) }];
}

/** Gives each market its own random timestamp within the minute. */
function scattered(timed: readonly TimedCommands[], random: Random): TimedCommands[] {
  return timed
    .map(({ time, commands }) => ({ time: time + Math.floor(random() * MINUTE_MS), commands }))
    .sort((a, b) => a.time - b.time);
}

/** One step of a minute's trading: the taker takes the maker's quotes at these prices. */
interface Sweep {
  readonly side: Side;
  /** In ticks, best for the taker first. */
  readonly prices: readonly number[];
}

class SeededTrader {
  constructor(
    private readonly random: Random,
    private readonly makers: MakerIds,
  ) {}

  /** Returns a market's commands in a minute in which its fair price moved between two prices. */
  minute(
    market: number,
    from: number,
    to: number,
    activity: number,
    isDetailed: boolean,
  ): Command[] {
    const { random } = this;
    const { minuteVolume } = MAKER_MARKETS[market]!;
    // Now and then a market has no trades in a minute.
    if (random() < 0.005) return [];
    const sweeps = this.sweeps(market, from, to, isDetailed);
    const trades = sweeps.reduce((sum, { prices }) => sum + prices.length, 0);
    const volume = minuteVolume * activity * lognormal(random, 0.8);
    return sweeps.flatMap((sweep) => this.commands(market, sweep, volume / trades));
  }

  private sweeps(market: number, from: number, to: number, isDetailed: boolean): Sweep[] {
    const { random } = this;
    const { halfSpread, minuteMove, priceDecimals } = MAKER_MARKETS[market]!;
    const side =
      to > from ? Side.buy : to < from ? Side.sell : random() < 0.5 ? Side.buy : Side.sell;
    const sign = side === Side.buy ? 1 : -1;
    const ticks = (price: number) => Math.round(price * 10 ** priceDecimals);
    const last = ticks(to * (1 + sign * halfSpread));
    const first = ticks(from + (to - from) * random() * 0.6);
    const chance = random();
    if (!isDetailed && chance < 0.75) return [{ side, prices: [last] }];
    const main = { side, prices: sign * (last - first) > 0 ? [first, last] : [last] };
    if (!isDetailed && chance < 0.95) return [main];
    // A wick against the minute's direction, and one beyond its close.
    const wick = () => minuteMove * lognormal(random, 0.7) * 0.6;
    const other = oppositeSide(side);
    const against = ticks(from * (1 - sign * wick()));
    const beyond = ticks(to * (1 + sign * (halfSpread + wick())));
    const back = ticks(to * (1 - sign * halfSpread));
    return [
      { side: other, prices: [against] },
      { side, prices: [...main.prices, ...(sign * (beyond - last) > 0 ? [beyond] : [])] },
      ...(random() < 0.5 ? [{ side: other, prices: [back] }] : []),
    ];
  }

  /** Returns the maker's quotes and the order that takes all of them. @param size Average base per trade. */
  private commands(market: number, { side, prices }: Sweep, size: number): Command[] {
    const { maker, taker } = this.makers;
    const quoted = oppositeSide(side);
    let total = 0;
    const quotes = prices.map((price) => {
      const amount = 1 + Math.floor(size * lognormal(this.random, 0.9) * 10 ** AMOUNT_DECIMALS);
      total += amount;
      return placeLimit(maker, market, { side: quoted, price, amount }, TimeInForce.gtc);
    });
    const take = { side, price: prices.at(-1)!, amount: total };
    return [...quotes, placeLimit(taker, market, take, TimeInForce.ioc)];
  }
}
