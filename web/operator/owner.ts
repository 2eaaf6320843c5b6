import type { AccountOwner } from '../../src/client/index.ts';
import { msg } from '../i18n/t.ts';
import { hasOperatorRole } from './role.ts';

/** The first user of an account, with what all of its users have together. */
export interface Owner extends AccountOwner {
  /** The number of users of the account. */
  readonly users: number;
  /** The number of users who sign in without a second factor. */
  readonly withoutSecondFactor: number;
}

/** Summarizes the users of an account; undefined if it has none. */
export function summarizeOwners(users: readonly AccountOwner[] = []): Owner | undefined {
  const [first] = users;
  if (first === undefined) return undefined;
  const withoutSecondFactor = users.filter(({ secondFactor }) => !secondFactor).length;
  return {
    ...first,
    users: users.length,
    permissions: [...new Set(users.flatMap(({ permissions }) => permissions))],
    // The account is as safe as its least protected user.
    secondFactor: withoutSecondFactor === 0,
    withoutSecondFactor,
    lastSeenAt: latest(users),
  };
}

function latest(users: readonly AccountOwner[]): string | null {
  const times = users.map(({ lastSeenAt }) => lastSeenAt ?? '').sort();
  return times.at(-1) || null;
}

export type Role = 'operator' | 'trader' | 'viewer';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  operator: msg('Operator'),
  trader: msg('Trader'),
  viewer: msg('View only'),
};

/** Returns the widest role of the users of an account. */
export function findRole({ permissions }: AccountOwner): Role {
  if (hasOperatorRole(permissions)) return 'operator';
  return permissions.includes('trade') ? 'trader' : 'viewer';
}
