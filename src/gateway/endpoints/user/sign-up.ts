import { z } from 'zod';
import { deviceCookie } from '../../auth/cookies.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { checkBody, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import {
  email,
  NO_ORIGIN,
  newcomerOf,
  password,
  signedInText,
  statusData,
  token,
} from './visit.ts';

const newUser = z.strictObject({ email, password, name: plainText });

/** POST /api/account/sign-up: mails a link that opens an account. Whether there is one, only the mail tells. */
export async function signUp(call: Call): Promise<string> {
  const { email, password, name } = checkBody(newUser, call.body());
  if (call.visit!.origin === undefined) throw new ApiError('BROWSER_NOT_ALLOWED', NO_ORIGIN);
  await mailing(call).signUp.begin(email, password, name, call.visit!.scope);
  return '{"status":"check_email"}';
}
signUp.description = describe({
  operationId: 'signUp',
  tag: 'Users',
  summary: 'Ask for an account',
  notes:
    'A link is mailed that opens it; in the sandbox the mail is in the log of the server. The answer is ' +
    'the same where the address is known. An exchange that cannot mail answers `NOT_FOUND`.',
  body: {
    schema: fromZod(newUser),
    examples: {
      user: { email: 'carol@example.com', password: 'a meadow full of clover', name: 'Carol' },
    },
  },
  data: statusData('check_email', 'The rest is in the mail.'),
  errors: ['BROWSER_NOT_ALLOWED', 'NOT_FOUND', 'OVERLOADED'],
});

const link = z.strictObject({ token });

/** POST /api/account/verify-email/link: whose sign-up a mailed link is for, without using it up. */
export async function lookAtLink(call: Call): Promise<string> {
  const { token } = checkBody(link, call.body());
  const { email, name } = await call.services.accounts.signUp.look(token);
  return `{"email":${quote(email)},"name":${quote(name)}}`;
}
lookAtLink.description = describe({
  operationId: 'lookAtLink',
  tag: 'Users',
  summary: 'Whose sign-up a mailed link is for',
  notes: 'The link is not used up.',
  body: { schema: fromZod(link), examples: { link: { token: 'A'.repeat(43) } } },
  data: record({
    email: text('The address that signed up.', 'carol@example.com'),
    name: text('The name that was given with it.', 'Carol'),
  }),
  errors: ['BROWSER_NOT_ALLOWED'],
});

const verification = z.strictObject({ token, password });

/** POST /api/account/verify-email: opens the account of a mailed link, and signs its holder in. */
export async function verifyEmail(call: Call): Promise<string> {
  const { token, password } = checkBody(verification, call.body());
  const { signIn } = call.services.accounts;
  signedInText(call, await signIn.byLink(token, password, newcomerOf(call)));
  return '{"status":"verified"}';
}
verifyEmail.description = describe({
  operationId: 'verifyEmail',
  tag: 'Users',
  summary: 'Open the account that a mailed link is for',
  notes:
    '`password` is the one that was chosen at sign-up: another one opens nothing and does not use the ' +
    'link up. The link works once. The answer signs the browser in.',
  body: {
    schema: fromZod(verification),
    examples: { link: { token: 'A'.repeat(43), password: 'a meadow full of clover' } },
  },
  data: statusData('verified', 'The account is open.'),
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

const forgotten = z.strictObject({ email });

/** POST /api/account/password-reset: mails a link to choose a password by, to whoever is known. */
export async function requestPasswordReset(call: Call): Promise<string> {
  const { email } = checkBody(forgotten, call.body());
  await mailing(call).signUp.forgotPassword(email);
  return '{"status":"check_email"}';
}
requestPasswordReset.description = describe({
  operationId: 'requestPasswordReset',
  tag: 'Users',
  summary: 'Ask for a link to choose a new password by',
  notes: 'The answer is the same where nobody has the address.',
  body: { schema: fromZod(forgotten), examples: { user: { email: 'nobody@example.com' } } },
  data: statusData('check_email', 'The rest is in the mail, if there is one.'),
  errors: ['BROWSER_NOT_ALLOWED', 'NOT_FOUND'],
});

const choice = z.strictObject({ token, password });

/** POST /api/account/password-reset/confirm: sets the password by a mailed link; ends all sessions. */
export async function confirmPasswordReset(call: Call): Promise<string> {
  const { token, password } = checkBody(choice, call.body());
  const { accounts } = call.services;
  const device = await accounts.resetPassword(token, password, call.visit!.address);
  call.setCookie(deviceCookie(device));
  return '{"status":"password_changed"}';
}
confirmPasswordReset.description = describe({
  operationId: 'confirmPasswordReset',
  tag: 'Users',
  summary: 'Choose a password by a mailed link',
  notes: 'The link works once. All sessions end; a second factor stays in force.',
  body: {
    schema: fromZod(choice),
    examples: { link: { token: 'A'.repeat(43), password: 'a field full of poppies' } },
  },
  data: statusData('password_changed', 'Sign in with it.'),
  errors: ['BROWSER_NOT_ALLOWED', 'OVERLOADED'],
});

/** @throws ApiError NOT_FOUND where nothing can be mailed */
function mailing({ services: { accounts } }: Call) {
  if (accounts.canMail) return accounts;
  const message = 'This exchange sends no mail: ask its operator for an account or a link.';
  throw new ApiError('NOT_FOUND', message);
}
