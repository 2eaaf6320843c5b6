import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Sells in the auction that reopens a halted market, with a limit far below the price that it expects. */
const create: CreateBot = ({ client }) => {
  let isSelling = false;
  return {
    async step() {
      if (isSelling) return;
      const { markets } = await client.getMarkets({ symbol: SYMBOL });
      if (markets[0]!.status !== 'auction') return;
      isSelling = true;
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', amount: 1 } as const;
      await client.placeOrder({ ...order, price: 105_000 });
    },
  };
};
export default create;
