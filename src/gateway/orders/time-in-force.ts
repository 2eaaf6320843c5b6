import { hasLimit, isStop } from '../../engine/orders/order-terms.ts';
import { OrderType, TimeInForce } from '../../engine/terms.ts';
import { invalid } from '../http/request/query.ts';

/**
 * Returns the time in force of an order: IOC for a market order and GTC for any other, unless given.
 * @param expiresAt 0 if the order does not expire.
 * @throws ApiError INVALID_REQUEST if it does not go with the order's other terms
 */
export function resolveTimeInForce(
  type: number,
  given: number | undefined,
  expiresAt: number,
  postOnly: boolean,
  hasCost: boolean,
): number {
  const timeInForce = given ?? (type === OrderType.market ? TimeInForce.ioc : TimeInForce.gtc);
  const canRest = timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd;
  if (isStop(type) && !hasLimit(type) && (!canRest || postOnly)) {
    const message =
      'stop, take_profit and trailing_stop orders trade as market orders once triggered: use GTC or GTD, without postOnly.';
    throw invalid(canRest ? 'postOnly' : 'timeInForce', 'stopOrder', message);
  }
  if (type === OrderType.market && canRest) {
    const message = 'A market order cannot rest in the book. Omit timeInForce, or send IOC or FOK.';
    throw invalid('timeInForce', 'marketOrder', message);
  }
  if (hasCost && timeInForce === TimeInForce.fok) {
    const message = 'A market order with cost cannot be FOK. Omit timeInForce, or send IOC.';
    throw invalid('timeInForce', 'cost', message);
  }
  if (postOnly && !canRest) {
    const message =
      'A postOnly order must be able to rest in the book. Send a limit order with GTC or GTD.';
    throw invalid('postOnly', 'restingOrder', message);
  }
  if (timeInForce === TimeInForce.gtd && expiresAt === 0) {
    throw invalid('expiresAt', 'required', 'A GTD order needs expiresAt.');
  }
  if (timeInForce !== TimeInForce.gtd && expiresAt !== 0) {
    const message = 'Only GTD orders take expiresAt. Send timeInForce GTD, or remove expiresAt.';
    throw invalid('expiresAt', 'goodTillDate', message);
  }
  return timeInForce;
}
