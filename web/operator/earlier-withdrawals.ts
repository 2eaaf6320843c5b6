import type { Withdrawal, WithdrawalAddress } from '../../src/client/index.ts';

/** Completed withdrawals that an account made to the recipient of another one. */
export interface EarlierWithdrawals {
  readonly count: number;
  /** The time of the oldest of them; undefined if there are none. */
  readonly firstUsed: string | undefined;
  /** The number of completed withdrawals of the asset that were searched, newest first. */
  readonly searched: number;
  /** Whether all were searched; otherwise older ones may have gone to the recipient. */
  readonly isComplete: boolean;
}

interface Page {
  readonly withdrawals: readonly Withdrawal<string>[];
  readonly nextCursor: string | null;
}

/** Pages that are searched, of 500 withdrawals. */
const MAX_PAGES = 2;
export const PAGE_SIZE = 500;

/**
 * Searches for completed withdrawals to the recipient of `each`.
 * @param readPage Reads completed withdrawals of its account and asset, newest first
 */
export async function findEarlier(
  each: Withdrawal<string>,
  readPage: (cursor: string | undefined) => Promise<Page>,
): Promise<EarlierWithdrawals> {
  const times: string[] = [];
  let searched = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { withdrawals, nextCursor } = await readPage(cursor);
    searched += withdrawals.length;
    for (const other of withdrawals) if (isSameRecipient(other, each)) times.push(other.createdAt);
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  const firstUsed = times.sort()[0];
  return { count: times.length, firstUsed, searched, isComplete: cursor === undefined };
}

type Recipient = Pick<WithdrawalAddress, 'asset' | 'network' | 'address' | 'memo'>;

export function isSameRecipient(one: Recipient, other: Recipient): boolean {
  return (
    one.asset === other.asset &&
    one.network === other.network &&
    one.address === other.address &&
    one.memo === other.memo
  );
}
