import type { CreateBot } from 'buttonwood/testing';

const HOUR_MS = 3_600_000;

/** Buys every day at 12:00 UTC. A day of UTC always has 24 hours. */
const create: CreateBot = ({ client }) => ({
  async step({ timestamp }) {
    if ((timestamp / HOUR_MS) % 24 !== 12) return;
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', timeInForce: 'IOC' } as const;
    await client.placeOrder({ ...order, amount: 0.01, price: 118_000 });
  },
});
export default create;
