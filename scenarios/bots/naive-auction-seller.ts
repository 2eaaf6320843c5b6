import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Sells at the market as soon as it no longer trades, and believes to be out. */
const create: CreateBot = ({ client }) => {
  let isOut = false;
  return {
    async step() {
      if (isOut) return;
      const { markets } = await client.getMarkets({ symbol: SYMBOL });
      if (markets[0]!.status === 'online') return;
      isOut = true;
      const order = { symbol: SYMBOL, side: 'sell', type: 'market', amount: 1 } as const;
      await client.placeOrder(order).catch(() => {});
    },
  };
};
export default create;
