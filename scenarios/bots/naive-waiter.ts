import type { CreateBot } from 'buttonwood/testing';

/** Waits for a good price. */
const create: CreateBot = ({ client }) => ({
  async start() {
    const order = { symbol: 'XRP/USDT', side: 'sell', type: 'limit', amount: 1000 } as const;
    await client.placeOrder({ ...order, price: 2.5 });
  },
  step() {},
});
export default create;
