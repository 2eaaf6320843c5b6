import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { OrderStatus } from '../../../engine/terms.ts';
import { readListNames } from '../orders/order-names.ts';
import { toSymbol } from '../symbols.ts';

/** An OCO order of the dialect: its take profit and its stop, whose id is the next one. */
export type OrderList = readonly [first: OrderRecord, second: OrderRecord];

/** Returns the client order id of a list. */
export function listName([first]: OrderList): string {
  return readListNames(first.clientOrderId)!.list;
}

export function isOpen(list: OrderList): boolean {
  return list.some(({ status }) => status === OrderStatus.open);
}

/** Returns the orders of the list that an order is the first of, as JSON. @param fields The names of the fields. */
export function toMemberTexts(
  first: OrderRecord,
  market: Market,
  [symbol, id, clientOrderId]: readonly [symbol: string, id: string, clientOrderId: string],
): string {
  const names = readListNames(first.clientOrderId)!;
  const text = (orderId: number, name: string) =>
    `{"${symbol}":"${toSymbol(market)}","${id}":${orderId},"${clientOrderId}":"${name || orderId}"}`;
  return `[${text(first.id, names.first)},${text(first.id + 1, names.second)}]`;
}

/**
 * Returns a list as JSON (rest-api.md, "Order lists").
 * @param reports The `orderReports`, as JSON; undefined for queries, which have none.
 */
export function listText(list: OrderList, market: Market, reports?: readonly string[]): string {
  const [type, status] = isOpen(list) ? ['EXEC_STARTED', 'EXECUTING'] : ['ALL_DONE', 'ALL_DONE'];
  const [first, second] = list;
  return (
    `{"orderListId":${first.id},"contingencyType":"OCO","listStatusType":"${type}",` +
    `"listOrderStatus":"${status}","listClientOrderId":"${listName(list)}",` +
    `"transactionTime":${Math.max(first.updatedAt, second.updatedAt)},` +
    `"symbol":"${toSymbol(market)}",` +
    `"orders":${toMemberTexts(first, market, ['symbol', 'orderId', 'clientOrderId'])}` +
    `${reports === undefined ? '' : `,"orderReports":[${reports.join(',')}]`}}`
  );
}
