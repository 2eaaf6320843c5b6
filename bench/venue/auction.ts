import { CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { MarketStatus, OrderType, Side, TimeInForce } from '../../src/engine/terms.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { genesis, START } from '../engine/mix.ts';
import { median } from '../pairs.ts';

const ACCOUNTS = 100;
const MIDDLE = 11_800_000;
/** Prices are within this many ticks of the middle, on both sides. */
const SPREAD = 2_000;
const ROUNDS = 5;

/** The times of one auction in milliseconds. */
interface Round {
  /** The time of the end of the call phase, which fills the orders: by the clock, and on the processor. */
  readonly uncross: number;
  readonly cpu: number;
  /** The time of reading the indicative price of the same book. */
  readonly indicate: number;
  readonly trades: number;
  readonly volume: number;
}

/**
 * Fills a book of `orders` that all cross by an auction, and measures the command that ends it. Returns the medians of some
 * rounds on exchanges of their own, and the slowest end.
 */
export async function measureAuction(orders: number): Promise<object> {
  const rounds: Round[] = [];
  for (let seed = 0; seed <= ROUNDS; seed++) rounds.push(runAuction(orders, seed));
  // The first round compiles the code.
  rounds.shift();
  const uncross = rounds.map((round) => round.uncross);
  return {
    orders,
    trades: rounds[0]!.trades,
    uncrossMs: round(median(uncross)),
    uncrossCpuMs: round(median(rounds.map(({ cpu }) => cpu))),
    slowestUncrossMs: round(Math.max(...uncross)),
    indicateMs: round(median(rounds.map(({ indicate }) => indicate))),
  };
}

function runAuction(orders: number, seed: number): Round {
  const exchange = new Exchange();
  exchange.state.reserve(orders);
  for (const command of genesis(ACCOUNTS, 1)) exchange.apply(command, START);
  const setStatus = (status: number) =>
    exchange.apply(
      { kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market: 0, status },
      START,
    );
  setStatus(MarketStatus.auction);
  const random = seededRandom(seed);
  for (let placed = 0; placed < orders; placed++) {
    const outcome = exchange.apply(crossingOrder(placed, random), START);
    if (outcome.kind !== 'order') throw new Error(`An order of the bench was ${outcome.kind}.`);
  }
  const { markets, parts } = exchange.state;
  const before = performance.now();
  const found = parts.auctions.indicate(markets[0]!);
  const read = performance.now();
  const cpu = process.cpuUsage();
  setStatus(MarketStatus.online);
  const end = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const trades = exchange.state.nextTradeId - 1;
  const times = { uncross: end - read, cpu: (user + system) / 1000, indicate: read - before };
  return { ...times, trades, volume: Number(found!.volume) };
}

/** Returns an order on the winning side of the middle, so that nearly all of them fill. */
function crossingOrder(index: number, random: () => number): PlaceOrder {
  const side = index % 2 === 0 ? Side.buy : Side.sell;
  const distance = below(SPREAD, random);
  return {
    kind: CommandKind.placeOrder,
    account: index % ACCOUNTS,
    key: index % ACCOUNTS,
    market: 0,
    side,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: 0,
    price: side === Side.buy ? MIDDLE + distance : MIDDLE - distance,
    amount: 1_000 * (1 + below(100, random)),
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
