// Market maker: quotes a post-only bid and ask around the mid price of other orders, skewed against the inventory, so
// that it returns to half of each asset. If the bot stops, the exchange cancels its orders after 30 s (dead man's
// switch). Ctrl-C cancels them at once.
//
//   npm start
//   node bin/bun.mjs examples/market-maker.ts [SYMBOL] [AMOUNT] [SECONDS BETWEEN UPDATES]
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Level, OrderBook, Streams } from 'buttonwood/client';
import { cancelOpenOrders, connection, listOpenOrders, stopSignal } from './bot.ts';

const HALF_SPREAD = 0.001;
/** Shift of the quotes, as a fraction of the price, if the whole inventory is one asset. */
const MAX_SKEW = 0.002;
const CANCEL_AFTER_SECONDS = 30;
const PREFIX = 'mm-';

const [symbol = 'BTC/USDT', amount = '0.01', seconds = '4'] = process.argv.slice(2);
const stop = stopSignal();
const client = new Client(connection());
const { tickSize, base, quote, last } = (await client.getMarkets({ symbol })).markets[0]!;
const book = new OrderBook<number>();
let lastPrice = last;
let count = 0;

const streams = new Streams({ baseUrl: connection().baseUrl });
await streams.subscribe({ channel: 'orderbook', symbol }, (message) => book.apply(message));
await streams.subscribe({ channel: 'prices', symbol }, ({ data }) => {
  lastPrice = data.price;
});

while (!stop.aborted) {
  try {
    await client.cancelAfter({ timeout: CANCEL_AFTER_SECONDS, symbol });
    await refresh();
  } catch (error) {
    console.error(`${error}`);
  }
  await sleep(Number(seconds) * 1000, undefined, { signal: stop }).catch(() => {});
}
streams.close();
await cancelOpenOrders(client, symbol, PREFIX);
await client.cancelAfter({ timeout: 0, symbol });

/** Replaces the quotes unless they are already as wanted. */
async function refresh(): Promise<void> {
  const own = await listOpenOrders(client, symbol, PREFIX);
  const ownAt = (price: number) =>
    own.reduce((sum, order) => sum + (order.price === price ? order.remaining : 0), 0);
  const best = (side: readonly Level<number>[]) =>
    side.find(([price, total]) => total > ownAt(price) * 1.000001)?.[0];
  const [bid, ask] = [best(book.bids), best(book.asks)];
  const middle = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : lastPrice;
  const center = middle * (1 - MAX_SKEW * (await inventory(middle)));
  const lower = Math.floor((center * (1 - HALF_SPREAD)) / tickSize);
  const upper = Math.ceil((center * (1 + HALF_SPREAD)) / tickSize);
  const wanted = [
    { side: 'buy', price: toPrice(lower) },
    { side: 'sell', price: toPrice(upper) },
  ] as const;
  const isCurrent = wanted.every(({ side, price }) =>
    own.some((order) => order.side === side && order.price === price && order.filled === 0),
  );
  if (isCurrent) return;
  await cancelOpenOrders(client, symbol, PREFIX);
  const { results } = await client.placeOrders({
    orders: wanted.map((order) => ({
      ...order,
      symbol,
      type: 'limit',
      amount,
      postOnly: true,
      clientOrderId: `${PREFIX}${Date.now()}-${count++}`,
    })),
  });
  for (const result of results) if (!result.success) console.error(result.error.message);
  console.log(`${wanted[0].price} / ${wanted[1].price}`);
}

/** Converts ticks to a price, rounded to remove floating-point noise. */
function toPrice(ticks: number): number {
  return Number((ticks * tickSize).toFixed(8));
}

/** Returns the inventory balance, from -1 (all quote) to 1 (all base). */
async function inventory(price: number): Promise<number> {
  const { balances } = await client.getBalances();
  const total = (asset: string) => balances.find((one) => one.asset === asset)?.total ?? 0;
  const [inBase, inQuote] = [total(base) * price, total(quote)];
  return (inBase - inQuote) / (inBase + inQuote || 1);
}
