import Big from 'big.js';
import type { LedgerEntry } from '../../src/client/index.ts';
import type { Column } from '../components/table.tsx';
import { dateTime, grouped, rounded, sentenceCase, shortTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { type ExactBalance, openOrders } from './account.ts';
import { priceDecimalsFor, priceText } from './markets.ts';
import { findOcoPartner } from './partner.ts';
import type { ExactFill, ExactOrder } from './records.ts';

type Sided = { readonly side: 'buy' | 'sell'; readonly symbol: string };

/** The arrow and the word carry the meaning for users who do not see the color. */
function SideText({ side }: Pick<Sided, 'side'>) {
  return <span class={side}>{side === 'buy' ? t('↑ Buy') : t('↓ Sell')}</span>;
}

const price = (text: string | null, { symbol }: { readonly symbol: string }) =>
  text === null ? '–' : priceText(text, symbol);

/** Summarizes expiry, post-only, trailing distance, visible amount, attached orders and OCO partner of an order. */
function describeConditions(order: ExactOrder): string {
  const { timeInForce, expiresAt, postOnly, attached, parentOrderId } = order;
  const parts: string[] = [];
  if (expiresAt !== null) parts.push(`expires ${dateTime(expiresAt)}`);
  const partner = findOcoPartner(order, openOrders.value);
  if (postOnly && partner === undefined) parts.push('post-only');
  if (attached?.takeProfit) {
    const { takeProfit } = attached;
    parts.push(`TP ${price(takeProfit.price ?? takeProfit.triggerPrice, order)}`);
  }
  if (order.trailingAmount !== null || order.trailingPercent !== null) {
    parts.push(`trails by ${describeDistance(order, order)}`);
    if (order.triggerPrice === null)
      parts.push(`activates at ${price(order.activationPrice, order)}`);
  }
  if (order.displayAmount !== null) parts.push(`${grouped(order.displayAmount)} visible`);
  if (attached?.stopLoss) parts.push(`SL ${describeStop(attached.stopLoss, order)}`);
  if (attached?.amount) parts.push(describeTriggered(attached, order));
  if (parentOrderId !== null) parts.push(`attached to order ${parentOrderId}`);
  if (partner !== undefined) {
    const at = price(partner.triggerPrice ?? partner.price, order);
    parts.push(`OCO with ${sentenceCase(partner.type).toLowerCase()} at ${at}`);
  }
  const text = parts.length === 0 ? timeInForce : parts.join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Describes orders that this one triggers once it is filled completely. */
function describeTriggered(
  { side, amount, order: other }: NonNullable<ExactOrder['attached']>,
  order: ExactOrder,
): string {
  const at = other?.price ? ` at ${price(other.price, order)}` : '';
  return `once filled, ${side} ${grouped(amount!)}${at}`;
}

interface Distance {
  readonly trailingAmount: string | null;
  readonly trailingPercent: string | null;
}

function describeDistance(
  { trailingAmount, trailingPercent }: Distance,
  order: ExactOrder,
): string {
  return trailingPercent === null ? price(trailingAmount, order) : `${trailingPercent}%`;
}

function describeStop(
  leg: Distance & { readonly triggerPrice: string | null },
  order: ExactOrder,
): string {
  return leg.triggerPrice === null
    ? `trails by ${describeDistance(leg, order)}`
    : price(leg.triggerPrice, order);
}

const time: Column<{ readonly timestamp: string }> = {
  key: 'time',
  title: msg('Time'),
  cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
};
const market: Column<Sided> = { key: 'market', title: msg('Market'), cell: ({ symbol }) => symbol };
const side: Column<Sided> = {
  key: 'side',
  title: msg('Side'),
  cell: (row) => <SideText {...row} />,
};

const type: Column<ExactOrder> = {
  key: 'type',
  title: msg('Type'),
  cell: (order) => sentenceCase(order.type),
};
const limit: Column<ExactOrder> = {
  key: 'price',
  title: msg('Price'),
  numeric: true,
  cell: (order) => (order.type === 'market' ? 'Market' : price(order.price, order)),
};
const trigger: Column<ExactOrder> = {
  key: 'trigger',
  title: msg('Trigger'),
  numeric: true,
  cell: (order) => price(order.triggerPrice, order),
};
const amount: Column<ExactOrder> = {
  key: 'amount',
  title: msg('Amount'),
  numeric: true,
  cell: (order) => grouped(order.amount),
};
const filled: Column<ExactOrder> = {
  key: 'filled',
  title: msg('Filled'),
  numeric: true,
  cell: (order) => grouped(order.filled),
};

const COMMON_COLUMNS: readonly Column<ExactOrder>[] = [
  market,
  side,
  type,
  limit,
  trigger,
  amount,
  filled,
];

/** The open orders table is wide, so the full time is a tooltip. */
const placed: Column<ExactOrder> = {
  ...time,
  cell: ({ timestamp }) => (
    <time dateTime={timestamp} title={dateTime(timestamp)}>
      {shortTime(timestamp)}
    </time>
  ),
};

export const OPEN_COLUMNS: readonly Column<ExactOrder>[] = [
  placed,
  ...COMMON_COLUMNS,
  {
    key: 'total',
    title: msg('Total'),
    numeric: true,
    cell: ({ price: limitPrice, triggerPrice, amount: whole }) => {
      const at = limitPrice ?? triggerPrice;
      return at === null ? '–' : grouped(new Big(at).times(whole));
    },
  },
  {
    key: 'conditions',
    title: msg('Conditions'),
    cell: (order) => <span class="conditions">{describeConditions(order)}</span>,
  },
];

export const PAST_COLUMNS: readonly Column<ExactOrder>[] = [
  time,
  ...COMMON_COLUMNS,
  {
    key: 'average',
    title: msg('Average price'),
    numeric: true,
    cell: averagePrice,
  },
  {
    key: 'status',
    title: msg('Status'),
    cell: describeStatus,
  },
];

/** The average price, rounded to the tick size; all its digits are a tooltip. */
function averagePrice({ average, symbol }: ExactOrder) {
  if (average === null) return '–';
  return <span title={grouped(average)}>{rounded(average, priceDecimalsFor(symbol))}</span>;
}

/** Returns the status with its reason, such as `Expired (IOC)`. */
function describeStatus({ status, reason, timeInForce }: ExactOrder): string {
  if (reason === null || status === 'filled') return sentenceCase(status);
  const why = reason === 'time_in_force' ? timeInForce : reason.replaceAll('_', ' ');
  return `${sentenceCase(status)} (${why})`;
}

export const FILL_COLUMNS: readonly Column<ExactFill>[] = [
  time,
  market,
  side,
  { key: 'price', title: msg('Price'), numeric: true, cell: (fill) => price(fill.price, fill) },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: (fill) => grouped(fill.amount) },
  { key: 'cost', title: msg('Total'), numeric: true, cell: (fill) => grouped(fill.cost) },
  {
    key: 'fee',
    title: msg('Fee'),
    numeric: true,
    cell: ({ fee }) => `${grouped(fee.cost)} ${fee.asset}`,
  },
  { key: 'liquidity', title: msg('Role'), cell: (fill) => sentenceCase(fill.liquidity) },
];

export const BALANCE_COLUMNS: readonly Column<ExactBalance>[] = [
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  {
    key: 'available',
    title: msg('Available'),
    numeric: true,
    cell: (balance) => grouped(balance.available),
  },
  {
    key: 'held',
    title: msg('In orders'),
    numeric: true,
    cell: ({ held }) => <span class={new Big(held).eq(0) ? 'muted' : ''}>{grouped(held)}</span>,
  },
  { key: 'total', title: msg('Total'), numeric: true, cell: (balance) => grouped(balance.total) },
];

export const LEDGER_COLUMNS: readonly Column<LedgerEntry<string>>[] = [
  time,
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  { key: 'type', title: msg('Type'), cell: (entry) => sentenceCase(entry.type) },
  { key: 'amount', title: msg('Change'), numeric: true, cell: ledgerChange },
  {
    key: 'after',
    title: msg('Available after'),
    numeric: true,
    cell: (entry) => grouped(entry.after),
  },
  { key: 'reference', title: msg('Reference'), cell: (entry) => entry.reference },
];

/** The sign carries the meaning for users who do not see the color. */
function ledgerChange({ amount }: LedgerEntry<string>) {
  const isLoss = amount.startsWith('-');
  const digits = grouped(isLoss ? amount.slice(1) : amount);
  return <span class={isLoss ? 'sell' : 'buy'}>{`${isLoss ? '−' : '+'}${digits}`}</span>;
}
