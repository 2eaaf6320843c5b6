import { z } from 'zod';
import { OPERATOR_PERMISSIONS, Permission, permissionNames } from '../../engine/terms.ts';

/** Permissions: names in the API, bits in the engine. */

export type PermissionName = (typeof permissionNames)[number];

/**
 * The access that an endpoint requires: none, a permission, any permission of operators (`operator`), an API key with any permission, a
 * signed-in browser, or the custodian's signature. `withdraw` and `transfer` are permissions of keys only; a session needs `trade` for them. `place` requires
 * `trade`, but is open to a frozen account too, which may repeat a request to learn what became of it.
 */
export type Access =
  | 'public'
  | 'read'
  | 'trade'
  | 'place'
  | 'withdraw'
  | 'transfer'
  | 'operate'
  | 'support'
  | 'markets'
  | 'treasury'
  | 'operator'
  | 'key'
  | 'session'
  | 'custodian';

/** The permissions in a request body. */
export const permissionList = z
  .array(z.enum(permissionNames))
  .min(1, 'must name at least one permission');

/** @param permissions Sum of Permission values. */
export function toPermissionNames(permissions: number): PermissionName[] {
  return permissionNames.filter((name) => (permissions & Permission[name]) !== 0);
}

/** Returns the names as a JSON array. @param permissions Sum of Permission values. */
export function permissionsText(permissions: number): string {
  return JSON.stringify(toPermissionNames(permissions));
}

/** Returns the sum of Permission values. */
export function toPermissions(names: readonly PermissionName[]): number {
  return names.reduce((sum, name) => sum | Permission[name], 0);
}

/** Returns the permission that a caller lacks for endpoints with this access. @param permissions Sum of Permission values. */
export function missingPermission(permissions: number, access: Access): string | undefined {
  if (access === 'key') return undefined;
  return (permissions & sufficientPermissions(access)) === 0 ? permissionFor(access) : undefined;
}

/** Returns the permission that a user with a session lacks. A password or code stands in for those to withdraw and to transfer to others. */
export function missingSessionPermission(permissions: number, access: Access): string | undefined {
  if (access === 'session') return undefined;
  const ofKeys = access === 'withdraw' || access === 'transfer';
  return missingPermission(permissions, ofKeys ? 'trade' : access);
}

/** Returns the permissions of which endpoints with this access require one, as their sum. Administrators have those of all operators. */
function sufficientPermissions(access: Access): number {
  if (access === 'operator') return OPERATOR_PERMISSIONS;
  const required = Permission[permissionFor(access)];
  return isOperatorAccess(access) ? required | Permission.operate : required;
}

/** Returns the permission that a key needs for endpoints with this access; for those of any operator, `operate`. */
export function permissionFor(access: Access): keyof typeof Permission {
  if (access === 'operator') return 'operate';
  return access === 'place' ? 'trade' : (access as keyof typeof Permission);
}

/** Returns whether endpoints with this access are for operators. */
export function isOperatorAccess(access: Access): boolean {
  return OPERATOR_ACCESSES.has(access);
}
const OPERATOR_ACCESSES: ReadonlySet<Access> = new Set([
  'operate',
  'support',
  'markets',
  'treasury',
  'operator',
]);
