import { expect, test } from 'bun:test';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { listFacts } from './order-facts.ts';

const MARKET = { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT' };
const list = (change: Partial<Draft>) =>
  Object.fromEntries(listFacts({ ...EMPTY_DRAFT, ...change }, MARKET, 'utc'));

test('a limit order has a row for its price, visible amount, expiry, post-only and legs', () => {
  expect(
    list({
      ...{ amount: '1.5', price: '118000', displayAmount: '0.5', postOnly: true },
      ...{ timeInForce: 'GTD', expiresAt: '2026-12-24T18:30' },
      ...{
        hasAttached: true,
        takeProfitPrice: '130000',
        stopTrigger: '110000',
        stopPrice: '109000',
      },
    }),
  ).toEqual({
    Market: 'BTC/USDT',
    'Order type': 'Limit',
    'Limit price': '118,000 USDT',
    Amount: '1.5 BTC',
    'Visible amount': '0.5 BTC',
    'Take profit': 'Limit at 130,000 USDT',
    'Stop loss': 'Trigger 110,000 USDT, limit 109,000 USDT',
    'Time in force': 'Good till date (GTD)',
    Expires: expect.stringContaining('24 Dec 2026'),
    'Post only': 'Yes',
  });
});

test('a trailing stop has its distance and activation price', () => {
  const trailing = { type: 'trailing_stop', amount: '1', activationPrice: '120000' } as const;
  expect(list({ ...trailing, trailingPercent: '2.5' })).toMatchObject({
    'Order type': 'Trailing stop',
    'Trailing distance': '2.5%',
    'Activation price': '120,000 USDT',
  });
  expect(list({ ...trailing, trailBy: 'amount', trailingAmount: '1500' })).toMatchObject({
    'Trailing distance': '1,500 USDT',
  });
});

test('trigger prices and the legs of an OCO order are shown, and fields that are not sent are not', () => {
  const unsent = { price: '1', triggerPrice: '2', displayAmount: '3', trailingPercent: '4' };
  const oco = { type: 'oco', takeProfitPrice: '130000', stopTrigger: '110000' } as const;
  expect(list({ ...unsent, ...oco, amount: '1' })).toEqual({
    Market: 'BTC/USDT',
    'Order type': 'OCO',
    Amount: '1 BTC',
    'Take profit': 'Limit at 130,000 USDT',
    'Stop loss': 'Market at 110,000 USDT',
    'Time in force': 'Good till canceled (GTC)',
  });
  const stop = { type: 'stop_limit', triggerPrice: '119500', price: '119600' } as const;
  expect(list({ ...stop, amount: '1' })).toMatchObject({
    'Trigger price': '119,500 USDT',
    'Limit price': '119,600 USDT',
  });
  const byCost = { type: 'market', cost: '2500', timeInForce: 'IOC' } as const;
  expect(Object.keys(list(byCost))).toEqual(['Market', 'Order type', 'Total', 'Time in force']);
});
