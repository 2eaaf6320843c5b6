import { expect, test } from 'bun:test';
import { countPriceDecimals, findMarket } from './market-digits.ts';

const market = (symbol: string, tickSize: string, stepSize: string, status = 'online') => {
  const [base, quote] = symbol.split('/') as [string, string];
  return { symbol, base, quote, tickSize, stepSize, status };
};
const MARKETS = [
  market('BTC/USDT', '0.1', '0.00001'),
  market('ETH/BTC', '0.00001', '0.001'),
  market('ETH/USDT', '0.01', '0.0001'),
  market('OLD/USDT', '0.01', '1', 'delisted'),
];

test.each([
  ['of a market by its tick size', '118128.25', 'BTC', 'USDT', 1],
  ['of the currency itself as a value', '1', 'USDT', 'USDT', 2],
  ['of a large price without a market by its size', '2861.12345', 'ETH', 'EUR', 2],
  ['of a small price without a market by its size', '0.00000846', 'USDT', 'BTC', 8],
] as const)('a price %s', (_, price, asset, quote, decimals) => {
  expect(countPriceDecimals(price, asset, quote, MARKETS)).toBe(decimals);
});

test('an asset is traded on a market in the shown currency, else on another one that is listed', () => {
  const symbol = (asset: string, quote: string) => findMarket(asset, quote, MARKETS)?.symbol;
  expect(symbol('ETH', 'USDT')).toBe('ETH/USDT');
  expect(symbol('BTC', 'BTC')).toBe('BTC/USDT');
  expect(symbol('USDT', 'USDT')).toBe('BTC/USDT');
  expect(symbol('OLD', 'USDT')).toBeUndefined();
});
