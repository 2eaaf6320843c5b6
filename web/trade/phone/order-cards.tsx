import type { Column } from '../../components/table.tsx';
import { grouped, shortTime } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { amendOrder } from '../amend-request.ts';
import { cancelOrder } from '../cancel-orders.ts';
import { priceText } from '../markets.ts';
import { STATUS_NAMES, typeName } from '../order-names.ts';
import type { ExactOrder } from '../records.ts';

interface OrderCardProps {
  readonly order: ExactOrder;
  /** The columns that a wide window shows; a tap shows them, but for the type, below the card. */
  readonly columns: readonly Column<ExactOrder>[];
  /** Describes the order in labels of buttons. */
  readonly name: string;
  /** Whether the order can be amended and canceled. */
  readonly isOpen: boolean;
  /** Shows the timeline of the order; undefined without timelines. */
  readonly onTimeline: (() => void) | undefined;
}

/** An order on a phone, in two lines. */
export function OrderCard({ order, columns, name, isOpen, onTimeline }: OrderCardProps) {
  const { side, symbol, amount, filled, status, timestamp } = order;
  const [base = ''] = symbol.split('/');
  return (
    <div class="order-card">
      <details>
        <summary>
          <span class="card-line">
            <b class={side}>{side === 'buy' ? t('↑ Buy') : t('↓ Sell')}</b>
            <b>{symbol}</b>
            <span class="card-kind">{describeKind(order)}</span>
            {isOpen ? null : <span class="card-end">{t(STATUS_NAMES[status])}</span>}
          </span>
          <span class="card-line muted">
            {t('{filled} of {amount} {base} filled', {
              filled: grouped(filled),
              amount: grouped(amount),
              base,
            })}
            {isOpen ? null : <span class="card-end">{shortTime(timestamp)}</span>}
          </span>
        </summary>
        <dl>
          {columns
            .filter(({ key, hiddenTitle }) => !hiddenTitle && key !== 'type')
            .map(({ key, title, cell }) => (
              <div key={key}>
                <dt>{t(title)}</dt>
                <dd>{cell(order)}</dd>
              </div>
            ))}
        </dl>
        {onTimeline === undefined ? null : (
          <button
            type="button"
            class="button"
            aria-label={t('Timeline of {order}', { order: name })}
            onClick={onTimeline}
          >
            {t('Timeline')}
          </button>
        )}
      </details>
      {isOpen ? <Actions order={order} name={name} /> : null}
    </div>
  );
}

function Actions({ order, name }: Pick<OrderCardProps, 'order' | 'name'>) {
  return (
    <span class="card-actions">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Amend {order}', { order: name })}
        onClick={() => amendOrder(order)}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 16l.8-3.2L13 4.6l2.4 2.4-8.2 8.2L4 16ZM11.5 6.1l2.4 2.4" />
        </svg>
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Cancel {order}', { order: name })}
        onClick={() => void cancelOrder(order)}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
        </svg>
      </button>
    </span>
  );
}

/** Returns the type with its price: the limit price, else the trigger. */
function describeKind({ type, price, triggerPrice, symbol }: ExactOrder): string {
  const at = price ?? triggerPrice;
  const kind = typeName(type);
  return at === null || type === 'market' ? kind : `${kind} · ${priceText(at, symbol)}`;
}
