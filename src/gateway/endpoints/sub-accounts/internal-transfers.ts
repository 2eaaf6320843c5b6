import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { RejectionCode } from '../../../engine/rejection.ts';
import type { State } from '../../../engine/state.ts';
import type { InternalTransferRecord } from '../../../engine/sub-accounts/sub-account-records.ts';
import type { Page, StoredTransfer } from '../../../history/history.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { cutPage, PAGE_PARAMETERS, readPageTerms } from '../../http/request/paging.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal, optional, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList, recordRef } from '../../openapi/record-schemas.ts';
import { ownAccountUnavailable } from '../../orders/sub-account-rejections.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { timeText } from '../records.ts';
import { email, proof } from '../user/body-fields.ts';
import { confirm } from '../user/confirmation.ts';
import { accessibleAccounts, groupActor, unknownMember } from './sub-accounts.ts';

const transfer = z.strictObject({
  from: optional(
    z.string().max(64, 'is too long'),
    'The account that sends: by default that of the request. A main account may name one of its sub-accounts.',
  ),
  to: z
    .string()
    .min(1, 'must not be empty')
    .max(320, 'is too long')
    .meta({ description: 'The account that receives: an account id, or the email of a user.' }),
  asset: z.string().meta({ description: 'An asset from GET /api/assets.' }),
  amount: decimal.meta({ description: 'Amount; without a fee.' }),
  clientId: optional(
    z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . : -'),
    'Your id of the transfer: repeating the request returns the first one.',
  ),
  ...proof,
});

/** POST /api/transfers: moves money to another account of the group, or of another user. */
export async function transferInternally(call: Call): Promise<string> {
  const body = checkBody(transfer, call.body());
  const { state } = call.exchange;
  const asset = state.assetsByName.get(body.asset);
  if (asset === undefined) {
    throw new ApiError('NOT_FOUND', `Unknown asset ${quoteSender(body.asset)}.`, {
      field: 'asset',
    });
  }
  const amount = toUnits(body.amount, asset.decimals, 'amount');
  const from = readSource(call, body.from ?? undefined);
  const named = state.accountsById.get(body.to);
  // Only a transfer that leaves the group has to be confirmed, and then before anything of another user is looked up.
  if (named?.owner !== from.owner) await confirm(call, body);
  const to = named ?? (await findByEmail(call, body.to));
  const outcome = await call.services.replica.execute({
    kind: CommandKind.internalTransfer,
    ...groupActor(call),
    ...{ from: from.index, to: to.index, asset: asset.index, amount },
    clientId: body.clientId ?? null,
  });
  const isUnavailable =
    outcome.kind === 'rejected' && outcome.code === RejectionCode.destinationUnavailable;
  if (isUnavailable && to.owner === from.owner) throw ownAccountUnavailable();
  const result = expectOutcome(outcome, 'internalTransfer', state);
  return `{"transfer":${transferText(result.transfer, from, state)},"created":${result.created}}`;
}
transferInternally.description = describe({
  operationId: 'transferInternally',
  tag: 'Account',
  summary: 'Move money to another account',
  notes:
    'Moves available money at once, between your main account and its sub-accounts, or to another user. To another user with a session send `code` ' +
    'if two-factor authentication is on, else `password`; an API key needs the permission `transfer`, and moves money of its own account, or of a ' +
    'sub-account if it belongs to the main account. A `clientId` is remembered for at least 24 hours.',
  body: {
    schema: fromZod(transfer),
    examples: { sub: { to: 'alice-bot', asset: 'USDT', amount: 250, clientId: 't-1' } },
  },
  data: record({
    transfer: recordRef('InternalTransfer'),
    created: boolean('False if the `clientId` was known.', true),
  }),
  errors: [
    ...(['NOT_FOUND', 'INVALID_AMOUNT', 'INSUFFICIENT_BALANCE', 'ACCOUNT_FROZEN'] as const),
    ...(['WITHDRAWALS_BLOCKED', 'DUPLICATE_REFERENCE'] as const),
  ],
});

/**
 * GET /api/transfers: `{transfers, nextCursor}` from and to the account, newest first; of a main account also those of its
 * sub-accounts.
 */
export async function listInternalTransfers(call: Call): Promise<string> {
  const query = call.query(PAGE_PARAMETERS);
  const { account, exchange } = call;
  const { state } = exchange;
  const own = account.main === undefined ? account.group : [account];
  const terms = readPageTerms(query, 'transfers', account.index);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, accounts: own.map(({ index }) => index), limit: terms.limit + 1 };
  const result = await archivist.query({ kind: 'internalTransfers', filter }, replica.position);
  const found = result as Page<StoredTransfer>;
  const { page, edge } = cutPage(found, terms.limit, ({ entryId }) => entryId);
  const { subAccounts } = state.parts;
  const texts = page.map((each) => {
    const clientId = subAccounts.getTransfer(each.id)?.clientId ?? null;
    return transferText({ ...each, clientId }, account, state);
  });
  const next = nextCursorText(edge, query.scope('transfers', account.index));
  return `{"transfers":[${texts.join(',')}],"nextCursor":${next}}`;
}
listInternalTransfers.description = describe({
  operationId: 'listInternalTransfers',
  tag: 'Account',
  summary: 'Transfers from and to the account, newest first',
  notes:
    'A main account also lists those of its sub-accounts. The `clientId` is null once it is no longer remembered, after 25 hours.',
  query: PAGE_PARAMETERS,
  data: record({ transfers: recordList('InternalTransfer'), nextCursor }),
  errors: ['OVERLOADED'],
});

/** @throws ApiError NOT_FOUND for an account for which the caller cannot act */
function readSource(call: Call, from: string | undefined): Account {
  if (from === undefined) return call.account;
  const source = call.exchange.state.accountsById.get(from);
  if (source === undefined || !accessibleAccounts(call).includes(source)) throw unknownMember();
  return source;
}

/** @throws ApiError NOT_FOUND */
async function findByEmail(call: Call, to: string): Promise<Account> {
  const { store } = call.services.users;
  const user = to.includes('@') ? await store.findByEmail(email.parse(to)) : undefined;
  const account =
    user === undefined ? undefined : call.exchange.state.accountsById.get(user.accountId);
  if (account !== undefined) return account;
  throw new ApiError('NOT_FOUND', 'No account or user is called this.', { field: 'to' });
}

/** Writes a transfer for the account that reads it: it learns the client id only of its own and its sub-accounts' transfers. */
function transferText(
  { id, from, to, asset: index, amount, clientId, time }: InternalTransferRecord,
  reader: Account,
  { accounts, assets }: State,
): string {
  const { asset, decimals } = assets[index]!;
  const sender = accounts[from]!;
  const own = sender === reader || sender.main === reader ? clientId : null;
  return (
    `{"id":"${id}","from":"${sender.id}","to":"${accounts[to]!.id}","asset":"${asset}",` +
    `"amount":${formatUnits(amount, decimals)},"clientId":${own === null ? 'null' : quote(own)},` +
    `"timestamp":${timeText(time)}}`
  );
}
