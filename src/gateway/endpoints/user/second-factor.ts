import { z } from 'zod';
import { sessionCookie } from '../../auth/cookies.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, list, record, text } from '../../openapi/json-schema.ts';
import { code, password } from './body-fields.ts';
import { signedIn } from './browser.ts';
import { statusData } from './session-response.ts';

const offer = z.strictObject({ password });

/** POST /api/account/second-factor: returns a secret for an authenticator app. Not in force until confirmed. */
export async function offerSecondFactor(call: Call): Promise<string> {
  const body = checkBody(offer, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, secondFactor } = call.services.users;
  await signIn.confirmPassword(session, user, body.password);
  const { secret, uri } = await secondFactor.offer(session, user);
  return `{"secret":"${secret}","uri":${quote(uri)}}`;
}
offerSecondFactor.description = describe({
  operationId: 'offerSecondFactor',
  tag: 'Users',
  summary: 'Start setting up two-factor authentication (2FA)',
  notes:
    'The secret is for an authenticator app (RFC 6238). It is in force after you confirm a code.',
  body: { schema: fromZod(offer), examples: { password: { password: 'a meadow full of clover' } } },
  data: record({
    secret: text('The secret, Base32.', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
    uri: text(
      'The secret as a URI for a QR code.',
      'otpauth://totp/Buttonwood:alice%40buttonwood.test',
    ),
  }),
  errors: ['OVERLOADED'],
});

const confirmation = z.strictObject({ code });
const CODES = record({
  recoveryCodes: list(
    text('Replaces a code, once.', '01234-56789-abcde-f0123'),
    'Shown only this once.',
  ),
});

/** POST /api/account/second-factor/confirm: turns 2FA on, ends all other sessions and renews this one. */
export async function confirmSecondFactor(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const { session, user } = await signedIn(call);
  const { users } = call.services;
  const { address } = call.requestOrigin!;
  const { recoveryCodes, secret } = await users.confirmSecondFactor(
    session,
    user,
    body.code,
    address,
  );
  call.setCookie(sessionCookie(secret));
  return codesText(recoveryCodes);
}
confirmSecondFactor.description = describe({
  operationId: 'confirmSecondFactor',
  tag: 'Users',
  summary: 'Turn on two-factor authentication',
  notes: 'All other sessions end; this one continues with a new cookie.',
  body: { schema: fromZod(confirmation), examples: { code: { code: '123456' } } },
  data: CODES,
});

/** POST /api/account/second-factor/recovery-codes: replaces the recovery codes. */
export async function renewRecoveryCodes(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, secondFactor, mails } = call.services.users;
  await signIn.confirmCode(session, user, body.code);
  const codes = await secondFactor.renewRecoveryCodes(session, user, call.requestOrigin!.address);
  mails.recoveryCodesRenewed(user);
  return codesText(codes);
}
renewRecoveryCodes.description = describe({
  operationId: 'renewRecoveryCodes',
  tag: 'Users',
  summary: 'Create new recovery codes',
  notes: 'The old recovery codes stop working.',
  body: { schema: fromZod(confirmation), examples: { code: { code: '123456' } } },
  data: CODES,
});

const removal = z.strictObject({ password, code });

/** POST /api/account/second-factor/remove: turns 2FA off. The session gets a new cookie. */
export async function removeSecondFactor(call: Call): Promise<string> {
  const body = checkBody(removal, call.body());
  const { session, user } = await signedIn(call);
  const { users } = call.services;
  if (user.totpSecret === '') throw new ApiError('UNAUTHORIZED');
  await users.signIn.confirmBoth(session, user, body);
  const secret = await users.removeSecondFactor(session, user, call.requestOrigin!.address);
  call.setCookie(sessionCookie(secret));
  return '{"status":"removed"}';
}
removeSecondFactor.description = describe({
  operationId: 'removeSecondFactor',
  tag: 'Users',
  summary: 'Turn off two-factor authentication',
  body: {
    schema: fromZod(removal),
    examples: { both: { password: 'a meadow full of clover', code: '123456' } },
  },
  data: statusData('removed', 'Signing in needs only the password.'),
  errors: ['OVERLOADED'],
});

function codesText(codes: readonly string[]): string {
  return `{"recoveryCodes":${JSON.stringify(codes)}}`;
}
