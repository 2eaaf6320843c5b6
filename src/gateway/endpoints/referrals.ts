import type { EntryEvent } from '../../engine/event.ts';
import { EntryType, NONE } from '../../engine/terms.ts';
import type { Page } from '../../history/history.ts';
import type { Call } from '../http/request/call.ts';
import { nextCursorText } from '../http/request/cursor.ts';
import { cutPage, PAGE_PARAMETERS, readPageTerms } from '../http/request/paging.ts';
import { describe } from '../openapi/description.ts';
import { boolean, integer, number, record } from '../openapi/json-schema.ts';
import { nextCursor, recordList } from '../openapi/record-schemas.ts';
import { rateText } from './fees.ts';
import { entryText } from './ledger.ts';

/** GET /api/referrals: `{share, isReferred, accounts, entries, nextCursor}`: what the account earned by referring others. */
export async function getReferrals(call: Call): Promise<string> {
  const query = call.query(PAGE_PARAMETERS);
  const account = call.account.index;
  const terms = readPageTerms(query, 'referrals', account);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, account, type: EntryType.referral, limit: terms.limit + 1 };
  const result = await archivist.query({ kind: 'entries', filter }, replica.position);
  const { page, edge } = cutPage(result as Page<EntryEvent>, terms.limit, ({ id }) => id);
  const { assets, parts } = call.exchange.state;
  const { feePrograms } = parts;
  const texts = page.map((entry) => entryText(entry, assets[entry.asset]!));
  return (
    `{"share":${rateText(feePrograms.referralShare)},"isReferred":${feePrograms.findReferrer(account) !== NONE},` +
    `"accounts":${feePrograms.countReferred(account)},"entries":[${texts.join(',')}],` +
    `"nextCursor":${nextCursorText(edge, query.scope('referrals', account))}}`
  );
}
getReferrals.description = describe({
  operationId: 'getReferrals',
  tag: 'Account',
  summary: 'What the account earned by referring others, newest first',
  notes:
    'A referrer receives `share` of the fees that the referred accounts pay, for each of their trades and in the asset of the fee. ' +
    'The entries are those of the type `referral` in the ledger; their `reference` is the trade.',
  query: PAGE_PARAMETERS,
  data: record({
    share: number('Share of the fees that referrers receive.', 0.2),
    isReferred: boolean('Whether another account has referred this account.', false),
    accounts: integer('Number of accounts that this account referred.', 3),
    entries: recordList('LedgerEntry'),
    nextCursor,
  }),
  errors: ['OVERLOADED'],
});
