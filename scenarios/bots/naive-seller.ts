import type { CreateBot } from 'buttonwood/testing';

/** Sells in parts of 0.01, one per second, and tries again at once if that is rejected. */
const create: CreateBot = ({ client }) => {
  let parts = 100;
  return {
    async step() {
      if (parts === 0) return;
      const order = {
        symbol: 'BTC/USDT',
        side: 'sell',
        type: 'limit',
        timeInForce: 'IOC',
      } as const;
      try {
        const { filled } = await client.placeOrder({ ...order, amount: 0.01, price: 118_000 });
        if (filled > 0) parts--;
      } catch {
        // Perhaps the next step has more luck.
      }
    },
  };
};
export default create;
