import { expect, test } from 'bun:test';
import { describeDetails, detailLines } from './audit-text.ts';

test('fields have names, units and the values before', () => {
  const rules = { minNotional: '500', makerFee: '0.0007', tickSize: '0.01' };
  const current = { minNotional: '100', makerFee: '0.0008', tickSize: '0.01' };
  const symbol = 'BTC/USDT';
  expect(detailLines({ symbol, rules }, { symbol, rules: current })).toMatchObject([
    { name: 'Minimum notional', from: '100 USDT', to: '500 USDT' },
    { name: 'Maker fee', from: '0.08%', to: '0.07%' },
  ]);
  expect(
    describeDetails({ symbol, rules: { minNotional: '500' }, reason: 'fewer small ones' }),
  ).toBe('Minimum notional: 500 USDT, Reason: fewer small ones');
});

test('a value that is set first, or removed, was or is none', () => {
  const policy = { actions: ['rules'], limits: [{ asset: 'USDT', amount: '10000' }] };
  expect(describeDetails(policy, { actions: [], limits: [] })).toBe(
    'Actions: none → Market rules, fees and trading limits, Limits: none → 10,000 USDT',
  );
  expect(describeDetails({ actions: [], limits: [] }, policy)).toEndWith(
    'Limits: 10,000 USDT → none',
  );
});

test('an empty IP allowlist allows any address', () => {
  const details = { apiKey: 'bwk_1', label: 'bot', addresses: [] };
  expect(describeDetails(details)).toBe('API key: bwk_1, Label: bot, IP allowlist: Any');
  expect(describeDetails(details, { ...details, addresses: ['10.0.0.1', '::1'] })).toBe(
    'IP allowlist: 10.0.0.1, ::1 → Any',
  );
});

test('a policy is compared by the actions that operators choose', () => {
  const current = { actions: ['rules', 'grants', 'delisting', 'policy'] };
  expect(describeDetails({ actions: ['rules'] }, current)).toBe(
    'Actions: Market rules, fees and trading limits, Delisting a market → Market rules, fees and trading limits',
  );
  expect(describeDetails({ actions: ['grants'] })).toBe('Actions: Permissions of operators');
});

test('names and times are those of the user, and a network has its name', () => {
  const details = {
    network: 'lightning-btc',
    user: 'p42f05',
    expiresAt: '2026-11-28T14:59:56.000Z',
  };
  const text = describeDetails(details);
  expect(text).toStartWith('Network: Lightning btc, Expires: 28 Nov 2026, ');
  expect(text).not.toContain('T14:59');
  expect(text).not.toContain('p42f05');
});

test('a request for approval shows the command that waits', () => {
  const command = { action: 'transfer', asset: 'USDT', amount: '250.5', reference: 'r-1' };
  expect(describeDetails({ reason: 'four eyes', command })).toBe(
    'Reason: four eyes, Request: Credit or debit, Amount: 250.5 USDT, Reference: r-1',
  );
});

test('a report of the custodian names the state that a withdrawal has reached', () => {
  const details = { withdrawal: 14, reached: 5, report: 1 };
  expect(describeDetails(details)).toBe('Withdrawal: 14, Status: Completed, Report number: 1');
});

test('accounts and alerts lead to their pages, times do not', () => {
  const paths = (details: object) => detailLines(details as never).map(({ path }) => path);
  expect(paths({ from: 'alice', to: 'bob', clientId: '1' })).toEqual([
    ...['#accounts/alice', '#accounts/bob', undefined],
  ]);
  expect(paths({ alert: 'pump-1', assignee: 'olga' })).toEqual([
    ...['#surveillance/pump-1', '#accounts/olga'],
  ]);
  const maintenance = { mode: 'halt', from: '2026-11-28T14:59:56.000Z' };
  expect(paths(maintenance)).toEqual([undefined, undefined]);
});

test('an asset is named by the amounts of it, or alone', () => {
  expect(describeDetails({ asset: 'BTC', amount: 0.75 })).toBe('Amount: 0.75 BTC');
  expect(describeDetails({ asset: 'BTC', network: 'bitcoin' })).toBe(
    'Asset: BTC, Network: Bitcoin',
  );
});

test('only a withdrawal that failed is a failure', () => {
  const states = ['4', '5', '6'].map((reached) => detailLines({ reached })[0]);
  expect(states).toMatchObject([
    { to: 'Sent, waiting for confirmation', isFailure: false },
    { to: 'Completed', isFailure: false },
    { to: 'Failed', isFailure: true },
  ]);
});

test('codes are written as words', () => {
  expect(describeDetails({ mode: 'cancel_only', status: 'halted' })).toBe(
    'Mode: Cancel-only, Status: Halted',
  );
});
