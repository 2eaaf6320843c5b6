import { expect, test } from 'bun:test';
import { findUnmatched, matchWithdrawals } from './audit-withdrawals.ts';

const TIME = '2026-01-02T01:00:00.000Z';

function request(id: string, amount: string, change: object = {}) {
  const details = { asset: 'BTC', amount, address: 'bc1q' };
  const entry = { account: 'alice', action: 'requestWithdrawal', outcome: 'done' as const };
  return { id, ...entry, timestamp: TIME, details, ...change };
}

function withdrawal(id: string, amount: string, change: object = {}) {
  const place = { account: 'alice', asset: 'BTC', address: 'bc1q' };
  return { id, ...place, amount, createdAt: TIME, ...change };
}

test('requests get the numbers of the withdrawals of their account, time, amount and address', () => {
  const entries = [request('7', '0.75'), request('5', '1.2500'), request('9', '3')];
  const found = matchWithdrawals(entries, [
    withdrawal('16', '0.75'),
    withdrawal('13', '1.25'),
    withdrawal('17', '3', { account: 'bob' }),
    withdrawal('18', '3', { address: '0x86' }),
    withdrawal('19', '3', { createdAt: '2026-01-02T01:00:00.001Z' }),
  ]);
  expect([...found]).toEqual([
    ['5', '13'],
    ['7', '16'],
  ]);
});

test('equal requests at one time get different numbers, in their order', () => {
  const found = matchWithdrawals(
    [request('12', '1'), request('9', '1')],
    [withdrawal('4', '1'), withdrawal('3', '1')],
  );
  expect([...found]).toEqual([
    ['9', '3'],
    ['12', '4'],
  ]);
});

test('rejected requests and other commands have no withdrawal', () => {
  const entries = [
    request('1', '1', { outcome: 'rejected' }),
    request('2', '1', { action: 'cancelWithdrawal' }),
  ];
  expect(matchWithdrawals(entries, [withdrawal('3', '1')]).size).toBe(0);
});

test('amounts are compared exactly', () => {
  const amount = '9007199254740993.00000001';
  const entries = [request('5', amount), request('6', '9007199254740992')];
  const found = matchWithdrawals(entries, [
    withdrawal('1', '9007199254740993'),
    withdrawal('2', amount),
    withdrawal('3', '9007199254740992.0'),
  ]);
  expect([...found]).toEqual([
    ['5', '2'],
    ['6', '3'],
  ]);
});

test('only accounts with a request of an unknown number are looked up', () => {
  const entries = [request('12', '1'), request('11', '2', { account: 'bob' }), request('9', '1')];
  const known = new Map([
    ['12', '3'],
    ['11', '7'],
  ]);
  expect(findUnmatched(entries, known).map(({ id }) => id)).toEqual(['12', '9']);
  expect(findUnmatched(entries, new Map([...known, ['9', '4']]))).toEqual([]);
});
