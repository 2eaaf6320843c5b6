import type { TradeEvent } from '../../../engine/event.ts';
import { Side } from '../../../engine/terms.ts';

/** An order that a reader of an order flow has in its book. */
export interface FlowOrder {
  /** Its id in the rows. */
  readonly id: string;
  /** The order of the exchange that it stands for. */
  readonly orderId: number;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
}

/** One side of the book that a reader of an order flow has. */
export class MirrorSide {
  private readonly queues = new Map<number, FlowOrder[]>();
  /** The prices of the queues, the best one last. */
  private readonly prices: number[] = [];
  /** The price of each order by its id in the exchange. */
  private readonly places = new Map<number, number>();
  private touched = new Set<number>();

  constructor(readonly side: Side) {}

  queue(price: number): readonly FlowOrder[] {
    return this.queues.get(price) ?? [];
  }

  add(order: FlowOrder): void {
    const { price, orderId } = order;
    const queue = this.queues.get(price);
    if (queue === undefined) {
      this.queues.set(price, [order]);
      this.prices.splice(this.findPlace(price), 0, price);
    } else queue.push(order);
    this.places.set(orderId, price);
    this.touch(price);
  }

  remove({ id, orderId, price }: FlowOrder): void {
    const left = this.queue(price).filter((order) => order.id !== id);
    this.replace(price, left);
    this.places.delete(orderId);
  }

  /** Returns the order that stands for one of the exchange. */
  find(orderId: number): FlowOrder | undefined {
    const price = this.places.get(orderId);
    return price === undefined
      ? undefined
      : this.queue(price).find((order) => order.orderId === orderId);
  }

  /** Returns whether a taker would have exactly these trades. */
  wouldFill(trades: readonly TradeEvent[]): boolean {
    let next = 0;
    for (const { orderId, price, remaining } of this.byPriority()) {
      const trade = trades[next]!;
      if (orderId !== trade.makerOrderId || price !== trade.price) return false;
      if (remaining < trade.amount) return false;
      const isLast = ++next === trades.length;
      if (remaining > trade.amount || isLast) return isLast;
    }
    return false;
  }

  /** Takes trades of one taker from the orders that come first. */
  fill(trades: readonly TradeEvent[]): void {
    for (const { price, amount } of trades) {
      const [first, ...others] = this.queue(price);
      const remaining = first!.remaining - amount;
      this.replace(price, remaining === 0 ? others : [{ ...first!, remaining }, ...others]);
      if (remaining === 0) this.places.delete(first!.orderId);
    }
  }

  /** Returns the orders at a price or a better one, by priority; all if it is undefined. */
  ordersUpTo(price: number | undefined): FlowOrder[] {
    const found: FlowOrder[] = [];
    for (const order of this.byPriority()) {
      if (price !== undefined && this.key(order.price) < this.key(price)) break;
      found.push(order);
    }
    return found;
  }

  hasOrdersUpTo(price: number): boolean {
    const best = this.prices.at(-1);
    return best !== undefined && this.key(best) >= this.key(price);
  }

  /** Marks a price whose queue may differ from that of the exchange. */
  touch(price: number): void {
    this.touched.add(price);
  }

  touchOrder(orderId: number): void {
    const price = this.places.get(orderId);
    if (price !== undefined) this.touch(price);
  }

  takeTouched(): ReadonlySet<number> {
    const { touched } = this;
    this.touched = new Set();
    return touched;
  }

  private replace(price: number, queue: FlowOrder[]): void {
    this.touch(price);
    if (queue.length > 0) this.queues.set(price, queue);
    else if (this.queues.delete(price)) this.prices.splice(this.findPlace(price), 1);
  }

  private *byPriority(): Generator<FlowOrder> {
    for (let at = this.prices.length - 1; at >= 0; at--) yield* this.queue(this.prices[at]!);
  }

  /** Returns where a price is in the list, or would be. */
  private findPlace(price: number): number {
    let [low, high] = [0, this.prices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.key(this.prices[middle]!) < this.key(price)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private key(price: number): number {
    return this.side === Side.buy ? price : -price;
  }
}
