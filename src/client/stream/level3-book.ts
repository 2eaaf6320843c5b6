import { OutOfSyncError } from '../errors.ts';
import { type Best, Book, findPrice } from './book.ts';
import { crc32 } from './crc32.ts';
import type { BookOrders } from './topics.ts';

/** Number of orders per side that the checksum covers. */
const CHECKSUM_ORDERS = 10;

/** A price and the remaining amounts of the orders at it, by public id, in order of the queue. */
export type OrderLevel<N> = readonly [price: N, orders: ReadonlyMap<string, N>];

/** An order's place in a book. */
export interface QueuePosition<N> {
  readonly side: 'buy' | 'sell';
  readonly price: N;
  /** Remaining amount; of an iceberg the part that is shown. */
  readonly amount: N;
  /** Number of orders at the same price that trade before it. */
  readonly ordersAhead: number;
  /** Their total amount. */
  readonly amountAhead: N;
}

/**
 * A market's book order by order, kept current by applying every message of the channel `level3`. Its orders equal those
 * of `GET /api/level3` at the same sequence. A book of more than 1,000 orders per side comes in parts. The checksum of
 * every message is compared if the numbers are exact texts (`exactNumbers`): doubles lack the digits that it covers.
 */
export class Level3Book<N extends number | string> extends Book<BookOrders<N>> {
  private readonly buys = new Orders<N>('high');
  private readonly sells = new Orders<N>('low');

  /** Best first, like `asks`. */
  get bids(): readonly OrderLevel<N>[] {
    return this.buys.levels;
  }

  get asks(): readonly OrderLevel<N>[] {
    return this.sells.levels;
  }

  /** Returns the place of an order, by its public id; undefined if the book does not have it. */
  position(id: string): QueuePosition<N> | undefined {
    const side = this.buys.has(id) ? 'buy' : 'sell';
    const found = (side === 'buy' ? this.buys : this.sells).position(id);
    return found && { side, ...found };
  }

  protected clear(): void {
    this.buys.clear();
    this.sells.clear();
  }

  protected change({ removed = [], bids, asks, checksum }: BookOrders<N>): void {
    for (const id of removed) {
      this.buys.remove(id);
      this.sells.remove(id);
    }
    for (const entry of bids) this.buys.put(entry);
    for (const entry of asks) this.sells.put(entry);
    this.verify(checksum);
  }

  private verify(checksum: number): void {
    const bids = this.buys.best(CHECKSUM_ORDERS);
    const asks = this.sells.best(CHECKSUM_ORDERS);
    const top = [...bids, ...asks];
    // Between two parts of a long book, so many orders may have gone that the best ten are still to come.
    const hasTop = this.isComplete || Math.min(bids.length, asks.length) === CHECKSUM_ORDERS;
    if (!hasTop || typeof top[0]?.[1] === 'number') return;
    if (crc32(top.map((entry) => entry.join(':')).join('|')) === checksum) return;
    throw new OutOfSyncError(`the book differs from its checksum at ${this.sequence}`);
  }
}

type Entry<N> = readonly [id: string, price: N, amount: N];

/** The orders of one side. */
class Orders<N extends number | string> {
  readonly levels: [price: N, orders: Map<string, N>][] = [];
  private readonly levelsById = new Map<string, (typeof this.levels)[number]>();

  constructor(private readonly side: Best) {}

  clear(): void {
    this.levels.length = 0;
    this.levelsById.clear();
  }

  has(id: string): boolean {
    return this.levelsById.has(id);
  }

  /** A known order keeps its place, a new one is the last at its price. */
  put([id, price, amount]: Entry<N>): void {
    let level = this.levelsById.get(id);
    if (level === undefined) {
      const index = findPrice(this.levels, price, this.side);
      if (this.levels[index]?.[0] !== price) this.levels.splice(index, 0, [price, new Map()]);
      level = this.levels[index]!;
      this.levelsById.set(id, level);
    }
    level[1].set(id, amount);
  }

  remove(id: string): void {
    const level = this.levelsById.get(id);
    if (level === undefined) return;
    this.levelsById.delete(id);
    const [price, orders] = level;
    orders.delete(id);
    if (orders.size === 0) this.levels.splice(findPrice(this.levels, price, this.side), 1);
  }

  best(count: number): Entry<N>[] {
    const entries: Entry<N>[] = [];
    for (const [price, orders] of this.levels) {
      for (const [id, amount] of orders) {
        if (entries.length === count) return entries;
        entries.push([id, price, amount]);
      }
    }
    return entries;
  }

  position(id: string): Omit<QueuePosition<N>, 'side'> | undefined {
    const level = this.levelsById.get(id);
    if (level === undefined) return undefined;
    const [price, orders] = level;
    const ahead = [...orders.keys()].indexOf(id);
    const amounts = [...orders.values()];
    const amountAhead = sum(amounts.slice(0, ahead), amounts[ahead]!);
    return { price, amount: amounts[ahead]!, ordersAhead: ahead, amountAhead };
  }
}

/** Adds amounts, exactly if they are texts. @param like An amount whose type the sum of no amounts has */
function sum<N extends number | string>(amounts: readonly N[], like: N): N {
  if (typeof like === 'number') {
    let total = 0;
    for (const amount of amounts) total += Number(amount);
    return total as N;
  }
  const parts = amounts.map((amount) => `${amount}`.split('.') as [string, string?]);
  const decimals = Math.max(0, ...parts.map(([, fraction = '']) => fraction.length));
  let units = 0n;
  for (const [whole, fraction = ''] of parts)
    units += BigInt(whole + fraction.padEnd(decimals, '0'));
  const digits = `${units}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return (fraction === '' ? whole : `${whole}.${fraction}`) as N;
}
