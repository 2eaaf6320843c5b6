import type { CreateBot } from 'buttonwood/testing';

/** Protects a bitcoin by a stop order, which sells at any price once it triggers. */
const create: CreateBot = ({ client }) => ({
  async start() {
    await client.placeOrder({
      symbol: 'BTC/USDT',
      side: 'sell',
      type: 'stop',
      amount: 1,
      triggerPrice: 116_500,
    });
  },
  step() {},
});
export default create;
