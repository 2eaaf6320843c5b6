import { signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Faucet } from '../components/faucet.tsx';
import { Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { signInPath } from '../session.ts';
import {
  balances,
  cursors,
  fills,
  isSignedIn,
  loadFills,
  loadPastOrders,
  openOrders,
  pastOrders,
} from './account.ts';
import { AmendDialog } from './amend-dialog.tsx';
import { symbol } from './markets.ts';
import { BALANCE_COLUMNS, FILL_COLUMNS, OPEN_COLUMNS, PAST_COLUMNS } from './order-columns.tsx';
import { describeFailure } from './order-rejection.ts';
import type { ExactOrder } from './records.ts';

type TabId = 'open' | 'history' | 'fills' | 'balances';

/** Whether it is asked to cancel everything; also by keyboard, see shortcuts. */
export const isCancelingAll = signal(false);

/** The account: what is open, what was, and what there is. */
export function OrdersPanel() {
  const tab = useSignal<TabId>('open');
  const isHereOnly = useSignal(false);
  const amended = useSignal<ExactOrder | undefined>(undefined);
  if (!isSignedIn.value) {
    return (
      <section class="panel orders" aria-label="Your orders">
        <p class="empty">
          <a href={signInPath()}>Sign in</a> or <a href="/sign-up">sign up</a> to place orders: your
          orders, fills and balances stand here then.
        </p>
      </section>
    );
  }
  const here = <Row extends { symbol: string }>(rows: readonly Row[]) =>
    isHereOnly.value ? rows.filter((row) => row.symbol === symbol.value) : rows;
  return (
    <section class="panel orders" aria-label="Your orders">
      <Tabs<TabId>
        label="Your account"
        tabs={[
          { id: 'open', label: 'Open orders', count: here(openOrders.value).length },
          { id: 'history', label: 'Order history' },
          { id: 'fills', label: 'Fills' },
          { id: 'balances', label: 'Balances' },
        ]}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
        aside={
          <div class="orders-aside">
            {tab.value === 'balances' ? (
              <Faucet />
            ) : (
              <label class="check">
                <input
                  type="checkbox"
                  checked={isHereOnly.value}
                  onChange={(event) => {
                    isHereOnly.value = event.currentTarget.checked;
                  }}
                />
                {symbol.value} only
              </label>
            )}
            {tab.value === 'open' ? (
              <button
                type="button"
                class="button small"
                disabled={openOrders.value.length === 0}
                onClick={() => {
                  isCancelingAll.value = true;
                }}
              >
                Cancel all
              </button>
            ) : null}
          </div>
        }
      >
        {tab.value === 'open' ? (
          <Table
            caption="Open orders"
            columns={[
              ...OPEN_COLUMNS,
              {
                key: 'actions',
                title: 'Actions',
                hiddenTitle: true,
                cell: (order) => (
                  <span class="actions">
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Amend ${nameOf(order)}`}
                      onClick={() => {
                        amended.value = order;
                      }}
                    >
                      Amend
                    </button>
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Cancel ${nameOf(order)}`}
                      onClick={() => void cancel(order)}
                    >
                      Cancel
                    </button>
                  </span>
                ),
              },
            ]}
            rows={here(openOrders.value)}
            rowKey={({ orderId }) => orderId}
            empty="No open orders. What you place stands here until it is filled, canceled or over."
          />
        ) : null}
        {tab.value === 'history' ? (
          <>
            <Table
              caption="Orders that ended"
              columns={PAST_COLUMNS}
              rows={here(pastOrders.value ?? [])}
              rowKey={({ orderId }) => orderId}
              empty={pastOrders.value === undefined ? 'Loading…' : 'None of your orders has ended.'}
            />
            <More cursor={cursors.value.orders} load={loadPastOrders} />
          </>
        ) : null}
        {tab.value === 'fills' ? (
          <>
            <Table
              caption="Fills"
              columns={FILL_COLUMNS}
              rows={here(fills.value ?? [])}
              rowKey={({ id, orderId }) => `${id} ${orderId}`}
              empty={fills.value === undefined ? 'Loading…' : 'You have not traded yet.'}
            />
            <More cursor={cursors.value.fills} load={loadFills} />
          </>
        ) : null}
        {tab.value === 'balances' ? (
          <Table
            caption="Balances"
            columns={BALANCE_COLUMNS}
            rows={balances.value}
            rowKey={({ asset }) => asset}
            empty="The account has nothing yet."
          />
        ) : null}
      </Tabs>
      <AmendDialog
        order={amended.value}
        onClose={() => {
          amended.value = undefined;
        }}
      />
      <CancelAllDialog />
    </section>
  );
}

function More({ cursor, load }: { cursor: string | null; load: () => Promise<void> }) {
  if (cursor === null) return null;
  return (
    <p class="more">
      <button type="button" class="button small" onClick={() => load().catch(announceError)}>
        Show more
      </button>
    </p>
  );
}

function CancelAllDialog() {
  const here = openOrders.value.filter((order) => order.symbol === symbol.value).length;
  const all = openOrders.value.length;
  const close = () => {
    isCancelingAll.value = false;
  };
  const cancelAll = async (what: { symbol: string } | { all: 'true' }) => {
    close();
    try {
      const { orders } = await api.cancelOrders(what);
      announce(`${orders.length} ${orders.length === 1 ? 'order' : 'orders'} canceled.`, 'success');
    } catch (error) {
      announce(describeFailure(error, 'canceled', 'Your orders'), 'error');
    }
  };
  return (
    <Dialog title="Cancel all orders" open={isCancelingAll.value} onClose={close}>
      <p>Orders that wait for their trigger are canceled too. What has traded stays traded.</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Keep them
        </button>
        <button
          type="button"
          class="button danger"
          disabled={here === 0}
          onClick={() => void cancelAll({ symbol: symbol.value })}
        >
          {here} of {symbol.value}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={all === 0}
          onClick={() => void cancelAll({ all: 'true' })}
        >
          All {all}
        </button>
      </div>
    </Dialog>
  );
}

async function cancel(order: ExactOrder): Promise<void> {
  try {
    await api.cancelOrder({ id: order.orderId });
    announce(`Canceled: ${nameOf(order)}.`, 'success');
  } catch (error) {
    announce(describeFailure(error, 'canceled'), 'error');
  }
}

function nameOf({ side, amount, symbol: of, price, triggerPrice }: ExactOrder): string {
  const at = price ?? triggerPrice;
  return `${side} ${amount} ${of}${at === null ? '' : ` at ${at}`}`;
}
