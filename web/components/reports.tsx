import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type {
  CreateAccountReportParameters,
  CreateReportParameters,
  Report,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { useAction } from './action.ts';
import { bound } from './bound.ts';
import { Field, Select } from './field.tsx';
import { Form, Submit } from './form.tsx';
import { Loaded } from './loaded.tsx';
import { Panel } from './panel.tsx';
import { customPeriod, periods } from './report-periods.ts';
import { useResource } from './resource.ts';
import { type Column, Table } from './table.tsx';
import { announce, announceError } from './toast.tsx';

export type ReportKind = CreateAccountReportParameters['kind'];
type Format = CreateReportParameters['format'];

const POLL_MS = 1000;
const KINDS: readonly (readonly [ReportKind, string])[] = [
  ['statement', msg('Account statement')],
  ['fills', msg('Trades')],
  ['orders', msg('Orders')],
  ['ledger', msg('Ledger')],
  ['deposits', msg('Deposits')],
  ['withdrawals', msg('Withdrawals')],
  ['tax_fifo', msg('Gains for taxes (FIFO)')],
  ['tax_average', msg('Gains for taxes (average cost)')],
];
/** The kinds of reports about the exchange. */
export const EXCHANGE_KINDS: readonly (readonly [ReportKind, string])[] = [
  ['volume', msg('Volume and fees')],
  ['revenue', msg('Revenue')],
  ['users', msg('Accounts')],
  ['market_quality', msg('Market quality')],
];
const LIST_FORMATS: readonly (readonly [Format, string])[] = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
];
const STATEMENT_FORMATS: readonly (readonly [Format, string])[] = [
  ['html', msg('Printable page')],
  ['json', 'JSON'],
];

interface ReportsProps {
  /** The account whose reports an operator sees, null for the exchange; absent for the own account. */
  readonly accountId?: string | null | undefined;
  /** Shown instead of an empty list. */
  readonly empty?: string;
  /** The contents of each kind of report, marked with `msg`. */
  readonly contents?: Readonly<Partial<Record<ReportKind, string>>>;
}

/** The reports of an account, and a form for another one. */
export function Reports({ accountId, empty = t('No reports yet'), contents }: ReportsProps) {
  const found = useResource(() => list(accountId));
  const isUnfinished =
    found.data.value?.reports.some(({ status }) => status === 'queued' || status === 'running') ===
    true;
  useEffect(() => {
    if (!isUnfinished) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void found.load();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isUnfinished]);
  const path = accountId === undefined ? '/api/reports' : '/api/admin/reports';
  const remove = async ({ reportId }: Report) => {
    await (accountId === undefined
      ? api.deleteReport({ id: reportId })
      : api.deleteAnyReport({ id: reportId }));
    announce(t('Report removed'), 'success');
    await found.load();
  };
  return (
    <Panel
      title={t('Reports')}
      lead={
        accountId === null
          ? t('About the whole exchange; kept for 30 days.')
          : t('Statements and exports; kept for 30 days')
      }
    >
      <NewReport accountId={accountId} contents={contents} onCreated={() => found.load()} />
      <Loaded resource={found}>
        {({ reports }) => (
          <Table
            caption={t('Reports')}
            columns={reportColumns(path, (report) => remove(report).catch(announceError))}
            rows={reports}
            rowKey={({ reportId }) => reportId}
            empty={empty}
          />
        )}
      </Loaded>
    </Panel>
  );
}

async function list(accountId: ReportsProps['accountId']): Promise<{ reports: readonly Report[] }> {
  if (accountId === undefined) return api.listReports();
  if (accountId !== null) return api.listAllReports({ account: accountId });
  const { reports } = await api.listAllReports();
  return { reports: reports.filter(({ account }) => account === null) };
}

/** The period whose days the user chooses. */
const CUSTOM = 'custom';

interface NewReportProps {
  readonly accountId: ReportsProps['accountId'];
  readonly contents: ReportsProps['contents'];
  readonly onCreated: () => Promise<void>;
}

function NewReport({ accountId, contents, onCreated }: NewReportProps) {
  const kinds = accountId === null ? EXCHANGE_KINDS : KINDS;
  const kind = useSignal<ReportKind>(kinds[0]![0]);
  const format = useSignal<Format>(firstFormat(kind.value));
  const choices = periods(new Date());
  const period = useSignal(choices[0]!.label);
  const first = useSignal('');
  const last = useSignal('');
  const action = useAction();
  const submit = async () => {
    const { from, to } =
      choices.find(({ label }) => label === period.value) ?? customPeriod(first.value, last.value);
    const terms = { kind: kind.value, format: format.value, from, to };
    await (accountId === undefined
      ? api.createReport(terms as CreateReportParameters)
      : api.createAccountReport({
          ...(accountId === null ? {} : { account: accountId }),
          ...terms,
        }));
    await onCreated();
  };
  const hint = contents?.[kind.value];
  const hintId = useId();
  const formats = kind.value === 'statement' ? STATEMENT_FORMATS : LIST_FORMATS;
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={period.value === CUSTOM ? ['from', 'to'] : []}
      label={t('New report')}
      class="report-form"
    >
      <Select
        label={t('Report')}
        value={kind.value}
        options={kinds}
        describedBy={hint === undefined ? undefined : hintId}
        onChange={(chosen) => {
          kind.value = chosen;
          format.value = firstFormat(chosen);
        }}
      />
      {hint === undefined ? null : (
        <p class="report-contents" id={hintId}>
          {t(hint)}
        </p>
      )}
      <Select
        label={t('Period (UTC)')}
        value={period.value}
        options={[
          ...choices.map(({ label }) => [label, label] as const),
          [CUSTOM, msg('Custom')] as const,
        ]}
        onChange={(chosen) => {
          period.value = chosen;
        }}
      />
      {period.value === CUSTOM ? (
        <>
          <Field
            label={t('From')}
            {...bound(first)}
            error={action.fieldError('from')}
            input={{ type: 'date', name: 'from', required: true }}
          />
          <Field
            label={t('To')}
            {...bound(last)}
            error={action.fieldError('to')}
            input={{ type: 'date', name: 'to', required: true }}
          />
        </>
      ) : null}
      <Select
        label={t('Format')}
        value={format.value}
        options={formats}
        onChange={(chosen) => {
          format.value = chosen;
        }}
      />
      <Submit action={action} label={t('Create report')} />
    </Form>
  );
}

function firstFormat(kind: ReportKind): Format {
  return kind === 'statement' ? 'html' : 'csv';
}

/** @param path Of the endpoints of reports. */
function reportColumns(path: string, remove: (report: Report) => void): readonly Column<Report>[] {
  return [
    {
      key: 'kind',
      title: t('Report'),
      cell: ({ kind, format }) => `${labelKind(kind)} (${format.toUpperCase()})`,
    },
    {
      key: 'period',
      title: t('Period'),
      cell: ({ from, to }) => `${from.slice(0, 10)} – ${lastDay(to)}`,
    },
    { key: 'created', title: t('Created'), cell: ({ createdAt }) => dateTime(createdAt) },
    { key: 'rows', title: t('Records'), numeric: true, cell: ({ rows }) => grouped(`${rows}`) },
    { key: 'status', title: t('Status'), cell: (report) => statusText(report) },
    {
      key: 'actions',
      title: t('Actions'),
      hiddenTitle: true,
      cell: (report) => (
        <div class="report-actions">
          {report.status === 'done' ? (
            <a
              class="button"
              href={`${path}/${report.reportId}/file`}
              {...(report.format === 'html' ? { target: '_blank', rel: 'noopener' } : {})}
            >
              {report.format === 'html' ? t('Open||report') : t('Download')}
              <span class="visually-hidden"> {describe(report)}</span>
            </a>
          ) : null}
          <button type="button" class="button" onClick={() => remove(report)}>
            <T
              text="Remove<span> {report}</span>"
              report={describe(report)}
              span={(children) => <span class="visually-hidden">{children}</span>}
            />
          </button>
        </div>
      ),
    },
  ];
}

function statusText({ status, progressPercent, error }: Report): string {
  if (status === 'done') return t('Ready');
  if (status === 'failed') return t('Failed: {error}', { error: `${error}` });
  return status === 'queued'
    ? t('Waiting')
    : t('In progress, {progressPercent}%', { progressPercent });
}

function labelKind(kind: ReportKind): string {
  return t([...KINDS, ...EXCHANGE_KINDS].find(([each]) => each === kind)![1]);
}

function describe({ kind, from, to }: Report): string {
  return t('{kind} {from} to {to}', {
    kind: labelKind(kind),
    from: from.slice(0, 10),
    to: lastDay(to),
  });
}

/** Returns the last day of a period. */
function lastDay(to: string): string {
  return new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
}
