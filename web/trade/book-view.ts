import type { Level } from '../../src/client/index.ts';

/** One row of a side: what there is for a price, and for all better ones with it. */
export interface BookRow {
  readonly price: bigint;
  readonly amount: bigint;
  readonly total: bigint;
}

/** Decimals in which a book is added up: prices in tick decimals, amounts in step decimals. */
export interface BookScale {
  readonly price: number;
  readonly amount: number;
}

/** `12.5` with two decimals → `1250n`. Digits beyond those decimals are none of a grid's. */
export function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/**
 * The best rows of one side. Prices are rounded away from the spread, so that a row never promises more
 * than there is at its price.
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
    const rest = exact % group;
    const grouped = rest === 0n ? exact : side === 'bid' ? exact - rest : exact - rest + group;
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

const MAX_GROUPS = 6;

/** Widths to choose from, in price units: tick, and tens of it, up to about a percent of the price. */
export function groupingSteps(tick: bigint, price: bigint): bigint[] {
  const groups: bigint[] = [];
  for (let group = tick; groups.length < MAX_GROUPS && group * 100n <= price; group *= 10n) {
    groups.push(group);
  }
  return groups.length === 0 ? [tick] : groups;
}

/** The width at which a row is about a hundred-thousandth of the price. */
export function defaultGroup(groups: readonly bigint[], price: bigint): bigint {
  return groups.find((group) => group * 100_000n >= price / 3n) ?? groups.at(-1)!;
}
