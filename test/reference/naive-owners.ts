import type { NaiveState } from './naive-state.ts';

/** Returns the main account of an account. */
export function findOwner({ subAccounts }: NaiveState, account: number): number {
  return subAccounts.find((each) => each.account === account)?.main ?? account;
}

/** Returns whether an account or its main account is frozen. */
export function isFrozen(state: NaiveState, account: number): boolean {
  return [account, findOwner(state, account)].some((each) => state.accounts[each]!.frozen);
}

/** Returns whether an account is a closed sub-account. */
export function isClosed({ subAccounts }: NaiveState, account: number): boolean {
  return subAccounts.some((each) => each.account === account && each.isClosed);
}
