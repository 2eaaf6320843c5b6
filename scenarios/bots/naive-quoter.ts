import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Bids below the market, and plans to cancel the bid itself if the price falls. */
const create: CreateBot = ({ client }) => ({
  async start() {
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 1 } as const;
    await client.placeOrder({ ...order, price: 117_500 });
  },
  async step({ elapsedMs }) {
    if (elapsedMs % 5000 !== 0) return;
    try {
      const { bids } = await client.getOrderbook({ symbol: SYMBOL });
      if (bids[0]![0] < 117_600) await client.cancelOrders({ symbol: SYMBOL });
    } catch {
      // The exchange is away. It will come back.
    }
  },
});
export default create;
