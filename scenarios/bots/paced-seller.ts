import type { CreateBot } from 'buttonwood/testing';

const MINUTE_MS = 60_000;

/** Sells in parts of 0.01, as often as the limit of its account allows. */
const create: CreateBot = async ({ client }) => {
  const { limits } = await client.getCurrentKey();
  const placing = limits?.find(({ method, path }) => method === 'POST' && path === '/api/orders');
  const perMinute = placing?.limit ?? 30;
  let parts = 100;
  let nextMs = 0;
  return {
    async step({ elapsedMs }) {
      if (parts === 0 || elapsedMs < nextMs) return;
      nextMs = elapsedMs + MINUTE_MS / perMinute;
      const order = {
        symbol: 'BTC/USDT',
        side: 'sell',
        type: 'limit',
        timeInForce: 'IOC',
      } as const;
      const { filled } = await client.placeOrder({ ...order, amount: 0.01, price: 118_000 });
      if (filled > 0) parts--;
    },
  };
};
export default create;
