import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExactClient } from '../../client/exact-client.ts';
import type {
  CreateAccountReportParameters,
  CreateReportParameters,
  Report,
} from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { fields, table } from '../text.ts';
import { PERIOD, readPeriod } from './report-period.ts';

const POLL_MS = 500;

const OUT: Option = {
  name: 'out',
  value: 'FILE',
  help: 'waits for the report and writes its file',
  form: FORMS.path,
};

export const reportCommands: readonly Command[] = [
  online({
    name: 'reports create',
    positionals: ['ACCOUNT', 'KIND'],
    options: [
      ...PERIOD,
      {
        name: 'format',
        value: 'F',
        help: 'csv, json or, for statements, html',
        form: FORMS.reportFormat,
      },
      OUT,
    ],
    summary:
      'create a report about an account: orders, fills, ledger, statement, deposits, withdrawals, tax_fifo or tax_average',
    run: createReport,
  }),
  online({
    name: 'reports exchange',
    positionals: ['TOPIC'],
    options: [
      ...PERIOD,
      { name: 'format', value: 'F', help: 'csv (default) or json', form: FORMS.listFormat },
      OUT,
    ],
    summary: 'create a report about the exchange: volume, revenue, users or market_quality',
    run: createExchangeReport,
  }),
  online({
    name: 'reports list',
    positionals: [],
    options: [
      {
        name: 'account',
        value: 'ID',
        help: 'only reports about this account',
        form: FORMS.accountId,
      },
    ],
    summary: 'list reports',
    run: async (args, client) => {
      const account = args.option('account');
      const data = await client.listAllReports(account === undefined ? {} : { account });
      return { data, text: reportTable(data.reports) };
    },
  }),
  online({
    name: 'reports get',
    positionals: ['REPORT'],
    options: [OUT],
    summary: 'show a report, or write its file',
    run: async (args, client) => finish(args, client, args.positional('REPORT')),
  }),
  online({
    name: 'reports delete',
    positionals: ['REPORT'],
    options: [],
    summary: 'remove a report and its file',
    run: async (args, client) => {
      const data = await client.deleteAnyReport({ id: args.positional('REPORT') });
      return { data, text: reportText(data) };
    },
  }),
];

function createReport(args: Arguments, client: ExactClient): Promise<Result> {
  const kind = args.positional('KIND') as CreateReportParameters['kind'];
  const format = args.option('format') ?? (kind === 'statement' ? 'html' : 'csv');
  return create(args, client, { account: args.positional('ACCOUNT'), kind }, format);
}

function createExchangeReport(args: Arguments, client: ExactClient): Promise<Result> {
  const kind = args.positional('TOPIC') as CreateAccountReportParameters['kind'];
  return create(args, client, { kind }, args.option('format') ?? 'csv');
}

async function create(
  args: Arguments,
  client: ExactClient,
  about: Pick<CreateAccountReportParameters, 'account' | 'kind'>,
  format: string,
): Promise<Result> {
  const period = readPeriod(args);
  checkUnused(args.option('out'));
  const { reportId } = await client.createAccountReport({
    ...about,
    format: format as CreateReportParameters['format'],
    ...period,
  });
  return finish(args, client, reportId);
}

/** Shows a report; with `--out` waits for it and writes its file. */
async function finish(args: Arguments, client: ExactClient, id: string): Promise<Result> {
  const out = args.option('out');
  checkUnused(out);
  let report = await client.getAnyReport({ id });
  if (out === undefined) return { data: report, text: reportText(report) };
  while (report.status === 'queued' || report.status === 'running') {
    await Bun.sleep(POLL_MS);
    report = await client.getAnyReport({ id });
  }
  const text = reportText(report);
  if (report.status === 'failed') return { data: report, text, exitCode: 1 };
  await write(await client.getAnyReportFile({ id }), out);
  return { data: report, text: `${text}\nFile        ${out}` };
}

/** @throws CliError */
function checkUnused(path: string | undefined): void {
  if (path !== undefined && existsSync(path)) {
    throw usageError(`${path} exists. Choose another file.`);
  }
}

/** Writes a response to a new file, a part at a time. */
async function write(response: Response, path: string): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(Readable.fromWeb(response.body as never), target);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function reportTable(reports: readonly Report[]): string {
  const headings = ['REPORT', 'ACCOUNT', 'KIND', 'FROM', 'TO', 'STATUS', 'ROWS', 'BYTES'];
  const rows = reports.map(({ reportId, account, kind, format, from, to, status, rows, bytes }) => [
    ...[reportId, account ?? '', `${kind}.${format}`, from.slice(0, 10), to.slice(0, 10)],
    ...[status, rows, bytes],
  ]);
  return table(headings, rows);
}

function reportText(report: Report): string {
  const { reportId, account, kind, format, from, to, status, progressPercent, rows, bytes } =
    report;
  return fields([
    ['Report', reportId],
    ...(account === null ? [] : [['Account', account] as const]),
    ['Kind', `${kind}, ${format}`],
    ['From', from],
    ['To', to],
    ['Status', status === 'running' ? `${status}, ${progressPercent} %` : status],
    ['Records', rows],
    ['Bytes', bytes],
    ['SHA-256', report.sha256],
    ...(report.error === null ? [] : [['Error', report.error] as const]),
  ]);
}
