import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';
/** Amounts are counted in their smallest unit, because sums of doubles are not exact. */
const UNITS = 1e8;
/** Orders are limited per minute, so parts are offered together. */
const EVERY_MS = 5000;

/** Buys one bitcoin, and offers what it has bought for more. */
const create: CreateBot = async ({ client, streams }) => {
  let bought = 0;
  let offered = 0;
  await streams.subscribe({ channel: 'fills' }, ({ data }) => {
    for (const { side, amount } of data.fills) {
      if (side === 'buy') bought += Math.round(amount * UNITS);
    }
  });
  return {
    async start() {
      const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 1 } as const;
      await client.placeOrder({ ...order, price: 118_000 });
    },
    async step({ elapsedMs }) {
      const amount = (bought - offered) / UNITS;
      if (amount === 0 || elapsedMs % EVERY_MS !== 0) return;
      offered = bought;
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', price: 118_500 } as const;
      await client.placeOrder({ ...order, amount });
    },
  };
};
export default create;
