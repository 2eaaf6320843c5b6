import { z } from 'zod';
import { sessionCookie } from '../../auth/cookies.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, list, record, text } from '../../openapi/json-schema.ts';
import { code, password, signedIn, statusData } from './visit.ts';

const offer = z.strictObject({ password });

/** POST /api/account/second-factor: a secret for an authenticator app, not in force yet. */
export async function offerSecondFactor(call: Call): Promise<string> {
  const body = checkBody(offer, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, secondFactor } = call.services.accounts;
  await signIn.confirmPassword(session, user, body.password);
  const { secret, uri } = await secondFactor.offer(session, user);
  return `{"secret":"${secret}","uri":${quote(uri)}}`;
}
offerSecondFactor.description = describe({
  operationId: 'offerSecondFactor',
  tag: 'Users',
  summary: 'Begin a second factor',
  notes:
    'The secret is for an authenticator app (RFC 6238). It is in force once a code was confirmed.',
  body: { schema: fromZod(offer), examples: { password: { password: 'a meadow full of clover' } } },
  data: record({
    secret: text('Base32.', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
    uri: text('The same for a QR code.', 'otpauth://totp/Buttonwood:alice%40buttonwood.test'),
  }),
  errors: ['OVERLOADED'],
});

const confirmation = z.strictObject({ code });
const CODES = record({
  recoveryCodes: list(
    text('Works once in place of a code.', '01234-56789-abcde-f0123'),
    'Shown this once.',
  ),
});

/** POST /api/account/second-factor/confirm: puts the secret in force; ends all other sessions and renews this one. */
export async function confirmSecondFactor(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const { session, user } = await signedIn(call);
  const { accounts } = call.services;
  const { address } = call.visit!;
  const { recoveryCodes, secret } = await accounts.confirmSecondFactor(
    ...([session, user, body.code, address] as const),
  );
  call.setCookie(sessionCookie(secret));
  return codesText(recoveryCodes);
}
confirmSecondFactor.description = describe({
  operationId: 'confirmSecondFactor',
  tag: 'Users',
  summary: 'Put the second factor in force',
  notes: 'All other sessions end; this one goes on under a new cookie.',
  body: { schema: fromZod(confirmation), examples: { code: { code: '123456' } } },
  data: CODES,
});

/** POST /api/account/second-factor/recovery-codes: new ones; the old ones are void. */
export async function renewRecoveryCodes(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, secondFactor, mails } = call.services.accounts;
  await signIn.confirmCode(session, user, body.code);
  const codes = await secondFactor.renewRecoveryCodes(session, user, call.visit!.address);
  mails.recoveryCodesRenewed(user.email);
  return codesText(codes);
}
renewRecoveryCodes.description = describe({
  operationId: 'renewRecoveryCodes',
  tag: 'Users',
  summary: 'Make new recovery codes',
  notes: 'Those from before are void.',
  body: { schema: fromZod(confirmation), examples: { code: { code: '123456' } } },
  data: CODES,
});

const removal = z.strictObject({ password, code });

/** POST /api/account/second-factor/remove: the session gets a new cookie. */
export async function removeSecondFactor(call: Call): Promise<string> {
  const body = checkBody(removal, call.body());
  const { session, user } = await signedIn(call);
  const { accounts } = call.services;
  if (user.totpSecret === '') throw new ApiError('UNAUTHORIZED');
  await accounts.signIn.confirmBoth(session, user, body);
  const secret = await accounts.removeSecondFactor(session, user, call.visit!.address);
  call.setCookie(sessionCookie(secret));
  return '{"status":"removed"}';
}
removeSecondFactor.description = describe({
  operationId: 'removeSecondFactor',
  tag: 'Users',
  summary: 'Remove the second factor',
  body: {
    schema: fromZod(removal),
    examples: { both: { password: 'a meadow full of clover', code: '123456' } },
  },
  data: statusData('removed', 'The password alone signs in.'),
  errors: ['OVERLOADED'],
});

function codesText(codes: readonly string[]): string {
  return `{"recoveryCodes":${JSON.stringify(codes)}}`;
}
