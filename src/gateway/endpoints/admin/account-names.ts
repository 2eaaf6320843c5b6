import type { Account } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { readOwners } from './account-owners.ts';

/** Names of the first users of accounts by account id. */
export type OwnerNames = ReadonlyMap<string, string>;

/** Returns the accounts whose ids are among some values of JSON, at any depth. */
export function findNamedAccounts(values: readonly unknown[], { accountsById }: State): Account[] {
  return [...new Set(listTexts(values))].flatMap((id) => accountsById.get(id) ?? []);
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Reads the names of the owners of some accounts; sub-accounts have those of their main accounts. */
export async function readOwnerNames(
  call: Call,
  accounts: readonly Account[],
): Promise<OwnerNames> {
  const names = new Map<string, string>();
  for (const { accountId, name } of await readOwners(call, accounts)) {
    if (!names.has(accountId)) names.set(accountId, name);
  }
  return names;
}

/** Returns the names of accounts as JSON. */
export function accountNamesText(
  accounts: readonly Account[],
  owners: OwnerNames,
  { parts }: State,
): string {
  const orNull = (text: string | undefined) => (text === undefined ? 'null' : quote(text));
  const texts = accounts.map(
    ({ id, index, main, owner }) =>
      `{"accountId":${quote(id)},"main":${orNull(main?.id)},` +
      `"name":${orNull(parts.subAccounts.findName(index))},"ownerName":${orNull(owners.get(owner.id))}}`,
  );
  return `[${texts.join(',')}]`;
}
