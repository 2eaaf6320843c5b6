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
import { code, password, readProof } from './body-fields.ts';
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

async function profileText(call: Call, user: User): Promise<string> {
  const { users, sealedSecrets } = call.services;
  const { id, accountId, name, email, totpSecret, createdAt } = user;
  const recoveryCodesLeft = await users.secondFactor.recoveryCodesLeft(id);
  const passkeys = (await users.passkeys.listByUser(id)).length;
  const { sandbox } = call.exchange.state;
  return (
    `{"profile":{"accountId":"${accountId}","name":${quote(name)},"email":${quote(email)},` +
    `"permissions":${permissionsText(user.permissions)},"secondFactor":${totpSecret !== ''},` +
    `"recoveryCodesLeft":${recoveryCodesLeft},"passkeys":${passkeys},"createdAt":${timeText(createdAt)},` +
    `"isSandbox":${sandbox},"hmacKeys":${sealedSecrets !== undefined}}}`
  );
}
