import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { hasLimit } from '../../../engine/orders/order-terms.ts';
import type { State } from '../../../engine/state.ts';
import { NONE, OrderReason, OrderStatus, OrderType, timesInForce } from '../../../engine/terms.ts';
import { decimalText } from '../decimals.ts';
import { toSymbol } from '../symbols.ts';
import { expiryReason, stopPrice, trailingTime, workingTime } from './conditional-fields.ts';
import type { OrderNames } from './order-names.ts';
import { PENDING_NEW } from './pending-orders.ts';

/** Binance's types by the number of the type. */
const TYPES = [
  'LIMIT',
  'MARKET',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
  'STOP_LOSS',
] as const;
export const SIDES = ['BUY', 'SELL'] as const;
export const MODES = ['EXPIRE_MAKER', 'EXPIRE_TAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const;

/** Returns an order's type as Binance names it. */
export function typeName({ type, postOnly }: Pick<OrderRecord, 'type' | 'postOnly'>): string {
  return postOnly && type === OrderType.limit ? 'LIMIT_MAKER' : TYPES[type]!;
}

/** Why the exchange cancels orders, without a request of their client. */
const EXCHANGE_REASONS: ReadonlySet<number> = new Set([
  OrderReason.linked,
  OrderReason.operator,
  OrderReason.delisted,
]);

/** Returns an order's status as Binance names it (enums.md). */
export function statusName({ status, reason, amount, remaining }: OrderRecord): string {
  switch (status) {
    case PENDING_NEW:
      return 'PENDING_NEW';
    case OrderStatus.open:
      return remaining === amount ? 'NEW' : 'PARTIALLY_FILLED';
    case OrderStatus.filled:
      return 'FILLED';
    case OrderStatus.canceled:
      return EXCHANGE_REASONS.has(reason) ? 'EXPIRED' : 'CANCELED';
    case OrderStatus.expired:
      return reason === OrderReason.selfTrade ? 'EXPIRED_IN_MATCH' : 'EXPIRED';
    default:
      // An order that was accepted, and rejected when it was triggered or its bracket order had ended.
      return 'EXPIRED';
  }
}

/**
 * Returns an order's time in force. Binance has none that expire at a time: until then they are like GTC. Orders without a
 * limit price, which have no time in force, are GTC in its answers (rest-api.md, "New order", responses of MARKET orders).
 */
export function timeInForceName({ type, timeInForce }: OrderRecord): string {
  if (!hasLimit(type)) return 'GTC';
  const name = timesInForce[timeInForce]!;
  return name === 'GTD' ? 'GTC' : name;
}

/**
 * Returns the quantity that expired by self-trade prevention, in amount units; 0 if none did. The mode DECREMENT reduces an
 * order's amount instead, and the engine keeps no list of these reductions.
 */
export function findPrevented({ status, reason, remaining }: OrderRecord): number {
  return status === OrderStatus.expired && reason === OrderReason.selfTrade ? remaining : 0;
}

/** Returns the fields of an order that every answer has, as JSON without braces. */
export function orderFields(order: OrderRecord, market: Market): string {
  const { rules, quote } = market;
  const price = (units: Exact) => decimalText(units, rules.priceDecimals);
  const amount = (units: Exact) => decimalText(units, rules.amountDecimals);
  const inQuote = (units: Exact) => decimalText(units, quote.decimals);
  const text =
    `"price":"${price(order.price)}","origQty":"${amount(order.amount)}",` +
    `"executedQty":"${amount(order.amount - order.remaining)}",` +
    `"origQuoteOrderQty":"${inQuote(order.cost)}",` +
    `"cummulativeQuoteQty":"${inQuote(order.filledCost)}","status":"${statusName(order)}",` +
    `"timeInForce":"${timeInForceName(order)}","type":"${typeName(order)}",` +
    `"side":"${SIDES[order.side]}"`;
  const prevented = findPrevented(order);
  let end = prevented === 0 ? '' : `,"preventedQuantity":"${amount(prevented)}"`;
  if (statusName(order) === 'EXPIRED') end += `,"expiryReason":"${expiryReason(order)}"`;
  return text + specialFields(order, price, amount) + end;
}

function specialFields(
  order: OrderRecord,
  price: (units: Exact) => string,
  amount: (units: Exact) => string,
): string {
  const { trailing, displayAmount } = order;
  const stop = stopPrice(order);
  let text = stop === 0 ? '' : `,"stopPrice":"${price(stop)}"`;
  if (trailing !== undefined) {
    const since = trailingTime(order);
    text += `,"trailingDelta":${trailing.basisPoints}`;
    if (since !== undefined) text += `,"trailingTime":${since}`;
  }
  if (displayAmount !== undefined) text += `,"icebergQty":"${amount(displayAmount)}"`;
  return text;
}

/** Returns `"selfTradePreventionMode":…`. */
export function selfTradePrevention({ selfTradePrevention: mode }: OrderRecord): string {
  return `"selfTradePreventionMode":"${MODES[mode]}"`;
}

/** Returns whether an order is open and pending trigger. */
export function isPending(state: State, orderId: number): boolean {
  const slot = state.index.find(orderId);
  return slot !== NONE && state.details.isPending(slot);
}

/** Returns an order as the queries of Binance show it. */
export function orderText(order: OrderRecord, market: Market, names: OrderNames): string {
  const since = workingTime(order);
  const [head, tail] = [headText(order, market, names), orderFields(order, market)];
  const stop = stopPrice(order) === 0 ? ',"stopPrice":"0.00000000"' : '';
  const iceberg = order.displayAmount === undefined ? ',"icebergQty":"0.00000000"' : '';
  return (
    `{${head},${tail}${stop}${iceberg},"time":${order.createdAt},"updateTime":${order.updatedAt},` +
    `"isWorking":${since >= 0},"workingTime":${since},` +
    `${selfTradePrevention(order)}}`
  );
}

/** Returns the fields that identify an order. */
export function headText(
  { id }: OrderRecord,
  market: Market,
  { orderListId, clientOrderId }: OrderNames,
): string {
  return (
    `"symbol":"${toSymbol(market)}","orderId":${id},"orderListId":${orderListId},` +
    `"clientOrderId":"${clientOrderId}"`
  );
}

/** Returns an amended order. */
export function amendedText(
  order: OrderRecord,
  market: Market,
  { orderListId, clientOrderId: name }: OrderNames,
  executionId: number,
): string {
  const { rules, quote } = market;
  const amount = (units: Exact) => decimalText(units, rules.amountDecimals);
  const inQuote = (units: Exact) => decimalText(units, quote.decimals);
  return (
    `{"transactTime":${order.updatedAt},"executionId":${executionId},"amendedOrder":{` +
    `"symbol":"${toSymbol(market)}","orderId":${order.id},"orderListId":${orderListId},` +
    `"origClientOrderId":"${name}","clientOrderId":"${name}",` +
    `"price":"${decimalText(order.price, rules.priceDecimals)}",` +
    `"qty":"${amount(order.amount)}","executedQty":"${amount(order.amount - order.remaining)}",` +
    `"preventedQty":"0.00000000","quoteOrderQty":"${inQuote(order.cost)}",` +
    `"cumulativeQuoteQty":"${inQuote(order.filledCost)}","status":"${statusName(order)}",` +
    `"timeInForce":"${timeInForceName(order)}","type":"${typeName(order)}",` +
    `"side":"${SIDES[order.side]}","workingTime":${workingTime(order)},${selfTradePrevention(order)}}}`
  );
}
