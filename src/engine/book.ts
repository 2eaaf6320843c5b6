import { Ladder } from './ladder.ts';
import { LevelStore } from './levels.ts';
import { NONE, type OrderStore, Side } from './orders.ts';

export class Book {
  readonly levels = new LevelStore();
  readonly bids = new Ladder(this.levels);
  readonly asks = new Ladder(this.levels);

  constructor(readonly orders: OrderStore) {}

  add(slot: number): void {
    const orders = this.orders;
    const price = orders.price(slot);
    const level = orders.side[slot] === Side.buy ? this.bids.seat(price) : this.asks.seat(-price);
    const levels = this.levels;
    const last = levels.tail(level);
    orders.setLevel(slot, level);
    orders.setPrevious(slot, last);
    orders.setNext(slot, NONE);
    if (last === NONE) levels.setHead(level, slot);
    else orders.setNext(last, slot);
    levels.setTail(level, slot);
    levels.addToTotal(level, orders.remaining(slot));
  }

  remove(slot: number): void {
    const orders = this.orders;
    const levels = this.levels;
    const level = orders.level(slot);
    const next = orders.next(slot);
    const previous = orders.previous(slot);
    if (next === NONE && previous === NONE) {
      (levels.key(level) > 0 ? this.bids : this.asks).remove(level);
      return;
    }
    levels.takeFromTotal(level, orders.remaining(slot));
    if (previous === NONE) levels.setHead(level, next);
    else orders.setNext(previous, next);
    if (next === NONE) levels.setTail(level, previous);
    else orders.setPrevious(next, previous);
  }

  best(side: Side): number {
    const level = (side === Side.buy ? this.bids : this.asks).best;
    return level === NONE ? NONE : this.levels.head(level);
  }

  bestPrice(side: Side): number | undefined {
    const slot = this.best(side);
    return slot === NONE ? undefined : this.orders.price(slot);
  }

  bestAmount(side: Side): bigint {
    return this.levels.total((side === Side.buy ? this.bids : this.asks).best);
  }

  forEachOrder(side: Side, visit: (slot: number) => void): void {
    (side === Side.buy ? this.bids : this.asks).forEach((level) => {
      for (let slot = this.levels.head(level); slot !== NONE; slot = this.orders.next(slot))
        visit(slot);
    });
  }

  reduce(slot: number, quantity: number): void {
    this.levels.takeFromTotal(this.orders.level(slot), quantity);
    this.orders.setRemaining(slot, this.orders.remaining(slot) - quantity);
  }
}
