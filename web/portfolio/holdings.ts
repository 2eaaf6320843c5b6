import { computed, signal } from '@preact/signals';
import Big from 'big.js';
import type { Balance, Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ZERO } from '../decimal.ts';
import { storedValue } from '../preferences.ts';
import { setAssetNames } from '../trade/asset-names.ts';
import { loadHeldPayments } from './held.ts';
import { countValueDecimals } from './market-digits.ts';
import { convert, findRoute, quoteAssets } from './rates.ts';

export interface Holding {
  readonly balance: Balance<string>;
  /** Value in the chosen currency; undefined if no market gives a price. */
  readonly value: Big | undefined;
}

export const balances = signal<readonly Balance<string>[] | undefined>(undefined);
export const markets = signal<readonly Market<string>[]>([]);
/** The chosen currency; empty for the one of the most markets. */
export const quote = storedValue<string>('value-currency', readText, '');

/** Currencies a value can be shown in: all quote assets, those with the most markets first. */
export const quotes = computed(() => quoteAssets(markets.value));

export const shownQuote = computed(() => chooseQuote(quotes.value));

/** Decimals of displayed values. */
export const valueDecimals = computed(() => countValueDecimals(shownQuote.value));

/** Returns the currency that the user chose if it is available, else the first one. */
export function chooseQuote(available: readonly string[]): string {
  return available.includes(quote.value) ? quote.value : (available[0] ?? '');
}

function readText(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

/** Non-zero balances, the most valuable first. */
export const holdings = computed<readonly Holding[]>(() => {
  const last = new Map(markets.value.map((market) => [market.symbol, market.last]));
  return (balances.value ?? [])
    .filter(({ total }) => !new Big(total).eq(0))
    .map((balance) => {
      const route = findRoute(balance.asset, shownQuote.value, markets.value);
      const value =
        route === undefined
          ? undefined
          : convert(new Big(balance.total), route, (each) => last.get(each));
      return { balance, value };
    })
    .sort((a, b) => (b.value ?? ZERO).cmp(a.value ?? ZERO));
});

/** The sum of the values as they are shown, each rounded. */
export const total = computed(() =>
  holdings.value.reduce((sum, { value }) => sum.plus(roundedValue(value ?? ZERO)), ZERO),
);

/** Rounds a value as it is shown. */
export function roundedValue(value: Big): Big {
  return value.round(valueDecimals.value, Big.roundHalfUp);
}

/** Loads how the exchange names its assets. */
export async function loadAssetNames(): Promise<void> {
  setAssetNames((await api.getAssets()).assets);
}

export async function loadHoldings(): Promise<void> {
  const [owned, listed] = await Promise.all([api.getBalances(), api.getMarkets()]);
  markets.value = listed.markets;
  balances.value = owned.balances;
  await loadHeldPayments(owned.balances);
}
