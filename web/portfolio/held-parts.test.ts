import { expect, test } from 'bun:test';
import { splitHeld } from './held-parts.ts';

const withdrawal = (asset: string, status: 'sending' | 'delayed' | 'failed', amount: string) => ({
  ...{ asset, status, amount },
  fee: '0.0001',
});

test('what is held is split into orders, open withdrawals and disputed deposits', () => {
  const withdrawals = [
    withdrawal('BTC', 'delayed', '0.75'),
    withdrawal('BTC', 'failed', '3'),
    withdrawal('ETH', 'sending', '1'),
  ];
  const payments = { withdrawals, deposits: [{ asset: 'BTC', held: '0.1' }] };
  expect(splitHeld({ asset: 'BTC', held: '1.3501' }, payments)).toEqual({
    ...{ orders: '0.5', withdrawals: '0.7501', deposits: '0.1' },
  });
  expect(splitHeld({ asset: 'ETH', held: '1.0001' }, payments)).toEqual({
    ...{ orders: undefined, withdrawals: '1.0001', deposits: undefined },
  });
  expect(splitHeld({ asset: 'USDT', held: '62053.96' }, payments)?.orders).toBe('62053.96');
});

test('nothing is split if the payments are newer or older than the balance', () => {
  const payments = { withdrawals: [withdrawal('BTC', 'sending', '1')], deposits: [] };
  expect(splitHeld({ asset: 'BTC', held: '0.5' }, payments)).toBeUndefined();
});
