import { expect, test } from 'bun:test';
import { totalVolume } from './volumes.ts';

test('volumes in other quote assets are converted at the last prices', () => {
  const traded = [
    { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', quoteVolume: '1000', last: '50000' },
    { symbol: 'ETH/BTC', base: 'ETH', quote: 'BTC', quoteVolume: '0.5', last: '0.05' },
    { symbol: 'XYZ/EUR', base: 'XYZ', quote: 'EUR', quoteVolume: '7', last: '1' },
    { symbol: 'NEW/USDT', base: 'NEW', quote: 'USDT', quoteVolume: '0', last: null },
  ];
  expect(totalVolume(traded, 'USDT').toFixed()).toBe('26000');
});
