import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  type CloseSubAccount,
  CommandKind,
  type RenameSubAccount,
} from '../../../engine/command.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, optional, plainText } from '../../openapi/body-schema.ts';
import { either, present, toKeywords } from '../../openapi/conditions.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { balancesText, timeText } from '../records.ts';

/** GET /api/accounts: `{accounts}` of the group, the main account first; of a sub-account's key only its own. */
export function listGroup(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  const texts = accessibleAccounts(call).map((each) => memberText(each, state));
  return `{"accounts":[${texts.join(',')}]}`;
}
listGroup.description = describe({
  operationId: 'listGroup',
  tag: 'Account',
  summary: 'The main account and its sub-accounts, with their balances',
  notes: 'A key of a sub-account lists only its own account.',
  data: record({ accounts: recordList('GroupAccount') }),
});

const named = z.strictObject({
  name: plainText.meta({
    description: 'Name of the sub-account, 1 to 50 characters, unique among yours.',
  }),
});

/** POST /api/accounts: opens a sub-account; a name that exists returns its account. */
export async function createSubAccount(call: Call): Promise<string> {
  const { name } = checkBody(named, call.body());
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.createSubAccount,
    ...groupActor(call),
    ...{ accountId: `sub_${randomBytes(12).toString('hex')}`, name },
  });
  const { account, created } = expectOutcome(outcome, 'account', state);
  return `{"account":${memberText(account, state)},"created":${created}}`;
}
createSubAccount.description = describe({
  operationId: 'createSubAccount',
  tag: 'Account',
  summary: 'Open a sub-account',
  notes:
    'It has balances, orders, keys and limits of its own. At most 20 per account, without closed ones. The name of an existing sub-account returns it. An API ' +
    'key needs the permission `transfer`, and must belong to the main account.',
  body: { schema: fromZod(named), examples: { bot: { name: 'Grid bot' } } },
  data: record({
    account: recordRef('GroupAccount'),
    created: boolean('False if a sub-account had the name.', true),
  }),
  errors: ['ACCOUNT_FROZEN'],
});

const change = z.strictObject({
  name: optional(plainText, 'New name of the sub-account, 1 to 50 characters, unique among yours.'),
  closed: optional(z.boolean(), 'True closes the sub-account, false reopens it.'),
});

/** PATCH /api/accounts/:id: renames, closes or reopens a sub-account, one at a time. */
export async function changeSubAccount(call: Call): Promise<string> {
  const body = checkBody(change, call.body());
  const { state } = call.exchange;
  const owner = state.accountsById.get(call.parameters.id!)?.index;
  if (owner === undefined) throw unknownMember();
  const outcome = await call.services.replica.execute(
    toCommand(body, { ...groupActor(call), owner }),
  );
  const { account } = expectOutcome(outcome, 'account', state);
  return `{"account":${memberText(account, state)}}`;
}
changeSubAccount.description = describe({
  operationId: 'changeSubAccount',
  tag: 'Account',
  summary: 'Rename, close or reopen a sub-account',
  notes:
    'Send exactly one of `name` and `closed`. A sub-account can be closed if it has no balance, no open orders and no deposits in ' +
    'progress, and is not frozen. Closing revokes its API keys, and it can be reopened. A closed sub-account keeps its name and history, places no ' +
    'orders, gets no API keys and no new deposit addresses, and receives no transfers; deposits to the addresses that it has are still credited. At most 100 are closed, ' +
    'and they do not count towards the limit of 20.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(change.meta(toKeywords(either(present('name'), present('closed'))))),
    examples: { bot: { name: 'Trend bot' }, close: { closed: true } },
  },
  data: record({ account: recordRef('GroupAccount') }),
  errors: ['NOT_FOUND', 'ACCOUNT_FROZEN'],
});

function toCommand(
  { name, closed }: z.output<typeof change>,
  base: { readonly account: number; readonly key: number; readonly owner: number },
): RenameSubAccount | CloseSubAccount {
  if (name != null && closed == null) {
    return { kind: CommandKind.renameSubAccount, ...base, name };
  }
  if (name == null && closed != null) {
    return { kind: CommandKind.closeSubAccount, ...base, isClosed: closed };
  }
  throw invalid('name', 'oneOf', 'Send exactly one of name and closed.');
}

/**
 * Returns the actor of a command about the group: with a session the account of its user, whichever account it has
 * selected. Users belong to main accounts; one that was added to a sub-account before that was rejected acts only for it.
 */
export function groupActor(call: Call): { account: number; key: number } {
  const { session, exchange } = call;
  if (session === undefined) return call.actor;
  return { account: exchange.state.accountsById.get(session.accountId)!.index, key: NONE };
}

/** Returns the accounts for which the caller may act: a group to its main account, else only the caller's account. */
export function accessibleAccounts(call: Call): readonly Account[] {
  const own = call.exchange.state.accounts[groupActor(call).account]!;
  return own.main === undefined ? own.group : [own];
}

/** Returns the error for an account that is not of the group, whether or not it exists. */
export function unknownMember(): ApiError {
  return new ApiError('NOT_FOUND', 'No such sub-account of this account.', { field: 'account' });
}

function memberText(account: Account, state: State): string {
  const name = state.parts.subAccounts.findName(account.index);
  return (
    `{"accountId":"${account.id}","name":${name === undefined ? 'null' : quote(name)},` +
    `"isMain":${account.main === undefined},"frozen":${account.isFrozen},"closed":${account.isClosed},` +
    `"openOrders":${account.openOrders},"createdAt":${timeText(account.createdAt)},` +
    `${balancesText(account, state).slice(1)}`
  );
}
