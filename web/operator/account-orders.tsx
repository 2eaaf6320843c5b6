import { type Signal, useSignal } from '@preact/signals';
import type { OperatorOrder } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { ORDER_COLUMNS } from './affected.tsx';

interface AccountOrdersProps {
  readonly accountId: string;
  readonly onCanceled: () => Promise<void>;
}

type Selection = { readonly all: 'true' } | { readonly ids: string };

/** The open orders of an account, which an operator can cancel. */
export function AccountOrders({ accountId, onCanceled }: AccountOrdersProps) {
  const orders = useResource(() => api.listOpenOrdersOf({ id: accountId }));
  const selected = useSignal<Selection | undefined>(undefined);
  const count = orders.data.value?.orders.length ?? 0;
  const cancelAll = (
    <button
      type="button"
      class="button"
      disabled={count === 0}
      onClick={() => {
        selected.value = { all: 'true' };
      }}
    >
      Cancel all
    </button>
  );
  return (
    <Panel title="Open orders" aside={cancelAll} flush>
      <Loaded resource={orders}>
        {(data) => (
          <Table
            caption={`Open orders of ${accountId}`}
            columns={buildColumns((ids) => {
              selected.value = { ids };
            })}
            rows={data.orders}
            rowKey={({ orderId }) => orderId}
            empty="No open orders"
          />
        )}
      </Loaded>
      <ConfirmCancel
        accountId={accountId}
        selected={selected}
        count={count}
        onCanceled={async () => {
          await Promise.all([orders.load(), onCanceled()]);
        }}
      />
    </Panel>
  );
}

function buildColumns(
  onCancel: (orderId: string) => void,
): readonly Column<OperatorOrder<string>>[] {
  return [
    ...ORDER_COLUMNS.filter(({ key }) => key !== 'account'),
    {
      key: 'cancel',
      title: 'Cancel',
      hiddenTitle: true,
      numeric: true,
      cell: ({ orderId }) => (
        <button type="button" class="button small" onClick={() => onCancel(orderId)}>
          Cancel<span class="visually-hidden"> order {orderId}</span>
        </button>
      ),
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
      title={`Cancel orders of ${accountId}`}
      dismiss="Keep orders"
      verb={orderId === undefined ? 'Cancel all' : 'Cancel order'}
      open={selection !== undefined}
      onClose={() => {
        selected.value = undefined;
      }}
      onConfirm={async () => {
        const { orders } = await api.cancelOrdersOf({ id: accountId, ...selection! });
        announce(`Orders canceled: ${orders.length}.`, 'success');
        await onCanceled();
      }}
    >
      <p>
        {orderId === undefined ? (
          `All ${count} open orders are canceled and their held funds are released.`
        ) : (
          <>
            Order <code>{orderId}</code> is canceled and its held funds are released.
          </>
        )}
      </p>
    </Confirm>
  );
}
