import { newRequestId } from '../http/response/envelope.ts';
import type { OrderCounts } from './limits.ts';

const COMMON = { 'Content-Type': 'application/json;charset=UTF-8', 'Cache-Control': 'no-store' };
// A Response copies its headers, so responses share these objects, which is faster than creating headers for each.
const HEADERS = new Headers(COMMON);
const ORDER_HEADERS = new Headers(COMMON);

/**
 * Returns the headers of a response, to be copied before the next call.
 * @param weight The weight that the address has used.
 * @param orders The orders that the account has placed, with requests that count them.
 */
export function commonHeaders(weight: number, orders: OrderCounts | undefined): Headers {
  const headers = orders === undefined ? HEADERS : ORDER_HEADERS;
  headers.set('X-Request-Id', newRequestId());
  const used = `${weight}`;
  headers.set('X-MBX-USED-WEIGHT', used);
  headers.set('X-MBX-USED-WEIGHT-1M', used);
  if (orders === undefined) return headers;
  headers.set('X-MBX-ORDER-COUNT-10S', `${orders.tenSeconds.used}`);
  headers.set('X-MBX-ORDER-COUNT-1D', `${orders.day.used}`);
  return headers;
}
