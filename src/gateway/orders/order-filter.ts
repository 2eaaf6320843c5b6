import type { Exchange } from '../../engine/exchange.ts';
import { OrderStatus, orderStatuses, type Side, sides } from '../../engine/terms.ts';
import type { OrderFilter } from '../../history/history.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../http/paging.ts';
import { ORDER_STATUS_WORDS, type Query } from '../http/query.ts';

export const ORDER_PARAMETERS = [
  'symbol',
  'side',
  'status',
  'clientOrderId',
  ...PAGE_PARAMETERS,
] as const;

/** The page of orders that a GET /api/orders asks for. @throws ApiError */
export function readOrderFilter(query: Query, account: number, exchange: Exchange): OrderFilter {
  const sideWord = query.word('side', sides);
  return {
    account,
    ...readPageTerms(query, 'orders', account),
    side: sideWord === undefined ? undefined : (sides.indexOf(sideWord) as Side),
    statuses: statusesOf(query.word('status', ORDER_STATUS_WORDS)),
    clientOrderId: query.clientOrderId(),
    // The symbol comes after the form of the query (API section 1).
    market: query.market(exchange)?.index,
  };
}

function statusesOf(word: (typeof ORDER_STATUS_WORDS)[number] | undefined): number[] | undefined {
  if (word === undefined) return undefined;
  if (word === 'closed') {
    return [OrderStatus.filled, OrderStatus.canceled, OrderStatus.expired, OrderStatus.rejected];
  }
  return [orderStatuses.indexOf(word === 'cancelled' ? 'canceled' : word)];
}
