export type AccountStatus = 'active' | 'frozen' | 'closed';

export interface RestrictedAccount {
  readonly frozen: boolean;
  readonly closed: boolean;
}

/** Returns the status of an account. An account that is frozen and closed counts as frozen, which its owner cannot change. */
export function readStatus({ frozen, closed }: RestrictedAccount): AccountStatus {
  if (frozen) return 'frozen';
  return closed ? 'closed' : 'active';
}
