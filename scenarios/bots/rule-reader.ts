import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Bids 0.02 % below the best ask, at a multiple of the tick size that the market has now. */
const create: CreateBot = ({ client }) => ({
  async step({ elapsedMs }) {
    if (elapsedMs % 10_000 !== 0) return;
    const { asks } = await client.getOrderbook({ symbol: SYMBOL });
    const { markets } = await client.getMarkets({ symbol: SYMBOL });
    const { tickSize } = markets[0]!;
    const price = Math.floor((asks[0]![0] * 0.9998) / tickSize) * tickSize;
    await client.cancelOrders({ symbol: SYMBOL });
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 0.1 } as const;
    await client.placeOrder({ ...order, price: Number(price.toFixed(2)) });
  },
});
export default create;
