import { useSignal } from '@preact/signals';
import type { InternalTransfer } from '../../src/client/index.ts';
import { Choices } from '../components/choices.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import type { Resource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { isSubAccount } from '../selected-account.ts';
import { AccountName } from './account-name.tsx';
import { AllTransfers } from './all-transfers.tsx';

type Row = InternalTransfer<string>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'from',
    title: msg('From||account'),
    cell: ({ from }) => <AccountName accountId={from} />,
  },
  { key: 'to', title: msg('To||account'), cell: ({ to }) => <AccountName accountId={to} /> },
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  {
    key: 'amount',
    title: msg('Amount'),
    numeric: true,
    cell: ({ asset, amount }) => <Amount asset={asset} amount={amount} />,
  },
];

const PAGE_SIZE = 20;
const PERIODS = ['day', 'all'] as const;
const PERIOD_NAMES = { day: msg('24 hours'), all: msg('All||transfers') };

/** The transfers of the last 24 hours with both accounts, or all transfers of the selected account. */
export function Transfers({ transfers }: { transfers: Resource<readonly Row[]> }) {
  const period = useSignal<(typeof PERIODS)[number]>('day');
  const isDay = period.value === 'day';
  return (
    <Panel
      title={t('Transfers')}
      lead={
        isDay && !isSubAccount.value
          ? t('From and to all your accounts')
          : t('From and to this account')
      }
      aside={
        <Choices
          legend={t('Period')}
          ids={PERIODS}
          chosen={period.value}
          onChoose={(id) => (period.value = id)}
          format={(id) => t(PERIOD_NAMES[id])}
        />
      }
      flush
    >
      {isDay ? <RecentTransfers transfers={transfers} /> : <AllTransfers />}
    </Panel>
  );
}

/** The transfers of the last 24 hours, a page at first. */
function RecentTransfers({ transfers }: { transfers: Resource<readonly Row[]> }) {
  const shownCount = useSignal(PAGE_SIZE);
  return (
    <Loaded resource={transfers}>
      {(rows) => (
        <>
          <Table
            caption={t('Transfers')}
            columns={COLUMNS}
            rows={rows.slice(0, shownCount.value)}
            rowKey={({ id }) => id}
            card={transferCard}
            empty={t('No transfers in the last 24 hours')}
          />
          {rows.length > shownCount.value ? (
            <p class="more">
              <button
                type="button"
                class="button small"
                onClick={() => (shownCount.value += PAGE_SIZE)}
              >
                {t('Show more ({count, number})', { count: rows.length - shownCount.value })}
              </button>
            </p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

/** A transfer on a phone: its accounts and amount, then its time. */
function transferCard(transfer: Row, columns: readonly Column<Row>[]) {
  const cell = readCells(transfer, columns);
  return (
    <div class="row-card">
      <span>
        {cell('from')} → {cell('to')}
      </span>
      <span class="row-end">
        {cell('amount')} {cell('asset')}
      </span>
      <span class="muted">{cell('time')}</span>
    </div>
  );
}
