import { type Message, Request, type Workload } from './workload.ts';

/** Self-trade prevention of the taker. */
export type OwnOrders = 'expireMaker' | 'expireTaker' | 'expireBoth' | 'decrement';

export interface NaiveOrder {
  id: number;
  account: number;
  side: number;
  price: number;
  remaining: number;
}

/**
 * A reference book that is easy to verify by reading: one array in order of arrival, searched
 * completely each time. It shares no code with the engine.
 */
export class NaiveBook {
  readonly orders: NaiveOrder[] = [];

  /** Returns the orders of a side by priority. */
  queue(side: number): NaiveOrder[] {
    return this.orders
      .filter((order) => order.side === side)
      .sort((a, b) => (side === 0 ? b.price - a.price : a.price - b.price));
  }

  find(id: number): NaiveOrder | undefined {
    return this.orders.find((order) => order.id === id);
  }

  rest(order: NaiveOrder): void {
    this.orders.push(order);
  }

  remove(order: NaiveOrder): void {
    this.orders.splice(this.orders.indexOf(order), 1);
  }

  /** Matches the taker. @returns Its events as lines of text. */
  match(taker: NaiveOrder, own: OwnOrders): string[] {
    const events: string[] = [];
    while (taker.remaining > 0) {
      const maker = this.queue(1 - taker.side)[0];
      if (maker === undefined || !isWithin(taker, maker.price)) return events;
      const quantity = Math.min(taker.remaining, maker.remaining);
      const isOwn = maker.account === taker.account;
      if (isOwn && own !== 'decrement') {
        if (own !== 'expireTaker') this.remove(maker);
        events.push(`${own} ${maker.id}`);
        if (own !== 'expireMaker') return [...events, 'end'];
      } else {
        events.push(`${isOwn ? own : 'trade'} ${maker.id} ${maker.price} ${quantity}`);
        taker.remaining -= quantity;
        maker.remaining -= quantity;
        if (maker.remaining === 0) this.remove(maker);
      }
    }
    return events;
  }

  /**
   * Returns the orders of other accounts that the taker can match, up to its first own order unless
   * own orders are skipped.
   */
  private offered(taker: NaiveOrder, skipsOwn: boolean): NaiveOrder[] {
    const within = this.queue(1 - taker.side).filter((maker) => isWithin(taker, maker.price));
    const firstOwn = within.findIndex((maker) => maker.account === taker.account);
    const considered = skipsOwn || firstOwn < 0 ? within : within.slice(0, firstOwn);
    return considered.filter((maker) => maker.account !== taker.account);
  }

  canFill(taker: NaiveOrder, skipsOwn: boolean): boolean {
    const offered = this.offered(taker, skipsOwn);
    return sum(offered.map((maker) => BigInt(maker.remaining))) >= BigInt(taker.remaining);
  }

  marketCost(taker: NaiveOrder): bigint {
    let left = BigInt(taker.remaining);
    return sum(
      this.offered(taker, true).map((maker) => {
        const taken = left < BigInt(maker.remaining) ? left : BigInt(maker.remaining);
        left -= taken;
        return taken * BigInt(maker.price);
      }),
    );
  }
}

function isWithin(taker: NaiveOrder, price: number): boolean {
  return taker.side === 0 ? price <= taker.price : price >= taker.price;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Returns the report of a workload, computed with the naive book. */
export function naiveReport(workload: Workload): string {
  const book = new NaiveBook();
  const lines: { sequence: number; kind: number; text: string }[] = [];
  for (let index = 0; index < workload.count; index++) {
    const message = workload.get(index);
    for (const line of linesFor(book, message)) {
      const [kind, ...fields] = line;
      const text = [kind, message.sequence, ...fields].join(',');
      lines.push({ sequence: message.sequence, kind: kind!, text });
    }
  }
  lines.sort((a, b) => a.sequence - b.sequence || a.kind - b.kind);
  return lines.map((line) => line.text).join('\n');
}

/** Returns the lines of the report for one message, without the sequence. */
function linesFor(book: NaiveBook, message: Message): number[][] {
  const { request, id, price, quantity } = message;
  const resting = book.find(id);
  if (request === Request.place) {
    const lines = [[0, message.side, id, price, quantity]];
    return [...lines, ...enter(book, message, message.side)];
  }
  if (resting === undefined) return [[request === Request.cancel ? 4 : 5, id]];
  book.remove(resting);
  if (request === Request.cancel) return [[2, resting.side, id, resting.price]];
  return [[3, resting.side, id, price, quantity], ...enter(book, message, resting.side)];
}

function enter(book: NaiveBook, message: Message, side: number): number[][] {
  const { id, price } = message;
  const taker = { id, account: -id - 1, side, price, remaining: message.quantity };
  const trades = book.match(taker, 'expireMaker').map((event) => {
    const [, maker, tradePrice, quantity] = event.split(' ').map(Number);
    return [1, tradePrice!, quantity!, maker!, id];
  });
  if (taker.remaining === 0) return trades;
  if (message.immediateOrCancel) return [...trades, [2, side, id, price]];
  book.rest(taker);
  return trades;
}
