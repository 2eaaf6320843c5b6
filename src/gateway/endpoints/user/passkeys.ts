import { z } from 'zod';
import { DatabaseDownError } from '../../../users/errors.ts';
import { suspects } from '../../../users/guesses.ts';
import { demandName, type Passkey } from '../../../users/passkeys.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { checkBody, nothing, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { many, one } from '../../openapi/record-schemas.ts';
import { timeOrNull, timeText } from '../records.ts';
import { newcomerOf, proof, proofOf, SIGNED_IN, signedIn, signedInText, siteOf } from './visit.ts';

/** As the browser's WebAuthn functions give and take it. */
const OPTIONS = record({
  options: { type: 'object', additionalProperties: true, examples: [{ challenge: 'AAAA' }] },
});
const response = z.record(z.string(), z.unknown());
const RESPONSE = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };

/** POST /api/account/sign-in/passkey/options */
export async function passkeySignInOptions(call: Call): Promise<string> {
  checkBody(nothing, call.body());
  const { passkeys } = call.services.accounts;
  return `{"options":${JSON.stringify(await passkeys.request(siteOf(call)))}}`;
}
passkeySignInOptions.description = describe({
  operationId: 'passkeySignInOptions',
  tag: 'Users',
  summary: 'Begin to sign in by passkey',
  notes:
    'For `navigator.credentials.get`. Passkeys need the exchange opened by a name, not an address.',
  body: { schema: fromZod(nothing), examples: { nothing: {} } },
  data: OPTIONS,
  errors: ['BROWSER_NOT_ALLOWED'],
});

const shown = z.strictObject({ response });

/** POST /api/account/sign-in/passkey: a passkey is both factors. */
export async function signInByPasskey(call: Call): Promise<string> {
  const body = checkBody(shown, call.body());
  const site = siteOf(call);
  const { passkeys, users, signIn } = call.services.accounts;
  const newcomer = newcomerOf(call);
  const all = suspects.passkey(newcomer.scope);
  signIn.guesses.begin(all, call.services.now());
  const passkey = await passkeys.shown(site, body.response).catch((error) => {
    if (error instanceof DatabaseDownError) signIn.guesses.takeBack(all);
    throw error;
  });
  const user = await users.byId(passkey.personId);
  if (user === undefined) throw new ApiError('UNAUTHORIZED');
  signIn.guesses.clear(all);
  return signedInText(call, await signIn.admit(user, newcomer, passkey));
}
signInByPasskey.description = describe({
  operationId: 'signInByPasskey',
  tag: 'Users',
  summary: 'Sign in by passkey',
  notes: '`response` is what `navigator.credentials.get` gave. No code is asked for besides.',
  body: { schema: fromZod(shown), examples: { shown: { response: RESPONSE } } },
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
  data: record({ passkeys: many('Passkey') }),
});

const wanted = z.strictObject(proof);

/** POST /api/account/passkeys/options */
export async function passkeyOptions(call: Call): Promise<string> {
  const body = checkBody(wanted, call.body());
  const { session, user } = await signedIn(call);
  const { signIn, passkeys } = call.services.accounts;
  const site = siteOf(call);
  demandName(site);
  await signIn.confirm(session, user, proofOf(body));
  return `{"options":${JSON.stringify(await passkeys.registration(user, site))}}`;
}
passkeyOptions.description = describe({
  operationId: 'passkeyOptions',
  tag: 'Users',
  summary: 'Begin to add a passkey',
  notes:
    'For `navigator.credentials.create`. Send `code` where there is a second factor, else `password`.',
  body: {
    schema: fromZod(wanted),
    examples: { password: { password: 'a meadow full of clover' } },
  },
  data: OPTIONS,
  errors: ['OVERLOADED'],
});

const made = z.strictObject({ response, label: plainText });

/** POST /api/account/passkeys */
export async function addPasskey(call: Call): Promise<string> {
  const { response, label } = checkBody(made, call.body());
  const { session, user } = await signedIn(call);
  const { passkeys, mails } = call.services.accounts;
  const site = siteOf(call);
  const { address } = call.visit!;
  const passkey = await passkeys.add(session, user, site, response, label, address);
  mails.passkeyAdded(user.email);
  return `{"passkey":${passkeyText(passkey)}}`;
}
addPasskey.description = describe({
  operationId: 'addPasskey',
  tag: 'Users',
  summary: 'Add a passkey',
  notes: '`response` is what `navigator.credentials.create` gave.',
  body: { schema: fromZod(made), examples: { made: { response: RESPONSE, label: 'phone' } } },
  data: record({ passkey: one('Passkey') }),
});

/** DELETE /api/account/passkeys/:id */
export async function removePasskey(call: Call): Promise<string> {
  call.query([]);
  const { user } = await signedIn(call);
  const { passkeys } = call.services.accounts;
  await passkeys.remove(user, call.parameters.id!, call.visit!.address);
  return passkeysText(call);
}
removePasskey.description = describe({
  operationId: 'removePasskey',
  tag: 'Users',
  summary: 'Remove a passkey',
  path: { id: 'passkeyId' },
  data: record({ passkeys: many('Passkey') }),
  errors: ['NOT_FOUND'],
});

async function passkeysText(call: Call): Promise<string> {
  const own = await call.services.accounts.passkeys.of(call.session!.personId);
  return `{"passkeys":[${own.map(passkeyText).join(',')}]}`;
}

function passkeyText({ id, label, createdAt, lastUsedAt }: Passkey): string {
  return (
    `{"id":${quote(id)},"label":${quote(label)},"createdAt":${timeText(createdAt)},` +
    `"lastUsedAt":${timeOrNull(lastUsedAt)}}`
  );
}
