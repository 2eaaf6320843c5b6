import { Book } from '../../src/engine/book/book.ts';
import { OrderStore } from '../../src/engine/book/order-store.ts';
import { type CrossHandler, cross } from '../../src/engine/orders/matching/matching.ts';
import { NONE } from '../../src/engine/terms.ts';
import { REPORT_NUMBERS, reportText } from './reports.ts';
import type { Workload } from './workload.ts';

/**
 * The numbers of `Report`, and the offset of a sell. A local enum, because the runtime inlines its
 * numbers.
 */
enum Kind {
  accepted = 0,
  trade = 1,
  canceled = 2,
  modified = 3,
  cancelRejected = 4,
  modifyRejected = 5,
  sell = 8,
}

/** Allocates memory for the reports of a workload, on average two per message, and touches it. */
export function reportSpace(workload: Workload): Float64Array {
  return new Float64Array(workload.count * 2 * REPORT_NUMBERS).fill(0);
}

/** Runs a workload through the book and the matching of the engine. */
export class Replay implements CrossHandler {
  readonly orders = new OrderStore();
  readonly book = new Book(this.orders);
  /** Slot by order id; NONE for ids that do not rest. */
  private readonly slots: Int32Array;
  /** Order id by slot. */
  private readonly ids: Int32Array;
  private used = 0;
  private sequence = 0;
  private taker = 0;

  /** @param reports Result of `reportSpace`, overwritten by each run. */
  constructor(
    private readonly workload: Workload,
    private readonly reports: Float64Array,
  ) {
    this.slots = new Int32Array(workload.maxId + 1).fill(NONE);
    this.ids = new Int32Array(workload.maxId + 1);
  }

  run(): void {
    const numbers = this.workload.numbers;
    const words = this.workload.words;
    for (let at = 0; at < this.workload.count * 4; at += 4) {
      const flags = words[at * 2 + 4]!;
      const id = words[at * 2 + 5]!;
      this.sequence = numbers[at + 3]!;
      const request = flags & 3;
      if (request === 0) this.place(flags, id, numbers[at]!, numbers[at + 1]!);
      else if (request === 1) this.cancel(id);
      else this.modify(id, numbers[at]!, numbers[at + 1]!);
    }
  }

  text(): string {
    // Checked here because the run itself is timed.
    if (this.used > this.reports.length)
      throw new Error('The reports exceed the allocated memory.');
    if (this.slots.filter((slot) => slot !== NONE).length !== this.orders.size) {
      throw new Error('The workload places an order under the id of a resting order.');
    }
    return reportText(this.reports, this.used);
  }

  fill(maker: number, quantity: number): void {
    const orders = this.orders;
    this.reports[this.used + 4] = this.ids[maker]!;
    this.report(Kind.trade, this.taker, orders.price(maker), quantity);
  }

  filled(maker: number): void {
    this.forget(this.ids[maker]!, maker);
  }

  selfTrade(): number {
    throw new Error('A workload has no accounts.');
  }

  private place(flags: number, id: number, price: number, quantity: number): void {
    const orders = this.orders;
    const side = ((flags >> 2) & 1) as 0 | 1;
    this.report(Kind.accepted + side * Kind.sell, id, price, quantity);
    this.taker = id;
    const left = cross(this.book, orders, side, price, quantity, -1, this);
    if (left > 0) {
      if ((flags & 8) === 0) this.rest(orders.allocate(), id, side, price, left);
      else this.report(Kind.canceled + side * Kind.sell, id, price, 0);
    }
  }

  private cancel(id: number): void {
    const slot = this.slots[id]!;
    if (slot < 0) this.report(Kind.cancelRejected, id, 0, 0);
    else {
      const orders = this.orders;
      this.book.remove(slot);
      const side = orders.side[slot]!;
      this.report(Kind.canceled + side * Kind.sell, id, orders.price(slot), 0);
      this.forget(id, slot);
    }
  }

  private modify(id: number, price: number, quantity: number): void {
    const slot = this.slots[id]!;
    if (slot < 0) this.report(Kind.modifyRejected, id, 0, 0);
    else {
      const side = this.orders.side[slot]! as 0 | 1;
      this.book.remove(slot);
      this.report(Kind.modified + side * Kind.sell, id, price, quantity);
      this.taker = id;
      const left = cross(this.book, this.orders, side, price, quantity, -1, this);
      if (left > 0) this.rest(slot, id, side, price, left);
      else this.forget(id, slot);
    }
  }

  private rest(slot: number, id: number, side: number, price: number, left: number): void {
    const orders = this.orders;
    this.ids[slot] = id;
    orders.side[slot] = side;
    orders.setPrice(slot, price);
    orders.setRemaining(slot, left);
    orders.setAccount(slot, -1);
    this.slots[id] = slot;
    this.book.add(slot);
  }

  private forget(id: number, slot: number): void {
    this.slots[id] = -1;
    this.orders.release(slot);
  }

  private report(kind: number, id: number, price: number, quantity: number): void {
    const reports = this.reports;
    const at = this.used;
    this.used = at + 5;
    reports[at] = this.sequence * 16 + kind;
    reports[at + 1] = id;
    reports[at + 2] = price;
    reports[at + 3] = quantity;
  }
}
