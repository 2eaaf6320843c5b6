import { z } from 'zod';
import { type Command, CommandKind } from '../../../engine/command.ts';
import type { Account, ApiKey } from '../../../engine/ledger/accounts.ts';
import { MAX_FEE_TIERS } from '../../../engine/limits.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import { permissionsText } from '../../auth/permissions.ts';
import type { Call } from '../../http/call.ts';
import { ApiError, quoteSender } from '../../http/errors.ts';
import { quote } from '../../http/json.ts';
import { invalid } from '../../http/query.ts';
import { checkBody, label, whole } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { flag, fromZod, record, text } from '../../openapi/json-schema.ts';
import { many, nextCursor, one } from '../../openapi/record-schemas.ts';
import { KEY_PARAMETERS, keyPage } from '../key-pages.ts';
import { keyTerms, keyTermsOf, makeKey } from '../make-key.ts';
import { balancesText, timeOrNull, timeText } from '../records.ts';
import { confirm, demandPermissions, noteKey } from '../user/confirmation.ts';
import { done } from './outcome.ts';

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const limitClass = whole(1, 1000);
const newAccount = z.strictObject({
  accountId: z
    .string()
    .regex(ACCOUNT_ID, 'must be 1 to 64 of A-Z a-z 0-9 _ . - and begin with a letter or digit'),
  limitClass: limitClass.nullish(),
});

/** POST /api/admin/accounts: opens an account; the same again answers the one that is there. */
export async function createAccount(call: Call): Promise<string> {
  const body = checkBody(newAccount, call.body());
  const outcome = await call.services.replica.execute({
    kind: CommandKind.createAccount,
    ...call.actor,
    accountId: body.accountId,
    limitClass: body.limitClass ?? 1,
  });
  const { account, created } = done(outcome, 'account', call.exchange.state);
  return `{"account":${accountText(account)},"created":${created}}`;
}
createAccount.description = describe({
  operationId: 'createAccount',
  tag: 'Operator',
  summary: 'Open an account',
  notes: 'The same again answers the account that is there.',
  body: { schema: fromZod(newAccount), examples: { account: { accountId: 'carol' } } },
  data: record({ account: one('Account'), created: flag('False where it was there.', true) }),
});

const LIST_PARAMETERS = ['search'] as const;

/** GET /api/admin/accounts: `{accounts}`, in the order in which they were opened. */
export function listAccounts(call: Call): string {
  const search = call.query(LIST_PARAMETERS).text('search')?.toLowerCase() ?? '';
  const { accounts } = call.exchange.state;
  const found = accounts.filter(({ id }) => id.toLowerCase().includes(search));
  return `{"accounts":[${found.map(accountText).join(',')}]}`;
}
listAccounts.description = describe({
  operationId: 'listAccounts',
  tag: 'Operator',
  summary: 'All accounts, or those that a search finds',
  query: LIST_PARAMETERS,
  data: record({ accounts: many('Account') }),
});

/** GET /api/admin/accounts/:id */
export function getAccount(call: Call): string {
  call.query([]);
  return `{"account":${accountText(accountOf(call))}}`;
}
getAccount.description = describe({
  operationId: 'getAccount',
  tag: 'Operator',
  summary: 'One account',
  path: { id: 'accountId' },
  data: record({ account: one('Account') }),
  errors: ['NOT_FOUND'],
});

const accountChange = z.strictObject({
  frozen: z.boolean().nullish(),
  feeTier: z.union([z.literal('volume'), whole(0, MAX_FEE_TIERS)]).nullish(),
  limitClass: limitClass.nullish(),
  reason: z.string().min(1, 'must say why').max(200, 'must be at most 200 characters').nullish(),
});

/**
 * PATCH /api/admin/accounts/:id: freezes an account, or lets it trade again; gives it a fee tier, or
 * leaves that to its `volume`; multiplies its rate limits. One of them at a time; the audit keeps the
 * `reason` of a freeze and of its end.
 */
export async function changeAccount(call: Call): Promise<string> {
  const change = checkBody(accountChange, call.body());
  const owner = accountOf(call).index;
  const outcome = await call.services.replica.execute(commandOf(change, { ...call.actor, owner }));
  const { account } = done(outcome, 'account', call.exchange.state);
  return `{"account":${accountText(account)}}`;
}

function commandOf(
  change: z.output<typeof accountChange>,
  who: { readonly account: number; readonly key: number; readonly owner: number },
): Command {
  const { frozen, feeTier, limitClass, reason } = change;
  const given = [frozen, feeTier, limitClass].filter((value) => value != null);
  if (given.length !== 1) {
    const message = 'Send exactly one of frozen, feeTier and limitClass.';
    throw invalid('frozen', 'oneOf', message);
  }
  if (frozen != null) {
    const why = reason == null ? {} : { reason };
    return { kind: CommandKind.setAccountStatus, ...who, frozen, ...why };
  }
  if (reason != null) throw invalid('reason', 'withFrozen', 'Send reason together with frozen.');
  if (limitClass != null) return { kind: CommandKind.setAccountLimitClass, ...who, limitClass };
  const tier = feeTier === 'volume' ? NONE : (feeTier as number);
  return { kind: CommandKind.setAccountFeeTier, ...who, tier };
}
changeAccount.description = describe({
  operationId: 'changeAccount',
  tag: 'Operator',
  summary: 'Freeze an account, let it trade again, change its fee tier or limit class',
  notes:
    'One of `frozen`, `feeTier` and `limitClass`. With the tier `volume` its 30-day volume decides ' +
    'again; the class multiplies its rate limits at once. A `reason` goes with `frozen`, into the audit.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(accountChange),
    examples: {
      thaw: { frozen: false, reason: 'cleared by compliance' },
      tierByVolume: { feeTier: 'volume' },
      marketMaker: { limitClass: 5 },
    },
  },
  data: record({ account: one('Account') }),
  errors: ['NOT_FOUND'],
});

/** GET /api/admin/accounts/:id/balances: as the account itself sees them. */
export function getAccountBalances(call: Call): string {
  call.query([]);
  return balancesText(accountOf(call), call.exchange.state);
}
getAccountBalances.description = describe({
  operationId: 'getAccountBalances',
  tag: 'Operator',
  summary: 'Balances, as the account itself sees them',
  path: { id: 'accountId' },
  data: record({ balances: many('Balance') }),
  errors: ['NOT_FOUND'],
});

/** GET /api/admin/accounts/:id/keys: `{keys, nextCursor}`, the newest first, never a secret. */
export function listKeys(call: Call): string {
  return keyPage(call, accountOf(call), 'keys', keyText);
}
listKeys.description = describe({
  operationId: 'listKeys',
  tag: 'Operator',
  summary: 'Keys of an account, the newest first',
  notes: 'The last 100 keys that were revoked or expired are listed too.',
  path: { id: 'accountId' },
  query: KEY_PARAMETERS,
  data: record({ keys: many('ApiKey'), nextCursor }),
  errors: ['NOT_FOUND'],
});

const newKey = z.strictObject({
  label: label.nullish(),
  ...keyTerms,
});

/**
 * POST /api/admin/accounts/:id/keys: makes a key. Its secret is in this answer and never again. Who is
 * signed in confirms it. `operate` hands out everything to others, and to one's own account what one
 * may do oneself.
 */
export async function createKey(call: Call): Promise<string> {
  const body = checkBody(newKey, call.body());
  const owner = accountOf(call);
  const terms = keyTermsOf(call, body);
  if (owner === call.account) demandPermissions(call, terms.permissions);
  await confirm(call, body);
  const { key, apiSecret } = await makeKey(call, owner, body.label ?? '', terms);
  await noteKey(call, 'key_made', key.apiKey);
  return `{"key":${keyText(key)},"apiSecret":"${apiSecret}"}`;
}
createKey.description = describe({
  operationId: 'createKey',
  tag: 'Operator',
  summary: 'Make a key',
  notes:
    'Its secret is in this answer and never again. With a session send `code` where there is a second ' +
    'factor, else `password`. Your own account gets no permission beyond your own; all people of the ' +
    'account are mailed.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(newKey),
    examples: { bot: { label: 'bot', permissions: ['read', 'trade'] } },
  },
  data: record({
    key: one('ApiKey'),
    apiSecret: text('The secret. Only its hash is kept.', `bws_${'0'.repeat(72)}`),
  }),
  errors: ['NOT_FOUND', 'CLOCK_OFF', 'OVERLOADED'],
});

/** DELETE /api/admin/accounts/:id/keys/:apiKey: ends a key at once; a second time changes nothing. */
export async function revokeKey(call: Call): Promise<string> {
  call.query([]);
  const owner = accountOf(call);
  const apiKey = call.parameters.apiKey!;
  if (!owner.keys.some((key) => key.apiKey === apiKey)) {
    throw new ApiError('NOT_FOUND', 'The account has no such key.', { field: 'apiKey' });
  }
  const outcome = await call.services.replica.execute({
    kind: CommandKind.revokeKey,
    ...call.actor,
    apiKey,
  });
  const { key } = done(outcome, 'key', call.exchange.state);
  await noteKey(call, 'key_revoked', apiKey);
  return `{"key":${keyText(key)}}`;
}
revokeKey.description = describe({
  operationId: 'revokeKey',
  tag: 'Operator',
  summary: 'End a key at once',
  notes: 'A second time changes nothing.',
  path: { id: 'accountId', apiKey: 'apiKey' },
  data: record({ key: one('ApiKey') }),
  errors: ['NOT_FOUND'],
});

export function accountOf(call: Call): Account {
  return findAccount(call.parameters.id!, call.exchange.state);
}

/** @throws ApiError NOT_FOUND */
export function findAccount(id: string, state: State): Account {
  const account = state.accountsById.get(id);
  if (account !== undefined) return account;
  throw new ApiError('NOT_FOUND', `There is no account ${quoteSender(id)}.`, { field: 'account' });
}

function accountText(account: Account): string {
  return (
    `{"accountId":"${account.id}","frozen":${account.frozen},"limitClass":${account.limitClass},` +
    `"feeTier":${account.feeTier === NONE ? '"volume"' : account.feeTier},` +
    `"openOrders":${account.openOrders},"createdAt":${timeText(account.createdAt)}}`
  );
}

function keyText(key: ApiKey): string {
  return (
    `{"apiKey":"${key.apiKey}","accountId":"${key.account.id}","label":${quote(key.label)},` +
    `"permissions":${permissionsText(key.permissions)},"addresses":${JSON.stringify(key.addresses)},` +
    `"createdAt":${timeText(key.createdAt)},"expiresAt":${timeOrNull(key.expiresAt)},` +
    `"revokedAt":${timeOrNull(key.revokedAt)}}`
  );
}
