import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from '../components/dialog.tsx';
import { Faucet } from '../components/faucet.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { preference } from '../preferences.ts';
import { isSandbox } from '../sandbox.ts';
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
import { amendOrder } from './amend-request.ts';
import { symbol } from './markets.ts';
import { BALANCE_COLUMNS, FILL_COLUMNS, OPEN_COLUMNS, PAST_COLUMNS } from './order-columns.tsx';
import { describeFailure } from './order-rejection.ts';
import type { ExactOrder } from './records.ts';
import { TimelineDialog } from './timeline-dialog.tsx';
import { trade } from './trading.ts';

const TAB_IDS = ['open', 'history', 'fills', 'balances'] as const;
type TabId = (typeof TAB_IDS)[number];
const tab = preference<TabId>('orders-tab', TAB_IDS, 'open');

/** Whether the dialog that cancels all orders is open. */
export const isCancelingAll = signal(false);

/** Open orders, order history, fills and balances. */
export function OrdersPanel() {
  return (
    <section class="panel orders" aria-label="Your orders">
      <StaleNote of="orders" />
      {isSignedIn.value ? <AccountTabs /> : <SignedOut />}
    </section>
  );
}

function SignedOut() {
  return (
    <p class="empty">
      <a href={signInPath()}>Sign in</a> to see your orders, fills and balances, or{' '}
      <a href="/sign-up">sign up</a>.
    </p>
  );
}

function AccountTabs() {
  const isFiltered = useSignal(false);
  const shown = useSignal<ExactOrder | undefined>(undefined);
  const filter = <Row extends { symbol: string }>(rows: readonly Row[]) =>
    isFiltered.value ? rows.filter((row) => row.symbol === symbol.value) : rows;
  const panels: Readonly<Record<TabId, () => ComponentChildren>> = {
    open: () => <OpenOrders orders={filter(openOrders.value)} shown={shown} />,
    history: () => <OrderHistory orders={filter(pastOrders.value ?? [])} shown={shown} />,
    fills: () => <Fills rows={filter(fills.value ?? [])} />,
    balances: () => <Balances />,
  };
  return (
    <>
      <Tabs<TabId>
        label="Your account"
        tabs={[
          { id: 'open', label: 'Open orders', count: filter(openOrders.value).length },
          { id: 'history', label: 'Order history' },
          { id: 'fills', label: 'Fills' },
          { id: 'balances', label: 'Balances' },
        ]}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
        aside={<TabControls tab={tab.value} isFiltered={isFiltered} />}
      >
        {panels[tab.value]()}
      </Tabs>
      <TimelineDialog
        order={shown.value}
        onClose={() => {
          shown.value = undefined;
        }}
      />
      <CancelAllDialog />
    </>
  );
}

/** The controls next to the tabs: the market filter or the faucet, and the button that cancels all. */
function TabControls({ tab, isFiltered }: { tab: TabId; isFiltered: Signal<boolean> }) {
  return (
    <div class="orders-aside">
      {tab === 'balances' ? (
        <Faucet />
      ) : (
        <label class="check">
          <input
            type="checkbox"
            checked={isFiltered.value}
            onChange={(event) => {
              isFiltered.value = event.currentTarget.checked;
            }}
          />
          {symbol.value} only
        </label>
      )}
      {tab === 'open' ? (
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
  );
}

interface OpenOrdersProps {
  readonly orders: readonly ExactOrder[];
  /** Set to the order that the user wants to amend. */
  /** Set to the order whose timeline the user wants to see. */
  readonly shown: Signal<ExactOrder | undefined>;
}

/** Only a sandbox has timelines. */
function TimelineButton({ order, shown }: { order: ExactOrder } & Pick<OpenOrdersProps, 'shown'>) {
  if (!isSandbox) return null;
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Timeline of ${orderName(order)}`}
      onClick={() => {
        shown.value = order;
      }}
    >
      Timeline
    </button>
  );
}

function OpenOrders({ orders, shown }: OpenOrdersProps) {
  const actions: Column<ExactOrder> = {
    key: 'actions',
    title: 'Actions',
    hiddenTitle: true,
    cell: (order) => (
      <span class="actions">
        <TimelineButton order={order} shown={shown} />
        <button
          type="button"
          class="button small"
          aria-label={`Amend ${orderName(order)}`}
          onClick={() => {
            amendOrder(order);
          }}
        >
          Amend
        </button>
        <button
          type="button"
          class="button small"
          aria-label={`Cancel ${orderName(order)}`}
          onClick={() => void cancel(order)}
        >
          Cancel
        </button>
      </span>
    ),
  };
  return (
    <Table
      caption="Open orders"
      columns={[...OPEN_COLUMNS, actions]}
      rows={orders}
      rowKey={({ orderId }) => orderId}
      empty="Your open orders appear here."
    />
  );
}

function OrderHistory({ orders, shown }: Pick<OpenOrdersProps, 'orders' | 'shown'>) {
  const actions: Column<ExactOrder> = {
    key: 'actions',
    title: 'Actions',
    hiddenTitle: true,
    cell: (order) => <TimelineButton order={order} shown={shown} />,
  };
  return (
    <>
      <Table
        caption="Order history"
        columns={isSandbox ? [...PAST_COLUMNS, actions] : PAST_COLUMNS}
        rows={orders}
        rowKey={({ orderId }) => orderId}
        empty={pastOrders.value === undefined ? 'Loading…' : 'No order history yet.'}
      />
      <LoadMore cursor={cursors.value.orders} load={loadPastOrders} />
    </>
  );
}

function Fills({ rows }: { rows: NonNullable<typeof fills.value> }) {
  return (
    <>
      <Table
        caption="Fills"
        columns={FILL_COLUMNS}
        rows={rows}
        rowKey={({ id, orderId }) => `${id} ${orderId}`}
        empty={fills.value === undefined ? 'Loading…' : 'No fills yet.'}
      />
      <LoadMore cursor={cursors.value.fills} load={loadFills} />
    </>
  );
}

function Balances() {
  return (
    <Table
      caption="Balances"
      columns={BALANCE_COLUMNS}
      rows={balances.value}
      rowKey={({ asset }) => asset}
      empty="No assets yet."
    />
  );
}

function LoadMore({ cursor, load }: { cursor: string | null; load: () => Promise<void> }) {
  if (cursor === null) return null;
  return (
    <p class="more">
      <button type="button" class="button small" onClick={() => load().catch(announceError)}>
        Load more
      </button>
    </p>
  );
}

function CancelAllDialog() {
  const inMarket = openOrders.value.filter((order) => order.symbol === symbol.value).length;
  const all = openOrders.value.length;
  const close = () => {
    isCancelingAll.value = false;
  };
  const cancelAll = (selection: { symbol: string } | { all: 'true' }) => {
    close();
    void cancelOrders(selection);
  };
  return (
    <Dialog title="Cancel all orders" open={isCancelingAll.value} onClose={close}>
      <p>
        Stop and take-profit orders that have not triggered are included. Fills are not reversed.
      </p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Keep orders
        </button>
        <button
          type="button"
          class="button danger"
          disabled={inMarket === 0}
          onClick={() => cancelAll({ symbol: symbol.value })}
        >
          Cancel {inMarket} {symbol.value} {inMarket === 1 ? 'order' : 'orders'}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={all === 0}
          onClick={() => cancelAll({ all: 'true' })}
        >
          Cancel all {all}
        </button>
      </div>
    </Dialog>
  );
}

async function cancelOrders(selection: { symbol: string } | { all: 'true' }): Promise<void> {
  try {
    const { orders } = await trade((trader) => trader.cancelOrders(selection));
    announce(`${orders.length} ${orders.length === 1 ? 'order' : 'orders'} canceled.`, 'success');
  } catch (error) {
    announce(describeFailure(error, 'canceled', 'Your orders'), 'error');
  }
}

async function cancel(order: ExactOrder): Promise<void> {
  try {
    await trade((trader) => trader.cancelOrder({ id: order.orderId }));
    announce(`Canceled: ${orderName(order)}.`, 'success');
  } catch (error) {
    announce(describeFailure(error, 'canceled'), 'error');
  }
}

function orderName({ side, amount, symbol: market, price, triggerPrice }: ExactOrder): string {
  const at = price ?? triggerPrice;
  return `${side} ${amount} ${market}${at === null ? '' : ` at ${at}`}`;
}
