import { z } from 'zod';
import { normalEmail } from '../../../accounts/accounts.ts';
import type { Site } from '../../../accounts/passkeys.ts';
import type { Person } from '../../../accounts/people.ts';
import type { Session } from '../../../accounts/sessions.ts';
import type { Newcomer, SignedIn } from '../../../accounts/sign-in.ts';
import type { Call } from '../../call.ts';
import { deviceCookie, deviceSecret, sessionCookie, sessionSecret } from '../../cookies.ts';
import { ApiError } from '../../errors.ts';
import { record, word } from '../../json-schema.ts';
import { one } from '../../record-schemas.ts';
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
export async function signedIn(call: Call): Promise<{ session: Session; person: Person }> {
  const session = call.session!;
  const person = await call.services.accounts.people.byId(session.personId);
  if (person === undefined) throw new ApiError('UNAUTHORIZED');
  return { session, person };
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
