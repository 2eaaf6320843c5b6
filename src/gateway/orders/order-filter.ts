import type { Exchange } from '../../engine/exchange.ts';
import { OrderStatus, orderStatuses, type Side, sides } from '../../engine/terms.ts';
import type { OrderFilter } from '../../history/history.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../http/request/paging.ts';
import { ORDER_STATUS_VALUES, type Query } from '../http/request/query.ts';

export const ORDER_PARAMETERS = [
  'symbol',
  'side',
  'status',
  'clientOrderId',
  ...PAGE_PARAMETERS,
] as const;

/** Reads the filter and page of a GET /api/orders. @throws ApiError */
export function readOrderFilter(query: Query, account: number, exchange: Exchange): OrderFilter {
  const side = query.choice('side', sides);
  return {
    account,
    ...readPageTerms(query, 'orders', account),
    side: side === undefined ? undefined : (sides.indexOf(side) as Side),
    statuses: selectStatuses(query.choice('status', ORDER_STATUS_VALUES)),
    clientOrderId: query.clientOrderId(),
    // Last: an unknown symbol is reported after faults of form.
    market: query.market(exchange)?.index,
  };
}

function selectStatuses(
  name: (typeof ORDER_STATUS_VALUES)[number] | undefined,
): number[] | undefined {
  if (name === undefined) return undefined;
  if (name === 'closed') {
    return [OrderStatus.filled, OrderStatus.canceled, OrderStatus.expired, OrderStatus.rejected];
  }
  return [orderStatuses.indexOf(name === 'cancelled' ? 'canceled' : name)];
}
