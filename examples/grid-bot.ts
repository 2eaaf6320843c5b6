// Grid trading bot: places buys on the levels below the price and sells on those above. When a buy fills it sells one
// level higher, when a sell fills it buys one level lower, so each round trip earns one level. The default levels are so
// close that the sandbox trades at them within a minute; to earn money a level must exceed twice the maker fee. Ctrl-C
// cancels its orders.
//
//   npm start
//   node bin/bun.mjs examples/grid-bot.ts [SYMBOL] [LOWEST] [HIGHEST] [LEVELS] [AMOUNT]
import { once } from 'node:events';
import { Client, Streams } from 'buttonwood/client';
import { cancelOpenOrders, connection, stopSignal } from './bot.ts';

const PREFIX = 'grid-';

/** Default distance of two levels, as a fraction of the last price; at least a tick. */
const SPACING = 0.0001;

const [symbol = 'BTC/USDT', from, to, count = '31', amount = '0.01'] = process.argv.slice(2);
const stop = stopSignal();
// A grid level does not become stale, so an order may wait for a rate limit.
const client = new Client({ ...connection(), waitToPlace: true });
const { tickSize, last } = (await client.getMarkets({ symbol })).markets[0]!;
const halfRange = (Math.max(last * SPACING, tickSize) * (Number(count) - 1)) / 2;
const lowest = Number(from ?? last - halfRange);
const step = (Number(to ?? last + halfRange) - lowest) / (Number(count) - 1);
const levels = Array.from({ length: Number(count) }, (_, index) =>
  Number((Math.round((lowest + index * step) / tickSize) * tickSize).toFixed(8)),
);

/** Open orders by client order id, which is known before the exchange reports the order. */
const open = new Map<string, { readonly side: 'buy' | 'sell'; readonly index: number }>();
const run = Date.now().toString(36);
let placed = 0;
/** Orders are sent one after the other, so that none is pending when the others are canceled. */
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
    console.log(`${order.side} at ${levels[order.index]} filled`);
    if (order.side === 'buy') place('sell', order.index + 1);
    else place('buy', order.index - 1);
  }
});

await cancelOpenOrders(client, symbol, PREFIX);
// The level nearest to the price stays free for the first opposite order.
const distances = levels.map((level) => Math.abs(level - last));
const free = distances.indexOf(Math.min(...distances));
for (const index of levels.keys()) {
  if (index !== free) place(index < free ? 'buy' : 'sell', index);
}

if (!stop.aborted) await once(stop, 'abort');
streams.close();
await pending;
await cancelOpenOrders(client, symbol, PREFIX);

function place(side: 'buy' | 'sell', index: number): void {
  const price = levels[index];
  if (price === undefined || stop.aborted) return;
  const clientOrderId = `${PREFIX}${run}-${placed++}`;
  open.set(clientOrderId, { side, index });
  pending = pending.then(async () => {
    if (stop.aborted) return;
    try {
      await client.placeOrder({ symbol, side, type: 'limit', amount, price, clientOrderId });
      console.log(`${side} at ${price} placed`);
    } catch (error) {
      open.delete(clientOrderId);
      console.error(`${side} at ${price}: ${error}`);
    }
  });
}
