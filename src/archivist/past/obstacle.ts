import type { State } from '../../engine/state.ts';
import { MarketStatus, oppositeSide, type Side } from '../../engine/terms.ts';
import { measureAhead } from './queue-ahead.ts';
import type { Obstacle } from './timeline.ts';

/** Returns why an open order has not filled; undefined if it is not open. */
export function findObstacle(state: State, orderId: number): Obstacle | undefined {
  const order = state.openOrder(orderId);
  if (order === undefined) return undefined;
  const market = state.markets[order.market]!;
  const slot = state.index.find(orderId);
  const ahead = measureAhead(state, orderId);
  const { details } = state;
  const counterPrice = market.book.bestPrice(oppositeSide(order.side as Side)) ?? 0;
  const isInactive = details.isTrailing(slot) && details.trail(slot).bestPrice === 0;
  const code = (): Obstacle['code'] => {
    if (market.currentStatus === MarketStatus.auction) return 'auction';
    if (market.currentStatus > MarketStatus.limitOnly) return 'market_unavailable';
    if (ahead === undefined) {
      if (!details.awaitsTrigger(slot)) return 'triggered';
      return isInactive ? 'awaiting_activation' : 'awaiting_trigger';
    }
    if (ahead.amount !== 0) return 'orders_ahead';
    return counterPrice === 0 ? 'no_counter_orders' : 'price_not_reached';
  };
  return {
    code: code(),
    marketStatus: market.currentStatus,
    lastPrice: market.lastPrice,
    triggerPrice: order.triggerPrice,
    activationPrice: order.trailing?.activationPrice ?? 0,
    counterPrice,
    ahead,
  };
}
