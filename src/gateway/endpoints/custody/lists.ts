import type { DepositRecord, WithdrawalRecord } from '../../../engine/custody/custody-records.ts';
import type { Page } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../../http/request/paging.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { depositText, withdrawalText } from './custody-records.ts';

/** Deposits and withdrawals of an account, by the time of the first report or of the request. */

/** GET /api/deposits: `{deposits, nextCursor}` of the account. */
export async function listDeposits(call: Call): Promise<string> {
  const { items, next } = await readPage<DepositRecord>(call, 'deposits');
  const texts = items.map((each) => depositText(each, call.exchange.state));
  return `{"deposits":[${texts.join(',')}],"nextCursor":${next}}`;
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
  const { items, next } = await readPage<WithdrawalRecord>(call, 'withdrawals');
  const texts = items.map((each) => withdrawalText(each, call.exchange.state));
  return `{"withdrawals":[${texts.join(',')}],"nextCursor":${next}}`;
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

async function readPage<Item extends DepositRecord | WithdrawalRecord>(
  call: Call,
  kind: 'deposits' | 'withdrawals',
): Promise<{ readonly items: readonly Item[]; readonly next: string }> {
  const query = call.query(PAGE_PARAMETERS);
  const account = call.account.index;
  const terms = readPageTerms(query, kind, account);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, account, limit: terms.limit + 1 };
  const found = (await archivist.query({ kind, filter }, replica.position)) as Page<Item>;
  const items = found.items.slice(0, terms.limit);
  const edge = found.items.length > items.length ? items.at(-1)!.id : undefined;
  return { items, next: nextCursorText(edge, query.scope(kind, account)) };
}
