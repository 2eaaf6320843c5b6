import { expect, test } from 'bun:test';
import type { AccountOwner } from '../../src/client/index.ts';
import { findRole, summarizeOwners } from './owner.ts';

const user = (change: Partial<AccountOwner>): AccountOwner => ({
  ...{ accountId: 'firm', name: 'Ann', email: 'ann@firm.test', permissions: ['read'] },
  ...{ secondFactor: true, lastSeenAt: null },
  ...change,
});

test('users of an account have the widest role and the weakest protection together', () => {
  const owner = summarizeOwners([
    user({ lastSeenAt: '2026-01-02T00:00:00.000Z' }),
    user({ name: 'Bob', permissions: ['read', 'trade'], secondFactor: false }),
    user({ name: 'Cleo', permissions: ['support'], lastSeenAt: '2026-01-03T00:00:00.000Z' }),
  ])!;
  expect(owner).toMatchObject({
    ...{ name: 'Ann', users: 3, permissions: ['read', 'trade', 'support'] },
    ...{ secondFactor: false, withoutSecondFactor: 1, lastSeenAt: '2026-01-03T00:00:00.000Z' },
  });
  expect(findRole(owner)).toBe('operator');
});

test('an account without users has no owner', () => {
  expect(summarizeOwners([])).toBeUndefined();
  expect(summarizeOwners(undefined)).toBeUndefined();
});
