import type { Level } from '../../src/client/index.ts';

/**
 * One row of a side: the amount at a price, and the cumulative total up to it. Integer units rather than decimals,
 * because all levels of the book are regrouped on every frame.
 */
export interface BookRow {
  readonly price: bigint;
  readonly amount: bigint;
  readonly total: bigint;
}

/** Decimals of a market's integer units: `price` of its tick size, `amount` of its step size. */
export interface BookScale {
  readonly price: number;
  readonly amount: number;
}

/** Converts to integer units: `12.5` with two decimals → `1250n`. Further digits are cut off. */
export function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/**
 * Returns the best rows of one side. Prices are rounded away from the spread, so that a row never shows more
 * than is available at its price.
 * @param levels Best first. @param group Width of a row, in price units.
 */
export function bookRows(
  levels: readonly Level<string>[],
  side: 'bid' | 'ask',
  group: bigint,
  count: number,
  scale: BookScale,
): BookRow[] {
  const rows: BookRow[] = [];
  let price = -1n;
  let amount = 0n;
  let total = 0n;
  for (const [priceText, amountText] of levels) {
    const exact = toUnits(priceText, scale.price);
    const grouped = groupPrice(exact, side, group);
    if (grouped !== price) {
      if (price >= 0n) rows.push({ price, amount, total });
      if (rows.length === count) return rows;
      price = grouped;
      amount = 0n;
    }
    const units = toUnits(amountText, scale.amount);
    amount += units;
    total += units;
  }
  if (price >= 0n) rows.push({ price, amount, total });
  return rows;
}

/** Returns the price of the row that shows a price: bids are rounded down, asks up. */
export function groupPrice(price: bigint, side: 'bid' | 'ask', group: bigint): bigint {
  const rest = price % group;
  if (rest === 0n) return price;
  return side === 'bid' ? price - rest : price - rest + group;
}

const MAX_GROUPS = 6;

/** Returns the grouping steps in price units: the tick times powers of ten, up to 1% of the price. */
export function groupingSteps(tick: bigint, price: bigint): bigint[] {
  const groups: bigint[] = [];
  for (let group = tick; groups.length < MAX_GROUPS && group * 100n <= price; group *= 10n) {
    groups.push(group);
  }
  return groups.length === 0 ? [tick] : groups;
}

/** Returns the step nearest to a hundred-thousandth of the price. */
export function defaultGroup(groups: readonly bigint[], price: bigint): bigint {
  return groups.find((group) => group * 100_000n >= price / 3n) ?? groups.at(-1)!;
}
