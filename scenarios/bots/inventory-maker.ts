import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';
const AMOUNT = 0.25;
/** Distance of the quotes from the middle of the book, less than that of the other market makers. */
const DISTANCE = 50;

/** Quotes both sides, and stops buying or selling at the limit of its inventory. */
const create: CreateBot = async ({ client, streams }) => {
  let inventory = 0;
  await streams.subscribe({ channel: 'balances' }, ({ data }) => {
    inventory = data.balances.find(({ asset }) => asset === 'BTC')?.total ?? inventory;
  });
  return {
    async step({ elapsedMs }) {
      if (elapsedMs % 10_000 !== 0) return;
      await client.cancelOrders({ symbol: SYMBOL });
      const { bids, asks } = await client.getOrderbook({ symbol: SYMBOL, depth: 1 });
      const middle = (bids[0]![0] + asks[0]![0]) / 2;
      const order = { symbol: SYMBOL, type: 'limit', amount: AMOUNT } as const;
      // The limit includes what is about to be placed.
      if (inventory + AMOUNT <= 1.5) {
        await client.placeOrder({ ...order, side: 'buy', price: middle - DISTANCE });
      }
      if (inventory - AMOUNT >= 0.5) {
        await client.placeOrder({ ...order, side: 'sell', price: middle + DISTANCE });
      }
    },
  };
};
export default create;
