// Best bid: places a buy order at the best bid, follows the order book over the socket for a few updates, and cancels it.
//
//   BUTTONWOOD_URL=… API_KEY=… API_SECRET=… node examples/best-bid.mjs [SYMBOL] [AMOUNT] [UPDATES]
import { buttonwood } from '@buttonwood/ccxt';

const [symbol = 'BTC/USDT', amount = '0.01', updates = '5'] = process.argv.slice(2);
const exchange = new buttonwood({
  urls: { api: process.env.BUTTONWOOD_URL ?? 'http://127.0.0.1:3000' },
  apiKey: process.env.API_KEY,
  secret: process.env.API_SECRET,
});
const { bids } = await exchange.fetchOrderBook(symbol, 1);
const order = await exchange.createOrderWs(symbol, 'limit', 'buy', Number(amount), bids[0][0]);
console.log(`placed at ${order.price}`);
for (let seen = 0; seen < Number(updates); seen++) {
  const book = await exchange.watchOrderBook(symbol);
  console.log(`best bid ${book.bids[0].join(' × ')}`);
}
const { status, filled } = await exchange.cancelOrderWs(order.id, symbol);
console.log(`${status}, ${filled} filled`);
await exchange.close();
