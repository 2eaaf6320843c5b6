// Memory of a million open orders, each at a price of its own: the store with all its columns, and
// the book. Run with: node bin/bun.mjs bench/memory.ts
import { Book } from '../src/engine/book.ts';
import { OrderStore } from '../src/engine/orders.ts';
import { Side } from '../src/engine/terms.ts';

const COUNT = 1_000_000;
/** A prime: its multiples modulo COUNT come in no order and do not repeat. */
const STRIDE = 387_173;

// Compiled code is no part of an order: let it come first.
fill(20_000);
const before = await settledBytes();
const held = fill(COUNT);
const bytes = (await settledBytes()) - before;
console.log(JSON.stringify({ orders: held.orders.size, bytesPerOrder: Math.round(bytes / COUNT) }));

function fill(count: number): { orders: OrderStore; book: Book } {
  const orders = new OrderStore();
  const book = new Book(orders);
  for (let i = 0; i < count; i++) open(orders, book, i);
  return { orders, book };
}

function open(orders: OrderStore, book: Book, i: number): void {
  const slot = orders.allocate();
  // Memory counts once it is written, so write every column.
  for (const column of Object.values(orders)) {
    if (ArrayBuffer.isView(column) && isColumn(orders, column as Float64Array)) {
      (column as Float64Array)[slot] = i;
    }
  }
  const place = 1 + ((i * STRIDE) % COUNT);
  orders.side[slot] = i % 2 === 0 ? Side.buy : Side.sell;
  orders.setPrice(slot, i % 2 === 0 ? place : COUNT + place);
  orders.setRemaining(slot, Number.MAX_SAFE_INTEGER);
  orders.setAccount(slot, i);
  book.add(slot);
}

/** One number an order; the book's own records have more. */
function isColumn(orders: OrderStore, array: Float64Array): boolean {
  return array.length === orders.id.length;
}

/** Resident memory once the collector has run and what it freed went back to the system. */
async function settledBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    Bun.gc(true);
    await Bun.sleep(100);
    least = Math.min(least, process.memoryUsage.rss());
  }
  return least;
}
