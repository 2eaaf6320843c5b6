import { useSignal } from '@preact/signals';
import type { LedgerEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import type { Column } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { accountPath, paymentPath } from './account-path.ts';
import { filterPeriod, type HistoryFilter, HistoryFilters, NO_FILTER } from './history-filters.tsx';
import { recordCard } from './record-card.tsx';
import { ENTRY_TYPES } from './record-names.ts';

const PAGE_SIZE = 50;

const buildColumns = (accountId: string): readonly Column<LedgerEntry<string>>[] => [
  {
    key: 'time',
    title: msg('Time'),
    cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
  },
  { key: 'id', title: msg('Entry'), cell: ({ id }) => id },
  { key: 'type', title: msg('Type'), cell: ({ type }) => t(ENTRY_TYPES[type]) },
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  { key: 'amount', title: msg('Change||ledger'), numeric: true, cell: change },
  {
    key: 'after',
    title: msg('Available after'),
    numeric: true,
    cell: ({ after }) => grouped(after),
  },
  {
    key: 'reference',
    title: msg('Reference'),
    cell: (entry) => <Reference accountId={accountId} entry={entry} />,
  },
];

/** The record that caused an entry, with a link to the page that shows it. */
function Reference({ accountId, entry }: { accountId: string; entry: LedgerEntry<string> }) {
  const { type, reference } = entry;
  if (ORDER_ENTRIES.has(type)) {
    const text = t('Order {number}', { number: reference });
    return <a href={accountPath(accountId, 'orders', reference)}>{text}</a>;
  }
  if (TRADE_ENTRIES.has(type)) return <>{t('Trade {number}', { number: reference })}</>;
  if (type === 'deposit') {
    const text = t('Deposit {number}', { number: reference });
    return <a href={paymentPath('deposits', reference)}>{text}</a>;
  }
  if (type === 'withdrawal' || type === 'withdrawal_fee') {
    const text = t('Withdrawal {number}', { number: reference });
    return <a href={paymentPath('withdrawals', reference)}>{text}</a>;
  }
  return <>{reference}</>;
}

/** Entries whose reference is an order. */
const ORDER_ENTRIES: ReadonlySet<LedgerEntry['type']> = new Set(['hold', 'release']);
/** Entries whose reference is a trade. */
const TRADE_ENTRIES: ReadonlySet<LedgerEntry['type']> = new Set([
  ...(['trade', 'fee', 'rebate', 'referral', 'trade_bust', 'trade_bust_fee'] as const),
]);

/** Every change of the available balances of an account. */
export function AccountLedger({ accountId }: { accountId: string }) {
  const filter = useSignal<HistoryFilter>(NO_FILTER);
  return (
    <Panel
      title={t('Ledger')}
      lead={t('Every change of the available balances, holds of orders included.')}
      flush
    >
      <HistoryFilters filter={filter} fields={['asset', 'entryType', 'orderId']} />
      <PagedTable
        key={JSON.stringify(filter.value)}
        caption={t('Ledger of {account}', { account: accountId })}
        columns={buildColumns(accountId)}
        rowKey={({ id }) => id}
        empty={t('No entries match the filter.')}
        card={recordCard('type', 'amount')}
        fetchPage={(cursor) => fetchEntries(accountId, filter.value, cursor)}
      />
    </Panel>
  );
}

async function fetchEntries(id: string, filter: HistoryFilter, cursor: string | undefined) {
  const { entries, nextCursor } = await api.getAccountLedger({
    ...{ id, limit: PAGE_SIZE, cursor },
    asset: filter.asset || undefined,
    type: filter.entryType || undefined,
    orderId: filter.orderId || undefined,
    ...filterPeriod(filter),
  });
  return { rows: [...entries], nextCursor };
}

/** The sign carries the meaning for users who do not see the color. */
function change({ amount }: LedgerEntry<string>) {
  const isLoss = amount.startsWith('-');
  const digits = grouped(isLoss ? amount.slice(1) : amount);
  return <span class={isLoss ? 'sell' : 'buy'}>{`${isLoss ? '−' : '+'}${digits}`}</span>;
}
