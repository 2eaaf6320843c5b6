import type { Account } from '../../../engine/ledger/accounts.ts';
import { grantablePermissions, Permission } from '../../../engine/terms.ts';
import type { Actor, UserAction } from '../../../users/user-events.ts';
import { toPermissionNames } from '../../auth/permissions.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { readProof } from './body-fields.ts';
import { signedIn } from './browser.ts';

/**
 * Requires a caller with a session to prove their identity again, because a cookie alone must not grant
 * access to others. Does nothing for a key, which has sent its secret.
 * @throws ApiError UNAUTHORIZED; WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
 */
export async function confirm(call: Call, body: Parameters<typeof readProof>[0]): Promise<void> {
  if (call.session === undefined) return;
  const { session, user } = await signedIn(call);
  await call.services.users.signIn.confirm(session, user, readProof(body));
}

/** Returns the user or key that made the request, for the audit. */
export async function readActor(call: Call): Promise<Actor> {
  if (call.session === undefined) return actorAt(call, call.key!.apiKey);
  return actorAt(call, (await signedIn(call)).user.email);
}

function actorAt(call: Call, by: string): Actor {
  return { by, address: call.requestOrigin?.address ?? call.session?.address ?? '' };
}

/** Records a user's action on a key. The actions of keys are in the log already. */
export async function recordKeyEvent(
  call: Call,
  action: UserAction,
  apiKey: string,
): Promise<void> {
  if (call.session === undefined) return;
  const { user } = await signedIn(call);
  await call.services.users.events.add(user, action, actorAt(call, user.email), apiKey);
}

const PAYMENTS = Permission.withdraw | Permission.transfer;

/**
 * Rejects permissions that the caller may not grant: see `grantablePermissions`.
 * @param owner The account that gets them. @param permissions Sum of Permission values
 * @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function requireGrantable(call: Call, owner: Account, permissions: number): void {
  const { permissions: held } = call.session ?? call.key!;
  // Users may withdraw and transfer themselves, confirmed by a password or code.
  const mayPay =
    call.session !== undefined && owner === call.account && (held & Permission.trade) !== 0;
  const grantable = grantablePermissions(held, owner === call.account);
  const missing = permissions & ~(mayPay ? grantable | PAYMENTS : grantable);
  if (missing === 0) return;
  const [required] = toPermissionNames(missing);
  throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
}
