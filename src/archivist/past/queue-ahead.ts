import type { Market } from '../../engine/markets/markets.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { NONE, type Side } from '../../engine/terms.ts';

/** The orders that trade before one that rests in a book, in amount units; hidden parts of icebergs are left out. */
export interface Ahead {
  /** Number of better prices on its side. */
  readonly levels: number;
  /** The amount that is ahead of it in the queue of its price. */
  readonly queue: Exact;
  /** The whole amount ahead, at better prices and at its own. */
  readonly amount: Exact;
}

/** Returns what is ahead of an order; undefined if it does not rest in the book. */
export function measureAhead(state: State, orderId: number): Ahead | undefined {
  const { index, details, orders } = state;
  const slot = index.find(orderId);
  if (slot === NONE || details.isPending(slot)) return undefined;
  const { book } = state.markets[details.market(slot)] as Market;
  const own = orders.level(slot);
  let levels = 0;
  let better: Exact = 0;
  for (let at = book.bestLevel(orders.side[slot] as Side); at !== own; at = book.nextLevel(at)) {
    levels++;
    better = sum(better, book.levelTotal(at));
  }
  let queue: Exact = 0;
  for (let at = book.firstOrder(own); at !== slot; at = book.nextOrder(at)) {
    queue = sum(queue, orders.remaining(at));
  }
  return { levels, queue, amount: sum(better, queue) };
}
