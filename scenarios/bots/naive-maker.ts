import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Quotes both sides, whatever it holds. */
const create: CreateBot = ({ client }) => ({
  async step({ elapsedMs }) {
    if (elapsedMs % 10_000 !== 0) return;
    await client.cancelOrders({ symbol: SYMBOL });
    const { bids, asks } = await client.getOrderbook({ symbol: SYMBOL, depth: 1 });
    const middle = (bids[0]![0] + asks[0]![0]) / 2;
    const order = { symbol: SYMBOL, type: 'limit', amount: 0.25 } as const;
    await client.placeOrder({ ...order, side: 'buy', price: middle - 50 });
    await client.placeOrder({ ...order, side: 'sell', price: middle + 50 });
  },
});
export default create;
