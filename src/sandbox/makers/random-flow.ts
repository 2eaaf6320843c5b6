import type { Random } from '../../storage/seeded-random.ts';
import { MAKER_MARKETS } from './maker-markets.ts';
import { lognormal } from './random.ts';

/** The best there is in a book, price in ticks; undefined where a side is empty. */
export interface Top {
  readonly bid: Best | undefined;
  readonly ask: Best | undefined;
}

export interface Best {
  readonly ticks: number;
  readonly amount: number;
}

/** An order that takes what the book offers up to a price. */
export interface Take {
  readonly market: number;
  readonly side: 'buy' | 'sell';
  readonly ticks: number;
  readonly amount: number;
}

/** Trades of a market in a minute, about. */
const TAKES_PER_MINUTE = 15;
/** How far a taker goes beyond the best price, cells of the nearest quotes. */
const REACH_CELLS = 2;

/**
 * Somebody quotes better than the house: its taker trades with them.
 * @param own The best quotes of the house.
 */
export function takeOfStranger(market: number, book: Top, own: Top): Take | undefined {
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
 * What a taker does on a whim.
 * @param activity How lively the market is, 1 on average.
 * @param lean From -1, where the taker has all of the base and sells, to 1, where it buys.
 */
export function takeAtRandom(
  random: Random,
  market: number,
  book: Top,
  activity: number,
  skew: number,
): Take | undefined {
  const { minuteVolume, cell } = MAKER_MARKETS[market]!;
  const side = random() < 0.5 + 0.4 * Math.tanh(8 * skew) ? 'buy' : 'sell';
  const amount = (minuteVolume / TAKES_PER_MINUTE) * activity * lognormal(random, 1);
  const best = side === 'buy' ? book.ask : book.bid;
  if (best === undefined) return undefined;
  const reach = REACH_CELLS * cell * (side === 'buy' ? 1 : -1);
  return { market, side, ticks: best.ticks + reach, amount };
}
