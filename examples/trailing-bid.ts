// Trailing bid: keeps a buy order a fraction below the last price. It trades over a socket, and prints the round trip of
// each operation. After a fill it places the next order. The default is so close that the sandbox trades at it within a
// minute. Ctrl-C cancels its order.
//
//   npm start
//   node bin/bun.mjs examples/trailing-bid.ts [SYMBOL] [AMOUNT] [FRACTION BELOW THE LAST PRICE]
import { once } from 'node:events';
import { ApiRequestError, Client, type Order, Streams } from 'buttonwood/client';
import { connection, stopSignal, untilAccepted } from './bot.ts';

const [symbol = 'BTC/USDT', amount = '0.01', fraction = '0.00005'] = process.argv.slice(2);
const stop = stopSignal();
const client = new Client(connection());
const { tickSize } = (await client.getMarkets({ symbol })).markets[0]!;
const trading = client.trading();
await trading.whenConnected();
let order: Order | undefined;
/** Operations are sent one after the other, because each depends on the record of the one before. */
let pending = Promise.resolve();

const streams = new Streams({ baseUrl: connection().baseUrl });
await streams.subscribe({ channel: 'prices', symbol }, ({ data }) => {
  pending = pending.then(() => follow(data.price)).catch((error) => console.error(`${error}`));
});
if (!stop.aborted) await once(stop, 'abort');
streams.close();
await pending;
if (order !== undefined) await cancel(order.orderId);
trading.close();

async function cancel(id: string): Promise<void> {
  try {
    await untilAccepted(() => trading.cancelOrder({ id }));
  } catch (error) {
    // It was filled in the meantime.
    if (!(error instanceof ApiRequestError) || error.code !== 'ORDER_NOT_OPEN') throw error;
  }
}

/** Moves the order to its distance from the last price, at least a tick. */
async function follow(last: number): Promise<void> {
  const distance = Math.max(last * Number(fraction), tickSize);
  const price = Number((Math.round((last - distance) / tickSize) * tickSize).toFixed(8));
  if (stop.aborted || price === order?.price) return;
  if (order !== undefined && (await amend(order.orderId, price))) return;
  const startMs = performance.now();
  order = await trading.placeOrder({ symbol, side: 'buy', type: 'limit', amount, price });
  console.log(`placed at ${price} in ${Math.ceil(performance.now() - startMs)} ms`);
}

/** Returns whether the order is still open. */
async function amend(id: string, price: number): Promise<boolean> {
  const startMs = performance.now();
  try {
    order = await trading.amendOrder({ id, price });
    console.log(`amended to ${price} in ${Math.ceil(performance.now() - startMs)} ms`);
  } catch {
    // It was filled, or the response was lost. Its record shows which; reads are repeated after a lost response.
    order = await trading.getOrder({ id });
  }
  if (order.status !== 'open') order = undefined;
  return order !== undefined;
}
