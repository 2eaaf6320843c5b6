import { z } from 'zod';
import type { User } from '../../../users/users.ts';
import { sessionCookie } from '../../auth/cookies.ts';
import { permissionsText } from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { code, password, proof, readProof } from './body-fields.ts';
import { signedIn } from './browser.ts';
import { statusData } from './session-response.ts';

/** GET /api/account: `{profile}`. */
export async function getProfile(call: Call): Promise<string> {
  call.query([]);
  return profileText(call, (await signedIn(call)).user);
}
getProfile.description = describe({
  operationId: 'getProfile',
  tag: 'Users',
  summary: 'Your profile',
  data: record({ profile: recordRef('Profile') }),
});

const change = z.strictObject({ name: plainText });

/** PATCH /api/account: changes the name. */
export async function changeProfile(call: Call): Promise<string> {
  const { name } = checkBody(change, call.body());
  const { user } = await signedIn(call);
  await call.services.users.store.setName(user.id, name);
  return profileText(call, { ...user, name });
}
changeProfile.description = describe({
  operationId: 'changeProfile',
  tag: 'Users',
  summary: 'Change your name',
  body: { schema: fromZod(change), examples: { name: { name: 'Alice' } } },
  data: record({ profile: recordRef('Profile') }),
});

const passwords = z.strictObject({ password, newPassword: password, code: code.nullish() });

/** POST /api/account/password: changes the password, ends all other sessions and renews this one. */
export async function changePassword(call: Call): Promise<string> {
  const body = checkBody(passwords, call.body());
  const { session, user } = await signedIn(call);
  const { users } = call.services;
  await users.signIn.confirmBoth(session, user, readProof(body));
  const { address } = call.requestOrigin!;
  const secret = await users.changePassword(session, user, body.newPassword, address);
  call.setCookie(sessionCookie(secret));
  return '{"status":"password_changed"}';
}
changePassword.description = describe({
  operationId: 'changePassword',
  tag: 'Users',
  summary: 'Change your password',
  notes:
    'Send `code`, too, if two-factor authentication is on. All other sessions end; this one continues with a new ' +
    'cookie.',
  body: {
    schema: fromZod(passwords),
    examples: {
      password: { password: 'a meadow full of clover', newPassword: 'a field full of poppies' },
    },
  },
  data: statusData('password_changed', 'The new password is in force.'),
  errors: ['OVERLOADED'],
});

const antiPhishing = z.strictObject({
  antiPhishingCode: z
    .string()
    .regex(/^[A-Za-z0-9]{4,20}$/, 'must be 4 to 20 letters (A to Z) or digits')
    .nullable()
    .meta({ description: 'The code; null removes it.' }),
  ...proof,
});

/** POST /api/account/anti-phishing-code: sets or removes the word that mails to the user show. */
export async function changeAntiPhishingCode(call: Call): Promise<string> {
  const body = checkBody(antiPhishing, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, antiPhishingCodes } = call.services.users;
  await signIn.confirm(session, user, readProof(body));
  const { address } = call.requestOrigin!;
  const { antiPhishingCode } = body;
  if (antiPhishingCode === null) await antiPhishingCodes.remove(session, user, address);
  else await antiPhishingCodes.set(session, user, antiPhishingCode, address);
  return profileText(call, { ...user, antiPhishingCode: antiPhishingCode ?? '' });
}
changeAntiPhishingCode.description = describe({
  operationId: 'changeAntiPhishingCode',
  tag: 'Users',
  summary: 'Change your anti-phishing code',
  notes: 'Every mail of the exchange to you shows this code, so that you recognize forged ones.',
  body: {
    schema: fromZod(antiPhishing),
    examples: { code: { antiPhishingCode: 'Clover42', password: 'a meadow full of clover' } },
  },
  data: record({ profile: recordRef('Profile') }),
  errors: ['OVERLOADED'],
});

export async function profileText(call: Call, user: User): Promise<string> {
  const { users, sealedSecrets } = call.services;
  const { id, accountId, name, email, pendingEmail, totpSecret, antiPhishingCode, createdAt } =
    user;
  const recoveryCodesLeft = await users.secondFactor.recoveryCodesLeft(id);
  const passkeys = (await users.passkeys.listByUser(id)).length;
  const { sandbox } = call.exchange.state;
  return (
    `{"profile":{"accountId":"${accountId}","name":${quote(name)},"email":${quote(email)},` +
    `"pendingEmail":${pendingEmail === '' ? 'null' : quote(pendingEmail)},` +
    `"permissions":${permissionsText(user.permissions)},"secondFactor":${totpSecret !== ''},` +
    `"recoveryCodesLeft":${recoveryCodesLeft},"passkeys":${passkeys},` +
    `"antiPhishingCode":${antiPhishingCode === '' ? 'null' : quote(antiPhishingCode)},` +
    `"createdAt":${timeText(createdAt)},"isSandbox":${sandbox},"hmacKeys":${sealedSecrets !== undefined}}}`
  );
}
