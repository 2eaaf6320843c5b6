import { type Signal, useSignal } from '@preact/signals';
import type { OperatorOrder } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import { recordAt } from '../components/section.ts';
import type { Column } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { STATUS_NAMES } from '../trade/order-names.ts';
import { AccountOrder } from './account-order.tsx';
import { accountPath } from './account-path.ts';
import { ORDER_COLUMNS } from './affected.tsx';
import { filterPeriod, type HistoryFilter, HistoryFilters, NO_FILTER } from './history-filters.tsx';
import { recordCard } from './record-card.tsx';
import { ORDER_REASONS } from './record-names.ts';

interface AccountOrdersProps {
  readonly accountId: string;
  /** Number of open orders. */
  readonly openOrders: number;
  readonly onCanceled: () => Promise<void>;
}

type Order = OperatorOrder<string>;
type Selection = { readonly all: 'true' } | { readonly ids: string };

const PAGE_SIZE = 50;

/** The orders of an account, open and ended ones; an operator can cancel those that are open. */
export function AccountOrders({ accountId, openOrders, onCanceled }: AccountOrdersProps) {
  const orderId = recordAt();
  const filter = useSignal<HistoryFilter>(NO_FILTER);
  const loads = useSignal(0);
  const selected = useSignal<Selection | undefined>(undefined);
  const cancelAll = (
    <button
      type="button"
      class="button"
      disabled={openOrders === 0}
      onClick={() => {
        selected.value = { all: 'true' };
      }}
    >
      {t('Cancel all open orders…')}
    </button>
  );
  return (
    <>
      {orderId === undefined ? null : (
        <AccountOrder key={`${orderId} ${loads.value}`} accountId={accountId} orderId={orderId} />
      )}
      <Panel title={t('Orders')} aside={cancelAll} flush>
        <HistoryFilters filter={filter} fields={['status', 'symbol', 'side']} />
        <PagedTable
          key={JSON.stringify([filter.value, loads.value])}
          caption={t('Orders of {account}', { account: accountId })}
          columns={buildColumns((ids) => {
            selected.value = { ids };
          })}
          rowKey={(order) => order.orderId}
          isCurrent={(order) => order.orderId === orderId}
          empty={t('No orders match the filter.')}
          card={recordCard('order', 'status')}
          fetchPage={(cursor) => fetchOrders(accountId, filter.value, cursor)}
        />
      </Panel>
      <ConfirmCancel
        accountId={accountId}
        selected={selected}
        count={openOrders}
        onCanceled={async () => {
          loads.value++;
          await onCanceled();
        }}
      />
    </>
  );
}

async function fetchOrders(id: string, filter: HistoryFilter, cursor: string | undefined) {
  const { orders, nextCursor } = await api.listAccountOrders({
    ...{ id, limit: PAGE_SIZE, cursor },
    status: filter.status || undefined,
    symbol: filter.symbol || undefined,
    side: filter.side || undefined,
    ...filterPeriod(filter),
  });
  return { rows: [...orders], nextCursor };
}

/** Returns the status with its reason, such as `Expired (IOC)`. */
export function orderStatus({ status, reason, timeInForce }: Order): string {
  const name = t(STATUS_NAMES[status]);
  if (reason === null || status === 'filled') return name;
  const why = reason === 'time_in_force' ? timeInForce : t(ORDER_REASONS[reason]);
  return `${name} (${why})`;
}

function buildColumns(onCancel: (orderId: string) => void): readonly Column<Order>[] {
  return [
    {
      key: 'order',
      title: msg('Order'),
      cell: ({ accountId, orderId, timestamp }) => (
        <span class="account-cell">
          <a href={accountPath(accountId, 'orders', orderId)}>{orderId}</a>
          <small class="muted">
            <time dateTime={timestamp}>{dateTime(timestamp)}</time>
          </small>
        </span>
      ),
    },
    ...ORDER_COLUMNS.filter(({ key }) => key !== 'account' && key !== 'order'),
    {
      key: 'average',
      title: msg('Average price'),
      numeric: true,
      cell: ({ average }) => (average === null ? '–' : grouped(average)),
    },
    { key: 'status', title: msg('Status'), cell: orderStatus },
    {
      key: 'cancel',
      title: msg('Cancel||order'),
      hiddenTitle: true,
      numeric: true,
      cell: ({ orderId, status }) =>
        status === 'open' ? (
          <button type="button" class="button small" onClick={() => onCancel(orderId)}>
            {t('Cancel||order')}
            <span class="visually-hidden"> {t('order {orderId}', { orderId })}</span>
          </button>
        ) : null,
    },
  ];
}

interface ConfirmCancelProps {
  readonly accountId: string;
  readonly selected: Signal<Selection | undefined>;
  /** Number of open orders. */
  readonly count: number;
  readonly onCanceled: () => Promise<void>;
}

function ConfirmCancel({ accountId, selected, count, onCanceled }: ConfirmCancelProps) {
  const selection = selected.value;
  const orderId = selection !== undefined && 'ids' in selection ? selection.ids : undefined;
  return (
    <Confirm
      title={t('Cancel orders of {account}', { account: accountId })}
      dismiss={t('Keep orders')}
      verb={orderId === undefined ? t('Cancel all') : t('Cancel order')}
      open={selection !== undefined}
      onClose={() => {
        selected.value = undefined;
      }}
      onConfirm={async () => {
        const { orders } = await api.cancelOrdersOf({ id: accountId, ...selection! });
        announce(t('Orders canceled: {count}.', { count: orders.length }), 'success');
        await onCanceled();
      }}
    >
      <p>
        {orderId === undefined ? (
          t('All {count} open orders are canceled and their held funds are released.', { count })
        ) : (
          <T
            text="Order <code>{orderId}</code> is canceled and its held funds are released."
            orderId={orderId}
            code={(children) => <code>{children}</code>}
          />
        )}
      </p>
    </Confirm>
  );
}
