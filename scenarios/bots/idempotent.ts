import { UnreachableError } from 'buttonwood/client';
import type { CreateBot } from 'buttonwood/testing';

/** Places five orders, and repeats those without an answer under the same id. */
const create: CreateBot = ({ client }) => {
  let placed = 0;
  return {
    async step() {
      if (placed === 5) return;
      const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 } as const;
      const price = 110_000 - placed;
      try {
        await client.placeOrder({ ...order, price, clientOrderId: `order-${placed}` });
        placed++;
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
      }
    },
  };
};
export default create;
