import type { Call } from '../../call.ts';
import { ApiError } from '../../errors.ts';
import { permissionsText } from './profile.ts';
import { proofOf, signedIn } from './visit.ts';

/**
 * Asks whoever is signed in once more, as `POST /api/account/keys` does: a cookie alone hands out no
 * access. A key has shown its secret already.
 * @throws ApiError UNAUTHORIZED; WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
 */
export async function confirm(call: Call, body: Parameters<typeof proofOf>[0]): Promise<void> {
  if (call.session === undefined) return;
  const { session, person } = await signedIn(call);
  await call.services.accounts.signIn.confirm(session, person, proofOf(body));
}

/**
 * Nobody hands out or takes away what they may not do.
 * @param permissions Sum of Permission values. @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function demandPermissions(call: Call, permissions: number): void {
  const missing = permissions & ~(call.session ?? call.key!).permissions;
  if (missing === 0) return;
  const [required] = JSON.parse(permissionsText(missing)) as [string];
  throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
}
