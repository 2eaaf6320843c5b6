import type { Random } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { lognormal } from './random.ts';

/** The best bid and ask; undefined if the side is empty. */
export interface BestPrices {
  readonly bid: BestLevel | undefined;
  readonly ask: BestLevel | undefined;
}

export interface BestLevel {
  /** Price in ticks. */
  readonly ticks: number;
  readonly amount: number;
}

/** An IOC order up to a price. */
export interface Take {
  /** Index. */
  readonly market: number;
  readonly side: 'buy' | 'sell';
  /** Price in ticks. */
  readonly ticks: number;
  readonly amount: number;
}

/** Approximate trades of a market per minute. */
export const TAKES_PER_MINUTE = 15;
/** Distance of the taker's limit beyond the best price, in innermost cells. */
const SLIPPAGE_CELLS = 2;

/**
 * Returns an order that takes a better quote of another account, if there is one.
 * @param own The market maker's best quotes.
 */
export function takeBetterQuote(
  market: number,
  book: BestPrices,
  own: BestPrices,
): Take | undefined {
  const { minuteVolume } = MAKER_MARKETS[market]!;
  const { bid, ask } = book;
  if (bid !== undefined && own.bid !== undefined && bid.ticks > own.bid.ticks) {
    return { market, side: 'sell', ticks: bid.ticks, amount: Math.min(bid.amount, minuteVolume) };
  }
  if (ask !== undefined && own.ask !== undefined && ask.ticks < own.ask.ticks) {
    return { market, side: 'buy', ticks: ask.ticks, amount: Math.min(ask.amount, minuteVolume) };
  }
  return undefined;
}

/**
 * Returns the next order of the random flow.
 * @param activity Market activity, 1 on average.
 * @param skew Inventory skew: -1 if the taker has all of the base and sells, 1 if it has none and buys.
 * @param bias -1 to 1: the share of orders that only sell or only buy.
 */
export function takeAtRandom(
  random: Random,
  market: number,
  book: BestPrices,
  activity: number,
  skew: number,
  bias = 0,
): Take | undefined {
  const { minuteVolume, cell } = MAKER_MARKETS[market]!;
  const byInventory = 0.5 + 0.4 * Math.tanh(8 * skew);
  const buys = byInventory * (1 - Math.abs(bias)) + Math.max(0, bias);
  const side = random() < buys ? 'buy' : 'sell';
  const amount = (minuteVolume / TAKES_PER_MINUTE) * activity * lognormal(random, 1);
  const best = side === 'buy' ? book.ask : book.bid;
  if (best === undefined) return undefined;
  const slippage = SLIPPAGE_CELLS * cell * (side === 'buy' ? 1 : -1);
  return { market, side, ticks: best.ticks + slippage, amount };
}
