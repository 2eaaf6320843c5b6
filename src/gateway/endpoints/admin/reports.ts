import { z } from 'zod';
import { exchangeReportKinds, isExchangeKind, reportKinds } from '../../../archivist/archivist.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { checkBody, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import {
  describeReport,
  findReport,
  listReportsText,
  removeReport,
  reportFields,
  reportText,
  requestReport,
  sendFile,
} from '../reports.ts';
import { findAccount } from './accounts.ts';

const request = z.strictObject({
  account: optional(
    z.string(),
    'The account that the report is about; absent for `volume`, `revenue`, `users` and `market_quality`, which are about the exchange.',
  ),
  ...reportFields,
  kind: z
    .enum([...reportKinds, ...exchangeReportKinds])
    .meta({ description: 'The records that the report lists.' }),
});

const EXAMPLES = {
  revenue: { kind: 'revenue', format: 'csv', from: '2026-01-01T00:00:00.000Z' },
  statement: {
    account: 'alice',
    kind: 'statement',
    format: 'html',
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
  },
};

/** POST /api/admin/reports: begins a report about any account, or about the exchange. @throws ApiError INVALID_REQUEST */
export async function createAccountReport(call: Call): Promise<string> {
  const { account, ...terms } = checkBody(request, call.body());
  const { kind } = terms;
  if (!isExchangeKind(kind)) {
    if (account === undefined || account === null) {
      throw invalid('account', 'required', `account is required for a report of ${kind}.`);
    }
    return requestReport(call, findAccount(account, call.exchange.state).index, terms);
  }
  if (account !== undefined && account !== null) {
    const message = `A report of ${kind} is about the exchange. Leave out account.`;
    throw invalid('account', 'absent', message);
  }
  return requestReport(call, NONE, terms);
}
createAccountReport.description = describe({
  operationId: 'createAccountReport',
  tag: 'Operator',
  summary: 'Create a report about an account or the exchange',
  notes:
    'Like POST /api/reports, for any account. The account sees it in its own list, and it counts as one of its reports. ' +
    'Without an account, a report about the exchange, which is made by a replay of the log: `volume` has a row per day and ' +
    'market, `revenue` one per market, fee tier and asset, `users` one per day, and `market_quality` one per day, market and maker.',
  body: { schema: fromZod(request), examples: EXAMPLES },
  data: recordRef('Report'),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

const PARAMETERS = ['account'] as const;

/** GET /api/admin/reports: the reports of all accounts, or of one. */
export function listAllReports(call: Call): Promise<string> {
  const account = call.query(PARAMETERS).text('account');
  const { state } = call.exchange;
  return listReportsText(
    call,
    account === undefined ? undefined : findAccount(account, state).index,
  );
}
listAllReports.description = describe({
  operationId: 'listAllReports',
  tag: 'Operator',
  summary: 'Reports of all accounts and the exchange, newest first',
  query: PARAMETERS,
  queryTexts: { account: 'Return only reports about this account.' },
  data: record({ reports: recordList('Report') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** GET /api/admin/reports/:id. */
export async function getAnyReport(call: Call): Promise<string> {
  call.query([]);
  return reportText((await findReport(call, undefined)).report, call);
}
getAnyReport.description = describe({
  ...describeReport('getAnyReport', 'Operator', 'A report of any account and its progress'),
  data: recordRef('Report'),
});

/** GET /api/admin/reports/:id/file. */
export async function getAnyReportFile(call: Call): Promise<string> {
  call.query([]);
  return sendFile(call, await findReport(call, undefined));
}
getAnyReportFile.description = describe({
  ...describeReport('getAnyReportFile', 'Operator', 'Download the file of a report of any account'),
  data: recordRef('Report'),
  isFile: true,
});

/** DELETE /api/admin/reports/:id. */
export function deleteAnyReport(call: Call): Promise<string> {
  return removeReport(call, undefined);
}
deleteAnyReport.description = describe({
  ...describeReport('deleteAnyReport', 'Operator', 'Remove a report of any account and its file'),
  data: recordRef('Report'),
});
