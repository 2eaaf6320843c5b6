// Trades a range: buys on the levels below the price, sells on those above. Where a buy is filled it sells a
// level higher, where a sell is filled it buys a level lower, and so earns the width of a level each time.
// Ctrl-C cancels its orders.
//
//   npm start
//   node bin/bun.mjs examples/grid-bot.ts [SYMBOL] [LOWEST] [HIGHEST] [LEVELS] [AMOUNT]
import { once } from 'node:events';
import { Client, Streams } from 'buttonwood/client';
import { cancelOrdersOf, connection, stopSignal } from './bot.ts';

const PREFIX = 'grid-';

const [symbol = 'BTC/USDT', lowest = '110000', highest = '126000', count = '9', amount = '0.01'] =
  process.argv.slice(2);
const stop = stopSignal();
// A level is no staler a minute later: an order may wait for the exchange to have time for it.
const client = new Client({ ...connection(), waitToPlace: true });
const { tickSize, last } = (await client.getMarkets({ symbol })).markets[0]!;
const step = (Number(highest) - Number(lowest)) / (Number(count) - 1);
const levels = Array.from({ length: Number(count) }, (_, index) =>
  Number((Math.round((Number(lowest) + index * step) / tickSize) * tickSize).toFixed(8)),
);

/** By client order id, which is known before the exchange can speak of the order. */
const open = new Map<string, { readonly side: 'buy' | 'sell'; readonly index: number }>();
const run = Date.now().toString(36);
let placed = 0;
/** One order after the other, so that none is under way when the rest are canceled. */
let pending = Promise.resolve();

const streams = new Streams({
  ...connection(),
  onError: (error) => {
    console.error(`${error}`);
    process.kill(process.pid, 'SIGTERM');
  },
});
await streams.subscribe({ channel: 'orders' }, ({ data }) => {
  for (const { clientOrderId, status } of data.orders) {
    const order = open.get(clientOrderId ?? '');
    if (order === undefined || status === 'open') continue;
    open.delete(clientOrderId!);
    if (status !== 'filled') continue;
    console.log(`${order.side} at ${levels[order.index]} is filled`);
    if (order.side === 'buy') place('sell', order.index + 1);
    else place('buy', order.index - 1);
  }
});

await cancelOrdersOf(client, symbol, PREFIX);
// The level next to the price stays free: it is where the first opposite order goes.
const distances = levels.map((level) => Math.abs(level - last));
const free = distances.indexOf(Math.min(...distances));
for (const index of levels.keys()) {
  if (index !== free) place(index < free ? 'buy' : 'sell', index);
}

if (!stop.aborted) await once(stop, 'abort');
streams.close();
await pending;
await cancelOrdersOf(client, symbol, PREFIX);

function place(side: 'buy' | 'sell', index: number): void {
  const price = levels[index];
  if (price === undefined || stop.aborted) return;
  const clientOrderId = `${PREFIX}${run}-${placed++}`;
  open.set(clientOrderId, { side, index });
  pending = pending.then(async () => {
    if (stop.aborted) return;
    try {
      await client.placeOrder({ symbol, side, type: 'limit', amount, price, clientOrderId });
      console.log(`${side} at ${price} is placed`);
    } catch (error) {
      open.delete(clientOrderId);
      console.error(`${side} at ${price}: ${error}`);
    }
  });
}
