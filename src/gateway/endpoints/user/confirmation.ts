import { Permission } from '../../../engine/terms.ts';
import type { Actor, UserAction } from '../../../users/user-events.ts';
import { permissionNamesOf } from '../../auth/permissions.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { readProof } from './body-fields.ts';
import { signedIn } from './browser.ts';

/**
 * Asks whoever is signed in once more, as `POST /api/account/keys` does: a cookie alone hands out no
 * access. A key has shown its secret already.
 * @throws ApiError UNAUTHORIZED; WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
 */
export async function confirm(call: Call, body: Parameters<typeof readProof>[0]): Promise<void> {
  if (call.session === undefined) return;
  const { session, user } = await signedIn(call);
  await call.services.accounts.signIn.confirm(session, user, readProof(body));
}

/** Who asks, for the audit: a person, or a key. */
export async function actorOf(call: Call): Promise<Actor> {
  if (call.session === undefined) return actor(call, call.key!.apiKey);
  return actor(call, (await signedIn(call)).user.email);
}

function actor(call: Call, by: string): Actor {
  return { by, address: call.visit?.address ?? call.session?.address ?? '' };
}

/** Writes down what a person did to a key; what a key does, the log alone tells. */
export async function noteKey(call: Call, action: UserAction, apiKey: string): Promise<void> {
  if (call.session === undefined) return;
  const { user } = await signedIn(call);
  await call.services.accounts.events.add(user, action, actor(call, user.email), apiKey);
}

/**
 * Nobody, person or key, gives their own account or takes from it what they may not do. Who operates
 * reads every account by the operator's endpoints, so `operate` counts as `read` here: the first key of
 * an exchange operates only, and lets in those who look at their work.
 * @param permissions Sum of Permission values. @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function demandPermissions(call: Call, permissions: number): void {
  const { permissions: own } = call.session ?? call.key!;
  const held = (own & Permission.operate) === 0 ? own : own | Permission.read;
  const missing = permissions & ~held;
  if (missing === 0) return;
  const [required] = permissionNamesOf(missing);
  throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
}
