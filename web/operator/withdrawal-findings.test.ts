import { expect, test } from 'bun:test';
import Big from 'big.js';
import type { User, WithdrawalAddress } from '../../src/client/index.ts';
import { type Circumstances, listFindings } from './withdrawal-findings.ts';

const NOW = Date.parse('2026-01-10T00:00:00Z');

const KNOWN: Circumstances = {
  users: [{ secondFactor: false } as User],
  value: '100 USDT',
  percent: new Big(80),
  address: { createdAt: '2026-01-07T00:00:00Z' } as WithdrawalAddress,
  earlier: { count: 1, firstUsed: '2026-01-08T20:00:00Z', searched: 1, isComplete: true },
  now: NOW,
};

test('warnings come before notices, and these before what is fine', () => {
  const findings = listFindings({ waitsUntil: '2026-01-11T00:00:00Z', circumstances: KNOWN }, NOW);
  expect(findings).toEqual([
    { tone: 'warning', text: 'New device' },
    { tone: 'warning', text: '80.0% of the account' },
    { tone: 'notice', text: '2FA off' },
    { tone: 'fine', text: 'Address first used 1 day ago' },
    { tone: 'fine', text: 'Address added 3 days ago' },
  ]);
});

test('an address that is new and unused is a warning', () => {
  const circumstances: Circumstances = {
    ...KNOWN,
    users: [{ secondFactor: true } as User],
    percent: undefined,
    address: { createdAt: '2026-01-09T12:00:00Z' } as WithdrawalAddress,
    earlier: { count: 0, firstUsed: undefined, searched: 1000, isComplete: false },
  };
  expect(listFindings({ waitsUntil: null, circumstances }, undefined)).toEqual([
    { tone: 'warning', text: 'Not among the last 1000 withdrawals' },
    { tone: 'warning', text: 'Address added 12 hours ago' },
    { tone: 'fine', text: '2FA on' },
  ]);
});

test('an address that was first used less than a day ago is a warning', () => {
  const circumstances: Circumstances = {
    ...KNOWN,
    earlier: { count: 1, firstUsed: '2026-01-09T22:00:00Z', searched: 1, isComplete: true },
  };
  const [first] = listFindings({ waitsUntil: null, circumstances }, NOW);
  expect(first).toEqual({ tone: 'warning', text: 'Address first used 2 hours ago' });
});

test('a new device is known before the circumstances', () => {
  expect(
    listFindings({ waitsUntil: '2026-01-11T00:00:00Z', circumstances: undefined }, NOW),
  ).toEqual([{ tone: 'warning', text: 'New device' }]);
});
