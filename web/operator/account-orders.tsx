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

/** What an account has open, and canceling it on its behalf. */
export function AccountOrders({ accountId, onCanceled }: AccountOrdersProps) {
  const orders = useResource(() => api.listOpenOrdersOf({ id: accountId }));
  const asked = useSignal<Selection | undefined>(undefined);
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
            asked.value = { ids: orderId };
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
        asked.value = { all: 'true' };
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
            empty="Nothing is open."
          />
        )}
      </Loaded>
      <Confirm
        title={`Cancel on behalf of ${accountId}`}
        verb={asked.value !== undefined && 'ids' in asked.value ? 'Cancel the order' : 'Cancel all'}
        open={asked.value !== undefined}
        onClose={() => {
          asked.value = undefined;
        }}
        onConfirm={async () => {
          const canceled = await api.cancelOrdersOf({ id: accountId, ...asked.value! });
          announce(`Canceled: ${canceled.orders.length}.`, 'success');
          await Promise.all([orders.load(), onCanceled()]);
        }}
      >
        <p>
          {asked.value !== undefined && 'ids' in asked.value ? (
            <>
              Order <code>{asked.value.ids}</code> ends, and its funds come back to the account.
            </>
          ) : (
            `All ${count} open orders end, and their funds come back to the account.`
          )}
        </p>
      </Confirm>
    </Panel>
  );
}
