import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderStore } from '../../book/order-store.ts';
import { NONE, type Side, triggersOnRise } from '../../terms.ts';
import { type Generation, type Reach, type ReachedMarket, TriggerSide } from './trigger-side.ts';

/**
 * The pending orders of one market: those that trigger at or above their trigger price, and those
 * that trigger at or below it. On each side the trigger nearest to the price comes first, then the
 * oldest order.
 *
 * A price that reaches many triggers is only recorded (`Reach`); its orders leave one by one as they
 * run. Until they all have, an order that enters with a trigger within that price counts as late: the
 * price did not reach it.
 */
export class Triggers {
  readonly rising: TriggerSide;
  readonly falling: TriggerSide;
  /** The prices at which a trade would trigger the next order. */
  private nextAbove = Number.POSITIVE_INFINITY;
  private nextBelow = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
  ) {
    this.rising = new TriggerSide(orders, details, 1);
    this.falling = new TriggerSide(orders, details, -1);
  }

  /** Returns whether a trade at `price` triggers an order. */
  isReachedBy(price: number): boolean {
    return price >= this.nextAbove || price <= this.nextBelow;
  }

  /** Returns the next slot that a trade at `price` triggers, or NONE. */
  nextReachedBy(price: number): number {
    const slot = this.rising.firstWithin(price);
    return slot === NONE ? this.falling.firstWithin(price) : slot;
  }

  /** Returns how far a trade at `price` reaches orders that no earlier one has, in the order in which they run. */
  findReaches(price: number, market: ReachedMarket): Reach[] {
    return [...this.rising.findReaches(price, market), ...this.falling.findReaches(price, market)];
  }

  /** Called when all orders of a generation's reaches have left. */
  endReaches(generation: Generation): void {
    generation.side.endReaches(generation);
    this.update();
  }

  /** Makes all orders pending again, including those that were reached. */
  clearReaches(): void {
    this.rising.clearReaches();
    this.falling.clearReaches();
    this.update();
  }

  /** Moves an order to those that entered after a further reach, where it was when a snapshot was taken. */
  postpone(slot: number): void {
    this.triggerSide(slot).postpone(slot);
    this.update();
  }

  add(slot: number): void {
    this.triggerSide(slot).add(slot);
    this.update();
  }

  /** Removes a pending order. */
  remove(slot: number): void {
    this.triggerSide(slot).remove(slot);
    this.update();
  }

  /** Returns whether the order is at its recorded place in the heap, in the right order. */
  isInPlace(slot: number): boolean {
    return this.triggerSide(slot).isInPlace(slot);
  }

  /** Returns whether a price has reached a pending order, so that it will run. */
  isReached(slot: number): boolean {
    return this.triggerSide(slot).isReached(slot);
  }

  /** The pending order with the nearest trigger, rising triggers first; NONE if there is none. */
  get first(): number {
    const { rising, falling } = this;
    return rising.size > 0 ? rising.first : falling.size > 0 ? falling.first : NONE;
  }

  get size(): number {
    return this.rising.size + this.falling.size;
  }

  /**
   * Visits the rising, then the falling triggers, each in the order in which they would trigger.
   */
  forEachOrder(visit: (slot: number) => void): void {
    for (const side of [this.rising, this.falling]) for (const slot of side.inOrder()) visit(slot);
  }

  private triggerSide(slot: number): TriggerSide {
    const isRising = triggersOnRise(this.details.type(slot), this.orders.side[slot] as Side);
    return isRising ? this.rising : this.falling;
  }

  /** Must be called after a change of the reaches. */
  update(): void {
    this.nextAbove = this.rising.next;
    this.nextBelow = -this.falling.next;
  }
}
