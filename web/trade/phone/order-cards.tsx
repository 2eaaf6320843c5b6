import { Icon } from '../../components/icon.tsx';
import { grouped, shortTime } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { amendOrder } from '../amend-request.ts';
import { cancelOrder } from '../cancel-orders.ts';
import { priceText } from '../markets.ts';
import { describeConditions, triggerText } from '../order-conditions.ts';
import { showOrder } from '../order-details/shown-order.ts';
import { hasLimit, orderName, STATUS_NAMES, shortTypeName } from '../order-names.ts';
import type { ExactOrder } from '../records.ts';

interface OrderCardProps {
  readonly order: ExactOrder;
  /** Whether the order can be amended and canceled. */
  readonly isOpen: boolean;
}

/** An order on a phone, in two lines; a tap shows its details. */
export function OrderCard({ order, isOpen }: OrderCardProps) {
  const { side, symbol, amount, filled, status, timestamp } = order;
  const [base = ''] = symbol.split('/');
  return (
    <div class="order-card">
      <button
        type="button"
        class="card-body"
        aria-haspopup="dialog"
        onClick={() => showOrder(order)}
      >
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
          {isOpen ? (
            <span class="card-more">{describeConditions(order, true)}</span>
          ) : (
            <span class="card-end">{shortTime(timestamp)}</span>
          )}
        </span>
      </button>
      {isOpen ? <Actions order={order} name={orderName(order)} /> : null}
    </div>
  );
}

/** @param name Describes the order in labels of buttons. */
function Actions({ order, name }: { order: ExactOrder; name: string }) {
  return (
    <span class="card-actions">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Amend {order}', { order: name })}
        onClick={() => amendOrder(order)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Cancel {order}', { order: name })}
        onClick={() => void cancelOrder(order)}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** Returns the type with its prices: `Stop limit · 117,000.00 · ≤ 117,500.00`. */
function describeKind(order: ExactOrder): string {
  const { type, price, triggerPrice, symbol } = order;
  return [
    shortTypeName(type),
    // The exchange gives the average price as that of an order without a limit.
    price === null || !hasLimit(order) ? '' : priceText(price, symbol),
    triggerPrice === null ? '' : triggerText(order),
  ]
    .filter(Boolean)
    .join(' · ');
}
