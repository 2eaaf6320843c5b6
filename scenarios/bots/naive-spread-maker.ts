import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Quotes both sides at a distance that was right when it was written. */
const create: CreateBot = ({ client }) => ({
  async step({ elapsedMs }) {
    if (elapsedMs % 10_000 !== 0) return;
    await client.cancelOrders({ symbol: SYMBOL });
    const order = { symbol: SYMBOL, type: 'limit', amount: 0.1 } as const;
    await client.placeOrder({ ...order, side: 'buy', price: 118_000 - 180 });
    await client.placeOrder({ ...order, side: 'sell', price: 118_000 + 180 });
  },
});
export default create;
