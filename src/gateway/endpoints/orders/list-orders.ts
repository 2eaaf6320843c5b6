import type { OrderRecord } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { OrderFilter, OrderPage } from '../../../history/history.ts';
import { showOrders } from '../../faults/reports.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { cutPage } from '../../http/request/paging.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { ORDER_PARAMETERS, readOrderFilter } from '../../orders/order-filter.ts';
import { orderText } from '../records.ts';

/** GET /api/orders: a page of the account's orders, including every acknowledged order. */
export function listOrders(call: Call): Promise<string> {
  return orderPage(call, call.account, (page, filter) => showOrders(call, page, filter), orderText);
}

/**
 * Returns a page of the orders of an account as JSON.
 * @param show Returns the orders that the caller sees.
 * @param format Returns the JSON of one order.
 */
export async function orderPage(
  call: Call,
  account: Account,
  show: (
    page: readonly OrderRecord[],
    filter: OrderFilter,
  ) => Promise<readonly OrderRecord[]> | readonly OrderRecord[],
  format: typeof orderText,
): Promise<string> {
  const query = call.query(ORDER_PARAMETERS);
  const filter = readOrderFilter(query, account.index, call.exchange);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const request = { kind: 'orders', filter: { ...filter, limit: filter.limit + 1 } } as const;
  const found = (await archivist.query(request, replica.position)) as OrderPage;
  const { orders: items, searchedTo } = found;
  const { page, edge } = cutPage({ items, searchedTo }, filter.limit, ({ id }) => id);
  const scope = query.scope('orders', filter.account);
  const shown = await show(page, filter);
  const { markets } = call.exchange.state;
  const texts = shown.map((order) => format(order, markets[order.market]!));
  return `{"orders":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, scope)}}`;
}
listOrders.description = describe({
  operationId: 'listOrders',
  tag: 'Trading',
  summary: "The account's orders, newest first",
  notes: 'Includes every order acknowledged before the request.',
  query: ORDER_PARAMETERS,
  data: record({ orders: recordList('Order'), nextCursor }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});
