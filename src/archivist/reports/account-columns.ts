import type { EntryEvent, OrderRecord } from '../../engine/event.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import {
  entryTypes,
  orderReasons,
  orderStatuses,
  orderTypes,
  Side,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import type { Fill } from '../../history/history.ts';
import type { ReportColumn } from './columns.ts';

/** Assets and markets, whose indexes and decimals never change. */
export type Listings = Pick<State, 'assets' | 'markets'>;

let lastTime = -1;
let lastTimeText = '';

/** Returns a time as ISO 8601 in UTC. Caches the last one: adjacent records often share it. */
export function isoTime(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastTimeText = new Date(time).toISOString();
  }
  return lastTimeText;
}

export const timeOrNull = (time: number) => (time === 0 ? null : isoTime(time));

/** Returns a column of texts. */
export function text<Row>(name: string, value: (row: Row) => string | null): ReportColumn<Row> {
  return { name, type: 'text', value };
}

/** Returns a column of exact decimals. */
export function number<Row>(name: string, value: (row: Row) => string | null): ReportColumn<Row> {
  return { name, type: 'number', value };
}

/** The columns of orders. Prices and amounts are in the units of their markets. */
export function orderColumns({ markets }: Listings): readonly ReportColumn<OrderRecord>[] {
  const market = (order: OrderRecord) => markets[order.market]!;
  const price = (order: OrderRecord, units: number) =>
    units === 0 ? null : formatUnits(units, market(order).rules.priceDecimals);
  const amount = (order: OrderRecord, units: number) =>
    formatUnits(units, market(order).rules.amountDecimals);
  const feeAsset = (order: OrderRecord) => receivedAsset(markets, order);
  return [
    text('createdAt', ({ createdAt }) => isoTime(createdAt)),
    text('orderId', ({ id }) => String(id)),
    text('clientOrderId', ({ clientOrderId }) => clientOrderId),
    text('symbol', (order) => market(order).symbol),
    text('side', ({ side }) => sides[side]),
    text('type', ({ type }) => orderTypes[type]!),
    text('timeInForce', ({ timeInForce }) => timesInForce[timeInForce]!),
    text('status', ({ status }) => orderStatuses[status]!),
    text('reason', ({ reason }) => orderReasons[reason]!),
    number('price', (order) => price(order, order.price)),
    number('triggerPrice', (order) => price(order, order.triggerPrice)),
    number('amount', (order) => amount(order, order.amount)),
    number('filled', (order) => amount(order, order.amount - order.remaining)),
    number('remaining', (order) => amount(order, order.remaining)),
    number('cost', (order) => formatUnits(order.filledCost, market(order).quote.decimals)),
    number('fee', (order) => formatUnits(order.fees, feeAsset(order).decimals)),
    text('feeAsset', (order) => feeAsset(order).asset),
    text('lastFillAt', ({ lastFillAt }) => timeOrNull(lastFillAt)),
    text('updatedAt', ({ updatedAt }) => isoTime(updatedAt)),
    text('parentOrderId', ({ parentId }) => (parentId === 0 ? null : String(parentId))),
  ];
}

/** The columns of fills. */
export function fillColumns({ markets }: Listings): readonly ReportColumn<Fill>[] {
  const market = (fill: Fill) => markets[fill.market]!;
  const feeAsset = (fill: Fill) => market(fill).feeAsset(fill.side, fill.fee);
  return [
    text('time', ({ time }) => isoTime(time)),
    text('tradeId', ({ tradeId }) => String(tradeId)),
    text('orderId', ({ orderId }) => String(orderId)),
    text('symbol', (fill) => market(fill).symbol),
    text('side', ({ side }) => sides[side]),
    text('liquidity', ({ isMaker }) => (isMaker ? 'maker' : 'taker')),
    number('price', (fill) => formatUnits(fill.price, market(fill).rules.priceDecimals)),
    number('amount', (fill) => formatUnits(fill.amount, market(fill).rules.amountDecimals)),
    number('cost', (fill) => {
      const { price, amount } = fill;
      return formatUnits(market(fill).notional(price, amount), market(fill).quote.decimals);
    }),
    number('fee', (fill) => formatUnits(fill.fee, feeAsset(fill).decimals)),
    text('feeAsset', (fill) => feeAsset(fill).asset),
  ];
}

/** A line of a ledger: an entry, or a balance at the beginning or the end. */
export interface LedgerLine extends Pick<EntryEvent, 'asset' | 'amount' | 'after' | 'time'> {
  /** A type of the list `entryTypes`, or that of a balance. */
  readonly type: number | 'opening_balance' | 'closing_balance';
  /** Null for a balance. */
  readonly id: number | null;
  /** Null for a balance. */
  readonly reference: number | null;
}

/**
 * The columns of a ledger. `amount` is the change of the available balance, `available` the balance after it. In lines of
 * balances `amount` is the total, which includes what is held.
 */
export function ledgerColumns({ assets }: Listings): readonly ReportColumn<LedgerLine>[] {
  const decimals = ({ asset }: LedgerLine) => assets[asset]!.decimals;
  const idText = (id: number | null) => (id === null ? null : String(id));
  return [
    text('time', ({ time }) => isoTime(time)),
    text('id', ({ id }) => idText(id)),
    text('asset', ({ asset }) => assets[asset]!.asset),
    text('type', ({ type }) => (typeof type === 'string' ? type : entryTypes[type]!)),
    number('amount', (line) => formatUnits(line.amount, decimals(line))),
    number('available', (line) => formatUnits(line.after, decimals(line))),
    text('reference', ({ reference }) => idText(reference)),
  ];
}

/** Returns the asset that an order receives, in which its fees are. */
function receivedAsset(
  markets: Listings['markets'],
  { market, side }: { readonly market: number; readonly side: Side },
) {
  const { base, quote } = markets[market]!;
  return side === Side.buy ? base : quote;
}
