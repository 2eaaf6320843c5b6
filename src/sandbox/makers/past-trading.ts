import { MINUTE_MS } from '../../config/durations.ts';
import { type Command, CommandKind, type PlaceOrder } from '../../engine/command.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../../engine/terms.ts';
import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import { AMOUNT_DECIMALS, MAKER_MARKETS } from './maker-markets.ts';
import { Walk } from './price-walk.ts';
import { lognormal } from './random.ts';

const DAY_MINUTES = 1440;
export const HISTORY_MINUTES = 30 * DAY_MINUTES;
/** The last days trade more often, each market at moments of its own: they are looked at closely. */
const CLOSE_MINUTES = DAY_MINUTES;
/** From here on the walk homes in on its references. */
const HOMING_MINUTES = 2 * DAY_MINUTES;

/** Commands of one moment, milliseconds since 1970. */
export interface PastCommand {
  readonly time: number;
  readonly commands: readonly Command[];
}

/** The indexes of the house's accounts. */
export interface MakerIds {
  readonly maker: number;
  readonly taker: number;
}

/**
 * Thirty days of trading between the house's accounts, moment after moment: in nearly every minute of
 * every market at least one trade. No order is left open. The same seed and start, the same commands.
 * @param start Milliseconds since 1970, the beginning of a minute.
 */
export function* past(seed: number, start: number, house: MakerIds): Generator<PastCommand> {
  const random = seededRandom(seed);
  const walk = new Walk(random);
  const trader = new PastTrader(random, house);
  let before = MAKER_MARKETS.map((_, market) => walk.fair(market));
  for (let minute = 0; minute < HISTORY_MINUTES; minute++) {
    const left = HISTORY_MINUTES - minute;
    const time = start + minute * MINUTE_MS;
    walk.step(1, time, left <= HOMING_MINUTES ? left : Infinity);
    const fairs = MAKER_MARKETS.map((_, market) => walk.fair(market));
    const activity = walk.activity(time);
    const isClose = left <= CLOSE_MINUTES;
    const moments = MAKER_MARKETS.flatMap((_, market) => {
      const commands = trader.minute(market, before[market]!, fairs[market]!, activity, isClose);
      return commands.length === 0 ? [] : [{ time, commands }];
    });
    if (isClose) yield* scattered(moments, random);
    else yield* together(moments, time + Math.floor(random() * MINUTE_MS));
    before = fairs;
  }
}

/** All in one: a batch costs as much as several orders. */
function together(moments: readonly PastCommand[], time: number): PastCommand[] {
  if (moments.length === 0) return [];
  return [{ time, commands: moments.flatMap(({ commands }) => commands) }];
}

/** Each at a moment of its own within the minute. */
function scattered(moments: readonly PastCommand[], random: Random): PastCommand[] {
  return moments
    .map(({ time, commands }) => ({ time: time + Math.floor(random() * MINUTE_MS), commands }))
    .sort((a, b) => a.time - b.time);
}

/** A part of a minute's trading: the taker sweeps the maker's quotes at these prices. */
interface Sweep {
  readonly side: Side;
  /** In ticks, the best for the taker first. */
  readonly prices: readonly number[];
}

class PastTrader {
  constructor(
    private readonly random: Random,
    private readonly house: MakerIds,
  ) {}

  /** What a market trades in a minute in which its worth went from one price to another. */
  minute(market: number, from: number, to: number, activity: number, isClose: boolean): Command[] {
    const { random } = this;
    const { minuteVolume } = MAKER_MARKETS[market]!;
    // A market sleeps through a minute now and then.
    if (random() < 0.005) return [];
    const sweeps = this.sweeps(market, from, to, isClose);
    const trades = sweeps.reduce((sum, { prices }) => sum + prices.length, 0);
    const volume = minuteVolume * activity * lognormal(random, 0.8);
    return sweeps.flatMap((sweep) => this.commands(market, sweep, volume / trades));
  }

  private sweeps(market: number, from: number, to: number, isClose: boolean): Sweep[] {
    const { random } = this;
    const { halfSpread, minuteMove, priceDecimals } = MAKER_MARKETS[market]!;
    const side =
      to > from ? Side.buy : to < from ? Side.sell : random() < 0.5 ? Side.buy : Side.sell;
    const sign = side === Side.buy ? 1 : -1;
    const ticks = (price: number) => Math.round(price * 10 ** priceDecimals);
    const last = ticks(to * (1 + sign * halfSpread));
    const first = ticks(from + (to - from) * random() * 0.6);
    const chance = random();
    if (!isClose && chance < 0.75) return [{ side, prices: [last] }];
    const main = { side, prices: sign * (last - first) > 0 ? [first, last] : [last] };
    if (!isClose && chance < 0.95) return [main];
    // A wick against the minute's direction, and one beyond its end.
    const wick = () => minuteMove * lognormal(random, 0.7) * 0.6;
    const other = side === Side.buy ? Side.sell : Side.buy;
    const against = ticks(from * (1 - sign * wick()));
    const beyond = ticks(to * (1 + sign * (halfSpread + wick())));
    const back = ticks(to * (1 - sign * halfSpread));
    return [
      { side: other, prices: [against] },
      { side, prices: [...main.prices, ...(sign * (beyond - last) > 0 ? [beyond] : [])] },
      ...(random() < 0.5 ? [{ side: other, prices: [back] }] : []),
    ];
  }

  /** The maker's quotes, and the order that takes all of them. @param size Base a trade, on average. */
  private commands(market: number, { side, prices }: Sweep, size: number): Command[] {
    const { maker, taker } = this.house;
    const quoted = side === Side.buy ? Side.sell : Side.buy;
    let total = 0;
    const quotes = prices.map((price) => {
      const amount = 1 + Math.floor(size * lognormal(this.random, 0.9) * 10 ** AMOUNT_DECIMALS);
      total += amount;
      return order(maker, market, quoted, price, amount, TimeInForce.gtc);
    });
    return [...quotes, order(taker, market, side, prices.at(-1)!, total, TimeInForce.ioc)];
  }
}

function order(
  account: number,
  market: number,
  side: Side,
  price: number,
  amount: number,
  timeInForce: number,
): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market,
    side,
    type: OrderType.limit,
    timeInForce,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price,
    amount,
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  };
}
