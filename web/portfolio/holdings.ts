import { computed, signal } from '@preact/signals';
import Big from 'big.js';
import type { Balance, Market, PortfolioPoint } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ZERO } from '../decimal.ts';
import { convert, findRoute, type Step } from './rates.ts';

export interface Holding {
  readonly balance: Balance<string>;
  /** Value in the chosen currency; undefined if no market gives a price. */
  readonly value: Big | undefined;
}

export const RANGES = {
  '24h': { interval: '15m', limit: 97, title: '24 hours' },
  '7d': { interval: '1h', limit: 169, title: '7 days' },
  '30d': { interval: '4h', limit: 181, title: '30 days' },
  '1y': { interval: '1d', limit: 366, title: '1 year' },
} as const;
export type Range = keyof typeof RANGES;

const QUOTE_STORAGE_KEY = 'buttonwood-quote';

export const balances = signal<readonly Balance<string>[] | undefined>(undefined);
export const markets = signal<readonly Market<string>[]>([]);
export const quote = signal(localStorage.getItem(QUOTE_STORAGE_KEY) ?? '');
export const range = signal<Range>('7d');

/** Currencies a value can be shown in: all quote assets, those with the most markets first. */
export const quotes = computed(() => {
  const counts = new Map<string, number>();
  for (const { quote: each } of markets.value) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([each]) => each);
});

export const shownQuote = computed(() =>
  quotes.value.includes(quote.value) ? quote.value : (quotes.value[0] ?? ''),
);

/** Decimals of displayed values. */
export const valueDecimals = computed(() => (/USD|EUR/.test(shownQuote.value) ? 2 : 8));

export function chooseQuote(chosen: string): void {
  quote.value = chosen;
  localStorage.setItem(QUOTE_STORAGE_KEY, chosen);
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

export const total = computed(() =>
  holdings.value.reduce((sum, { value }) => sum.plus(value ?? ZERO), ZERO),
);

export async function loadHoldings(): Promise<void> {
  const [owned, listed] = await Promise.all([api.getBalances(), api.getMarkets()]);
  markets.value = listed.markets;
  balances.value = owned.balances;
}

/** Value of the portfolio at a time. A double, because it is drawn. */
export interface ValuePoint {
  readonly timestamp: string;
  readonly value: number;
}

/** Loads the portfolio value over a range, computed from past balances and candle closes. */
export async function loadValues(shownRange: Range, currency: string): Promise<ValuePoint[]> {
  const { interval, limit } = RANGES[shownRange];
  const { points } = await api.getPortfolioHistory({ interval, limit });
  const assets = new Set(points.flatMap((point) => point.balances.map(({ asset }) => asset)));
  const routes = new Map<string, Step[]>();
  for (const asset of assets) {
    const route = findRoute(asset, currency, markets.value);
    if (route !== undefined) routes.set(asset, route);
  }
  const symbols = new Set([...routes.values()].flat().map(({ symbol }) => symbol));
  const closes = new Map<string, Map<string, number>>();
  await Promise.all(
    [...symbols].map(async (symbol) => {
      const { candles: series } = await api.getCandles({ symbol, interval, limit });
      closes.set(symbol, new Map(series.map((each) => [each.timestamp, Number(each.close)])));
    }),
  );
  return toValuePoints(points, routes, closes);
}

function toValuePoints(
  points: readonly PortfolioPoint<string>[],
  routes: ReadonlyMap<string, readonly Step[]>,
  closes: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ValuePoint[] {
  // Before a market's first trade, its first price is used.
  const latest = new Map<string, number>();
  for (const [symbol, candles] of closes) {
    const [first] = candles.values();
    if (first !== undefined) latest.set(symbol, first);
  }
  return points.map(({ timestamp, balances: past }) => {
    for (const [symbol, candles] of closes) {
      const close = candles.get(timestamp);
      if (close !== undefined) latest.set(symbol, close);
    }
    let value = 0;
    for (const { asset, total: amount } of past) {
      const route = routes.get(asset);
      if (route === undefined) continue;
      value += route.reduce((sum, { symbol, isInverse }) => {
        const price = latest.get(symbol) ?? 0;
        if (isInverse) return price === 0 ? 0 : sum / price;
        return sum * price;
      }, Number(amount));
    }
    return { timestamp, value };
  });
}
