import { z } from 'zod';
import { Permission, permissionNames } from '../../engine/terms.ts';

/** Permissions: names in the API, bits in the engine. */

export type PermissionName = (typeof permissionNames)[number];

/**
 * The access that an endpoint requires: none, a permission, an API key with any permission, or a signed-in browser. `place` requires `trade`, but
 * is open to a frozen account too, which may repeat a request to learn what became of it.
 */
export type Access = 'public' | 'read' | 'trade' | 'place' | 'operate' | 'key' | 'session';

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
  const required = permissionFor(access);
  return (permissions & Permission[required]) === 0 ? required : undefined;
}

/** Returns the permission that a key needs for endpoints with this access. */
export function permissionFor(access: Access): keyof typeof Permission {
  return access === 'place' ? 'trade' : (access as keyof typeof Permission);
}
