import { expect, test } from 'bun:test';
import { type NetworkRules, networkTexts, readNetworkRules } from './network-rules.ts';

const BITCOIN = {
  ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, minDeposit: '0.0001' },
  ...{ minWithdrawal: '0.0005', withdrawalFee: '0.0001', confirmations: 3, memo: 'none' as const },
  ...{ deposits: true, withdrawals: true, dailyLimit: '5', hourlyCount: 10 },
  ...{ addressCoolingMs: 86_400_000, newDeviceDelayMs: 30_000, approvalAbove: '1' },
} satisfies NetworkRules;

test('times are typed in minutes, and unchanged rules stay as they are', () => {
  const texts = networkTexts(BITCOIN);
  expect([texts.addressCoolingMs, texts.newDeviceDelayMs]).toEqual(['1440', '0.5']);
  const { memo: _, deposits: __, withdrawals: ___, ...rules } = BITCOIN;
  expect(readNetworkRules(texts)).toEqual(rules);
  expect(() => readNetworkRules({ ...texts, addressCoolingMs: '0.0001' })).toThrow('whole seconds');
});

test('a minimum withdrawal below the fee is refused at its field', () => {
  const texts = { ...networkTexts(BITCOIN), withdrawalFee: '0.5' };
  expect(() => readNetworkRules(texts)).toThrow('below the fee of 0.5');
  expect(readNetworkRules({ ...texts, minWithdrawal: '0.5' }).withdrawalFee).toBe('0.5');
});
