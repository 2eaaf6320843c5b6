import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import { SlotHeap } from '../book/slot-heap.ts';
import { NONE, type Side, triggersOnRise } from '../terms.ts';

/**
 * One market's orders that wait for a last price: those for a price at or above their trigger, and
 * those for one at or below. In each the trigger nearest to the price comes first, then the order
 * placed first.
 *
 * A price that reaches many triggers is only noted (`reach`); its orders leave one by one as they run.
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

  /**
   * Notes that a trade has reached orders of a side, which `firstWithin` then gives one after the other.
   * @returns Orders that entered while an earlier price was noted, reached only now. They have left.
   */
  reach(side: TriggerSide, price: number): number[] {
    const reached = side.reach(price);
    this.note();
    return reached;
  }

  /** Notes a price as `reach` did before a snapshot was taken. */
  restoreReach(side: TriggerSide, price: number): void {
    side.restoreReach(price);
    this.note();
  }

  /** Takes an order that is in for one that entered late, as it was when a snapshot was taken. */
  setLate(slot: number): void {
    this.sideOf(slot).setLate(slot);
    this.note();
  }

  /** All orders that a price has reached have left. */
  forgetReach(side: TriggerSide): void {
    side.forgetReach();
    this.note();
  }

  add(slot: number): void {
    this.sideOf(slot).add(slot);
    this.note();
  }

  /** Takes out an order that is in. */
  remove(slot: number): void {
    this.sideOf(slot).remove(slot);
    this.note();
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
    const isRising = triggersOnRise(this.details.type(slot), this.orders.side[slot] as Side);
    return isRising ? this.rising : this.falling;
  }

  private note(): void {
    this.nextAbove = this.rising.next;
    this.nextBelow = -this.falling.next;
  }
}

/** The orders of one market that wait for a rise, or for a fall. Keys are prices, of a fall negated. */
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

  /** Key of the price from which a trade reaches an order that none has reached, Infinity for none. */
  get next(): number {
    const { heap, late, noted } = this;
    const next = late.size === 0 ? Number.POSITIVE_INFINITY : this.keyOf(late.first);
    if (noted !== Number.NEGATIVE_INFINITY) return Math.min(next, noted + 1);
    return heap.size === 0 ? next : this.keyOf(heap.first);
  }

  /** The first order with a trigger that `price` reaches, late ones left out; NONE where there is none. */
  firstWithin(price: number): number {
    const { heap } = this;
    const isWithin = heap.size > 0 && this.keyOf(heap.first) <= price * this.sign;
    return isWithin ? heap.first : NONE;
  }

  /** @returns Late orders that it reaches, which leave. */
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

  /** Whether a reach at `price` is the furthest one noted. */
  isFurthest(price: number): boolean {
    return this.noted === price * this.sign;
  }

  /** Whether a trade at `price` goes further than the prices noted, and there is an order within it. */
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

  /** The order with the nearest trigger, late ones last; only where one is in. */
  get first(): number {
    return this.heap.size > 0 ? this.heap.first : this.late.first;
  }

  get size(): number {
    return this.heap.size + this.late.size;
  }

  /** The first to be triggered first, late ones last. */
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

/** The nearest trigger first. */
class TriggerHeap extends SlotHeap {
  /** @param sign 1 where the lowest trigger comes first, -1 where the highest does. */
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

  /** An order that waits is at no level: its place stands there. */
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
