import { z } from 'zod';
import type { Site } from '../../../users/passkeys.ts';
import type { Session } from '../../../users/sessions.ts';
import type { Newcomer, SignedIn } from '../../../users/sign-in.ts';
import type { User } from '../../../users/user-store.ts';
import { normalEmail } from '../../../users/users.ts';
import { deviceCookie, deviceSecret, sessionCookie, sessionSecret } from '../../auth/cookies.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { record, word } from '../../openapi/json-schema.ts';
import { one } from '../../openapi/record-schemas.ts';
import { sessionText } from './sessions.ts';

/** What the endpoints of /api/account/ have in common: who is at the door, and what they send. */

const MAX_USER_AGENT = 200;
/** Longer than any that works; its rules come after its form. */
export const password = z.string().min(1, 'must not be empty').max(1024, 'is too long');
export const code = z.string().min(1, 'must not be empty').max(64, 'is too long');
export const token = z.string().min(1, 'must not be empty').max(128, 'is too long');
export const email = z
  .string()
  .max(320, 'is too long')
  .transform((text) => normalEmail(text));

/** Confirms that it is still the same person: the code where there is a second factor. */
export const proof = { password: password.nullish(), code: code.nullish() };

export function proofOf(body: {
  password?: string | null | undefined;
  code?: string | null | undefined;
}) {
  return { password: body.password ?? undefined, code: body.code ?? undefined };
}

/** Whoever is at the door. */
export function newcomerOf(call: Call): Newcomer {
  const { address, scope } = call.visit!;
  const { headers } = call.request;
  const cookie = headers.get('cookie');
  return {
    address,
    scope,
    userAgent: (headers.get('user-agent') ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_USER_AGENT),
    device: deviceSecret(cookie),
    session: sessionSecret(cookie),
  };
}

/** The exchange as the browser names it. @throws ApiError BROWSER_NOT_ALLOWED */
export function siteOf(call: Call): Site {
  const { origin } = call.visit!;
  if (origin === undefined) throw new ApiError('BROWSER_NOT_ALLOWED', NO_ORIGIN);
  return { origin, hostname: new URL(origin).hostname };
}
export const NO_ORIGIN = "Send this from the exchange's own pages, with their header Origin.";

/** Who is signed in. @throws ApiError UNAUTHORIZED where the person is no more */
export async function signedIn(call: Call): Promise<{ session: Session; user: User }> {
  const session = call.session!;
  const user = await call.services.accounts.users.byId(session.personId);
  if (user === undefined) throw new ApiError('UNAUTHORIZED');
  return { session, user };
}

/** Gives the browser its cookies; `data` for it. */
export function signedInText(call: Call, { session, secret, device }: SignedIn): string {
  call.setCookie(sessionCookie(secret));
  if (device !== undefined) call.setCookie(deviceCookie(device));
  return `{"status":"signed_in","session":${sessionText(session, session.id)}}`;
}
export const SIGNED_IN = record({
  status: word(['signed_in'], 'The cookie of the answer is the session.'),
  session: one('Session'),
});

/** `{"status":…}`: all there is to say. */
export function statusData(status: string, description: string) {
  return record({ status: word([status], description) });
}
