import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'XRP/USDT';

/** Waits for a good price, but leaves when the status of the market announces its end. */
const create: CreateBot = ({ client }) => {
  let isLeaving = false;
  return {
    async start() {
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', amount: 1000 } as const;
      await client.placeOrder({ ...order, price: 2.5 });
    },
    async step() {
      const { markets } = await client.getMarkets({ symbol: SYMBOL });
      if (isLeaving || markets[0]!.status === 'online') return;
      isLeaving = true;
      await client.cancelOrders({ symbol: SYMBOL });
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', amount: 1000 } as const;
      await client.placeOrder({ ...order, price: 1.9, timeInForce: 'IOC' });
    },
  };
};
export default create;
