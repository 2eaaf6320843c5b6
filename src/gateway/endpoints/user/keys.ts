import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import { type ApiKey, isInForce } from '../../../engine/ledger/accounts.ts';
import { permissionsText } from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, optional, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { nextCursor, recordList, recordRef } from '../../openapi/record-schemas.ts';
import { expectOutcome } from '../admin/outcome.ts';
import {
  changeAccountKey,
  KEY_CHANGE_CONDITION,
  keyChangeFields,
  LABEL_CHANGE,
  toKeyChange,
} from '../change-key.ts';
import {
  createAccountKey,
  credentialText,
  HMAC_EXAMPLE,
  KEY_CONDITION,
  keyFields,
  readKeySettings,
  SECRET,
  SIGNED_EXAMPLE,
} from '../create-key.ts';
import { KEY_PARAMETERS, keyPage } from '../key-pages.ts';
import { timeOrNull, timeText } from '../records.ts';
import { confirm, recordKeyEvent, requireGrantable } from './confirmation.ts';

/** GET /api/account/keys: `{keys, nextCursor}` of the account, newest first. */
export function listOwnKeys(call: Call): string {
  return keyPage(call, call.account, 'ownKeys', (key) => keyText(call, key));
}
listOwnKeys.description = describe({
  operationId: 'listOwnKeys',
  tag: 'Users',
  summary: 'API keys of the account, newest first',
  notes: 'Includes the last 100 keys that were revoked or have expired.',
  query: KEY_PARAMETERS,
  data: record({ keys: recordList('OwnKey'), nextCursor }),
});

const newKey = z.strictObject({
  label: plainText.meta({ description: 'A name by which you recognize the key.' }),
  ...keyFields,
});

/** POST /api/account/keys: creates a key. Its secret is returned only this once. */
export async function createOwnKey(call: Call): Promise<string> {
  const body = checkBody(newKey, call.body());
  const settings = readKeySettings(call, body);
  requireGrantable(call, call.account, settings.permissions);
  await confirm(call, body);
  const { key, apiSecret } = await createAccountKey(call, call.account, body.label, settings);
  await recordKeyEvent(call, 'key_made', key.apiKey);
  return `{"key":${keyText(call, key)},"apiKey":"${key.apiKey}","apiSecret":${JSON.stringify(apiSecret)}}`;
}
createOwnKey.description = describe({
  operationId: 'createOwnKey',
  tag: 'Users',
  summary: 'Create an API key',
  notes:
    'The secret is returned only this once. A key of the type `secret` sends it, one of `ed25519` has a `publicKey` and none, one of `hmac` signs payloads with it. Send `code` if two-factor authentication is on, else `password`. A ' +
    'key gets at most your own permissions.',
  body: {
    schema: fromZod(newKey.meta(KEY_CONDITION)),
    examples: {
      bot: { label: 'bot', permissions: ['read', 'trade'], password: 'a meadow full of clover' },
      signed: { label: 'signing bot', ...SIGNED_EXAMPLE, password: 'a meadow full of clover' },
      hmac: { label: 'other bot', ...HMAC_EXAMPLE, password: 'a meadow full of clover' },
    },
  },
  data: record({
    key: recordRef('OwnKey'),
    apiKey: text('The API key.', `bwk_${'0'.repeat(32)}`),
    apiSecret: SECRET,
  }),
  errors: ['CLOCK_OFF', 'OVERLOADED'],
});

const keyChange = z.strictObject({
  label: optional(plainText, LABEL_CHANGE),
  ...keyChangeFields,
});

/** PATCH /api/account/keys/:id: changes the label and the IP allowlist of a key of the account. */
export async function changeOwnKey(call: Call): Promise<string> {
  const body = checkBody(keyChange, call.body());
  const key = findOwnKey(call);
  const command = toKeyChange(call, key, body);
  requireGrantable(call, call.account, key.permissions);
  await confirm(call, body);
  const changed = await changeAccountKey(call, key, command);
  await recordKeyEvent(call, 'key_changed', key.apiKey);
  return `{"key":${keyText(call, changed)}}`;
}
changeOwnKey.description = describe({
  operationId: 'changeOwnKey',
  tag: 'Users',
  summary: 'Change the label and the IP allowlist of an API key',
  notes:
    'Send `label`, `addresses` or both; with `code` if two-factor authentication is on, else `password`. Takes effect at ' +
    'once: connections from addresses that are not listed any more are closed. Permissions, secret and expiry stay. All ' +
    'users of the account are notified by mail.',
  path: { id: 'apiKey' },
  body: {
    schema: fromZod(keyChange.meta(KEY_CHANGE_CONDITION)),
    examples: {
      label: { label: 'grid bot', password: 'a meadow full of clover' },
      allowlist: {
        addresses: ['203.0.113.7', '198.51.100.0/24'],
        password: 'a meadow full of clover',
      },
      anyAddress: { addresses: [], password: 'a meadow full of clover' },
      both: { label: 'grid bot', addresses: ['203.0.113.7'], password: 'a meadow full of clover' },
    },
  },
  data: record({ key: recordRef('OwnKey') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** @throws ApiError NOT_FOUND */
function findOwnKey({ account, parameters }: Call): ApiKey {
  const key = account.keys.find(({ apiKey }) => apiKey === parameters.id);
  if (key !== undefined) return key;
  throw new ApiError('NOT_FOUND', 'The account has no such API key.', { field: 'id' });
}

/** DELETE /api/account/keys/:id: revokes a key of the account at once. Idempotent. */
export async function revokeOwnKey(call: Call): Promise<string> {
  call.query([]);
  const { apiKey, permissions } = findOwnKey(call);
  requireGrantable(call, call.account, permissions);
  const command = { kind: CommandKind.revokeKey, ...call.actor, apiKey } as const;
  const outcome = await call.services.replica.execute(command);
  const revoked = expectOutcome(outcome, 'key', call.exchange.state).key;
  await recordKeyEvent(call, 'key_revoked', apiKey);
  return `{"key":${keyText(call, revoked)}}`;
}
revokeOwnKey.description = describe({
  operationId: 'revokeOwnKey',
  tag: 'Users',
  summary: 'Revoke an API key',
  notes: 'Takes effect at once. Revoking it again has no effect.',
  path: { id: 'apiKey' },
  data: record({ key: recordRef('OwnKey') }),
  errors: ['NOT_FOUND'],
});

/** Returns a key of the caller's account as JSON. */
export function keyText(call: Call, key: ApiKey): string {
  const { keyUses, now } = call.services;
  const time = Math.max(now(), call.exchange.state.time);
  const status = key.revokedAt !== 0 ? 'revoked' : isInForce(key, time) ? 'active' : 'expired';
  return (
    `{"id":"${key.apiKey}","label":${quote(key.label)},` +
    `"permissions":${permissionsText(key.permissions)},"addresses":${JSON.stringify(key.addresses)},` +
    `"createdAt":${timeText(key.createdAt)},"expiresAt":${timeOrNull(key.expiresAt)},` +
    `${credentialText(key)},"lastUsedAt":${timeOrNull(keyUses.get(key))},"status":"${status}"}`
  );
}
