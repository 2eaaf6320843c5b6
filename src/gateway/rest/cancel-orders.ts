import { CommandKind } from '../../engine/command.ts';
import type { Call } from '../call.ts';
import { describe } from '../description.ts';
import { textsInTurns } from '../in-turns.ts';
import { record } from '../json-schema.ts';
import { readSelection, SELECTION_PARAMETERS } from '../order-selection.ts';
import { many } from '../record-schemas.ts';
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
