// Exits: tests a market order and places it with a deadline of a second, then places an OCO order that takes profit or stops
// the loss 1 % away, and cancels it.
//
//   BUTTONWOOD_URL=… API_KEY=… API_SECRET=… node examples/exits.mjs [SYMBOL] [AMOUNT]
import { buttonwood } from '@buttonwood/ccxt';
import { RateLimitExceeded } from 'ccxt';

const [symbol = 'BTC/USDT', amount = '0.01'] = process.argv.slice(2);
const exchange = new buttonwood({
  urls: { api: process.env.BUTTONWOOD_URL ?? 'http://127.0.0.1:3000' },
  apiKey: process.env.API_KEY,
  secret: process.env.API_SECRET,
});

const tested = await exchange.createOrder(symbol, 'market', 'buy', amount, undefined, {
  test: true,
});
console.log(`would buy ${tested.filled} at ${tested.average}`);
const bought = await exchange.createOrder(symbol, 'market', 'buy', amount, undefined, {
  deadline: Date.now() + 1000,
});
console.log(`bought ${bought.filled} at ${bought.average}`);
// The fee is deducted from what was bought.
const received = bought.filled - bought.fee.cost;
const params = {
  takeProfitLimitPrice: bought.average * 1.01,
  stopLossPrice: bought.average * 0.99,
};
const placeExits = () =>
  exchange.createOrder(symbol, 'market', 'sell', received, undefined, params);
const exits = await placeExits().catch(async (error) => {
  if (!(error instanceof RateLimitExceeded)) throw error;
  // Beyond the rate limit orders are rejected at once. This one makes sense later too.
  await exchange.sleep(error.retryAfter * 1000);
  return placeExits();
});
console.log(`takes profit at ${exits.price}, stops the loss at ${exits.stopLossPrice}`);
const { status } = await exchange.cancelOrder(exits.id, symbol);
console.log(status);
await exchange.close();
