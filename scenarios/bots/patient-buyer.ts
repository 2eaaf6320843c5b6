import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';
const MAX_PRICE = 118_050;

/** Buys one bitcoin in parts: what is offered up to a price, at each step. */
const create: CreateBot = ({ client }) => {
  /** In steps of 0.01, because sums of doubles are not exact. */
  let hundredths = 100;
  return {
    async step({ elapsedMs }) {
      if (hundredths === 0 || elapsedMs % 5000 !== 0) return;
      const amount = hundredths / 100;
      const order = { symbol: SYMBOL, side: 'buy', type: 'limit', timeInForce: 'IOC' } as const;
      const { filled } = await client.placeOrder({ ...order, amount, price: MAX_PRICE });
      hundredths -= Math.round(filled * 100);
    },
  };
};
export default create;
