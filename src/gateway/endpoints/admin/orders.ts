import { CommandKind } from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
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
import { orderText } from '../records.ts';
import { readAccount } from './accounts.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

/**
 * DELETE /api/admin/accounts/:id/orders: cancels the orders of an account that one parameter selects.
 * `{orders}`. Works for frozen accounts.
 */
export async function cancelOrdersOf(call: Call): Promise<string> {
  const selection = readSelection(call.query(SELECTION_PARAMETERS), call.exchange);
  const { state } = call.exchange;
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.cancelOrdersOf,
    ...call.actor,
    owner: readAccount(call).index,
    ...selection,
  });
  const { orders } = expectOutcome(outcome, 'orders', state);
  return `{"orders":[${await formatInTurns(orders, (order) => orderWithAccountText(order, state))}]}`;
}

cancelOrdersOf.description = describe({
  operationId: 'cancelOrdersOf',
  tag: 'Operator',
  summary: 'Cancel orders of an account',
  notes:
    'Works for frozen accounts, too. Send exactly one parameter. Hundreds of orders are canceled in several steps; ' +
    'the response comes after the last one. If you get no response, send the request again.',
  path: { id: 'accountId' },
  query: SELECTION_PARAMETERS,
  queryTexts: SELECTION_TEXTS,
  exactlyOne: SELECTION_PARAMETERS,
  data: record({ orders: recordList('OperatorOrder') }),
  errors: ['NOT_FOUND', 'INVALID_SYMBOL', 'OVERLOADED'],
});

/** Returns orders as their accounts see them, with `accountId`. */
export function ordersText(orders: readonly OrderRecord[], state: State): string {
  return `[${orders.map((order) => orderWithAccountText(order, state)).join(',')}]`;
}

/** Returns an order as its account sees it, with `accountId`. */
export function orderWithAccountText(order: OrderRecord, state: State): string {
  const text = orderText(order, state.markets[order.market]!);
  return `{"accountId":"${state.accounts[order.account]!.id}",${text.slice(1)}`;
}
