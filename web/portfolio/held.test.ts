import { afterAll, expect, spyOn, test } from 'bun:test';

/** A browser's address, and an exchange whose responses the test gives in any order. */
const hasLocation = 'location' in globalThis;
if (!hasLocation) Object.assign(globalThis, { location: { origin: 'https://exchange.example' } });
// Paths in variables: the types of browsers are not those of the tests.
const [apiPath, heldPath] = ['../api.ts', './held.ts'];
const { api } = await import(apiPath);
const { heldPayments, refreshHeldPayments } = await import(heldPath);

const withdrawals = spyOn(api, 'listWithdrawals');
const deposits = spyOn(api, 'listDeposits').mockResolvedValue({ deposits: [], nextCursor: null });

afterAll(() => {
  withdrawals.mockRestore();
  deposits.mockRestore();
  if (!hasLocation) Reflect.deleteProperty(globalThis, 'location');
});

const balance = (held: string) => [{ asset: 'BTC', available: '1', held }];

test('a late response does not replace that to a later request', async () => {
  const first = Promise.withResolvers();
  const second = Promise.withResolvers();
  withdrawals.mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise);
  const earlier = refreshHeldPayments(balance('1'));
  const later = refreshHeldPayments(balance('2'));
  second.resolve({ withdrawals: ['newer'], nextCursor: null });
  await later;
  expect(heldPayments.value).toEqual({ withdrawals: ['newer'], deposits: [] });
  first.resolve({ withdrawals: ['older'], nextCursor: null });
  await earlier;
  expect(heldPayments.value).toEqual({ withdrawals: ['newer'], deposits: [] });
});
