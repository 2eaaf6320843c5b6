import type { OrderRecord } from '../../../engine/event.ts';
import type { Fill, Page } from '../../../history/history.ts';
import { showFills, showOrder } from '../../faults/reports.ts';
import type { Call } from '../../http/request/call.ts';
import { type ShownFill, toFill, withFills } from '../fills.ts';
import { orderText } from '../records.ts';

/** Maximum fills in the record of an order, which are its first ones. `GET /api/fills` has all. */
export const MAX_ORDER_FILLS = 1000;

/**
 * Returns the order that the last command placed, with the fills that it had at once. Must be called before another command
 * is applied.
 */
export function formatPlacedOrder(call: Call, order: OrderRecord): string {
  return format(call, order, placedFills(call, order));
}

/** Returns an order with the fills that it has had until now, read from history. */
export async function formatOrderWithFills(call: Call, order: OrderRecord): Promise<string> {
  return format(call, order, await queryOrderFills(call, order));
}

/**
 * Returns the fills that the order of the last command had at once, at most `MAX_ORDER_FILLS`. Must be called before
 * another command is applied.
 */
export function placedFills(call: Call, order: OrderRecord): ShownFill[] {
  const fills: ShownFill[] = [];
  // An order that was added as pending may have been triggered after its record was made.
  const filled = order.amount - order.remaining;
  for (const event of filled === 0 ? [] : call.exchange.events) {
    if (event.kind !== 'trade' || event.takerOrderId !== order.id) continue;
    fills.push(toFill(event, false));
    if (fills.length === MAX_ORDER_FILLS) break;
  }
  return fills;
}

/** Returns the first fills of an order, at most `MAX_ORDER_FILLS`, read from history. */
export async function queryOrderFills(call: Call, order: OrderRecord): Promise<Fill[]> {
  if (order.remaining === order.amount) return [];
  const { archivist, replica } = call.services;
  const { account, id: orderId, market } = order;
  const fills: Fill[] = [];
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const terms = { descending: false, limit: MAX_ORDER_FILLS - fills.length, afterId };
    const query = { kind: 'fills', filter: { account, orderId, market, ...terms } } as const;
    const page = (await archivist.query(query, replica.position)) as Page<Fill>;
    fills.push(...page.items);
    // Set if the account had very many other fills in the meantime.
    afterId = fills.length < MAX_ORDER_FILLS ? page.searchedTo : undefined;
  }
  return fills;
}

function format(call: Call, order: OrderRecord, fills: readonly ShownFill[]): string {
  const market = call.exchange.state.markets[order.market]!;
  return withFills(orderText(showOrder(call, order), market), showFills(call, fills), market);
}
