import { CommandKind } from '../../engine/command.ts';
import type { Call } from '../http/call.ts';
import { textsInTurns } from '../http/in-turns.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { many } from '../openapi/record-schemas.ts';
import { readSelection, SELECTION_PARAMETERS } from '../orders/order-selection.ts';
import { done } from './admin/outcome.ts';
import { textOf } from './orders.ts';

/** DELETE /api/orders: cancels the orders that one parameter selects; `{orders}`. */
export async function cancelOrders(call: Call): Promise<string> {
  const selection = readSelection(call.query(SELECTION_PARAMETERS), call.exchange);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.cancelOrders,
    ...call.actor,
    ...selection,
  });
  const { orders } = done(outcome, 'orders', call.exchange.state);
  return `{"orders":[${await textsInTurns(orders, (order) => textOf(call, order))}]}`;
}
cancelOrders.description = describe({
  operationId: 'cancelOrders',
  tag: 'Trading',
  summary: 'Cancel several orders',
  notes:
    'Takes exactly one of its parameters. What is not an open order of yours is passed over. Hundreds of orders ' +
    'end over several moments; the answer comes once all have ended. An order placed after this request was ' +
    'received stays open. If no answer arrives, send the request again.',
  query: SELECTION_PARAMETERS,
  exactlyOne: SELECTION_PARAMETERS,
  data: record({ orders: many('Order') }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});
