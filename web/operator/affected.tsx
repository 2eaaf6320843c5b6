import type { OperatorOrder } from '../../src/client/index.ts';
import { Notice } from '../components/notice.tsx';
import { type Column, Table } from '../components/table.tsx';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { sideAndType } from './record-names.ts';

export const ORDER_COLUMNS: readonly Column<OperatorOrder<string>>[] = [
  { key: 'order', title: msg('Order'), cell: ({ orderId }) => <code>{orderId}</code> },
  { key: 'account', title: msg('Account'), cell: ({ accountId }) => accountId },
  { key: 'symbol', title: msg('Market'), cell: ({ symbol }) => symbol },
  {
    key: 'side',
    title: msg('Side'),
    cell: ({ side, type }) => <span class={side}>{sideAndType({ side, type })}</span>,
  },
  {
    key: 'price',
    title: msg('Price'),
    numeric: true,
    // The price of a market order is the average of its fills.
    cell: ({ price, type }) => (price === null || type === 'market' ? '–' : grouped(price)),
  },
  {
    key: 'trigger',
    title: msg('Trigger'),
    numeric: true,
    cell: ({ triggerPrice }) => (triggerPrice === null ? '–' : grouped(triggerPrice)),
  },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'filled', title: msg('Filled'), numeric: true, cell: ({ filled }) => grouped(filled) },
];

export interface Preview {
  readonly affected?: number | undefined;
  readonly orders?: readonly OperatorOrder<string>[] | undefined;
}

interface AffectedProps {
  readonly preview: Preview;
  /** Consequence for the affected orders. */
  readonly effect: string;
}

/** Preview of the open orders that a change affects. */
export function Affected({ preview, effect }: AffectedProps) {
  const { affected = 0, orders = [] } = preview;
  if (affected === 0) return <Notice kind="info">{t('No open orders are affected.')}</Notice>;
  const more = affected - orders.length;
  return (
    <div class="stack">
      <Notice kind="warning">
        <b>
          {t('{count, plural, one {# open order} other {# open orders}}:', { count: affected })}
        </b>{' '}
        {effect}
      </Notice>
      <div class="affected">
        <Table
          caption={t('Affected orders')}
          columns={ORDER_COLUMNS}
          rows={orders}
          rowKey={({ orderId }) => orderId}
          empty={t('No orders to show.')}
        />
      </div>
      {more > 0 ? (
        <p class="muted">{t('And {count} more.', { count: grouped(`${more}`) })}</p>
      ) : null}
    </div>
  );
}
