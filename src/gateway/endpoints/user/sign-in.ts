import { z } from 'zod';
import type { SignedIn } from '../../../users/users.ts';
import { NO_SESSION_COOKIE } from '../../auth/cookies.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, emptyBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { enumeration, fromZod, reference } from '../../openapi/json-schema.ts';
import { code, email, password } from './body-fields.ts';
import { readBrowser, signedIn } from './browser.ts';
import { signedInText, statusData } from './session-response.ts';

const credentials = z.strictObject({ email, password, code: code.nullish() });

/** POST /api/account/sign-in: signs in with a password, and a code if two-factor authentication is on. */
export async function signIn(call: Call): Promise<string> {
  const { email, password, code } = checkBody(credentials, call.body());
  const { signIn } = call.services.users;
  const result = await signIn.withPassword(email, password, code ?? undefined, readBrowser(call));
  return result === 'second_factor_required'
    ? '{"status":"second_factor_required"}'
    : signedInText(call, result satisfies SignedIn);
}
signIn.description = describe({
  operationId: 'signIn',
  tag: 'Users',
  summary: 'Sign in with a password',
  notes:
    'The session is a cookie of the response. With two-factor authentication send `code`, too: from the app, or a ' +
    'recovery code. After several wrong guesses, each further guess has to wait longer: see `retryAfter` of ' +
    '`RATE_LIMIT_EXCEEDED`.',
  body: {
    schema: fromZod(credentials),
    examples: {
      password: { email: 'alice@buttonwood.test', password: 'a meadow full of clover' },
    },
  },
  data: {
    type: 'object',
    required: ['status'],
    properties: {
      status: enumeration(
        ['signed_in', 'second_factor_required'],
        '`second_factor_required`: send the request again with `code`.',
      ),
      session: reference('Session'),
    },
  },
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

/** POST /api/account/sign-out: ends the session of the request. */
export async function signOut(call: Call): Promise<string> {
  checkBody(emptyBody, call.body());
  const { session, user } = await signedIn(call);
  const { users } = call.services;
  await users.endSessions(user, [session.id], 'signed_out', call.requestOrigin!.address);
  call.setCookie(NO_SESSION_COOKIE);
  return '{"status":"signed_out"}';
}
signOut.description = describe({
  operationId: 'signOut',
  tag: 'Users',
  summary: 'Sign out',
  notes: 'The session and its streams end at once.',
  body: { schema: fromZod(emptyBody), examples: { nothing: {} } },
  data: statusData('signed_out', 'The session has ended.'),
});
