import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import { type ApiKey, isInForce } from '../../../engine/ledger/accounts.ts';
import { permissionsText } from '../../auth/permissions.ts';
import type { Call } from '../../http/call.ts';
import { ApiError } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { checkBody, plainText } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { many, nextCursor, one } from '../../openapi/record-schemas.ts';
import { done } from '../admin/outcome.ts';
import { KEY_PARAMETERS, keyPage } from '../key-pages.ts';
import { keyTerms, keyTermsOf, makeKey } from '../make-key.ts';
import { timeOrNull, timeText } from '../records.ts';
import { confirm, demandPermissions, noteKey } from './confirmation.ts';

/** GET /api/account/keys: `{keys, nextCursor}` of the account, the newest first. */
export function listOwnKeys(call: Call): string {
  return keyPage(call, call.account, 'ownKeys', (key) => keyText(call, key));
}
listOwnKeys.description = describe({
  operationId: 'listOwnKeys',
  tag: 'Users',
  summary: 'API keys of the account, the newest first',
  notes: 'The last 100 keys that were revoked or expired are listed too.',
  query: KEY_PARAMETERS,
  data: record({ keys: many('OwnKey'), nextCursor }),
});

const newKey = z.strictObject({
  label: plainText,
  ...keyTerms,
});

/** POST /api/account/keys: makes a key. Its secret is in this answer and never again. */
export async function createOwnKey(call: Call): Promise<string> {
  const body = checkBody(newKey, call.body());
  const terms = keyTermsOf(call, body);
  demandPermissions(call, terms.permissions);
  await confirm(call, body);
  const { key, apiSecret } = await makeKey(call, call.account, body.label, terms);
  await noteKey(call, 'key_made', key.apiKey);
  return `{"key":${keyText(call, key)},"apiKey":"${key.apiKey}","apiSecret":"${apiSecret}"}`;
}
createOwnKey.description = describe({
  operationId: 'createOwnKey',
  tag: 'Users',
  summary: 'Make an API key',
  notes:
    'Its secret is in this answer and never again. Send `code` where there is a second factor, else ' +
    '`password`. A key may do no more than who makes it.',
  body: {
    schema: fromZod(newKey),
    examples: {
      bot: { label: 'bot', permissions: ['read', 'trade'], password: 'a meadow full of clover' },
    },
  },
  data: record({
    key: one('OwnKey'),
    apiKey: text('The key.', `bwk_${'0'.repeat(32)}`),
    apiSecret: text('The secret. Only its hash is kept.', `bws_${'0'.repeat(72)}`),
  }),
  errors: ['CLOCK_OFF', 'OVERLOADED'],
});

/** DELETE /api/account/keys/:id: ends a key of the account at once; a second time changes nothing. */
export async function revokeOwnKey(call: Call): Promise<string> {
  call.query([]);
  const apiKey = call.parameters.id!;
  const key = call.account.keys.find((own) => own.apiKey === apiKey);
  if (key === undefined) {
    throw new ApiError('NOT_FOUND', 'The account has no such key.', { field: 'id' });
  }
  demandPermissions(call, key.permissions);
  const command = { kind: CommandKind.revokeKey, ...call.actor, apiKey } as const;
  const outcome = await call.services.replica.execute(command);
  const revoked = done(outcome, 'key', call.exchange.state).key;
  await noteKey(call, 'key_revoked', apiKey);
  return `{"key":${keyText(call, revoked)}}`;
}
revokeOwnKey.description = describe({
  operationId: 'revokeOwnKey',
  tag: 'Users',
  summary: 'End an API key at once',
  notes: 'A second time changes nothing.',
  path: { id: 'apiKey' },
  data: record({ key: one('OwnKey') }),
  errors: ['NOT_FOUND'],
});

function keyText(call: Call, key: ApiKey): string {
  const { keyUses, now } = call.services;
  const time = Math.max(now(), call.exchange.state.time);
  const status = key.revokedAt !== 0 ? 'revoked' : isInForce(key, time) ? 'active' : 'expired';
  return (
    `{"id":"${key.apiKey}","label":${quote(key.label)},` +
    `"permissions":${permissionsText(key.permissions)},"addresses":${JSON.stringify(key.addresses)},` +
    `"createdAt":${timeText(key.createdAt)},"expiresAt":${timeOrNull(key.expiresAt)},` +
    `"lastUsedAt":${timeOrNull(keyUses.of(key))},"status":"${status}"}`
  );
}
