import type { CreateBot } from 'buttonwood/testing';

/** Places five orders, and places them again if there is no answer. */
const create: CreateBot = ({ client }) => {
  let placed = 0;
  return {
    async step() {
      if (placed === 5) return;
      const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 } as const;
      try {
        await client.placeOrder({ ...order, price: 110_000 - placed });
        placed++;
      } catch {
        // Again at the next step.
      }
    },
  };
};
export default create;
