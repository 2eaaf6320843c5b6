import { CommandKind } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
import type { Call } from '../../http/call.ts';
import { textsInTurns } from '../../http/in-turns.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { many } from '../../openapi/record-schemas.ts';
import { readSelection, SELECTION_PARAMETERS } from '../../orders/order-selection.ts';
import { orderText } from '../records.ts';
import { accountOf } from './accounts.ts';
import { done } from './outcome.ts';

/** GET /api/admin/accounts/:id/orders: `{orders}`, those that are open, the first placed first. */
export function listOpenOrdersOf(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  return `{"orders":${ordersText(state.openOrdersOf(accountOf(call)), state)}}`;
}

listOpenOrdersOf.description = describe({
  operationId: 'listOpenOrdersOf',
  tag: 'Operator',
  summary: 'The open orders of an account',
  path: { id: 'accountId' },
  data: record({ orders: many('OperatorOrder') }),
  errors: ['NOT_FOUND'],
});

/**
 * DELETE /api/admin/accounts/:id/orders: cancels on behalf of an account, a frozen one too, what
 * one parameter means; `{orders}`.
 */
export async function cancelOrdersOf(call: Call): Promise<string> {
  const selection = readSelection(call.query(SELECTION_PARAMETERS), call.exchange);
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.cancelOrdersOf,
    ...call.actor,
    owner: accountOf(call).index,
    ...selection,
  });
  const { orders } = done(outcome, 'orders', state);
  return `{"orders":[${await textsInTurns(orders, (order) => operatorText(order, state))}]}`;
}

cancelOrdersOf.description = describe({
  operationId: 'cancelOrdersOf',
  tag: 'Operator',
  summary: 'Cancel on behalf of an account, a frozen one too',
  notes:
    'Takes exactly one of its parameters. Hundreds of orders end over several moments; the answer comes once all ' +
    'have ended. If no answer arrives, send the request again.',
  path: { id: 'accountId' },
  query: SELECTION_PARAMETERS,
  exactlyOne: SELECTION_PARAMETERS,
  data: record({ orders: many('OperatorOrder') }),
  errors: ['NOT_FOUND', 'INVALID_SYMBOL', 'OVERLOADED'],
});

/** Orders as their holders see them, and whose they are. */
export function ordersText(orders: readonly OrderRecord[], state: State): string {
  return `[${orders.map((order) => operatorText(order, state)).join(',')}]`;
}

function operatorText(order: OrderRecord, state: State): string {
  const text = orderText(order, state.markets[order.market]!);
  return `{"accountId":"${state.accounts[order.account]!.id}",${text.slice(1)}`;
}
