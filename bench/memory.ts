// Memory of a million open orders, each at a price of its own: what their book
// needs of them, and the book. Run with: node bin/bun.mjs bench/memory.ts
import { Book } from '../src/engine/book/book.ts';
import { OrderStore } from '../src/engine/book/order-store.ts';
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
  const place = 1 + ((i * STRIDE) % COUNT);
  orders.side[slot] = i % 2 === 0 ? Side.buy : Side.sell;
  orders.setPrice(slot, i % 2 === 0 ? place : COUNT + place);
  orders.setRemaining(slot, Number.MAX_SAFE_INTEGER);
  orders.setAccount(slot, i);
  book.add(slot);
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
