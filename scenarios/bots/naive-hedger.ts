import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Buys one bitcoin, and offers what messages about its order call filled: the total so far, again and again. */
const create: CreateBot = async ({ client, streams }) => {
  let filled = 0;
  await streams.subscribe({ channel: 'orders' }, ({ data }) => {
    for (const order of data.orders) if (order.side === 'buy') filled = order.filled;
  });
  return {
    async start() {
      const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 1 } as const;
      await client.placeOrder({ ...order, price: 118_000 });
    },
    async step({ elapsedMs }) {
      if (filled === 0 || elapsedMs % 5000 !== 0) return;
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', price: 118_500 } as const;
      await client.placeOrder({ ...order, amount: filled }).catch(() => {});
      filled = 0;
    },
  };
};
export default create;
