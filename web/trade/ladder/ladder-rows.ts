import Big from 'big.js';
import type { Level } from '../../../src/client/index.ts';
import { toGrid } from '../../decimal.ts';
import { type BookScale, groupPrice, toUnits } from '../book-view.ts';
import type { ExactMarket } from '../records.ts';

/** The prices of a ladder: `top`, then one step less in each row. In price units; multiples of the step. */
export interface LadderRange {
  readonly top: bigint;
  readonly step: bigint;
  readonly count: number;
}

/** Returns the price of a row; undefined below the lowest price, which is one step. */
export function rowPrice({ top, step }: LadderRange, row: number): bigint | undefined {
  const price = top - BigInt(row) * step;
  return price > 0n ? price : undefined;
}

/** Returns the row of a price that is a multiple of the step; it may be above (negative) or below the range. */
export function findRow({ top, step }: LadderRange, price: bigint): number {
  return Number((top - price) / step);
}

/**
 * Returns the amount in each row, grouped as in the order book; 0 for rows without orders.
 * @param levels Best first.
 */
export function ladderAmounts(
  levels: readonly Level<string>[],
  side: 'bid' | 'ask',
  range: LadderRange,
  scale: BookScale,
): bigint[] {
  const amounts = new Array<bigint>(range.count).fill(0n);
  for (const [priceText, amountText] of levels) {
    const row = findRow(range, groupPrice(toUnits(priceText, scale.price), side, range.step));
    const isPast = side === 'bid' ? row >= range.count : row < 0;
    if (isPast) break;
    if (row < 0 || row >= range.count) continue;
    amounts[row] = amounts[row]! + toUnits(amountText, scale.amount);
  }
  return amounts;
}

/** Returns the highest price of a ladder with a price in its middle row. */
export function centeredTop(price: bigint, step: bigint, count: number): bigint {
  return price + BigInt(Math.floor(count / 2)) * step;
}

/** Returns whether a row is in the middle half of the ladder. */
export function isInMiddle(row: number, count: number): boolean {
  const margin = Math.floor(count / 4);
  return row >= margin && row < count - margin;
}

/** Returns the highest price after scrolling; positive `rows` move to lower prices. A price stays in the lowest row. */
export function scrolledTop({ top, step, count }: LadderRange, rows: number): bigint {
  const lowest = BigInt(count) * step;
  const moved = top - BigInt(rows) * step;
  if (moved >= lowest || rows <= 0) return moved;
  return top < lowest ? top : lowest;
}

/** Ignores the second of two clicks on the same cell, so that a double click does not place two orders. */
export class ClickGuard {
  /** Times of the latest clicks by cell. */
  private readonly clicked = new Map<string, number>();

  /** @param windowMs A click on the same cell counts as a part of a double click for so long. */
  constructor(private readonly windowMs: number) {}

  /** Returns whether a click counts. Each click on a cell, ignored or not, begins its window again. */
  accepts(cell: string, nowMs: number): boolean {
    for (const [each, ms] of this.clicked) {
      if (nowMs - ms >= this.windowMs) this.clicked.delete(each);
    }
    const isSecond = this.clicked.has(cell);
    this.clicked.set(cell, nowMs);
    return !isSecond;
  }
}

/** Shares of the balance that the buttons for sizes are worth, in percent. */
const SHARES = ['1', '5', '10', '25'];
/** Multiples of the minimum order that they are worth without a balance. */
const MULTIPLES = ['10', '100', '1000', '10000'];

/**
 * Returns amounts to choose from, ascending: shares of the balance, rounded down to 1, 2 or 5 times a power of ten.
 * @param available Balances; undefined when signed out.
 */
export function quickSizes(
  market: Pick<ExactMarket, 'stepSize' | 'minAmount' | 'maxAmount' | 'minNotional'>,
  price: Big,
  available: { readonly base: Big; readonly quote: Big } | undefined,
): string[] {
  const step = new Big(market.stepSize);
  const byValue = price.gt(0) ? new Big(market.minNotional).div(price) : new Big(0);
  const smallest = byValue.gt(market.minAmount) ? byValue : new Big(market.minAmount);
  const min = toGrid(smallest, step, Big.roundUp);
  const bought = available && price.gt(0) ? available.quote.div(price) : new Big(0);
  const whole = available && (available.base.gt(bought) ? available.base : bought);
  const wanted = whole?.gt(0)
    ? SHARES.map((share) => whole.times(share).times('0.01'))
    : MULTIPLES.map((multiple) => min.times(multiple));
  const sizes = wanted.map((size) => {
    const fitted = toGrid(roundNumber(size), step, Big.roundDown);
    if (fitted.lt(min)) return min;
    return fitted.gt(market.maxAmount) ? new Big(market.maxAmount) : fitted;
  });
  return [...new Set(sizes.map((size) => size.toFixed()))];
}

/** Rounds down to 1, 2 or 5 times a power of ten. @param value Positive */
function roundNumber(value: Big): Big {
  const unit = new Big(`1e${value.e}`);
  const digit = [5, 2, 1].find((each) => value.gte(unit.times(each)))!;
  return unit.times(digit);
}
