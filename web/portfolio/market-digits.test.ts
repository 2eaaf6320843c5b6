import { expect, test } from 'bun:test';
import {
  countAmountDecimals,
  countPriceDecimals,
  findMarket,
  shownAmount,
  shownTotal,
} from './market-digits.ts';

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

test('amounts have the decimals of the finest lot size, those of quote assets the decimals of values', () => {
  expect(countAmountDecimals('ETH', MARKETS)).toBe(4);
  expect(countAmountDecimals('USDT', MARKETS)).toBe(2);
  expect(countAmountDecimals('OTHER', MARKETS)).toBe(8);
});

test('an amount is rounded down, and never shown as zero if there is some', () => {
  expect(shownAmount('96453.58873008', 2)).toBe('96,453.58');
  expect(shownTotal('96453.58873008', 2)).toBe('96,453.59');
  expect(shownTotal('1.029959999', 5)).toBe('1.02996');
  expect(shownTotal('0.000000012', 5)).toBe('<0.00001');
  expect(shownAmount('1.029959999', 5)).toBe('1.02995');
  expect(shownAmount('400.10000000', 8)).toBe('400.1');
  expect(shownAmount('0.000000012', 5)).toBe('<0.00001');
  expect(shownAmount('0', 5)).toBe('0');
});

test('an asset is traded on a market in the shown currency, else on another one that is listed', () => {
  const symbol = (asset: string, quote: string) => findMarket(asset, quote, MARKETS)?.symbol;
  expect(symbol('ETH', 'USDT')).toBe('ETH/USDT');
  expect(symbol('BTC', 'BTC')).toBe('BTC/USDT');
  expect(symbol('USDT', 'USDT')).toBe('BTC/USDT');
  expect(symbol('OLD', 'USDT')).toBeUndefined();
});
