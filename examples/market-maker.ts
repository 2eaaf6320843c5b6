// Quotes both sides of a market: a post-only bid and ask around the middle of what others quote, shifted
// against the inventory, so that it comes back to half of each asset. Should it fall silent, the exchange
// cancels its orders after 30 s. Ctrl-C cancels them at once.
//
//   npm start
//   node bin/bun.mjs examples/market-maker.ts [SYMBOL] [AMOUNT] [SECONDS BETWEEN LOOKS]
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Level, OrderBook, Streams } from 'buttonwood/client';
import { cancelOrdersOf, connection, openOrdersOf, stopSignal } from './bot.ts';

const HALF_SPREAD = 0.001;
/** How far the quotes move where all that is owned is one of the two assets. */
const LARGEST_SHIFT = 0.002;
const SILENCE_SECONDS = 30;
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
    await client.cancelAfter({ timeout: SILENCE_SECONDS, symbol });
    await refresh();
  } catch (error) {
    console.error(`${error}`);
  }
  await sleep(Number(seconds) * 1000, undefined, { signal: stop }).catch(() => {});
}
streams.close();
await cancelOrdersOf(client, symbol, PREFIX);
await client.cancelAfter({ timeout: 0, symbol });

/** Replaces the quotes, unless they stand as they should. */
async function refresh(): Promise<void> {
  const own = await openOrdersOf(client, symbol, PREFIX);
  const ownAt = (price: number) =>
    own.reduce((sum, order) => sum + (order.price === price ? order.remaining : 0), 0);
  const best = (side: readonly Level<number>[]) =>
    side.find(([price, total]) => total > ownAt(price) * 1.000001)?.[0];
  const [bid, ask] = [best(book.bids), best(book.asks)];
  const middle = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : lastPrice;
  const center = middle * (1 - LARGEST_SHIFT * (await inventory(middle)));
  const lower = Math.floor((center * (1 - HALF_SPREAD)) / tickSize);
  const upper = Math.ceil((center * (1 + HALF_SPREAD)) / tickSize);
  const wanted = [
    { side: 'buy', price: priceOf(lower) },
    { side: 'sell', price: priceOf(upper) },
  ] as const;
  const stands = wanted.every(({ side, price }) =>
    own.some((order) => order.side === side && order.price === price && order.filled === 0),
  );
  if (stands) return;
  await cancelOrdersOf(client, symbol, PREFIX);
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

/** The double that is written as this many ticks are. */
function priceOf(ticks: number): number {
  return Number((ticks * tickSize).toFixed(8));
}

/** From -1, all is quote, to 1, all is base. */
async function inventory(price: number): Promise<number> {
  const { balances } = await client.getBalances();
  const total = (asset: string) => balances.find((one) => one.asset === asset)?.total ?? 0;
  const [inBase, inQuote] = [total(base) * price, total(quote)];
  return (inBase - inQuote) / (inBase + inQuote || 1);
}
