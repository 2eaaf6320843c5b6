import type { Profile } from '../../src/client/index.ts';

type Permission = Profile['permissions'][number];

const OPERATORS: ReadonlySet<Permission> = new Set<Permission>([
  'operate',
  'support',
  'markets',
  'treasury',
  'compliance',
  'audit',
]);

/** Returns whether a user has a role of an operator. */
export function hasOperatorRole(permissions: readonly Permission[] = []): boolean {
  return permissions.some((permission) => OPERATORS.has(permission));
}
