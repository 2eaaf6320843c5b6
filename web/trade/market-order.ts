import { quoteAssets } from '../portfolio/rates.ts';
import { searchedNames } from './asset-names.ts';
import type { ExactMarket, ExactPrice } from './records.ts';
import { volumesIn } from './volumes.ts';

/** In the order of the buttons, which stand above what they sort: names and volumes left, prices and changes right. */
export const MARKET_SORTS = ['name', 'volume', 'price', 'change'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

/** A column and a direction, such as `-volume` for the largest volume first. */
export type SortOrder = MarketSort | `-${MarketSort}`;
export const SORT_ORDERS = MARKET_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);

/** The markets to list: those of a quote asset, or the favorites. */
export type MarketFilter = 'all' | 'favorites' | `quote:${string}`;

interface Wanted {
  /** Ticker, symbol or name of an asset, as typed. */
  readonly query: string;
  readonly filter: MarketFilter;
  readonly sort: SortOrder;
  readonly favorites: ReadonlySet<string>;
}

/** Returns the markets that match, favorites first. Sorting by name keeps the order of the exchange. */
export function listMarkets(
  markets: readonly ExactMarket[],
  prices: ReadonlyMap<string, ExactPrice>,
  { query, filter, sort, favorites }: Wanted,
): readonly ExactMarket[] {
  const text = query
    .trim()
    .toUpperCase()
    .replace(/[/\s-]/g, '');
  const found = markets.filter(
    (market) => matchesFilter(market, filter, favorites) && matchesText(market, text),
  );
  const direction = sort.startsWith('-') ? -1 : 1;
  const column = sort.replace('-', '') as MarketSort;
  const rank = ({ symbol }: ExactMarket) => (favorites.has(symbol) ? 0 : 1);
  const compare = comparison(column, markets, prices);
  return found.toSorted((a, b) => rank(a) - rank(b) || direction * compare(a, b));
}

function matchesFilter(
  { symbol, quote }: ExactMarket,
  filter: MarketFilter,
  favorites: ReadonlySet<string>,
): boolean {
  if (filter === 'favorites') return favorites.has(symbol);
  return filter === 'all' || filter === `quote:${quote}`;
}

function matchesText({ symbol, base, quote }: ExactMarket, text: string): boolean {
  const names = [symbol.replace('/', ''), ...searchedNames(base), ...searchedNames(quote)];
  return names.some((name) => name.toUpperCase().replaceAll(' ', '').includes(text));
}

/** Returns the order of a column, ascending. Volumes are compared in one asset: those of the markets have many. */
function comparison(
  column: MarketSort,
  markets: readonly ExactMarket[],
  prices: ReadonlyMap<string, ExactPrice>,
): (a: ExactMarket, b: ExactMarket) => number {
  if (column === 'name') return (a, b) => (a.symbol < b.symbol ? -1 : 1);
  if (column === 'volume') {
    const traded = markets.map((each) => {
      const { price = each.last, quoteVolume = each.quoteVolume } = prices.get(each.symbol) ?? {};
      return { ...each, last: price, quoteVolume };
    });
    const volumes = volumesIn(traded, commonQuote(markets));
    return (a, b) => volumes.get(a.symbol)!.cmp(volumes.get(b.symbol)!);
  }
  const read = ({ symbol, last, percentage }: ExactMarket) => {
    const now = prices.get(symbol) ?? { price: last, percentage };
    return Number((column === 'price' ? now.price : now.percentage) ?? 0);
  };
  return (a, b) => read(a) - read(b);
}

/** Returns the quote asset of the most markets; empty if there are no markets. */
export function commonQuote(markets: readonly ExactMarket[]): string {
  return quoteAssets(markets)[0] ?? '';
}
