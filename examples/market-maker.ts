// Market maker: quotes a post-only bid and ask around the mid price of other orders, skewed against the inventory, so
// that it returns to what it was at the start. The default spread is one that the sandbox trades at; to earn money it must
// exceed the maker fee. If the bot stops, the exchange cancels its orders after 30 s (dead man's switch). Ctrl-C cancels
// them at once.
//
//   npm start
//   node bin/bun.mjs examples/market-maker.ts [SYMBOL] [AMOUNT] [SECONDS BETWEEN UPDATES] [HALF SPREAD]
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Level, OrderBook, Streams } from 'buttonwood/client';
import { cancelOpenOrders, connection, listOpenOrders, stopSignal, untilAccepted } from './bot.ts';

/** Maximum shift of the quotes, as a part of half the spread: less than 1, so that no quote crosses the middle. */
const MAX_SKEW = 0.5;
/** Orders by which the inventory has changed at the maximum shift. */
const SKEW_ORDERS = 20;
const CANCEL_AFTER_SECONDS = 30;
const PREFIX = 'mm-';

const [symbol = 'BTC/USDT', amount = '0.01', seconds = '4', half = '0.0001'] =
  process.argv.slice(2);
const halfSpread = Number(half);
const stop = stopSignal();
const client = new Client(connection());
const { tickSize, base, last } = (await client.getMarkets({ symbol })).markets[0]!;
const startInventory = await inventory();
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
await untilAccepted(() => client.cancelAfter({ timeout: 0, symbol }));

/** Replaces the quotes unless they are already as wanted. */
async function refresh(): Promise<void> {
  const own = await listOpenOrders(client, symbol, PREFIX);
  const ownAt = (price: number) =>
    own.reduce((sum, order) => sum + (order.price === price ? order.remaining : 0), 0);
  const best = (side: readonly Level<number>[]) =>
    side.find(([price, total]) => total > ownAt(price) * 1.000001)?.[0];
  const [bid, ask] = [best(book.bids), best(book.asks)];
  const middle = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : lastPrice;
  const center = middle * (1 - MAX_SKEW * halfSpread * (await skew()));
  const lower = Math.floor((center * (1 - halfSpread)) / tickSize);
  const upper = Math.ceil((center * (1 + halfSpread)) / tickSize);
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

/** Returns how far the inventory is from its start, from -1 (sold) to 1 (bought). */
async function skew(): Promise<number> {
  const bought = (await inventory()) - startInventory;
  return Math.max(-1, Math.min(1, bought / (SKEW_ORDERS * Number(amount))));
}

/** Returns the total of the base asset. */
async function inventory(): Promise<number> {
  const { balances } = await client.getBalances();
  return balances.find(({ asset }) => asset === base)?.total ?? 0;
}
