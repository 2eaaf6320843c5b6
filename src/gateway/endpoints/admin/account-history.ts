import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList, recordRef } from '../../openapi/record-schemas.ts';
import { ORDER_PARAMETERS } from '../../orders/order-filter.ts';
import { FILL_PARAMETERS, fillPage } from '../fills.ts';
import { LEDGER_PARAMETERS, ledgerPage } from '../ledger.ts';
import { orderPage } from '../orders/list-orders.ts';
import { findOrder, readOrderId } from '../orders/orders.ts';
import { ORDER_TIMELINE, timelineText } from '../orders/timeline.ts';
import { readAccount } from './accounts.ts';
import { orderWithAccountText } from './orders.ts';

/** The orders, fills and ledger of any account. Operators see all of it at once, also what a fault of the sandbox delays. */

/** GET /api/admin/accounts/:id/orders: `{orders, nextCursor}`, open and ended ones. */
export function listAccountOrders(call: Call): Promise<string> {
  const { state } = call.exchange;
  const format = (order: Parameters<typeof orderWithAccountText>[0]) =>
    orderWithAccountText(order, state);
  return orderPage(call, readAccount(call), (page) => page, format);
}
listAccountOrders.description = describe({
  operationId: 'listAccountOrders',
  tag: 'Operator',
  summary: 'The orders of an account, newest first',
  notes: 'As `GET /api/orders` of the account. With `status=open` only open orders.',
  path: { id: 'accountId' },
  query: ORDER_PARAMETERS,
  data: record({ orders: recordList('OperatorOrder'), nextCursor }),
  errors: ['NOT_FOUND', 'INVALID_SYMBOL', 'OVERLOADED'],
});

/** GET /api/admin/accounts/:id/orders/:orderId: one order of an account, open or ended. */
export async function getAccountOrder(call: Call): Promise<string> {
  call.query([]);
  const account = readAccount(call);
  const order = await findOrder(call, readOrderId(call, 'orderId'), account);
  if (order === undefined) throw new ApiError('ORDER_NOT_FOUND');
  return orderWithAccountText(order, call.exchange.state);
}
getAccountOrder.description = describe({
  operationId: 'getAccountOrder',
  tag: 'Operator',
  summary: 'An order of an account',
  path: { id: 'accountId', orderId: 'orderId' },
  data: recordRef('OperatorOrder'),
  errors: ['NOT_FOUND', 'ORDER_NOT_FOUND', 'OVERLOADED'],
});

/** GET /api/admin/accounts/:id/orders/:orderId/timeline. Sandbox only. */
export function getAccountOrderTimeline(call: Call): Promise<string> {
  call.query([]);
  return timelineText(call, readAccount(call), readOrderId(call, 'orderId'));
}
getAccountOrderTimeline.description = describe({
  operationId: 'getAccountOrderTimeline',
  tag: 'Operator',
  summary: 'The life of an order of an account',
  notes: 'As `GET /api/orders/{id}/timeline` of the account. Exists only in the sandbox.',
  path: { id: 'accountId', orderId: 'orderId' },
  data: ORDER_TIMELINE,
  errors: ['NOT_FOUND', 'ORDER_NOT_FOUND', 'OVERLOADED'],
});

/** GET /api/admin/accounts/:id/fills: `{fills, nextCursor}`. */
export function getAccountFills(call: Call): Promise<string> {
  return fillPage(call, readAccount(call), (page) => page);
}
getAccountFills.description = describe({
  operationId: 'getAccountFills',
  tag: 'Operator',
  summary: 'The fills of an account, newest first',
  notes: 'As `GET /api/fills` of the account.',
  path: { id: 'accountId' },
  query: FILL_PARAMETERS,
  data: record({ fills: recordList('Fill'), nextCursor }),
  errors: ['NOT_FOUND', 'INVALID_SYMBOL', 'OVERLOADED'],
});

/** GET /api/admin/accounts/:id/ledger: `{entries, nextCursor}`. */
export function getAccountLedger(call: Call): Promise<string> {
  return ledgerPage(call, readAccount(call), (page) => page);
}
getAccountLedger.description = describe({
  operationId: 'getAccountLedger',
  tag: 'Operator',
  summary: "Every change of an account's available balances, newest first",
  notes: 'As `GET /api/ledger` of the account.',
  path: { id: 'accountId' },
  query: LEDGER_PARAMETERS,
  data: record({ entries: recordList('LedgerEntry'), nextCursor }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});
