import type { DepositRecord, WithdrawalRecord } from '../../../engine/custody/custody-records.ts';
import { depositStatuses, withdrawalStatuses } from '../../../engine/custody/statuses.ts';
import type { State } from '../../../engine/state.ts';
import type { CustodyFilter, Page } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { cutPage, PAGE_PARAMETERS, readPageTerms } from '../../http/request/paging.ts';
import type { Query } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { findAccount } from '../admin/accounts.ts';
import { depositText, withdrawalText } from './custody-records.ts';

/** Deposits and withdrawals of an account or of all, by the time of the first report or of the request. */

/** GET /api/deposits: `{deposits, nextCursor}` of the account. */
export async function listDeposits(call: Call): Promise<string> {
  return depositsText(call, call.query(PAGE_PARAMETERS), { account: call.account.index });
}
listDeposits.description = describe({
  operationId: 'listDeposits',
  tag: 'Account',
  summary: 'Deposits of the account, newest first',
  notes: '`since` and `until` are about `createdAt`, the time of the first report.',
  query: PAGE_PARAMETERS,
  data: record({ deposits: recordList('Deposit'), nextCursor }),
  errors: ['OVERLOADED'],
});

/** GET /api/withdrawals: `{withdrawals, nextCursor}` of the account. */
export async function listWithdrawals(call: Call): Promise<string> {
  return withdrawalsText(call, call.query(PAGE_PARAMETERS), { account: call.account.index });
}
listWithdrawals.description = describe({
  operationId: 'listWithdrawals',
  tag: 'Account',
  summary: 'Withdrawals of the account, newest first',
  notes: '`since` and `until` are about `createdAt`, the time of the request.',
  query: PAGE_PARAMETERS,
  data: record({ withdrawals: recordList('Withdrawal'), nextCursor }),
  errors: ['OVERLOADED'],
});

const DEPOSIT_PARAMETERS = ['account', 'asset', 'depositStatus', ...PAGE_PARAMETERS] as const;

/** GET /api/admin/deposits/history: `{deposits, nextCursor}` of all accounts, open and ended ones. */
export async function listAllDeposits(call: Call): Promise<string> {
  const query = call.query(DEPOSIT_PARAMETERS);
  const name = query.choice('depositStatus', depositStatuses);
  const status = name === undefined ? undefined : depositStatuses.indexOf(name);
  return depositsText(call, query, { ...readTerms(query, call.exchange.state), status });
}
listAllDeposits.description = describe({
  operationId: 'listAllDeposits',
  tag: 'Operator',
  summary: 'Deposits of all accounts, newest first',
  notes:
    'Open and ended ones, also those to addresses of no account. `since` and `until` are about `createdAt`, the time of the ' +
    'first report. `depositStatus=pending` means `seen` or `confirming`. A page may have fewer deposits than `limit`, or ' +
    'none, before the last one.',
  query: DEPOSIT_PARAMETERS,
  data: record({ deposits: recordList('Deposit'), nextCursor }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

const WITHDRAWAL_PARAMETERS = [
  ...(['account', 'asset', 'withdrawalStatus'] as const),
  ...PAGE_PARAMETERS,
] as const;

/** GET /api/admin/withdrawals/history: `{withdrawals, nextCursor}` of all accounts, open and ended ones. */
export async function listAllWithdrawals(call: Call): Promise<string> {
  const query = call.query(WITHDRAWAL_PARAMETERS);
  const name = query.choice('withdrawalStatus', withdrawalStatuses);
  const status = name === undefined ? undefined : withdrawalStatuses.indexOf(name);
  return withdrawalsText(call, query, { ...readTerms(query, call.exchange.state), status });
}
listAllWithdrawals.description = describe({
  operationId: 'listAllWithdrawals',
  tag: 'Operator',
  summary: 'Withdrawals of all accounts, newest first',
  notes:
    'Open and ended ones. `since` and `until` are about `createdAt`, the time of the request. A page may have fewer ' +
    'withdrawals than `limit`, or none, before the last one.',
  query: WITHDRAWAL_PARAMETERS,
  data: record({ withdrawals: recordList('Withdrawal'), nextCursor }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

type Terms = Pick<CustodyFilter, 'account' | 'networks' | 'status'>;

/** Reads the account and the asset. @throws ApiError NOT_FOUND */
function readTerms(query: Query, state: State): Terms {
  const account = query.text('account');
  const asset = query.text('asset');
  return {
    account: account === undefined ? undefined : findAccount(account, state).index,
    networks: asset === undefined ? undefined : findNetworks(asset, state),
  };
}

function findNetworks(name: string, { assetsByName, parts }: State): readonly number[] {
  const asset = assetsByName.get(name);
  if (asset === undefined) {
    throw new ApiError('NOT_FOUND', `Unknown asset ${quoteSender(name)}.`, { field: 'asset' });
  }
  const networks = [...parts.custody.store.networks.values()];
  return networks.filter((each) => each.asset === asset.index).map(({ id }) => id);
}

async function depositsText(call: Call, query: Query, terms: Terms): Promise<string> {
  const { items, next } = await readPage<DepositRecord>(call, query, 'deposits', terms);
  const texts = items.map((each) => depositText(each, call.exchange.state));
  return `{"deposits":[${texts.join(',')}],"nextCursor":${next}}`;
}

async function withdrawalsText(call: Call, query: Query, terms: Terms): Promise<string> {
  const { items, next } = await readPage<WithdrawalRecord>(call, query, 'withdrawals', terms);
  const texts = items.map((each) => withdrawalText(each, call.exchange.state));
  return `{"withdrawals":[${texts.join(',')}],"nextCursor":${next}}`;
}

async function readPage<Item extends DepositRecord | WithdrawalRecord>(
  call: Call,
  query: Query,
  kind: 'deposits' | 'withdrawals',
  { account, networks, status }: Terms,
): Promise<{ readonly items: readonly Item[]; readonly next: string }> {
  // An asset without networks has no payments.
  if (networks?.length === 0) return { items: [], next: 'null' };
  const terms = readPageTerms(query, kind, account);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, account, networks, status, limit: terms.limit + 1 };
  const found = (await archivist.query({ kind, filter }, replica.position)) as Page<Item>;
  const { page, edge } = cutPage(found, terms.limit, ({ id }) => id);
  return { items: page, next: nextCursorText(edge, query.scope(kind, account)) };
}
