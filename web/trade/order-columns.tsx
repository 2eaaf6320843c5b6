import type { Column } from '../components/table.tsx';
import { exact, isZero, multiply, toText } from '../decimal.ts';
import { dateTime, grouped, sentenceCase, shortTime } from '../format.ts';
import { type ExactBalance, type ExactFill, openOrders } from './account.ts';
import { findOcoPartner } from './partner.ts';
import type { ExactOrder } from './records.ts';

type Sided = { readonly side: 'buy' | 'sell'; readonly symbol: string };

/** Colour never tells alone: arrow and word stand beside it. */
function SideText({ side }: Pick<Sided, 'side'>) {
  return <span class={side}>{side === 'buy' ? '↑ Buy' : '↓ Sell'}</span>;
}

const shown = (text: string | null) => (text === null ? '–' : grouped(text));

/** What the order is bound to, in few words. */
function conditionsOf(order: ExactOrder): string {
  const { timeInForce, expiresAt, postOnly, attached, parentOrderId } = order;
  const parts: string[] = [];
  if (expiresAt !== null) parts.push(`until ${dateTime(expiresAt)}`);
  const partner = findOcoPartner(order, openOrders.value);
  if (postOnly && partner === undefined) parts.push('post only');
  if (attached?.takeProfit) {
    const { price, triggerPrice } = attached.takeProfit;
    parts.push(`TP ${shown(price ?? triggerPrice)}`);
  }
  if (attached?.stopLoss) parts.push(`SL ${shown(attached.stopLoss.triggerPrice)}`);
  if (parentOrderId !== null) parts.push(`attached to order ${parentOrderId}`);
  if (partner !== undefined) {
    const at = shown(partner.triggerPrice ?? partner.price);
    parts.push(`OCO with ${sentenceCase(partner.type).toLowerCase()} at ${at}`);
  }
  // What rests is good till canceled where nothing else is said of it.
  const text = parts.length === 0 ? timeInForce : parts.join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const time: Column<{ readonly timestamp: string }> = {
  key: 'time',
  title: 'Time',
  cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
};
const pair: Column<Sided> = { key: 'pair', title: 'Market', cell: ({ symbol }) => symbol };
const side: Column<Sided> = { key: 'side', title: 'Side', cell: (row) => <SideText {...row} /> };

const type: Column<ExactOrder> = {
  key: 'type',
  title: 'Type',
  cell: (order) => sentenceCase(order.type),
};
const limit: Column<ExactOrder> = {
  key: 'price',
  title: 'Price',
  numeric: true,
  cell: (order) => (order.type === 'market' ? 'Market' : shown(order.price)),
};
const trigger: Column<ExactOrder> = {
  key: 'trigger',
  title: 'Trigger',
  numeric: true,
  cell: (order) => shown(order.triggerPrice),
};
const amount: Column<ExactOrder> = {
  key: 'amount',
  title: 'Amount',
  numeric: true,
  cell: (order) => grouped(order.amount),
};
const filled: Column<ExactOrder> = {
  key: 'filled',
  title: 'Filled',
  numeric: true,
  cell: (order) => grouped(order.filled),
};

const TERMS: readonly Column<ExactOrder>[] = [pair, side, type, limit, trigger, amount, filled];

/** Open orders are many columns: the whole time is a tip. */
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
  ...TERMS,
  {
    key: 'total',
    title: 'Total',
    numeric: true,
    cell: ({ price, triggerPrice, amount: whole }) => {
      const at = price ?? triggerPrice;
      return at === null ? '–' : grouped(toText(multiply(exact(at), exact(whole))));
    },
  },
  {
    key: 'conditions',
    title: 'Conditions',
    cell: (order) => <span class="conditions">{conditionsOf(order)}</span>,
  },
];

export const PAST_COLUMNS: readonly Column<ExactOrder>[] = [
  time,
  ...TERMS,
  {
    key: 'average',
    title: 'Average',
    numeric: true,
    cell: (order) => shown(order.average),
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, reason }) =>
      reason === null || status === 'filled'
        ? sentenceCase(status)
        : `${sentenceCase(status)} (${sentenceCase(reason).toLowerCase()})`,
  },
];

export const FILL_COLUMNS: readonly Column<ExactFill>[] = [
  time,
  pair,
  side,
  { key: 'price', title: 'Price', numeric: true, cell: (fill) => grouped(fill.price) },
  { key: 'amount', title: 'Amount', numeric: true, cell: (fill) => grouped(fill.amount) },
  { key: 'cost', title: 'Total', numeric: true, cell: (fill) => grouped(fill.cost) },
  {
    key: 'fee',
    title: 'Fee',
    numeric: true,
    cell: ({ fee }) => `${grouped(fee.cost)} ${fee.asset}`,
  },
  { key: 'liquidity', title: 'As', cell: (fill) => sentenceCase(fill.liquidity) },
];

export const BALANCE_COLUMNS: readonly Column<ExactBalance>[] = [
  { key: 'asset', title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
  {
    key: 'available',
    title: 'Available',
    numeric: true,
    cell: (balance) => grouped(balance.available),
  },
  {
    key: 'held',
    title: 'In orders',
    numeric: true,
    cell: ({ held }) => <span class={isZero(exact(held)) ? 'muted' : ''}>{grouped(held)}</span>,
  },
  { key: 'total', title: 'Total', numeric: true, cell: (balance) => grouped(balance.total) },
];
