import { Permission } from '../../../engine/terms.ts';
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

/**
 * Rejects permissions that the caller does not have, so that no one extends their own access. `operate`
 * includes `read` here: operators can read every account anyway, and the first key of an exchange, which
 * has only `operate`, must be able to invite users who read.
 * @param permissions Sum of Permission values. @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function requirePermissions(call: Call, permissions: number): void {
  const { permissions: own } = call.session ?? call.key!;
  const held = (own & Permission.operate) === 0 ? own : own | Permission.read;
  const missing = permissions & ~held;
  if (missing === 0) return;
  const [required] = toPermissionNames(missing);
  throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
}
