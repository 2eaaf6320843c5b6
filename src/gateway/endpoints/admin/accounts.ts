import { z } from 'zod';
import { type ApprovableCommand, CommandKind } from '../../../engine/command.ts';
import type { Account, ApiKey } from '../../../engine/ledger/accounts.ts';
import { MAX_FEE_TIERS } from '../../../engine/limits.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import { permissionsText } from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, integer, label, optional } from '../../openapi/body-schema.ts';
import { either, present, toKeywords } from '../../openapi/conditions.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList, recordRef } from '../../openapi/record-schemas.ts';
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
import { volumeText } from '../fees.ts';
import { KEY_PARAMETERS, keyPage } from '../key-pages.ts';
import { balancesText, timeOrNull, timeText } from '../records.ts';
import { accountLimitsText } from '../trading-limits.ts';
import { approvalReason } from '../user/body-fields.ts';
import { confirm, recordKeyEvent, requireGrantable } from '../user/confirmation.ts';
import {
  executeAsOperator,
  executeConfirmed,
  executeNewKey,
  requireGrantReason,
} from './execute.ts';
import { expectOutcome } from './outcome.ts';

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const limitClass = integer(1, 1000);
const newAccount = z.strictObject({
  accountId: z
    .string()
    .regex(ACCOUNT_ID, 'must be 1 to 64 of A-Z a-z 0-9 _ . - and begin with a letter or digit'),
  limitClass: limitClass.nullish(),
});

/** POST /api/admin/accounts: opens an account, or returns the existing one. */
export async function createAccount(call: Call): Promise<string> {
  const body = checkBody(newAccount, call.body());
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.createAccount,
    ...call.actor,
    accountId: body.accountId,
    limitClass: body.limitClass ?? 1,
  });
  const { account, created } = expectOutcome(outcome, 'account', call.exchange.state);
  return `{"account":${accountText(account, call)},"created":${created}}`;
}
createAccount.description = describe({
  operationId: 'createAccount',
  tag: 'Operator',
  summary: 'Open an account',
  notes: 'Returns the existing account if there is one with this id.',
  body: { schema: fromZod(newAccount), examples: { account: { accountId: 'carol' } } },
  data: record({
    account: recordRef('Account'),
    created: boolean('False if it already existed.', true),
  }),
});

/** GET /api/admin/accounts/:id: `{account}`. */
export function getAccount(call: Call): string {
  call.query([]);
  return `{"account":${accountText(readAccount(call), call)}}`;
}
getAccount.description = describe({
  operationId: 'getAccount',
  tag: 'Operator',
  summary: 'Get an account',
  path: { id: 'accountId' },
  data: record({ account: recordRef('Account') }),
  errors: ['NOT_FOUND'],
});

const accountChange = z.strictObject({
  frozen: z.boolean().nullish(),
  feeTier: z
    .union([z.literal('volume'), integer(0, MAX_FEE_TIERS)], {
      message: `must be a whole number from 0 to ${MAX_FEE_TIERS}, or volume`,
    })
    .nullish(),
  limitClass: limitClass.nullish(),
  referrer: z
    .string()
    .nullish()
    .meta({ description: 'The account that referred this one; set once, permanently.' }),
  reason: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .nullish(),
});

/**
 * PATCH /api/admin/accounts/:id: freezes or unfreezes an account, or sets its fee tier, its rate-limit
 * multiplier or its referrer, one at a time. The audit keeps the `reason`.
 */
export async function changeAccount(call: Call): Promise<string> {
  const change = checkBody(accountChange, call.body());
  const owner = readAccount(call).index;
  const outcome = await executeAsOperator(
    call,
    toCommand(change, { ...call.actor, owner }, call.exchange.state),
    change.reason ?? '',
  );
  const { account } = expectOutcome(outcome, 'account', call.exchange.state);
  return `{"account":${accountText(account, call)}}`;
}

/** The changes that `toCommand` accepts, for the document. */
const ACCOUNT_CHANGES = either(
  present('frozen'),
  present('feeTier'),
  present('limitClass'),
  present('referrer'),
);

function toCommand(
  change: z.output<typeof accountChange>,
  base: { readonly account: number; readonly key: number; readonly owner: number },
  state: State,
): ApprovableCommand {
  const { frozen, feeTier, limitClass, referrer, reason } = change;
  const given = [frozen, feeTier, limitClass, referrer].filter((value) => value != null);
  if (given.length !== 1) {
    const message = 'Send exactly one of frozen, feeTier, limitClass and referrer.';
    throw invalid('frozen', 'oneOf', message);
  }
  if (frozen != null) {
    const optional = reason == null ? {} : { reason };
    return { kind: CommandKind.setAccountStatus, ...base, frozen, ...optional };
  }
  if (referrer != null) {
    const { index } = findAccount(referrer, state, 'referrer');
    return { kind: CommandKind.setReferrer, ...base, referrer: index };
  }
  if (limitClass != null) return { kind: CommandKind.setAccountLimitClass, ...base, limitClass };
  const tier = feeTier === 'volume' ? NONE : (feeTier as number);
  return { kind: CommandKind.setAccountFeeTier, ...base, tier };
}
changeAccount.description = describe({
  operationId: 'changeAccount',
  tag: 'Operator',
  summary: 'Freeze or unfreeze an account, set its fee tier, rate-limit multiplier or referrer',
  notes:
    'Send exactly one of `frozen`, `feeTier`, `limitClass` and `referrer`. The fee tier `volume` follows the 30-day volume; ' +
    '`limitClass` multiplies the rate limits; `referrer` is an account of another owner that was created before, and is ' +
    'set once. The audit keeps the `reason`, which `feeTier` and `referrer` need if a second operator must approve them.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(accountChange.meta(toKeywords(ACCOUNT_CHANGES))),
    examples: {
      unfreeze: { frozen: false, reason: 'cleared by compliance' },
      tierByVolume: { feeTier: 'volume' },
      marketMaker: { limitClass: 5 },
    },
  },
  data: record({ account: recordRef('Account') }),
  errors: ['NOT_FOUND'],
  mayNeedApproval: true,
});

/** GET /api/admin/accounts/:id/balances: `{balances}`, as the account sees them. */
export function getAccountBalances(call: Call): string {
  call.query([]);
  return balancesText(readAccount(call), call.exchange.state);
}
getAccountBalances.description = describe({
  operationId: 'getAccountBalances',
  tag: 'Operator',
  summary: 'Balances of an account',
  path: { id: 'accountId' },
  data: record({ balances: recordList('Balance') }),
  errors: ['NOT_FOUND'],
});

/** GET /api/admin/accounts/:id/keys: `{keys, nextCursor}`, without secrets. */
export function listKeys(call: Call): string {
  return keyPage(call, readAccount(call), 'keys', keyText);
}
listKeys.description = describe({
  operationId: 'listKeys',
  tag: 'Operator',
  summary: 'API keys of an account, newest first',
  notes: 'Includes the last 100 keys that were revoked or have expired.',
  path: { id: 'accountId' },
  query: KEY_PARAMETERS,
  data: record({ keys: recordList('ApiKey'), nextCursor }),
  errors: ['NOT_FOUND'],
});

const newKey = z.strictObject({
  label: optional(label, 'A name by which you recognize the key. Default: empty.'),
  reason: approvalReason,
  ...keyFields,
});

/**
 * POST /api/admin/accounts/:id/keys: creates a key. A caller with a session must confirm it. No one grants more than
 * they hold (see `grantablePermissions`).
 */
export async function createKey(call: Call): Promise<string> {
  const body = checkBody(newKey, call.body());
  const owner = readAccount(call);
  const settings = readKeySettings(call, body);
  requireGrantable(call, owner, settings.permissions);
  const { permissions } = settings;
  requireGrantReason(call, { owner, permissions, reason: body.reason });
  await confirm(call, body);
  const { key, apiSecret } = await createAccountKey(
    call,
    owner,
    body.label ?? '',
    settings,
    (command) => executeNewKey(call, command, body.reason),
  );
  await recordKeyEvent(call, 'key_made', key.apiKey);
  return `{"key":${keyText(key)},"apiSecret":${JSON.stringify(apiSecret)}}`;
}
createKey.description = describe({
  operationId: 'createKey',
  tag: 'Operator',
  summary: 'Create an API key',
  notes:
    'The secret is returned only this once. A key of the type `secret` sends it, one of `ed25519` has a `publicKey` and none, one of `hmac` signs payloads with it. With a session, send `code` if two-factor authentication is on, ' +
    'else `password`. You grant at most what you hold: an administrator all permissions of operators and `read`, and ' +
    '`trade` to other accounts. All users of the account are ' +
    'notified by mail.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(newKey.meta(KEY_CONDITION)),
    examples: {
      bot: { label: 'bot', permissions: ['read', 'trade'] },
      signed: { label: 'signing bot', ...SIGNED_EXAMPLE },
      hmac: { label: 'other bot', ...HMAC_EXAMPLE },
    },
  },
  data: record({
    key: recordRef('ApiKey'),
    apiSecret: SECRET,
  }),
  errors: ['NOT_FOUND', 'CLOCK_OFF', 'OVERLOADED'],
  mayNeedApproval: true,
});

const keyChange = z.strictObject({
  label: optional(label, LABEL_CHANGE),
  reason: approvalReason,
  ...keyChangeFields,
});

/** PATCH /api/admin/accounts/:id/keys/:apiKey: changes the label and the IP allowlist of a key. */
export async function changeKey(call: Call): Promise<string> {
  const body = checkBody(keyChange, call.body());
  const key = readKey(call);
  const command = toKeyChange(call, key, body);
  requireGrantable(call, key.account, key.permissions);
  const changed = await changeAccountKey(call, key, command, (each) =>
    executeConfirmed(call, each, body),
  );
  await recordKeyEvent(call, 'key_changed', key.apiKey);
  return `{"key":${keyText(changed)}}`;
}
changeKey.description = describe({
  operationId: 'changeKey',
  tag: 'Operator',
  summary: 'Change the label and the IP allowlist of an API key',
  notes:
    'Send `label`, `addresses` or both; with a session, also `code` if two-factor authentication is on, else `password`. ' +
    'You need the permissions to create such a key, and for new addresses also the approval. Takes effect at once: ' +
    'connections from addresses that are not listed any more are closed. All users of the account are notified by mail.',
  path: { id: 'accountId', apiKey: 'apiKey' },
  body: {
    schema: fromZod(keyChange.meta(KEY_CHANGE_CONDITION)),
    examples: {
      label: { label: 'grid bot' },
      allowlist: { addresses: ['203.0.113.7', '198.51.100.0/24'] },
      both: { label: 'grid bot', addresses: ['203.0.113.7'] },
    },
  },
  data: record({ key: recordRef('ApiKey') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
  mayNeedApproval: true,
});

/** Returns the key in the path. @throws ApiError NOT_FOUND */
function readKey(call: Call): ApiKey {
  const key = readAccount(call).keys.find(({ apiKey }) => apiKey === call.parameters.apiKey);
  if (key !== undefined) return key;
  throw new ApiError('NOT_FOUND', 'The account has no such API key.', { field: 'apiKey' });
}

/** DELETE /api/admin/accounts/:id/keys/:apiKey: revokes a key at once. Idempotent. */
export async function revokeKey(call: Call): Promise<string> {
  call.query([]);
  const { apiKey } = readKey(call);
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.revokeKey,
    ...call.actor,
    apiKey,
  });
  const { key } = expectOutcome(outcome, 'key', call.exchange.state);
  await recordKeyEvent(call, 'key_revoked', apiKey);
  return `{"key":${keyText(key)}}`;
}
revokeKey.description = describe({
  operationId: 'revokeKey',
  tag: 'Operator',
  summary: 'Revoke an API key',
  notes: 'Takes effect at once. Revoking it again has no effect.',
  path: { id: 'accountId', apiKey: 'apiKey' },
  data: record({ key: recordRef('ApiKey') }),
  errors: ['NOT_FOUND'],
});

/** Returns the account in the path. @throws ApiError NOT_FOUND */
export function readAccount(call: Call): Account {
  return findAccount(call.parameters.id!, call.exchange.state);
}

/** @throws ApiError NOT_FOUND */
export function findAccount(id: string, state: State, field = 'account'): Account {
  const account = state.accountsById.get(id);
  if (account !== undefined) return account;
  throw new ApiError('NOT_FOUND', `Unknown account ${quoteSender(id)}.`, { field });
}

/** Returns the record of an account as JSON. */
export function accountText(account: Account, { exchange, services }: Call): string {
  const { state } = exchange;
  const { main } = account;
  const name = state.parts.subAccounts.findName(account.index);
  const { accounts, feeTiers, parts } = state;
  const time = Math.max(services.now(), state.time);
  const isExempt = services.surveillanceExempt?.includes(account.owner.id) === true;
  const referrer = accounts[parts.feePrograms.findReferrer(account.index)];
  return (
    `{"accountId":"${account.id}","main":${main === undefined ? 'null' : `"${main.id}"`},` +
    `"name":${name === undefined ? 'null' : quote(name)},"frozen":${account.frozen},` +
    `"closed":${account.isClosed},"limitClass":${account.limitClass},` +
    `"feeTier":${account.feeTier === NONE ? '"volume"' : account.feeTier},` +
    `"tier":${feeTiers.currentTier(account, time)},"volume":${volumeText(account, state, time)},` +
    `"surveillanceExempt":${isExempt},` +
    `"referrer":${referrer === undefined ? 'null' : `"${referrer.id}"`},` +
    `"openOrders":${account.openOrders},"createdAt":${timeText(account.createdAt)},` +
    `"tradingLimits":${accountLimitsText(account, state)}}`
  );
}

function keyText(key: ApiKey): string {
  return (
    `{"apiKey":"${key.apiKey}","accountId":"${key.account.id}","label":${quote(key.label)},` +
    `"permissions":${permissionsText(key.permissions)},"addresses":${JSON.stringify(key.addresses)},` +
    `"createdAt":${timeText(key.createdAt)},"expiresAt":${timeOrNull(key.expiresAt)},` +
    `"revokedAt":${timeOrNull(key.revokedAt)},${credentialText(key)}}`
  );
}
