import Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { api } from '../../api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useResource } from '../../components/resource.ts';
import { capitalize, dateTime, fixed, grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { isSandbox } from '../../sandbox.ts';
import { canTrade, fills } from '../account.ts';
import { amendOrder } from '../amend-request.ts';
import { cancelOrder } from '../cancel-orders.ts';
import { FilteredList } from '../history/lists.tsx';
import { priceDecimalsFor, priceText } from '../markets.ts';
import { ORDER_FILL_COLUMNS } from '../order-columns.tsx';
import { listConditions } from '../order-conditions.ts';
import {
  hasLimit,
  STATUS_NAMES,
  TIME_IN_FORCE_NAMES,
  triggerSign,
  typeName,
} from '../order-names.ts';
import { describeReason } from '../order-reasons.ts';
import type { ExactFill, ExactOrder } from '../records.ts';
import { Rounded } from '../rounded.tsx';
import { listLinked } from './linked-orders.ts';
import { OrderTimeline } from './order-timeline.tsx';
import { findKnownOrder, shownOrder, showOrder } from './shown-order.ts';

const FILLS_PER_PAGE = 50;

/** The order that the dialog shows: its data, its fills and, in a sandbox, its timeline. */
export function OrderDetails() {
  const orderId = shownOrder.value;
  return orderId === undefined ? null : <Details key={orderId} orderId={orderId} />;
}

/** Follows an order: the stream reports its changes, and the exchange has those that the page has not loaded. */
function Details({ orderId }: { orderId: string }) {
  const resource = useResource<ExactOrder>(() => api.getOrder({ id: orderId }));
  const order = findKnownOrder(orderId) ?? resource.data.value;
  if (order === undefined) return <Loaded resource={resource}>{() => null}</Loaded>;
  return (
    <div class="order-details">
      <Head order={order} />
      <Facts order={order} />
      <h3>{t('Fills')}</h3>
      <OrderFills order={order} />
      {isSandbox ? <OrderTimeline order={order} /> : null}
    </div>
  );
}

function Head({ order }: { order: ExactOrder }) {
  const { side, symbol, amount, filled, status } = order;
  const [base = ''] = symbol.split('/');
  const share = new Big(filled).div(amount).times(100);
  const reason = status === 'filled' ? undefined : describeReason(order);
  return (
    <>
      <p class="order-head">
        <b>
          <span class={side}>{side === 'buy' ? t('↑ Buy') : t('↓ Sell')}</span> {symbol}
        </b>
        <span class={`badge status-${status}`}>{t(STATUS_NAMES[status])}</span>
      </p>
      {reason === undefined ? null : <p class="muted">{capitalize(reason)}</p>}
      <div class="order-progress">
        <span>
          {t('{filled} of {amount} {base} filled', {
            filled: grouped(filled),
            amount: grouped(amount),
            base,
          })}
        </span>
        <b>{fixed(share, share.eq(share.round()) ? 0 : 2)}%</b>
        <progress class={side} max="100" value={share.toNumber()} aria-label={t('Filled')} />
      </div>
      {status === 'open' && canTrade.value ? <Actions order={order} /> : null}
    </>
  );
}

function Actions({ order }: { order: ExactOrder }) {
  return (
    <div class="buttons">
      <button
        type="button"
        class="button small"
        onClick={() => {
          shownOrder.value = undefined;
          amendOrder(order);
        }}
      >
        {t('Amend')}
      </button>
      <button type="button" class="button small" onClick={() => void cancelOrder(order)}>
        {t('Cancel order')}
      </button>
    </div>
  );
}

type Fact = readonly [label: string, value: ComponentChildren];

function Facts({ order }: { order: ExactOrder }) {
  const { orderId, clientOrderId, timestamp, updatedAt } = order;
  const facts: readonly Fact[] = [
    ...listTerms(order),
    ...listResults(order),
    [t('Placed'), <Time at={timestamp} />],
    [t('Last change'), <Time at={updatedAt} />],
    ...listLinked(order).map(
      (linked): Fact => [
        t(linked.label),
        <button type="button" class="link-button" onClick={() => showOrder(linked)}>
          {t('Order {orderId}', { orderId: linked.orderId })}
        </button>,
      ],
    ),
    [t('Order ID'), <Id what={t('Order ID')} text={orderId} />],
    ...(clientOrderId === null
      ? []
      : [[t('Client order ID'), <Id what={t('Client order ID')} text={clientOrderId} />] as const]),
  ];
  return (
    <dl class="order-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the terms of the order. */
function listTerms(order: ExactOrder): readonly Fact[] {
  const { type, timeInForce, triggerPrice, symbol } = order;
  const [base, quote] = symbol.split('/');
  const inQuote = (text: string) => `${priceText(text, symbol)} ${quote}`;
  const conditions = listConditions(order);
  return [
    [t('Type'), typeName(type)],
    [t('Time in force'), `${t(TIME_IN_FORCE_NAMES[timeInForce])} (${timeInForce})`],
    ...(type === 'market'
      ? []
      : [
          [
            t('Price'),
            hasLimit(order) && order.price !== null
              ? inQuote(order.price)
              : t('Market||order type'),
          ] as const,
        ]),
    ...(triggerPrice === null
      ? []
      : [[t('Trigger price'), `${triggerSign(order)} ${inQuote(triggerPrice)}`] as const]),
    [t('Amount'), `${grouped(order.amount)} ${base}`],
    ...(conditions.length === 0 ? [] : [[t('Conditions'), conditions.join(' · ')] as const]),
  ];
}

/** Returns the prices and fees of its fills. */
function listResults({ symbol, average, cost, fees }: ExactOrder): readonly Fact[] {
  if (average === null) return [];
  const [, quote = ''] = symbol.split('/');
  return [
    [
      t('Average price'),
      <Rounded value={average} decimals={priceDecimalsFor(symbol)} unit={quote} />,
    ],
    [t('Value'), <Rounded value={cost} unit={quote} />],
    [
      t('Fees'),
      fees.length === 0
        ? t('None')
        : fees.map((fee) => (
            <span key={fee.asset} class="order-fee">
              <Rounded value={fee.cost} unit={fee.asset} />
            </span>
          )),
    ],
  ];
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{dateTime(at)}</time>;
}

function Id({ what, text }: { what: string; text: string }) {
  return (
    <>
      <span class="order-id">{text}</span>
      <CopyButton text={text} what={what} />
    </>
  );
}

/** The fills of an order, newest first; those of the stream join the loaded ones. */
function OrderFills({ order: { orderId, status } }: { order: ExactOrder }) {
  const isOfOrder = (fill: ExactFill) => fill.orderId === orderId;
  return (
    <FilteredList
      caption={t('Fills')}
      columns={ORDER_FILL_COLUMNS}
      rowKey={({ id, side }) => `${id} ${side}`}
      live={(fills.value ?? []).filter(isOfOrder)}
      fetchPage={async (cursor) => {
        const page = await api.getFills({ orderId, limit: FILLS_PER_PAGE, cursor });
        return { rows: page.fills, nextCursor: page.nextCursor };
      }}
      empty={status === 'open' ? t('No fills yet.') : t('No fills')}
    />
  );
}
