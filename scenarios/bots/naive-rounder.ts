import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Bids 0.02 % below the best ask, with two decimals: the tick size of the day on which it was written. */
const create: CreateBot = ({ client }) => ({
  async step({ elapsedMs }) {
    if (elapsedMs % 10_000 !== 0) return;
    const { asks } = await client.getOrderbook({ symbol: SYMBOL });
    const price = Number((asks[0]![0] * 0.9998).toFixed(2));
    await client.cancelOrders({ symbol: SYMBOL });
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 0.1, price } as const;
    await client.placeOrder(order).catch(() => {});
  },
});
export default create;
