import type { EntryEvent } from '../../engine/event.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { Asset } from '../../engine/markets/markets.ts';
import { difference } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { entryTypes } from '../../engine/terms.ts';
import type { Page } from '../../history/history.ts';
import { showEntries } from '../faults/reports.ts';
import type { Call } from '../http/request/call.ts';
import { nextCursorText } from '../http/request/cursor.ts';
import { cutPage, PAGE_PARAMETERS, readPageTerms } from '../http/request/paging.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { nextCursor, recordList } from '../openapi/record-schemas.ts';
import { timeText } from './records.ts';

export const LEDGER_PARAMETERS = ['asset', 'orderId', 'type', ...PAGE_PARAMETERS] as const;

/** GET /api/ledger: `{entries, nextCursor}`, every change of an available balance. */
export function getLedger(call: Call): Promise<string> {
  return ledgerPage(call, call.account, (page) => showEntries(call, page));
}

/** Returns a page of the ledger of an account as JSON. @param show Returns the entries that the caller sees. */
export async function ledgerPage(
  call: Call,
  { index: account }: Account,
  show: (page: readonly EntryEvent[]) => readonly EntryEvent[],
): Promise<string> {
  const query = call.query(LEDGER_PARAMETERS);
  const terms = readPageTerms(query, 'ledger', account);
  const orderId = query.orderId();
  const asset = query.asset(call.exchange)?.index;
  const name = query.choice('type', entryTypes);
  const type = name === undefined ? undefined : entryTypes.indexOf(name);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, account, asset, orderId, type, limit: terms.limit + 1 };
  const result = await archivist.query({ kind: 'entries', filter }, replica.position);
  const { page, edge } = cutPage(result as Page<EntryEvent>, terms.limit, ({ id }) => id);
  const next = nextCursorText(edge, query.scope('ledger', account));
  const shown = show(page);
  const texts = shown.map((entry) => entryText(entry, call.exchange.state.assets[entry.asset]!));
  return `{"entries":[${texts.join(',')}],"nextCursor":${next}}`;
}
getLedger.description = describe({
  operationId: 'getLedger',
  tag: 'Account',
  summary: "Every change of the account's available balances, newest first",
  notes:
    'Entries of type `hold` and `release` move funds between available and held; all other types change the ' +
    'total. With `orderId`: the holds, releases and trades of that order. A page with `type` may have fewer entries than `limit`; ' +
    'follow `nextCursor` until it is null.',
  query: LEDGER_PARAMETERS,
  data: record({ entries: recordList('LedgerEntry'), nextCursor }),
  errors: ['OVERLOADED'],
});

/** Returns a ledger entry as JSON. */
export function entryText(entry: EntryEvent, { asset, decimals }: Asset): string {
  const before = difference(entry.after, entry.amount);
  return (
    `{"id":"${entry.id}","asset":"${asset}","type":"${entryTypes[entry.type]}",` +
    `"amount":${formatUnits(entry.amount, decimals)},"before":${formatUnits(before, decimals)},` +
    `"after":${formatUnits(entry.after, decimals)},"reference":"${entry.reference}",` +
    `"timestamp":${timeText(entry.time)}}`
  );
}
