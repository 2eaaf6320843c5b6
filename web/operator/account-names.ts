import type { AccountName } from '../../src/client/index.ts';

/** Ids of users who signed up, and of sub-accounts. */
const GENERATED = /^(p|sub_)[0-9a-f]{24}$/;

/** Returns whether an id is generated, and has no meaning to a reader. */
export function isGenerated(accountId: string): boolean {
  return GENERATED.test(accountId);
}

/**
 * Returns the name of an account as operators know it: `alice`, and `alice / Arbitrage` for a sub-account. The name of
 * the owner replaces a generated id.
 * @param names Names of some accounts, which may lack this one
 */
export function nameAccount(accountId: string, names: readonly AccountName[]): string {
  const known = names.find((each) => each.accountId === accountId);
  if (known === undefined) return accountId;
  const main = known.main ?? accountId;
  const owner = isGenerated(main) ? (known.ownerName ?? main) : main;
  return known.name === null ? owner : `${owner} / ${known.name}`;
}
