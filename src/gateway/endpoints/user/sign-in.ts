import { z } from 'zod';
import type { SignedIn } from '../../../users/sign-in.ts';
import { NO_SESSION_COOKIE } from '../../auth/cookies.ts';
import type { Call } from '../../http/call.ts';
import { checkBody, nothing } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, reference, word } from '../../openapi/json-schema.ts';
import { code, email, newcomerOf, password, signedIn, signedInText, statusData } from './visit.ts';

const credentials = z.strictObject({ email, password, code: code.nullish() });

/** POST /api/account/sign-in: by password, and by a code where there is a second factor. */
export async function signIn(call: Call): Promise<string> {
  const { email, password, code } = checkBody(credentials, call.body());
  const { signIn } = call.services.accounts;
  const result = await signIn.withPassword(email, password, code ?? undefined, newcomerOf(call));
  return result === 'second_factor_required'
    ? '{"status":"second_factor_required"}'
    : signedInText(call, result satisfies SignedIn);
}
signIn.description = describe({
  operationId: 'signIn',
  tag: 'Users',
  summary: 'Sign in by password',
  notes:
    'The session is the cookie of the answer. With a second factor send `code` too: one of the app, or a ' +
    'recovery code. Wrong guesses have to wait longer and longer: `RATE_LIMIT_EXCEEDED` tells how long.',
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
      status: word(['signed_in', 'second_factor_required'], 'Whether a code is missing.'),
      session: reference('Session'),
    },
  },
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

/** POST /api/account/sign-out: ends the session that asks. */
export async function signOut(call: Call): Promise<string> {
  checkBody(nothing, call.body());
  const { session, user } = await signedIn(call);
  const { accounts } = call.services;
  await accounts.endSessions(user, [session.id], 'signed_out', call.visit!.address);
  call.setCookie(NO_SESSION_COOKIE);
  return '{"status":"signed_out"}';
}
signOut.description = describe({
  operationId: 'signOut',
  tag: 'Users',
  summary: 'Sign out',
  notes: 'The session ends at once, its streams too.',
  body: { schema: fromZod(nothing), examples: { nothing: {} } },
  data: statusData('signed_out', 'The session is over.'),
});
