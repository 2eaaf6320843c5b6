import { useSignal } from '@preact/signals';
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
  const columns: readonly Column<OperatorOrder<string>>[] = [
    ...ORDER_COLUMNS.filter(({ key }) => key !== 'account'),
    {
      key: 'cancel',
      title: 'Cancel',
      hiddenTitle: true,
      numeric: true,
      cell: ({ orderId }) => (
        <button
          type="button"
          class="button small"
          onClick={() => {
            selected.value = { ids: orderId };
          }}
        >
          Cancel<span class="visually-hidden"> order {orderId}</span>
        </button>
      ),
    },
  ];
  const all = (
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
    <Panel title="Open orders" aside={all} flush>
      <Loaded resource={orders}>
        {(data) => (
          <Table
            caption={`Open orders of ${accountId}`}
            columns={columns}
            rows={data.orders}
            rowKey={({ orderId }) => orderId}
            empty="No open orders"
          />
        )}
      </Loaded>
      <Confirm
        title={`Cancel orders of ${accountId}`}
        dismiss="Keep orders"
        verb={
          selected.value !== undefined && 'ids' in selected.value ? 'Cancel order' : 'Cancel all'
        }
        open={selected.value !== undefined}
        onClose={() => {
          selected.value = undefined;
        }}
        onConfirm={async () => {
          const canceled = await api.cancelOrdersOf({ id: accountId, ...selected.value! });
          announce(`Orders canceled: ${canceled.orders.length}.`, 'success');
          await Promise.all([orders.load(), onCanceled()]);
        }}
      >
        <p>
          {selected.value !== undefined && 'ids' in selected.value ? (
            <>
              Order <code>{selected.value.ids}</code> is canceled and its held funds are released.
            </>
          ) : (
            `All ${count} open orders are canceled and their held funds are released.`
          )}
        </p>
      </Confirm>
    </Panel>
  );
}
