import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { OrderStatus } from '../../../engine/terms.ts';
import { readListNames } from '../orders/order-names.ts';
import { PENDING_NEW } from '../orders/pending-orders.ts';
import { toSymbol } from '../symbols.ts';

/** The orders of a list, whose ids are consecutive: the first one's is that of the list. */
export type OrderList = readonly [first: OrderRecord, ...others: OrderRecord[]];

/** Returns the client order id of a list. */
export function listName([first]: OrderList): string {
  return readListNames(first)!.list;
}

export function isOpenOrPending({ status }: OrderRecord): boolean {
  return status === OrderStatus.open || status === PENDING_NEW;
}

/** Returns the orders of the list that an order is the first of, as JSON. @param fields The names of the fields. */
export function toMemberTexts(
  first: OrderRecord,
  market: Market,
  [symbol, id, clientOrderId]: readonly [symbol: string, id: string, clientOrderId: string],
): string {
  const texts = readListNames(first)!.orders.map((name, place) => {
    const orderId = first.id + place;
    return `{"${symbol}":"${toSymbol(market)}","${id}":${orderId},"${clientOrderId}":"${name || orderId}"}`;
  });
  return `[${texts.join(',')}]`;
}

/**
 * Returns a list as JSON (rest-api.md, "Order lists").
 * @param reports The `orderReports`, as JSON; undefined for queries, which have none.
 */
export function listText(list: OrderList, market: Market, reports?: readonly string[]): string {
  const isOpen = list.some(isOpenOrPending);
  const [type, status] = isOpen ? ['EXEC_STARTED', 'EXECUTING'] : ['ALL_DONE', 'ALL_DONE'];
  const [first] = list;
  return (
    `{"orderListId":${first.id},"contingencyType":"${readListNames(first)!.kind}",` +
    `"listStatusType":"${type}","listOrderStatus":"${status}","listClientOrderId":"${listName(list)}",` +
    `"transactionTime":${Math.max(...list.map(({ updatedAt }) => updatedAt))},` +
    `"symbol":"${toSymbol(market)}",` +
    `"orders":${toMemberTexts(first, market, ['symbol', 'orderId', 'clientOrderId'])}` +
    `${reports === undefined ? '' : `,"orderReports":[${reports.join(',')}]`}}`
  );
}
