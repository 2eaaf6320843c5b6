import type { Market } from '../markets/markets.ts';
import type { State } from '../state.ts';
import { NONE } from '../terms.ts';

/** Has the orders that a trade at `price` triggers run next: one by one, or since version 2 by that price. */
export function trigger(state: State, market: Market, price: number): void {
  const { triggers } = market;
  if (state.version < 2) {
    for (let slot = triggers.nextReachedBy(price); slot !== NONE; ) {
      triggers.remove(slot);
      setTriggered(state, slot);
      slot = triggers.nextReachedBy(price);
    }
    return;
  }
  for (const reach of triggers.reachesOf(price, market)) state.triggered.addReach(reach);
  triggers.update();
}

/** Has the triggered orders of a market wait for their triggers again: they are not to run. */
export function untrigger(state: State, market: Market): void {
  const { triggered, details } = state;
  triggered.deleteReachesOf(market);
  for (const slot of triggered.slots) {
    if (details.market(slot) !== market.index) continue;
    triggered.delete(slot);
    switchTriggered(state, slot);
    market.triggers.add(slot);
  }
}

function setTriggered(state: State, slot: number): void {
  switchTriggered(state, slot);
  state.triggered.add(slot);
}

/** Makes an order that waits for its trigger a triggered one, or the other way round. */
function switchTriggered(state: State, slot: number): void {
  const remaining = state.orders.remaining(slot);
  state.exclude(state.hashOrder(slot, remaining));
  state.details.switchTriggered(slot);
  state.include(state.hashOrder(slot, remaining));
}
