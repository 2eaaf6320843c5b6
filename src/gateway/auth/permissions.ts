import { z } from 'zod';
import { Permission, permissionNames } from '../../engine/terms.ts';
import type { Access } from '../endpoints/endpoint.ts';

/** Permissions as the API names them, and as the engine adds them up. */

export type PermissionName = (typeof permissionNames)[number];

/** What a body asks for. */
export const permissionList = z
  .array(z.enum(permissionNames))
  .min(1, 'must name at least one permission');

/** @param permissions Sum of Permission values. */
export function permissionNamesOf(permissions: number): PermissionName[] {
  return permissionNames.filter((name) => (permissions & Permission[name]) !== 0);
}

/** The names as JSON text. @param permissions Sum of Permission values. */
export function permissionsText(permissions: number): string {
  return JSON.stringify(permissionNamesOf(permissions));
}

/** Sum of Permission values. */
export function permissionsOf(names: readonly PermissionName[]): number {
  return names.reduce((sum, name) => sum | Permission[name], 0);
}

/** The permission that a key needs for an endpoint of this access. */
export function permissionFor(access: Access): keyof typeof Permission {
  return access === 'place' ? 'trade' : (access as keyof typeof Permission);
}
