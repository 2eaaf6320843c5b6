import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { OrderReason, OrderStatus } from '../../../engine/terms.ts';
import { decimalText } from '../decimals.ts';
import {
  expiryReason,
  stopPrice,
  trailingTime,
  workingTime,
} from '../orders/conditional-fields.ts';
import type { OrderNames } from '../orders/order-names.ts';
import { findPrevented, MODES, SIDES, timeInForceName, typeName } from '../orders/order-text.ts';
import { toSymbol } from '../symbols.ts';
import type { Execution } from './executions.ts';

/** The terms of a report in addition to the change itself. */
export interface ReportTerms {
  readonly market: Market;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly executionId: number;
  readonly names: OrderNames;
}

/** Returns an `executionReport` (user-data-stream.md, "Order Update"), all of whose names are Binance's. */
export function executionReport(execution: Execution, terms: ReportTerms): string {
  const { type, status, order, isWorking, filled, filledCost, fill } = execution;
  const { market, now, executionId, names } = terms;
  const { clientOrderId: name, orderListId } = names;
  const { priceDecimals, amountDecimals } = market.rules;
  const price = (units: Exact) => decimals(units, priceDecimals);
  const amount = (units: Exact) => decimals(units, amountDecimals);
  const inQuote = (units: Exact) => decimals(units, market.quote.decimals);
  const isRenamed = type === 'CANCELED' || type === 'REPLACED';
  const trade = fill?.trade;
  return (
    `{"e":"executionReport","E":${now},"s":"${toSymbol(market)}","c":"${name}",` +
    `"S":"${SIDES[order.side]}","o":"${typeName(order)}","f":"${timeInForceName(order)}",` +
    `"q":"${amount(order.amount)}","p":"${price(order.price)}",` +
    `"P":"${price(stopPrice(order))}","F":"${amount(order.displayAmount ?? 0)}","g":${orderListId},` +
    `"C":"${isRenamed ? name : ''}","x":"${type}","X":"${status}","r":"${rejectReason(order)}",` +
    `"i":${order.id},"l":"${amount(trade?.amount ?? 0)}","z":"${amount(filled)}",` +
    `"L":"${price(trade?.price ?? 0)}",${commission(execution, market)},` +
    `"T":${order.updatedAt},"t":${trade?.id ?? -1},"I":${executionId},"w":${isWorking},` +
    `"m":${fill?.isMaker ?? false},"M":false,"O":${order.createdAt},` +
    `"Z":"${inQuote(filledCost)}","Y":"${inQuote(trade?.cost ?? 0)}","Q":"${inQuote(order.cost)}",` +
    `"V":"${MODES[order.selfTradePrevention]}"${conditionalFields(execution, amount)}}`
  );
}

function decimals(units: Exact, places: number): string {
  return decimalText(units, places);
}

/** Returns `n` and `N`: the fee of a trade, negative for a rebate, and its asset. */
function commission({ fill, order }: Execution, market: Market): string {
  if (fill === undefined) return '"n":"0","N":null';
  const { trade, isMaker } = fill;
  const fee = isMaker ? trade.makerFee : trade.takerFee;
  const { asset, decimals: places } = market.feeAsset(order.side, fee);
  return `"n":"${decimals(fee, places)}","N":"${asset}"`;
}

/** Returns the fields that only some reports have. */
function conditionalFields(
  { type, status, order, isWorking, hasWaited }: Execution,
  amount: (units: Exact) => string,
): string {
  let text = '';
  if (isWorking) text += `,"W":${workingTime(order)}`;
  const { trailing } = order;
  if (trailing !== undefined && trailing.basisPoints > 0) text += `,"d":${trailing.basisPoints}`;
  const trailsSince = trailing === undefined ? undefined : trailingTime(order);
  if (trailsSince !== undefined) text += `,"D":${trailsSince}`;
  const prevented = type === 'TRADE_PREVENTION' ? findPrevented(order) : 0;
  if (prevented > 0) text += `,"A":"${amount(prevented)}","B":"${amount(prevented)}"`;
  return status === 'EXPIRED' ? `${text},"eR":"${expiryReason(order, hasWaited)}"` : text;
}

const REJECT_REASONS: Readonly<Record<number, string>> = {
  [OrderReason.insufficientBalance]: 'INSUFFICIENT_BALANCES',
  [OrderReason.postOnlyWouldTake]: 'WOULD_MATCH_IMMEDIATELY',
};

/** Returns why an order was rejected when it was triggered or activated. */
function rejectReason({ status, reason }: OrderRecord): string {
  return (status === OrderStatus.rejected ? REJECT_REASONS[reason] : undefined) ?? 'NONE';
}
