import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import { SlotHeap } from '../book/slot-heap.ts';
import { NONE, type Side, triggersOnRise } from '../terms.ts';

/**
 * The pending orders of one market: those that trigger at or above their trigger price, and those
 * that trigger at or below it. On each side the trigger nearest to the price comes first, then the
 * oldest order.
 *
 * A price that reaches many triggers is only recorded (`reach`); its orders leave one by one as
 * they run. Until they all have, an order that enters with a trigger within that price counts as
 * late: the price did not reach it.
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

  /**
   * Records that a trade reached orders of a side, which `firstWithin` then returns one by one.
   * @returns Late orders that this price reaches. They are removed.
   */
  reach(side: TriggerSide, price: number): number[] {
    const reached = side.reach(price);
    this.note();
    return reached;
  }

  /** Restores a reach from a snapshot. */
  restoreReach(side: TriggerSide, price: number): void {
    side.restoreReach(price);
    this.note();
  }

  /** Marks a pending order as late when a snapshot is restored. */
  setLate(slot: number): void {
    this.sideOf(slot).setLate(slot);
    this.note();
  }

  /** Called when all orders that a price reached have left. */
  forgetReach(side: TriggerSide): void {
    side.forgetReach();
    this.note();
  }

  add(slot: number): void {
    this.sideOf(slot).add(slot);
    this.note();
  }

  /** Removes a pending order. */
  remove(slot: number): void {
    this.sideOf(slot).remove(slot);
    this.note();
  }

  /** Returns whether the order is at its recorded place in the heap, in the right order. */
  isInPlace(slot: number): boolean {
    return this.sideOf(slot).isInPlace(slot);
  }

  /** Returns whether a price has reached a pending order, so that it will run. */
  isReached(slot: number): boolean {
    return this.sideOf(slot).isReached(slot);
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

  private sideOf(slot: number): TriggerSide {
    const isRising = triggersOnRise(this.details.type(slot), this.orders.side[slot] as Side);
    return isRising ? this.rising : this.falling;
  }

  private note(): void {
    this.nextAbove = this.rising.next;
    this.nextBelow = -this.falling.next;
  }
}

/**
 * The pending orders of one market that trigger on a rise, or on a fall. Keys are trigger prices,
 * negated for a fall.
 */
export class TriggerSide {
  private readonly heap: TriggerHeap;
  /** Orders with a trigger within `noted` that entered after that price was reached. */
  private readonly late: TriggerHeap;
  /** Key of the furthest price reached whose orders have not all left. */
  private noted = Number.NEGATIVE_INFINITY;

  constructor(
    orders: OrderStore,
    private readonly details: OrderDetails,
    private readonly sign: 1 | -1,
  ) {
    this.heap = new TriggerHeap(orders, details, sign);
    this.late = new TriggerHeap(orders, details, sign);
  }

  get isRising(): boolean {
    return this.sign === 1;
  }

  /** Key of the price at which a trade would reach the next order; Infinity for none. */
  get next(): number {
    const { heap, late, noted } = this;
    const next = late.size === 0 ? Number.POSITIVE_INFINITY : this.keyOf(late.first);
    if (noted !== Number.NEGATIVE_INFINITY) return Math.min(next, noted + 1);
    return heap.size === 0 ? next : this.keyOf(heap.first);
  }

  /** Returns the first order that `price` triggers, without late orders; NONE if there is none. */
  firstWithin(price: number): number {
    const { heap } = this;
    const isWithin = heap.size > 0 && this.keyOf(heap.first) <= price * this.sign;
    return isWithin ? heap.first : NONE;
  }

  /** Records a reach. @returns Late orders that it triggers. They are removed. */
  reach(price: number): number[] {
    const key = price * this.sign;
    if (this.extendsReach(price)) this.noted = key;
    const reached: number[] = [];
    while (this.late.size > 0 && this.keyOf(this.late.first) <= key) {
      reached.push(this.late.first);
      this.late.remove(this.late.first);
    }
    return reached;
  }

  restoreReach(price: number): void {
    this.noted = price * this.sign;
  }

  /** Returns whether `price` is the furthest price reached. */
  isFurthest(price: number): boolean {
    return this.noted === price * this.sign;
  }

  /** Returns whether a trade at `price` reaches further orders than the prices before. */
  extendsReach(price: number): boolean {
    return price * this.sign > this.noted && this.firstWithin(price) !== NONE;
  }

  forgetReach(): void {
    this.noted = Number.NEGATIVE_INFINITY;
    for (const slot of this.late.inOrder()) {
      this.late.remove(slot);
      this.heap.add(slot);
    }
  }

  add(slot: number): void {
    if (this.keyOf(slot) <= this.noted) this.late.add(slot);
    else this.heap.add(slot);
  }

  remove(slot: number): void {
    this.heapOf(slot).remove(slot);
  }

  isInPlace(slot: number): boolean {
    return this.heapOf(slot).isInPlace(slot);
  }

  isReached(slot: number): boolean {
    return this.keyOf(slot) <= this.noted && !this.late.has(slot);
  }

  setLate(slot: number): void {
    this.heap.remove(slot);
    this.late.add(slot);
  }

  lateOrders(): number[] {
    return this.late.inOrder();
  }

  /** The order with the nearest trigger, late orders last; there must be one. */
  get first(): number {
    return this.heap.size > 0 ? this.heap.first : this.late.first;
  }

  get size(): number {
    return this.heap.size + this.late.size;
  }

  /** Returns the slots in the order in which they would trigger, late orders last. */
  inOrder(): number[] {
    return [...this.heap.inOrder(), ...this.late.inOrder()];
  }

  private heapOf(slot: number): TriggerHeap {
    return this.late.size > 0 && this.late.has(slot) ? this.late : this.heap;
  }

  private keyOf(slot: number): number {
    return this.details.triggerPrice(slot) * this.sign;
  }
}

/** A heap with the nearest trigger first. */
class TriggerHeap extends SlotHeap {
  /** @param sign 1 if the lowest trigger comes first, -1 if the highest does. */
  constructor(
    private readonly orders: OrderStore,
    private readonly details: OrderDetails,
    private readonly sign: 1 | -1,
  ) {
    super();
  }

  has(slot: number): boolean {
    return this.heap[this.placeOf(slot)] === slot;
  }

  inOrder(): number[] {
    return this.heap.toSorted((a, b) => (this.isBefore(a, b) ? -1 : 1));
  }

  /** A pending order is at no price level, so the field stores its place in the heap. */
  protected placeOf(slot: number): number {
    return this.orders.level(slot);
  }

  protected setPlace(slot: number, place: number): void {
    this.orders.setLevel(slot, place);
  }

  protected isBefore(a: number, b: number): boolean {
    const { details } = this;
    const difference = (details.triggerPrice(a) - details.triggerPrice(b)) * this.sign;
    return difference === 0 ? details.id(a) < details.id(b) : difference < 0;
  }
}
