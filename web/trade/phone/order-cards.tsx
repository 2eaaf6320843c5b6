import type { ComponentChildren } from 'preact';
import { Icon } from '../../components/icon.tsx';
import { grouped, rounded, shortTime } from '../../format.ts';
import { T, t } from '../../i18n/index.ts';
import { amendOrder } from '../amend-request.ts';
import { cancelOrder } from '../cancel-orders.ts';
import { priceDecimalsFor, priceText } from '../markets.ts';
import { ROLES } from '../order-columns.tsx';
import { describeConditions, triggerText } from '../order-conditions.ts';
import { showOrder } from '../order-details/shown-order.ts';
import { hasLimit, orderName, STATUS_NAMES, shortTypeName } from '../order-names.ts';
import type { ExactFill, ExactOrder } from '../records.ts';
import { Rounded } from '../rounded.tsx';
import { unitAsset } from '../row-assets.ts';

interface OrderCardProps {
  readonly order: ExactOrder;
  /** Whether the order can be amended and canceled. */
  readonly isOpen: boolean;
}

/** An order on a phone, in two lines; a tap shows its details. */
export function OrderCard({ order, isOpen }: OrderCardProps) {
  const { status, timestamp } = order;
  return (
    <div class="order-card">
      <CardBody
        record={order}
        kind={describeKind(order)}
        end={isOpen ? null : <span class="card-end">{t(STATUS_NAMES[status])}</span>}
      >
        {describeFilled(order, isOpen)}
        {isOpen ? (
          <span class="card-more">{describeConditions(order, true)}</span>
        ) : (
          <span class="card-end">{shortTime(timestamp)}</span>
        )}
      </CardBody>
      {isOpen ? <Actions order={order} name={orderName(order)} /> : null}
    </div>
  );
}

/** A fill on a phone, in two lines; a tap shows its order. */
export function FillCard({ fill }: { fill: ExactFill }) {
  const { symbol, amount, price, cost, fee, liquidity, timestamp } = fill;
  return (
    <div class="order-card">
      <CardBody
        record={fill}
        kind={t('{amount} at {price}', {
          amount: `${grouped(amount)} ${unitAsset(symbol, 'base')}`,
          price: priceText(price, symbol),
        })}
      >
        <Rounded value={cost} unit={unitAsset(symbol, 'quote')} />
        <span class="card-more">
          <T text="Fee {fee}" fee={<Rounded value={fee.cost} unit={fee.asset} />} />
        </span>
        <span class="card-more">{t(ROLES[liquidity])}</span>
        <span class="card-end">{shortTime(timestamp)}</span>
      </CardBody>
    </div>
  );
}

interface CardBodyProps {
  readonly record: ExactOrder | ExactFill;
  readonly kind: ComponentChildren;
  /** At the right of the first line. */
  readonly end?: ComponentChildren;
  /** The second line. */
  readonly children: ComponentChildren;
}

/** The two lines of a card, which begin with side and market; a tap shows the order. */
function CardBody({ record, kind, end, children }: CardBodyProps) {
  const { side, symbol } = record;
  return (
    <button
      type="button"
      class="card-body"
      aria-haspopup="dialog"
      onClick={() => showOrder(record)}
    >
      <span class="card-line">
        <b class={side}>{side === 'buy' ? t('↑ Buy') : t('↓ Sell')}</b>
        <b>{symbol}</b>
        <span class="card-kind">{kind}</span>
        {end}
      </span>
      <span class="card-line muted">{children}</span>
    </button>
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

/** Returns the filled part; of an order that has ended, also its average price. */
function describeFilled({ filled, amount, average, symbol }: ExactOrder, isOpen: boolean): string {
  const values = {
    filled: grouped(filled),
    amount: grouped(amount),
    base: unitAsset(symbol, 'base'),
  };
  if (isOpen || average === null) return t('{filled} of {amount} {base} filled', values);
  const price = rounded(average, priceDecimalsFor(symbol));
  return t('{filled} of {amount} {base} filled at {price}', { ...values, price });
}
