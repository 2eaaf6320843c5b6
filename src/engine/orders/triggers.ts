import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { Market } from '../markets/markets.ts';
import { NONE, type Side } from '../terms.ts';
import { waitsForRise } from './order-terms.ts';
import { type Generation, type Reach, TriggerSide } from './trigger-side.ts';

/**
 * One market's orders that wait for a last price: those for a price at or above their trigger, and
 * those for one at or below. In each the trigger nearest to the price comes first, then the order
 * placed first.
 *
 * A price that reaches many triggers is only noted (`Reach`); its orders leave one by one as they run.
 * Until they all have, an order that enters with a trigger within the noted price was not reached by it.
 */
export class Triggers {
  readonly rising: TriggerSide;
  readonly falling: TriggerSide;
  /** The prices from which a trade reaches an order that none has reached. */
  private nextAbove = Number.POSITIVE_INFINITY;
  private nextBelow = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
  ) {
    this.rising = new TriggerSide(orders, details, 1);
    this.falling = new TriggerSide(orders, details, -1);
  }

  /** Whether a trade at `price` triggers an order. */
  isReachedBy(price: number): boolean {
    return price >= this.nextAbove || price <= this.nextBelow;
  }

  /** The next slot that a trade at `price` triggers, NONE where there is none. */
  nextReachedBy(price: number): number {
    const slot = this.rising.firstWithin(price);
    return slot === NONE ? this.falling.firstWithin(price) : slot;
  }

  /** Returns how far a trade at `price` reaches orders that no earlier one has, in the order in which they run. */
  reachesOf(price: number, market: Market): Reach[] {
    return [...this.rising.reachesOf(price, market), ...this.falling.reachesOf(price, market)];
  }

  /** All orders that the reaches of a generation apply to have left. */
  endReaches(generation: Generation): void {
    generation.side.endReaches(generation);
    this.update();
  }

  /** Lets all orders wait for their triggers, also those that were reached. */
  abandonReaches(): void {
    this.rising.abandonReaches();
    this.falling.abandonReaches();
    this.update();
  }

  /** Moves an order to those that entered after a further reach, where it was when a snapshot was taken. */
  postpone(slot: number): void {
    this.sideOf(slot).postpone(slot);
    this.update();
  }

  add(slot: number): void {
    this.sideOf(slot).add(slot);
    this.update();
  }

  /** Takes out an order that is in. */
  remove(slot: number): void {
    this.sideOf(slot).remove(slot);
    this.update();
  }

  /** Whether the order is in, at the place it knows, and not before one that comes first. */
  isInPlace(slot: number): boolean {
    return this.sideOf(slot).isInPlace(slot);
  }

  /** Whether a price has reached the order that is in: it is to run. */
  isReached(slot: number): boolean {
    return this.sideOf(slot).isReached(slot);
  }

  /** An order that is in, NONE where none is: of the orders that wait for a rise first, the nearest trigger. */
  get first(): number {
    const { rising, falling } = this;
    return rising.size > 0 ? rising.first : falling.size > 0 ? falling.first : NONE;
  }

  get size(): number {
    return this.rising.size + this.falling.size;
  }

  /** Those that wait for a rise, then those for a fall, in each the first to be triggered first. */
  forEachOrder(visit: (slot: number) => void): void {
    for (const side of [this.rising, this.falling]) for (const slot of side.inOrder()) visit(slot);
  }

  private sideOf(slot: number): TriggerSide {
    const isRising = waitsForRise(this.details.type(slot), this.orders.side[slot] as Side);
    return isRising ? this.rising : this.falling;
  }

  /** Must be called after a change of the reaches. */
  update(): void {
    this.nextAbove = this.rising.next;
    this.nextBelow = -this.falling.next;
  }
}
