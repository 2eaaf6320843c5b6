import { expect, test } from 'bun:test';
import { applyChanges, withoutDelisted } from './listings.ts';
import type { ExactMarket } from './records.ts';

const market = (symbol: string, more: object = {}) =>
  ({ symbol, status: 'online', tickSize: '0.01', ...more }) as unknown as ExactMarket;
const [btc, eth] = [market('BTC/USDT'), market('ETH/USDT')];

test('changes of status keep the rules, and other markets stay the same objects', () => {
  const after = applyChanges([btc!, eth!], {
    markets: [
      { symbol: 'ETH/USDT', status: 'halted' },
      { symbol: 'BTC/USDT', status: 'online' },
      { symbol: 'NEW/USDT', status: 'online' },
    ],
  });
  expect(after).toEqual([btc!, market('ETH/USDT', { status: 'halted' })]);
  expect(after[0]).toBe(btc!);
});

test('records replace those of their market, and new markets are the last', () => {
  const listings = [market('NEW/USDT'), market('BTC/USDT', { tickSize: '0.1' })];
  const after = applyChanges([btc!, eth!], { markets: [], listings });
  expect(after).toEqual([listings[1]!, eth!, listings[0]!]);
});

test('delisted markets disappear, except the current one', () => {
  const gone = market('OLD/USDT', { status: 'delisted' });
  expect(withoutDelisted([btc!, gone], 'BTC/USDT')).toEqual([btc!]);
  expect(withoutDelisted([btc!, gone], 'OLD/USDT')).toEqual([btc!, gone]);
});
