import type { AlertFill, OperatorOrder } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ShortAccountLink } from './account-link.tsx';
import { orderStatus } from './account-orders.tsx';
import { accountPath } from './account-path.ts';

const FILLS: readonly Column<AlertFill<string>>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'trade', title: msg('Trade'), cell: ({ tradeId }) => tradeId },
  {
    key: 'account',
    title: msg('Account'),
    cell: ({ account }) => <ShortAccountLink accountId={account} tab="orders" />,
  },
  { key: 'side', title: msg('Side'), cell: ({ side }) => <Side side={side} /> },
  {
    key: 'role',
    title: msg('Role'),
    cell: ({ liquidity }) => (liquidity === 'maker' ? t('Maker') : t('Taker')),
  },
  { key: 'price', title: msg('Price'), numeric: true, cell: ({ price }) => grouped(price) },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  {
    key: 'order',
    title: msg('Order'),
    cell: ({ account, orderId }) => <OrderLink account={account} id={orderId} />,
  },
];

const ORDERS: readonly Column<OperatorOrder<string>>[] = [
  { key: 'time', title: msg('Placed'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'order',
    title: msg('Order'),
    cell: ({ accountId, orderId }) => <OrderLink account={accountId} id={orderId} />,
  },
  {
    key: 'account',
    title: msg('Account'),
    cell: ({ accountId }) => <ShortAccountLink accountId={accountId} tab="orders" />,
  },
  { key: 'side', title: msg('Side'), cell: ({ side }) => <Side side={side} /> },
  {
    key: 'price',
    title: msg('Price'),
    numeric: true,
    cell: ({ price }) => (price === null ? t('Market||order type') : grouped(price)),
  },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => text(amount) },
  { key: 'filled', title: msg('Filled'), numeric: true, cell: ({ filled }) => text(filled) },
  { key: 'status', title: msg('Status'), cell: orderStatus },
  { key: 'end', title: msg('Updated'), cell: ({ updatedAt }) => dateTime(updatedAt) },
];

function text(amount: string | null | undefined): string {
  return amount == null ? '–' : grouped(amount);
}

function Side({ side }: { side: 'buy' | 'sell' }) {
  return <span class={side}>{side === 'buy' ? t('Buy') : t('Sell')}</span>;
}

function OrderLink({ account, id }: { account: string; id: string }) {
  return <a href={accountPath(account, 'orders', id)}>{id}</a>;
}

/** The trades and the orders behind an alert. */
export function AlertActivity({ id }: { id: string }) {
  const found = useResource(() => api.getAlertActivity({ id }));
  return (
    <>
      <Panel
        title={t('Trades')}
        lead={t('Trades of these accounts in this market during the alert.')}
        flush
      >
        <Loaded resource={found}>
          {({ fills, areFillsComplete }) => (
            <>
              <Table
                caption={t('Trades behind the alert, oldest first')}
                columns={FILLS}
                rows={fills}
                rowKey={({ tradeId, liquidity }) => `${tradeId} ${liquidity}`}
                empty={t('No trades in its time.')}
              />
              {areFillsComplete ? null : <Cut />}
            </>
          )}
        </Loaded>
      </Panel>
      <Panel
        title={t('Orders')}
        lead={t('Orders placed shortly before the alert and during it.')}
        flush
      >
        <Loaded resource={found}>
          {({ orders, areOrdersComplete }) => (
            <>
              <Table
                caption={t('Orders behind the alert, oldest first')}
                columns={ORDERS}
                rows={orders}
                rowKey={({ orderId }) => orderId}
                empty={t('No orders in its time.')}
              />
              {areOrdersComplete ? null : <Cut />}
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

function Cut() {
  return (
    <p class="panel-foot muted">
      {t('The list is not complete: at most 100 rows of each account are shown.')}
    </p>
  );
}
