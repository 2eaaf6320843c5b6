import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Bids below the market; cancels its bid when the market is halted, and then stays out. */
const create: CreateBot = ({ client }) => {
  let isIn = false;
  let isOut = false;
  return {
    async step() {
      if (isOut) return;
      const { markets } = await client.getMarkets({ symbol: SYMBOL });
      if (markets[0]!.status !== 'online') {
        await client.cancelOrders({ symbol: SYMBOL });
        isOut = true;
      } else if (!isIn) {
        isIn = true;
        const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 1 } as const;
        await client.placeOrder({ ...order, price: 117_500 });
      }
    },
  };
};
export default create;
