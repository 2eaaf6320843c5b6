import type { CreateBot } from 'buttonwood/testing';

/** Bids below the market, and leaves the bid there whatever happens. */
const create: CreateBot = ({ client }) => ({
  async start() {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1 } as const;
    await client.placeOrder({ ...order, price: 117_500 });
  },
  step() {},
});
export default create;
