import type { Account } from '../../../engine/ledger/accounts.ts';
import type { User } from '../../../users/users.ts';
import type { Call } from '../../http/request/call.ts';

/** Accounts whose users are read by one query. */
export const OWNED_PER_QUERY = 500;

/** Reads the users of accounts and of the main accounts of sub-accounts. */
export async function readOwners(call: Call, accounts: readonly Account[]): Promise<User[]> {
  const ids = [...new Set(accounts.map(({ owner }) => owner.id))];
  const { store } = call.services.users;
  const owners: User[] = [];
  for (let at = 0; at < ids.length; at += OWNED_PER_QUERY) {
    owners.push(...(await store.listByAccounts(ids.slice(at, at + OWNED_PER_QUERY))));
  }
  return owners;
}
