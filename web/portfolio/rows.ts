import { computed } from '@preact/signals';
import Big from 'big.js';
import { divide } from '../decimal.ts';
import { preference } from '../preferences.ts';
import { gains } from './gains.ts';
import { type Holding, holdings, shownQuote, total } from './holdings.ts';
import type { Gains } from './performance.ts';
import { share } from './rates.ts';

/** An asset that the account has, or has sold with a gain or loss. */
export interface Row extends Partial<Holding> {
  readonly asset: string;
  /** Place by value. */
  readonly place: number;
  /** Undefined until loaded. */
  readonly gains: Gains['assets'][number] | undefined;
}

/** Balances with a lower value are small, as a part of the whole. */
const SMALL_SHARE_PERCENT = 0.01;

export const smallBalances = preference('small-balances', ['shown', 'hidden'], 'shown');

export const rows = computed<readonly Row[]>(() => {
  const found = new Map(gains.value?.assets.map((each) => [each.asset, each]));
  const owned = holdings.value.map((holding, place) => {
    const { asset } = holding.balance;
    return { ...holding, asset, place, gains: found.get(asset) };
  });
  const present = new Set(owned.map(({ asset }) => asset));
  const sold = [...found.values()]
    .filter(({ asset, realized }) => !present.has(asset) && !new Big(realized).eq(0))
    .map((each) => ({ asset: each.asset, place: Infinity, gains: each }));
  return [...owned, ...sold];
});

export const shownRows = computed(() =>
  smallBalances.value === 'shown' ? rows.value : rows.value.filter((row) => !isSmall(row)),
);

function isSmall({ value, balance }: Row): boolean {
  if (balance === undefined) return true;
  return value !== undefined && share(value, total.value).lt(SMALL_SHARE_PERCENT);
}

/** Returns the unrealized gain of an asset, and its percentage of the cost; undefined for the currency itself. */
export function computeUnrealized({ asset, gains: found, value }: Row) {
  if (found === undefined || value === undefined || asset === shownQuote.value) return undefined;
  const gain = value.minus(found.cost);
  const cost = new Big(found.cost);
  const percentage = cost.gt(0)
    ? divide(gain.times(100), cost, 4, Big.roundHalfUp).toFixed()
    : undefined;
  return { gain, percentage };
}
