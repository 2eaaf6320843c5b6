// Measures the memory of a million open orders, each at its own price: of the orders and of their book.
// Run with: node bin/bun.mjs bench/memory.ts
import { Book } from '../src/engine/book/book.ts';
import { OrderStore } from '../src/engine/book/order-store.ts';
import { Side } from '../src/engine/terms.ts';

const COUNT = 1_000_000;
/** A prime, whose multiples modulo COUNT are unordered and unique. */
const STRIDE = 387_173;

// Compile the code first, so that it does not count as memory of orders.
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

/** Returns the resident memory after garbage collection, when freed pages are back with the system. */
async function settledBytes(): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    Bun.gc(true);
    await Bun.sleep(100);
    min = Math.min(min, process.memoryUsage.rss());
  }
  return min;
}
