import { heapStats } from 'bun:jsc';
import { Exchange } from '../../src/engine/exchange.ts';
import { commandTime, Traders } from './mix.ts';

/** Returns the memory of an exchange per order when `count` are open, including typed arrays. */
export function bytesPerOpenOrder(count: number, accounts: number): number {
  const opening = new Traders({ accounts, markets: 4, openOrders: count }).opening();
  const empty = opening.length - count;
  const exchange = new Exchange();
  for (let index = 0; index < empty; index++) exchange.apply(opening[index]!, commandTime(index));
  const before = usedBytes();
  for (let index = empty; index < opening.length; index++) {
    exchange.apply(opening[index]!, commandTime(index));
  }
  const bytes = usedBytes() - before;
  if (exchange.state.orders.size !== count) throw new Error('Not all of the orders rest.');
  return Math.round(bytes / count);
}

function usedBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}
