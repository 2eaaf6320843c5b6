import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderStore } from '../../book/order-store.ts';
import type { ElementHashes } from '../../digest.ts';
import type { Market } from '../../markets/markets.ts';
import { NONE } from '../../terms.ts';
import { isStop } from '../order-terms.ts';
import type { TrailingSide } from './trailing-side.ts';
import type { TrailingSlots } from './trailing-slots.ts';
import type { TriggeredOrders } from './triggered-orders.ts';

/** The parts of the state that triggering needs. */
export interface TriggerState extends ElementHashes {
  readonly version: number;
  readonly orders: OrderStore;
  readonly details: OrderDetails;
  readonly triggered: TriggeredOrders;
  includeOrder(slot: number, remaining: number): void;
  excludeOrder(slot: number): void;
  readonly trailingSlots: TrailingSlots;
}

/**
 * Triggers the orders that a trade at `price` reaches: order by order in version 1, as one reach
 * since version 2.
 */
export function trigger(state: TriggerState, market: Market, price: number): void {
  const { triggers } = market;
  if (state.version < 2) {
    for (let slot = triggers.nextReachedBy(price); slot !== NONE; ) {
      triggers.remove(slot);
      setTriggered(state, slot);
      slot = triggers.nextReachedBy(price);
    }
    return;
  }
  for (const reach of triggers.findReaches(price, market)) state.triggered.addReach(reach);
  triggers.update();
}

/** Moves the triggers of trailing stops to a new last price, which may trigger some: buys run before sells. */
export function followPrice(state: TriggerState, { trailing }: Market, price: number): void {
  const { changes, buys, sells } = trailing;
  if (buys.size > 0) followSide(state, buys, price);
  if (sells.size > 0) followSide(state, sells, price);
  if (trailing.changes !== changes) state.trailingSlots.moves++;
}

function followSide(state: TriggerState, side: TrailingSide, price: number): void {
  const { triggered } = state;
  const move = side.followPrice(price, triggered.extensible, state);
  if (move !== null) triggered.addMove(move);
}

/**
 * Makes the triggered orders of a market pending again, so that they do not run. Triggered trailing stops stay what they
 * are: those of a delisted market do not run.
 */
export function untrigger(state: TriggerState, market: Market): void {
  const { triggered, details } = state;
  triggered.deleteReaches(market);
  for (const slot of triggered.slots) {
    // A leg without a trigger stays triggered: it will be rejected.
    if (details.market(slot) !== market.index || !isStop(details.type(slot))) continue;
    triggered.delete(slot);
    switchTriggered(state, slot);
    market.triggers.add(slot);
  }
}

function setTriggered(state: TriggerState, slot: number): void {
  switchTriggered(state, slot);
  state.triggered.add(slot);
}

/** Switches an order between pending and triggered. */
function switchTriggered(state: TriggerState, slot: number): void {
  state.excludeOrder(slot);
  state.details.switchTriggered(slot);
  state.includeOrder(slot, state.orders.remaining(slot));
}
