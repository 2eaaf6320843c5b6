import { z } from 'zod';
import { DatabaseDownError } from '../../../users/errors.ts';
import { guessCounters, type Passkey, requireHostname } from '../../../users/users.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, emptyBody, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { timeOrNull, timeText } from '../records.ts';
import { proof, readProof } from './body-fields.ts';
import { readBrowser, readSite, signedIn } from './browser.ts';
import { SIGNED_IN, signedInText } from './session-response.ts';

/** Options and responses have the JSON form of the browser's WebAuthn functions. */
const OPTIONS = record({
  options: { type: 'object', additionalProperties: true, examples: [{ challenge: 'AAAA' }] },
});
const response = z.record(z.string(), z.unknown());
const RESPONSE = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };

/** POST /api/account/sign-in/passkey/options: `{options}` for `navigator.credentials.get`. */
export async function passkeySignInOptions(call: Call): Promise<string> {
  checkBody(emptyBody, call.body());
  const { passkeys } = call.services.users;
  return `{"options":${JSON.stringify(await passkeys.signInOptions(readSite(call)))}}`;
}
passkeySignInOptions.description = describe({
  operationId: 'passkeySignInOptions',
  tag: 'Users',
  summary: 'Start a sign-in with a passkey',
  notes:
    'Pass `options` to `navigator.credentials.get`. Passkeys need a host name, not an IP address.',
  body: { schema: fromZod(emptyBody), examples: { nothing: {} } },
  data: OPTIONS,
  errors: ['BROWSER_NOT_ALLOWED'],
});

const assertion = z.strictObject({ response });

/** POST /api/account/sign-in/passkey: signs in. A passkey counts as both factors. */
export async function signInByPasskey(call: Call): Promise<string> {
  const body = checkBody(assertion, call.body());
  const site = readSite(call);
  const { passkeys, store, signIn } = call.services.users;
  const browser = readBrowser(call);
  const counters = guessCounters.passkey(browser.scope);
  signIn.guesses.begin(counters, call.services.now());
  const passkey = await passkeys.verify(site, body.response).catch((error) => {
    if (error instanceof DatabaseDownError) signIn.guesses.retract(counters);
    throw error;
  });
  const user = await store.findById(passkey.userId);
  if (user === undefined) throw new ApiError('UNAUTHORIZED');
  signIn.guesses.clear(counters);
  return signedInText(call, await signIn.startSession(user, browser, passkey));
}
signInByPasskey.description = describe({
  operationId: 'signInByPasskey',
  tag: 'Users',
  summary: 'Sign in with a passkey',
  notes: '`response` is the result of `navigator.credentials.get`. No 2FA code is needed.',
  body: { schema: fromZod(assertion), examples: { assertion: { response: RESPONSE } } },
  data: SIGNED_IN,
  errors: ['UNAUTHORIZED', 'BROWSER_NOT_ALLOWED'],
});

/** GET /api/account/passkeys: `{passkeys}`. */
export async function listPasskeys(call: Call): Promise<string> {
  call.query([]);
  return passkeysText(call);
}
listPasskeys.description = describe({
  operationId: 'listPasskeys',
  tag: 'Users',
  summary: 'Your passkeys',
  data: record({ passkeys: recordList('Passkey') }),
});

const registration = z.strictObject(proof);

/** POST /api/account/passkeys/options: `{options}` for `navigator.credentials.create`. */
export async function passkeyOptions(call: Call): Promise<string> {
  const body = checkBody(registration, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, passkeys } = call.services.users;
  const site = readSite(call);
  requireHostname(site);
  await signIn.confirm(session, user, readProof(body));
  return `{"options":${JSON.stringify(await passkeys.registrationOptions(user, site))}}`;
}
passkeyOptions.description = describe({
  operationId: 'passkeyOptions',
  tag: 'Users',
  summary: 'Start adding a passkey',
  notes:
    'Pass `options` to `navigator.credentials.create`. Send `code` if two-factor authentication is on, else ' +
    '`password`.',
  body: {
    schema: fromZod(registration),
    examples: { password: { password: 'a meadow full of clover' } },
  },
  data: OPTIONS,
  errors: ['OVERLOADED'],
});

const newPasskey = z.strictObject({ response, label: plainText });

/** POST /api/account/passkeys: `{passkey}`. */
export async function addPasskey(call: Call): Promise<string> {
  const { response, label } = checkBody(newPasskey, call.body());
  const { session, user } = await signedIn(call);
  const { passkeys, mails } = call.services.users;
  const site = readSite(call);
  const { address } = call.requestOrigin!;
  const passkey = await passkeys.add(session, user, site, response, label, address);
  mails.passkeyAdded(user);
  return `{"passkey":${passkeyText(passkey)}}`;
}
addPasskey.description = describe({
  operationId: 'addPasskey',
  tag: 'Users',
  summary: 'Add a passkey',
  notes: '`response` is the result of `navigator.credentials.create`.',
  body: {
    schema: fromZod(newPasskey),
    examples: { passkey: { response: RESPONSE, label: 'phone' } },
  },
  data: record({ passkey: recordRef('Passkey') }),
});

/** DELETE /api/account/passkeys/:id: `{passkeys}` that remain. */
export async function removePasskey(call: Call): Promise<string> {
  call.query([]);
  const { user } = await signedIn(call);
  const { passkeys } = call.services.users;
  await passkeys.remove(user, call.parameters.id!, call.requestOrigin!.address);
  return passkeysText(call);
}
removePasskey.description = describe({
  operationId: 'removePasskey',
  tag: 'Users',
  summary: 'Remove a passkey',
  path: { id: 'passkeyId' },
  data: record({ passkeys: recordList('Passkey') }),
  errors: ['NOT_FOUND'],
});

async function passkeysText(call: Call): Promise<string> {
  const own = await call.services.users.passkeys.listByUser(call.session!.userId);
  return `{"passkeys":[${own.map(passkeyText).join(',')}]}`;
}

function passkeyText({ id, label, createdAt, lastUsedAt }: Passkey): string {
  return (
    `{"id":${quote(id)},"label":${quote(label)},"createdAt":${timeText(createdAt)},` +
    `"lastUsedAt":${timeOrNull(lastUsedAt)}}`
  );
}
