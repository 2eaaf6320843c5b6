import { useSignal } from '@preact/signals';
import type { Fill } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import { recordAt } from '../components/section.ts';
import type { Column } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { accountPath } from './account-path.ts';
import { Amount } from './amount.tsx';
import { filterPeriod, type HistoryFilter, HistoryFilters, NO_FILTER } from './history-filters.tsx';
import { recordCard } from './record-card.tsx';
import { ROLES, SIDES } from './record-names.ts';

const PAGE_SIZE = 50;

export const FILL_COLUMNS: readonly Column<Fill<string>>[] = [
  {
    key: 'time',
    title: msg('Time'),
    cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
  },
  {
    key: 'trade',
    title: msg('Trade'),
    cell: ({ id, bustedAt }) => (
      <>
        {id} {bustedAt === undefined ? null : <span class="badge off">{t('Busted')}</span>}
      </>
    ),
  },
  { key: 'symbol', title: msg('Market'), cell: ({ symbol }) => symbol },
  {
    key: 'side',
    title: msg('Side'),
    cell: ({ side }) => <span class={side}>{t(SIDES[side])}</span>,
  },
  { key: 'price', title: msg('Price'), numeric: true, cell: ({ price }) => grouped(price) },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'cost', title: msg('Total'), numeric: true, cell: ({ cost }) => <Amount text={cost} /> },
  {
    key: 'fee',
    title: msg('Fee'),
    numeric: true,
    cell: ({ fee }) => (
      <>
        <Amount text={fee.cost} /> {fee.asset}
      </>
    ),
  },
  { key: 'role', title: msg('Role'), cell: ({ liquidity }) => t(ROLES[liquidity]) },
];

/** The fills of an account. */
export function AccountFills({ accountId }: { accountId: string }) {
  const tradeId = recordAt();
  const filter = useSignal<HistoryFilter>(NO_FILTER);
  const columns: readonly Column<Fill<string>>[] = [
    ...FILL_COLUMNS.slice(0, 2),
    {
      key: 'order',
      title: msg('Order'),
      cell: ({ orderId }) => <a href={accountPath(accountId, 'orders', orderId)}>{orderId}</a>,
    },
    ...FILL_COLUMNS.slice(2),
  ];
  return (
    <Panel title={t('Fills')} flush>
      <HistoryFilters filter={filter} fields={['symbol', 'orderId']} />
      <PagedTable
        key={JSON.stringify(filter.value)}
        caption={t('Fills of {account}', { account: accountId })}
        columns={columns}
        rowKey={({ id, liquidity }) => `${id} ${liquidity}`}
        isCurrent={({ id }) => id === tradeId}
        empty={t('No fills match the filter.')}
        card={recordCard('trade', 'side')}
        fetchPage={(cursor) => fetchFills(accountId, filter.value, cursor)}
      />
    </Panel>
  );
}

async function fetchFills(id: string, filter: HistoryFilter, cursor: string | undefined) {
  const { fills, nextCursor } = await api.getAccountFills({
    ...{ id, limit: PAGE_SIZE, cursor },
    symbol: filter.symbol || undefined,
    orderId: filter.orderId || undefined,
    ...filterPeriod(filter),
  });
  return { rows: [...fills], nextCursor };
}
