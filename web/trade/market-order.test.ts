import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { assetName, setAssetNames } from './asset-names.ts';
import { commonQuote, listMarkets, SORT_ORDERS } from './market-order.ts';
import type { ExactMarket } from './records.ts';
import { volumesIn } from './volumes.ts';

const symbols = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC', 'PEPE/USDT'];
const markets = fc
  .array(
    fc.record({
      symbol: fc.constantFrom(...symbols),
      last: fc.integer({ min: 1, max: 9 }).map(String),
      percentage: fc.integer({ min: -9, max: 9 }).map(String),
      quoteVolume: fc.integer({ min: 0, max: 9 }).map(String),
    }),
  )
  .map((all) =>
    [...new Map(all.map((each) => [each.symbol, each])).values()].map((each) => {
      const [base, quote] = each.symbol.split('/');
      return { ...each, base, quote } as unknown as ExactMarket;
    }),
  );
const names = (found: readonly ExactMarket[]) => found.map(({ symbol }) => symbol);
const none = new Set<string>();
const wanted = { query: '', filter: 'all', sort: 'name', favorites: none } as const;

test('a search finds tickers, symbols and names of assets', () => {
  const all = symbols.map((symbol) => {
    const [base, quote] = symbol.split('/');
    return { symbol, base, quote } as unknown as ExactMarket;
  });
  const search = (query: string) => names(listMarkets(all, new Map(), { ...wanted, query }));
  expect(search('ethereum')).toEqual(['ETH/BTC', 'ETH/USDT']);
  expect(search('bitcoin')).toEqual(['BTC/USDT', 'ETH/BTC']);
  expect(search('eth-btc')).toEqual(['ETH/BTC']);
  expect(search('pep')).toEqual(['PEPE/USDT']);
  expect(search('none')).toEqual([]);
});

test('the names that the exchange lists are found, and preferred', () => {
  const market = { symbol: 'TSAT/PEPE', base: 'TSAT', quote: 'PEPE' } as unknown as ExactMarket;
  const search = (query: string) => names(listMarkets([market], new Map(), { ...wanted, query }));
  expect(search('satoshi long')).toEqual([]);
  setAssetNames([
    { asset: 'TSAT', name: 'Thousand Satoshi Long' },
    { asset: 'PEPE', name: 'Frog' },
    { asset: 'BTC', name: 'BTC' },
  ]);
  expect(search('satoshi long')).toEqual(['TSAT/PEPE']);
  expect(search('frog')).toEqual(['TSAT/PEPE']);
  expect(assetName('BTC')).toBe('Bitcoin');
  setAssetNames([]);
});

test('every order has the same markets, favorites first, each part sorted', () => {
  fc.assert(
    fc.property(
      markets,
      fc.constantFrom(...SORT_ORDERS),
      fc.subarray(symbols),
      (all, sort, favored) => {
        const favorites = new Set(favored);
        const found = listMarkets(all, new Map(), { ...wanted, sort, favorites });
        expect(names(found).toSorted()).toEqual(names(all).toSorted());
        const isFavorite = found.map(({ symbol }) => favorites.has(symbol));
        expect(isFavorite).toEqual(isFavorite.toSorted((a, b) => Number(b) - Number(a)));
        const volumes = volumesIn(all, commonQuote(all));
        const read = (each: ExactMarket) =>
          ({
            name: 0,
            price: each.last,
            change: each.percentage,
            volume: volumes.get(each.symbol)!,
          })[sort.replace('-', '') as 'name'];
        for (const part of [true, false]) {
          const values = found
            .filter(({ symbol }) => favorites.has(symbol) === part)
            .map((each) => Number(read(each)) * (sort.startsWith('-') ? -1 : 1));
          expect(values).toEqual(values.toSorted((a, b) => a - b));
        }
      },
    ),
  );
});

test('volumes of markets with different quote assets are compared in one of them', () => {
  const listed = (
    [
      ['BTC/USDT', '50000', '9000'],
      ['ETH/USDT', '2500', '3000'],
      ['ETH/BTC', '0.05', '0.1'],
      ['XYZ/EUR', '1', '99999'],
    ] as const
  ).map(([symbol, last, quoteVolume]) => {
    const [base, quote] = symbol.split('/');
    return { symbol, base, quote, last, quoteVolume } as unknown as ExactMarket;
  });
  expect(names(listMarkets(listed, new Map(), { ...wanted, sort: '-volume' }))).toEqual([
    'BTC/USDT',
    'ETH/BTC',
    'ETH/USDT',
    'XYZ/EUR',
  ]);
});

test('filters by quote asset and by favorites', () => {
  fc.assert(
    fc.property(markets, fc.subarray(symbols), (all, favored) => {
      const favorites = new Set(favored);
      const byQuote = listMarkets(all, new Map(), { ...wanted, filter: 'quote:BTC' });
      expect(names(byQuote)).toEqual(names(all).filter((symbol) => symbol.endsWith('/BTC')));
      const own = listMarkets(all, new Map(), { ...wanted, filter: 'favorites', favorites });
      expect(new Set(names(own))).toEqual(
        new Set(names(all).filter((each) => favorites.has(each))),
      );
    }),
  );
});
