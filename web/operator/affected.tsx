import type { OperatorOrder } from '../../src/client/index.ts';
import { Notice } from '../components/notice.tsx';
import { type Column, Table } from '../components/table.tsx';
import { grouped, sentenceCase } from '../format.ts';

export const ORDER_COLUMNS: readonly Column<OperatorOrder<string>>[] = [
  { key: 'order', title: 'Order', cell: ({ orderId }) => <code>{orderId}</code> },
  { key: 'account', title: 'Account', cell: ({ accountId }) => accountId },
  { key: 'symbol', title: 'Market', cell: ({ symbol }) => symbol },
  {
    key: 'side',
    title: 'Side',
    cell: ({ side, type }) => (
      <span class={side}>
        {sentenceCase(side)} {sentenceCase(type).toLowerCase()}
      </span>
    ),
  },
  {
    key: 'price',
    title: 'Price',
    numeric: true,
    cell: ({ price }) => (price === null ? '–' : grouped(price)),
  },
  {
    key: 'trigger',
    title: 'Trigger',
    numeric: true,
    cell: ({ triggerPrice }) => (triggerPrice === null ? '–' : grouped(triggerPrice)),
  },
  { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'filled', title: 'Filled', numeric: true, cell: ({ filled }) => grouped(filled) },
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
  if (affected === 0) return <Notice kind="info">No open orders affected</Notice>;
  const more = affected - orders.length;
  return (
    <div class="stack">
      <Notice kind="warning">
        <b>
          {grouped(`${affected}`)} open {affected === 1 ? 'order' : 'orders'}:
        </b>{' '}
        {effect}
      </Notice>
      <div class="affected">
        <Table
          caption="Affected orders"
          columns={ORDER_COLUMNS}
          rows={orders}
          rowKey={({ orderId }) => orderId}
          empty="No orders to show"
        />
      </div>
      {more > 0 ? <p class="muted">And {grouped(`${more}`)} more.</p> : null}
    </div>
  );
}
