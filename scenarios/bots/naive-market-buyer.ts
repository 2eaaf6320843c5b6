import type { CreateBot } from 'buttonwood/testing';

/** Buys one bitcoin at once, at whatever prices the book has. */
const create: CreateBot = ({ client }) => ({
  async start() {
    await client.placeOrder({ symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: 1 });
  },
  step() {},
});
export default create;
