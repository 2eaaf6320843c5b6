import { z } from 'zod';
import { deviceCookie } from '../../auth/cookies.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, emptyBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { code, email, password, readProof, token } from './body-fields.ts';
import { readBrowser, signedIn } from './browser.ts';
import { profileText } from './profile.ts';
import { statusData } from './session-response.ts';
import { requireMail } from './sign-up.ts';

const change = z.strictObject({ email, password, code: code.nullish() });

/** POST /api/account/email: mails a link to a new address. Does not reveal whether the address has an account. */
export async function changeEmail(call: Call): Promise<string> {
  const body = checkBody(change, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, emailChanges } = requireMail(call);
  await signIn.confirmBoth(session, user, readProof(body));
  await emailChanges.begin(session, user, body.email, call.requestOrigin!.address);
  return profileText(call, { ...user, pendingEmail: body.email });
}
changeEmail.description = describe({
  operationId: 'changeEmail',
  tag: 'Users',
  summary: 'Change your email address',
  notes:
    'Mails a link to the new address and a notice to the old one. The address changes once the link is opened: until then ' +
    'it is the `pendingEmail` of the profile. A new password cancels the change. The response does not depend on whether ' +
    'the new address has an account. Send `code`, too, if two-factor authentication is on.',
  body: {
    schema: fromZod(change),
    examples: { email: { email: 'alice@example.com', password: 'a meadow full of clover' } },
  },
  data: record({ profile: recordRef('Profile') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** POST /api/account/email/cancel: cancels a change whose link was not opened. */
export async function cancelEmailChange(call: Call): Promise<string> {
  checkBody(emptyBody, call.body());
  const { session, user } = await signedIn(call);
  await call.services.users.emailChanges.cancel(session, user, call.requestOrigin!.address);
  return profileText(call, { ...user, pendingEmail: '' });
}
cancelEmailChange.description = describe({
  operationId: 'cancelEmailChange',
  tag: 'Users',
  summary: 'Cancel a change of your email address',
  notes: 'The mailed link stops working.',
  body: { schema: fromZod(emptyBody), examples: { nothing: {} } },
  data: record({ profile: recordRef('Profile') }),
});

const confirmation = z.strictObject({ token, password });

/** POST /api/account/email/confirm: changes the address with a mailed link and ends all sessions. */
export async function confirmEmailChange(call: Call): Promise<string> {
  const { token, password } = checkBody(confirmation, call.body());
  const { address, scope } = readBrowser(call);
  const { emailChanges } = call.services.users;
  call.setCookie(deviceCookie(await emailChanges.confirm(token, password, scope, address)));
  return '{"status":"email_changed"}';
}
confirmEmailChange.description = describe({
  operationId: 'confirmEmailChange',
  tag: 'Users',
  summary: 'Confirm a new email address with a mailed link',
  notes:
    '`password` is that of the account; a wrong one leaves the link valid. The link works once. All sessions end, and no ' +
    'browser is known any more: withdrawals wait as after a password reset.',
  body: {
    schema: fromZod(confirmation),
    examples: { link: { token: 'A'.repeat(43), password: 'a meadow full of clover' } },
  },
  data: statusData('email_changed', 'Sign in with the new address.'),
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});
