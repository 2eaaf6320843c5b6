import type { CreateBot } from 'buttonwood/testing';

/** Protects a bitcoin by a stop-limit order: below 116,500 it is for sale, but not for less than 115,000. */
const create: CreateBot = ({ client }) => ({
  async start() {
    await client.placeOrder({
      symbol: 'BTC/USDT',
      side: 'sell',
      type: 'stop_limit',
      amount: 1,
      triggerPrice: 116_500,
      price: 115_000,
    });
  },
  step() {},
});
export default create;
