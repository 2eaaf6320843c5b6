import { csvHeader, csvRow, type ReportColumn } from '../../archivist/reports/columns.ts';
import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

type Case = Awaited<ReturnType<ExactClient['getSurveillanceAlert']>>;
type Review = Case['reviews'][number];

const NOTE = {
  name: 'note',
  value: 'TEXT',
  help: 'what was found; it stays in the log: write no personal data',
  form: FORMS.noteText,
} as const;

/** The cases of alerts of market surveillance. */
export const caseCommands: readonly Command[] = [
  online({
    name: 'surveillance show',
    positionals: ['CASE'],
    options: [{ name: 'csv', help: 'print the reviews of the case as CSV' }],
    summary: 'show an alert with the reviews of its case, oldest first',
    run: show,
  }),
  online({
    name: 'surveillance assign',
    positionals: ['CASE'],
    options: [
      {
        name: 'to',
        value: 'ACCOUNT',
        help: 'account of the operator who investigates (default: no one)',
        form: FORMS.accountId,
      },
      NOTE,
    ],
    summary: 'assign the case of an alert to an operator',
    run: (args, client) => review(args, client, { assignee: args.option('to') ?? '' }),
  }),
  online({
    name: 'surveillance close',
    positionals: ['CASE'],
    options: [{ ...NOTE, isRequired: true }],
    summary: 'close the case of an alert with a note that says why',
    run: (args, client) => review(args, client, { caseStatus: 'closed' }),
  }),
  online({
    name: 'surveillance reopen',
    positionals: ['CASE'],
    options: [NOTE],
    summary: 'reopen the closed case of an alert',
    run: (args, client) => review(args, client, { caseStatus: 'open' }),
  }),
];

async function show(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getSurveillanceAlert({ id: args.positional('CASE') });
  return { data, text: args.has('csv') ? reviewsToCsv(data) : toText(data) };
}

async function review(
  args: Arguments,
  client: ExactClient,
  change: { readonly assignee?: string; readonly caseStatus?: 'open' | 'closed' },
): Promise<Result> {
  const id = args.positional('CASE');
  const note = args.option('note');
  const data = await client.reviewAlert({ id, ...change, ...(note === undefined ? {} : { note }) });
  return { data, text: `The case of ${printable(id)} is ${statusText(data.alert)}.` };
}

/** Returns the state of a case, and who investigates. */
export function statusText({
  caseStatus,
  assignee,
}: Pick<Case['alert'], 'caseStatus' | 'assignee'>): string {
  return assignee === null ? caseStatus : `${caseStatus} (${printable(assignee)})`;
}

export function figuresText(figures: Case['alert']['figures']): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}

function toText({ alert, reviews }: Case): string {
  const facts = table(
    ['FACT', 'VALUE'],
    [
      ['alert', printable(alert.id)],
      ['detector', alert.detector],
      ['market', alert.symbol],
      ['accounts', alert.accounts.map(printable).join(', ')],
      ['from', `${alert.from.timestamp}, position ${alert.from.logPosition}`],
      ['to', `${alert.to.timestamp}, position ${alert.to.logPosition}`],
      ['figures', figuresText(alert.figures)],
      ['case', statusText(alert)],
    ],
  );
  if (reviews.length === 0) return `${facts}\n\nNo reviews.`;
  const rows = reviews.map((each) => [
    each.timestamp,
    statusText(each),
    printable(each.user ?? each.account ?? ''),
    printable(each.note),
  ]);
  return `${facts}\n\n${table(['TIME', 'CASE', 'BY', 'NOTE'], rows)}`;
}

type Alert = Awaited<ReturnType<ExactClient['listSurveillanceAlerts']>>['alerts'][number];

const text = <Row>(name: string, value: (each: Row) => string | null): ReportColumn<Row> => ({
  ...{ name, type: 'text', value },
});

/** Returns alerts as CSV, whose texts no spreadsheet runs as formulas. */
export function alertsToCsv(alerts: readonly Alert[]): string {
  const columns: readonly ReportColumn<Alert>[] = [
    text('alert', ({ id }) => id),
    text('detector', ({ detector }) => detector),
    text('symbol', ({ symbol }) => symbol),
    text('accounts', ({ accounts }) => accounts.join(' ')),
    text('from', ({ from }) => from.timestamp),
    text('to', ({ to }) => to.timestamp),
    { name: 'fromPosition', type: 'number', value: ({ from }) => String(from.logPosition) },
    { name: 'toPosition', type: 'number', value: ({ to }) => String(to.logPosition) },
    text('caseStatus', ({ caseStatus }) => caseStatus),
    text('assignee', ({ assignee }) => assignee),
    text('figures', ({ figures }) => figuresText(figures)),
  ];
  return toCsv(columns, alerts);
}

/** Returns the reviews of a case as CSV, whose texts no spreadsheet runs as formulas. */
function reviewsToCsv({ alert, reviews }: Case): string {
  const columns: readonly ReportColumn<Review>[] = [
    text('alert', () => alert.id),
    text('time', ({ timestamp }) => timestamp),
    { name: 'position', type: 'number', value: ({ logPosition }) => String(logPosition) },
    text('caseStatus', ({ caseStatus }) => caseStatus),
    text('assignee', ({ assignee }) => assignee),
    text('account', ({ account }) => account),
    text('apiKey', ({ apiKey }) => apiKey),
    text('user', ({ user }) => user),
    text('note', ({ note }) => note),
  ];
  return toCsv(columns, reviews);
}

function toCsv<Row>(columns: readonly ReportColumn<Row>[], rows: readonly Row[]): string {
  return (csvHeader(columns) + rows.map((each) => csvRow(columns, each)).join('')).trimEnd();
}
