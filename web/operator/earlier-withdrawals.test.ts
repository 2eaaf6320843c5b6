import { expect, test } from 'bun:test';
import type { Withdrawal } from '../../src/client/index.ts';
import { findEarlier } from './earlier-withdrawals.ts';

function withdrawal(day: number, change: Partial<Withdrawal<string>> = {}): Withdrawal<string> {
  return {
    ...{ id: `${day}`, account: 'alice', asset: 'BTC', network: 'bitcoin', address: 'bc1q' },
    ...{ memo: null, amount: '1', createdAt: `2026-01-0${day}T00:00:00.000Z` },
    ...change,
  } as Withdrawal<string>;
}

/** Serves pages of these withdrawals; the cursor is the number of the page. */
function serve(pages: readonly (readonly Withdrawal<string>[])[]) {
  return async (cursor: string | undefined) => {
    const page = Number(cursor ?? 0);
    const nextCursor = page + 1 < pages.length ? `${page + 1}` : null;
    return { withdrawals: pages[page]!, nextCursor };
  };
}

test('earlier withdrawals to the same recipient are found on later pages too', async () => {
  const others = [
    withdrawal(5, { address: 'other' }),
    withdrawal(4, { network: 'liquid' }),
    withdrawal(4, { memo: '7' }),
  ];
  const pages = serve([others, [withdrawal(3), withdrawal(2)]]);
  expect(await findEarlier(withdrawal(9), pages)).toEqual({
    ...{ count: 2, firstUsed: '2026-01-02T00:00:00.000Z', searched: 5, isComplete: true },
  });
});

test('an account without any has none', async () => {
  expect(await findEarlier(withdrawal(9), serve([[]]))).toEqual({
    ...{ count: 0, firstUsed: undefined, searched: 0, isComplete: true },
  });
});

test('a search that ends early says how many it has read', async () => {
  const pages = serve([
    [withdrawal(5, { address: 'other' })],
    [withdrawal(4, { address: 'other' })],
    [withdrawal(3)],
  ]);
  expect(await findEarlier(withdrawal(9), pages)).toEqual({
    ...{ count: 0, firstUsed: undefined, searched: 2, isComplete: false },
  });
});
