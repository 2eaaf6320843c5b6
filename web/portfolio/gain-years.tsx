import { useSignal } from '@preact/signals';
import Big from 'big.js';
import type { CreateReportParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Select } from '../components/field.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { fixed, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { gains, METHOD_LABELS, METHODS, type Method, method } from './gains.ts';
import { hideable } from './hidden-amounts.tsx';
import { shownQuote, valueDecimals } from './holdings.ts';
import type { Gains } from './performance.ts';
import { Gain } from './summary.tsx';

type Year = Gains['years'][number];

const POLL_MS = 400;
const TAX_KINDS: Readonly<Record<Method, CreateReportParameters['kind']>> = {
  fifo: 'tax_fifo',
  average: 'tax_average',
};

/** Gains of each calendar year, with lists of all disposals as files. */
export function GainYears() {
  const years = gains.value?.years ?? [];
  return (
    <Panel
      class="gain-years"
      title={t('Gains by year')}
      lead={t(
        'Calendar years (UTC) in {currency}, {method}. Deposits are valued at the market price on arrival; withdrawals are not treated as sales. Rules for taxes differ between countries.',
        {
          currency: shownQuote.value,
          method: t(METHOD_LABELS[method.value]).toLowerCase(),
        },
      )}
      aside={
        <Select
          label={t('Cost method')}
          value={method.value}
          options={METHODS.map((each) => [each, METHOD_LABELS[each]] as const)}
          onChange={(chosen) => {
            method.value = chosen;
          }}
        />
      }
      flush
    >
      <Table
        caption={t('Gains by year')}
        columns={COLUMNS}
        rows={years.toReversed()}
        rowKey={({ year }) => `${year}`}
        empty={t('Nothing sold yet')}
      />
    </Panel>
  );
}

const money = (value: string) => hideable(fixed(value, valueDecimals.value));

const COLUMNS: readonly Column<Year>[] = [
  { key: 'year', title: msg('Year'), cell: ({ year }) => <b>{year}</b> },
  {
    key: 'disposals',
    title: msg('Disposals'),
    numeric: true,
    cell: ({ disposals }) => grouped(`${disposals}`),
  },
  { key: 'proceeds', title: msg('Proceeds'), numeric: true, cell: (year) => money(year.proceeds) },
  { key: 'cost', title: msg('Cost'), numeric: true, cell: (year) => money(year.cost) },
  { key: 'gains', title: msg('Gains'), numeric: true, cell: (year) => <Gain value={year.gains} /> },
  {
    key: 'losses',
    title: msg('Losses'),
    numeric: true,
    cell: ({ losses }) => <Gain value={losses} />,
  },
  {
    key: 'net',
    title: msg('Net gain'),
    numeric: true,
    cell: (year) => (
      <b>
        <Gain value={new Big(year.gains).plus(year.losses)} />
        {year.hasUnknownCost ? (
          <abbr title={t('Some costs are unknown and count as 0.')}> *</abbr>
        ) : null}
      </b>
    ),
  },
  {
    key: 'file',
    title: msg('List of disposals'),
    hiddenTitle: true,
    numeric: true,
    cell: ({ year }) => <YearFile year={year} />,
  },
];

/** A button that creates the list of a year's disposals and downloads it. */
function YearFile({ year }: { year: number }) {
  const isBusy = useSignal(false);
  const download = async () => {
    isBusy.value = true;
    try {
      await downloadYear(year, method.value);
    } catch (error) {
      announceError(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <button type="button" class="button small" disabled={isBusy.value} onClick={download}>
      {isBusy.value ? t('Preparing…') : t('Download CSV')}
      <span class="visually-hidden"> {year}</span>
    </button>
  );
}

/** @throws Error if the report fails */
async function downloadYear(year: number, by: Method): Promise<void> {
  let report = await api.createReport({
    kind: TAX_KINDS[by],
    format: 'csv',
    from: new Date(Date.UTC(year, 0)).toISOString(),
    to: new Date(Date.UTC(year + 1, 0)).toISOString(),
  });
  while (report.status === 'queued' || report.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    report = await api.getReport({ id: report.reportId });
  }
  if (report.status === 'failed') throw new Error(report.error ?? '');
  const link = document.createElement('a');
  link.href = `/api/reports/${report.reportId}/file`;
  link.download = '';
  link.click();
}
