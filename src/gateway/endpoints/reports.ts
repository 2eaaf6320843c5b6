import { z } from 'zod';
import {
  hasFormat,
  MAX_KEPT_REPORTS,
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportFile,
  type ReportRefusal,
  type ReportTerms,
  reportFormats,
  reportKinds,
} from '../../archivist/archivist.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError, quoteSender } from '../http/response/errors.ts';
import { checkBody, optional, time } from '../openapi/body-schema.ts';
import { type Description, describe } from '../openapi/description.ts';
import { fromZod, record } from '../openapi/json-schema.ts';
import { recordList, recordRef } from '../openapi/record-schemas.ts';
import { timeOrNull, timeText } from './records.ts';
import { accessibleAccounts } from './sub-accounts/sub-accounts.ts';

/** Fields of the request for a report about an account. */
export const reportFields = {
  kind: z.enum(reportKinds).meta({ description: 'The records that the report lists.' }),
  format: z.enum(reportFormats).meta({
    description: 'A statement is `html`, for printing, or `json`; all others are `csv` or `json`.',
  }),
  from: time.meta({
    description: 'Beginning of the period.',
    examples: ['2026-01-01T00:00:00.000Z'],
  }),
  to: optional(
    time.meta({ minimum: 0 }),
    'End of the period, which is not included; default: now.',
  ),
};

const request = z.strictObject(reportFields);
type ReportRequest = z.output<typeof request>;

const EXAMPLES = {
  ledger: { kind: 'ledger', format: 'csv', from: '2026-01-01T00:00:00.000Z' },
  statement: {
    kind: 'statement',
    format: 'html',
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
  },
};

const NOTES =
  'The report is made in the background; poll it until its `status` is `done` or `failed`, and then download its file. It ' +
  'includes the records of the period by the time of the log, as of one position of the log. An account has up to ' +
  `${MAX_UNFINISHED_REPORTS} unfinished reports; of the finished ones the newest ${MAX_KEPT_REPORTS} are kept for 30 days.`;

/** POST /api/reports: begins a report about the own account. */
export function createReport(call: Call): Promise<string> {
  return requestReport(call, call.account.index, checkBody(request, call.body()));
}
createReport.description = describe({
  operationId: 'createReport',
  tag: 'Account',
  summary:
    'Create a report of orders, fills, the ledger, deposits, withdrawals or gains, or a statement',
  notes: NOTES,
  body: { schema: fromZod(request), examples: EXAMPLES },
  data: recordRef('Report'),
  errors: ['OVERLOADED'],
});

/** GET /api/reports: the reports of the own account, newest first. */
export function listReports(call: Call): Promise<string> {
  call.query([]);
  return listReportsText(call, call.account.index);
}
listReports.description = describe({
  operationId: 'listReports',
  tag: 'Account',
  summary: 'Reports of the account, newest first',
  data: record({ reports: recordList('Report') }),
  errors: ['OVERLOADED'],
});

/** GET /api/reports/:id. */
export async function getReport(call: Call): Promise<string> {
  call.query([]);
  return reportText((await findReport(call, call.account.index)).report, call);
}
getReport.description = describe({
  ...describeReport('getReport', 'Account', 'A report and its progress'),
  data: recordRef('Report'),
});

/** GET /api/reports/:id/file: the file of a report that is done. */
export async function getReportFile(call: Call): Promise<string> {
  call.query([]);
  // A link cannot select an account, so a session downloads the files of its whole group.
  const found = await findReport(call, call.session === undefined ? call.account.index : undefined);
  const { reportId, account } = found.report;
  if (!accessibleAccounts(call).some(({ index }) => index === account)) {
    throw unknownReport(reportId);
  }
  return sendFile(call, found);
}
getReportFile.description = describe({
  ...describeReport('getReportFile', 'Account', 'Download the file of a report'),
  notes: 'Only once the report is `done`. Its `sha256` is that of the file.',
  data: recordRef('Report'),
  isFile: true,
});

/** DELETE /api/reports/:id: removes a report, or stops it. */
export function deleteReport(call: Call): Promise<string> {
  return removeReport(call, call.account.index);
}
deleteReport.description = describe({
  ...describeReport('deleteReport', 'Account', 'Remove a report and its file'),
  data: recordRef('Report'),
});

/** Returns what the descriptions of endpoints of one report have in common. */
export function describeReport(
  operationId: string,
  tag: Description['tag'],
  summary: string,
): Omit<Description, 'data'> {
  return {
    operationId,
    tag,
    summary,
    path: { id: 'reportId' },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  };
}

/** Begins a report. @param account Index of the account that it is about; NONE for the exchange. @throws ApiError INVALID_REQUEST, OVERLOADED */
export async function requestReport(
  call: Call,
  account: number,
  { kind, format, from, to }: Omit<ReportRequest, 'kind'> & Pick<ReportTerms, 'kind'>,
): Promise<string> {
  if (!hasFormat(kind, format)) {
    const formats = reportFormats.filter((each) => hasFormat(kind, each)).join(' or ');
    throw invalid('format', formats, `format of a report of ${kind} must be ${formats}.`);
  }
  const now = Math.max(call.services.now(), call.exchange.state.time);
  const end = Math.min(to ?? now + 1, now + 1);
  if (from >= end) {
    throw invalid('from', 'before to', 'from must be before to, and not in the future.');
  }
  const terms = { account, kind, format, from, to: end };
  const { archivist, replica } = call.services;
  const answer = (await archivist.query({ kind: 'createReport', terms }, replica.position)) as
    | Report
    | ReportRefusal
    | undefined;
  if (answer === undefined) throw new ApiError('OVERLOADED', 'This node makes no reports.');
  if (!('refusal' in answer)) return reportText(answer, call);
  if (answer.refusal === 'noDisk') {
    throw new ApiError('OVERLOADED', 'Reports cannot be stored now. Try again later.');
  }
  const message = `There are ${MAX_UNFINISHED_REPORTS} unfinished reports. Wait until one is done, or delete one.`;
  throw invalid('kind', 'tooMany', message);
}

/** @param account Undefined for all accounts. */
export async function listReportsText(call: Call, account: number | undefined): Promise<string> {
  const { archivist, replica } = call.services;
  const reports = (await archivist.query({ kind: 'reports', account }, replica.position)) as
    | Report[]
    | undefined;
  return `{"reports":[${(reports ?? []).map((report) => reportText(report, call)).join(',')}]}`;
}

/** @param account The only account whose reports are visible; undefined for all. @throws ApiError NOT_FOUND */
export async function findReport(call: Call, account: number | undefined): Promise<ReportFile> {
  const { archivist, replica } = call.services;
  const reportId = call.parameters.id!;
  const query = { kind: 'reportFile', reportId, account } as const;
  const found = (await archivist.query(query, replica.position)) as ReportFile | undefined;
  if (found === undefined) throw unknownReport(reportId);
  return found;
}

/** Sends the file of a report. @throws ApiError NOT_FOUND */
export function sendFile(call: Call, { report, path }: ReportFile): string {
  if (report.status !== 'done') {
    const message = `The report is ${report.status}, so it has no file.`;
    throw new ApiError('NOT_FOUND', message, { field: 'id', rule: 'done' });
  }
  call.file = { path, name: fileName(report, call), type: MEDIA_TYPES[report.format] };
  return '';
}

/** Removes a report. @throws ApiError NOT_FOUND */
export async function removeReport(call: Call, account: number | undefined): Promise<string> {
  call.query([]);
  const { archivist, replica } = call.services;
  const reportId = call.parameters.id!;
  const query = { kind: 'deleteReport', reportId, account } as const;
  const removed = (await archivist.query(query, replica.position)) as Report | undefined;
  if (removed === undefined) throw unknownReport(reportId);
  return reportText(removed, call);
}

const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json',
  html: 'text/html; charset=utf-8',
} as const;

function unknownReport(reportId: string): ApiError {
  const message = `No report ${quoteSender(reportId)}. It may have been removed.`;
  return new ApiError('NOT_FOUND', message, { field: 'id' });
}

/** Returns a name such as `alice-ledger-2026-01-01-2026-02-01.csv`. */
function fileName({ account, kind, format, from, to }: Report, { exchange }: Call): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const owner = (exchange.state.accounts[account]?.id ?? 'exchange').replaceAll(/[^\w.-]/g, '_');
  return `${owner}-${kind}-${day(from)}-${day(to)}.${format}`;
}

/** Returns a report as JSON. */
export function reportText(report: Report, call: Call): string {
  const { reportId, account, kind, format, from, to, status, progress, position } = report;
  const { rows, bytes, sha256, error, createdAt, finishedAt } = report;
  return (
    `{"reportId":"${reportId}","account":${JSON.stringify(call.exchange.state.accounts[account]?.id ?? null)},` +
    `"kind":"${kind}","format":"${format}","from":${timeText(from)},"to":${timeText(to)},` +
    `"status":"${status}","progressPercent":${Math.floor(100 * progress)},` +
    `"createdAt":${timeText(createdAt)},"finishedAt":${timeOrNull(finishedAt)},` +
    `"logPosition":${position},"rows":${rows},"bytes":${bytes},` +
    `"sha256":${sha256 === '' ? 'null' : `"${sha256}"`},` +
    `"error":${error === '' ? 'null' : JSON.stringify(error)}}`
  );
}
