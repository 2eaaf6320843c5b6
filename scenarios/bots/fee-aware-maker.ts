import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';
const PRICE = 118_000;

/** Quotes both sides, far enough apart that a round trip pays for its fees. */
const create: CreateBot = ({ client }) => ({
  async step({ elapsedMs }) {
    if (elapsedMs % 10_000 !== 0) return;
    await client.cancelOrders({ symbol: SYMBOL });
    const { fees } = await client.getFees({ symbol: SYMBOL });
    const distance = Math.max(180, Math.ceil(PRICE * fees[0]!.makerFee) + 20);
    const order = { symbol: SYMBOL, type: 'limit', amount: 0.1 } as const;
    await client.placeOrder({ ...order, side: 'buy', price: PRICE - distance });
    await client.placeOrder({ ...order, side: 'sell', price: PRICE + distance });
  },
});
export default create;
