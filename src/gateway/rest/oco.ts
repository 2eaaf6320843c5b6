import type { PlacePair } from '../../engine/command.ts';
import type { OrderRecord } from '../../engine/event.ts';
import { OrderType } from '../../engine/terms.ts';
import type { Call } from '../call.ts';
import { ApiError } from '../errors.ts';
import { readPair } from '../pair-request.ts';
import { rejectionError } from '../rejections.ts';
import { findOrder, textOf } from './orders.ts';

/**
 * POST /api/orders/oco: places a take profit and a stop of which one cancels the other; `{orders}`,
 * in that order.
 */
export async function placePair(call: Call): Promise<string> {
  const body = call.body();
  const { replica } = call.services;
  const placer = { account: call.account, key: call.key.index };
  const command = readPair(body, placer, replica.exchange);
  if (replica.isOverloaded) throw new ApiError('OVERLOADED');
  const outcome = await replica.execute(command);
  if (outcome.kind === 'pair') return ordersText(call, outcome.orders);
  if (outcome.kind === 'rejected') {
    throw rejectionError(outcome, call.exchange.state, leastOf(command));
  }
  if (outcome.kind !== 'repeated') throw new Error(`placing a pair came out as ${outcome.kind}`);
  // The two were given neighbouring ids.
  const ids = [outcome.orderId, outcome.orderId + 1];
  const orders = await Promise.all(ids.map((id) => findOrder(call, id)));
  return ordersText(call, orders as OrderRecord[]);
}

function ordersText(call: Call, orders: readonly OrderRecord[]): string {
  return `{"orders":[${orders.map((order) => textOf(call, order)).join(',')}]}`;
}

/** What a refusal is about, of the two the order that is worth less. */
function leastOf({ market, takeProfit, stopLoss }: PlacePair) {
  const prices = [takeProfit, stopLoss].map(({ price, triggerPrice }) => price || triggerPrice);
  return { market, type: OrderType.limit, price: Math.min(...prices), cost: 0 };
}
