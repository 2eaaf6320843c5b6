import { z } from 'zod';
import { deviceCookie } from '../../auth/cookies.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { email, password, token } from './body-fields.ts';
import { NO_ORIGIN, readBrowser } from './browser.ts';
import { signedInText, statusData } from './session-response.ts';

const newUser = z.strictObject({ email, password, name: plainText });

/** POST /api/account/sign-up: mails a link that opens an account. Does not reveal whether the address has one. */
export async function signUp(call: Call): Promise<string> {
  const { email, password, name } = checkBody(newUser, call.body());
  if (call.requestOrigin!.origin === undefined)
    throw new ApiError('BROWSER_NOT_ALLOWED', NO_ORIGIN);
  await requireMail(call).signUp.begin(email, password, name, call.requestOrigin!.scope);
  return '{"status":"check_email"}';
}
signUp.description = describe({
  operationId: 'signUp',
  tag: 'Users',
  summary: 'Sign up',
  notes:
    'Mails a link that opens the account; the sandbox writes the mail to its log. The response does not depend on ' +
    'whether the address already has an account. Returns `NOT_FOUND` if the exchange sends no mail.',
  body: {
    schema: fromZod(newUser),
    examples: {
      user: { email: 'carol@example.com', password: 'a meadow full of clover', name: 'Carol' },
    },
  },
  data: statusData('check_email', 'Follow the link in the mail.'),
  errors: ['BROWSER_NOT_ALLOWED', 'NOT_FOUND', 'OVERLOADED'],
});

const linkToken = z.strictObject({ token });

/** POST /api/account/verify-email/link: returns the sign-up of a mailed link, which stays valid. */
export async function previewSignUp(call: Call): Promise<string> {
  const { token } = checkBody(linkToken, call.body());
  const { email, name } = await call.services.users.signUp.find(token);
  return `{"email":${quote(email)},"name":${quote(name)}}`;
}
previewSignUp.description = describe({
  operationId: 'lookAtLink',
  tag: 'Users',
  summary: 'Show the sign-up of a mailed link',
  notes: 'The link stays valid.',
  body: { schema: fromZod(linkToken), examples: { link: { token: 'A'.repeat(43) } } },
  data: record({
    email: text('Email address of the sign-up.', 'carol@example.com'),
    name: text('Name of the sign-up.', 'Carol'),
  }),
  errors: ['BROWSER_NOT_ALLOWED'],
});

const verification = z.strictObject({ token, password });

/** POST /api/account/verify-email: opens the account of a mailed link and signs the user in. */
export async function verifyEmail(call: Call): Promise<string> {
  const { token, password } = checkBody(verification, call.body());
  const { signIn } = call.services.users;
  signedInText(call, await signIn.withLink(token, password, readBrowser(call)));
  return '{"status":"verified"}';
}
verifyEmail.description = describe({
  operationId: 'verifyEmail',
  tag: 'Users',
  summary: 'Open the account of a mailed link',
  notes:
    '`password` must be the one chosen at sign-up; a wrong one leaves the link valid. The link works once. The ' +
    'response signs the browser in.',
  body: {
    schema: fromZod(verification),
    examples: { link: { token: 'A'.repeat(43), password: 'a meadow full of clover' } },
  },
  data: statusData('verified', 'The account is open.'),
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

const resetRequest = z.strictObject({ email });

/** POST /api/account/password-reset: mails a link for a new password if the address has an account. */
export async function requestPasswordReset(call: Call): Promise<string> {
  const { email } = checkBody(resetRequest, call.body());
  await requireMail(call).signUp.requestReset(email);
  return '{"status":"check_email"}';
}
requestPasswordReset.description = describe({
  operationId: 'requestPasswordReset',
  tag: 'Users',
  summary: 'Request a password reset',
  notes: 'The response does not depend on whether the address has an account.',
  body: { schema: fromZod(resetRequest), examples: { user: { email: 'unknown@example.com' } } },
  data: statusData('check_email', 'If the address has an account, follow the link in the mail.'),
  errors: ['BROWSER_NOT_ALLOWED', 'NOT_FOUND'],
});

const reset = z.strictObject({ token, password });

/** POST /api/account/password-reset/confirm: sets the password with a mailed link and ends all sessions. */
export async function confirmPasswordReset(call: Call): Promise<string> {
  const { token, password } = checkBody(reset, call.body());
  const { users } = call.services;
  const device = await users.resetPassword(token, password, call.requestOrigin!.address);
  call.setCookie(deviceCookie(device));
  return '{"status":"password_changed"}';
}
confirmPasswordReset.description = describe({
  operationId: 'confirmPasswordReset',
  tag: 'Users',
  summary: 'Set a new password with a mailed link',
  notes: 'The link works once. All sessions end; two-factor authentication stays on.',
  body: {
    schema: fromZod(reset),
    examples: { link: { token: 'A'.repeat(43), password: 'a field full of poppies' } },
  },
  data: statusData('password_changed', 'Sign in with the new password.'),
  errors: ['BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

/** Returns the users' service. @throws ApiError NOT_FOUND if the exchange sends no mail */
export function requireMail({ services: { users } }: Call) {
  if (users.canMail) return users;
  const message = 'This exchange sends no mail. Ask its operator for an account or a link.';
  throw new ApiError('NOT_FOUND', message);
}
