import { CommandKind, type OrderSelection } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { Call } from '../../http/request/call.ts';
import { formatInTurns } from '../../http/response/in-turns.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import {
  readSelection,
  SELECTION_PARAMETERS,
  SELECTION_TEXTS,
} from '../../orders/order-selection.ts';
import { deadlineError, withCancelDeadline } from '../../orders/placing.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { formatOrder } from './orders.ts';

/** DELETE /api/orders: cancels the orders that one parameter selects. `{orders}`. */
export async function cancelOrders(call: Call): Promise<string> {
  const selection = readSelection(call.query(SELECTION_PARAMETERS), call.exchange);
  const orders = await executeCancels(call, selection);
  return `{"orders":[${await formatInTurns(orders, (order) => formatOrder(call, order))}]}`;
}

/** Cancels the account's open orders that are selected. @throws ApiError */
export async function executeCancels(
  call: Call,
  selection: OrderSelection,
): Promise<readonly OrderRecord[]> {
  const command = { kind: CommandKind.cancelOrders, ...call.actor, ...selection };
  const outcome = await call.services.replica.execute(withCancelDeadline(call, command));
  const late = deadlineError(call, outcome);
  if (late !== undefined) throw late;
  return expectOutcome(outcome, 'orders', call.exchange.state).orders;
}

cancelOrders.description = describe({
  operationId: 'cancelOrders',
  tag: 'Trading',
  summary: 'Cancel several orders',
  notes:
    'Send exactly one parameter. Ids that are not open orders of this account are ignored. Hundreds of orders are ' +
    'canceled in several steps; the response comes after the last one. Orders placed after this request was ' +
    'received stay open. If you get no response, send the request again.',
  query: SELECTION_PARAMETERS,
  queryTexts: SELECTION_TEXTS,
  exactlyOne: SELECTION_PARAMETERS,
  data: record({ orders: recordList('Order') }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});
