import { expect, test } from 'bun:test';
import { countSignals } from './account-signals.ts';

test('alerts count for each of their accounts, withdrawals for theirs', () => {
  const alerts = [{ accounts: ['alice', 'bob'] }, { accounts: ['alice'] }];
  const counts = countSignals(alerts, [{ account: 'bob' }, { account: 'carol' }]);
  expect(Object.fromEntries(counts)).toEqual({
    alice: { alerts: 2, withdrawals: 0 },
    bob: { alerts: 1, withdrawals: 1 },
    carol: { alerts: 0, withdrawals: 1 },
  });
});
