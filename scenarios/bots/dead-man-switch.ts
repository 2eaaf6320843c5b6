import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';
const TIMEOUT_SECONDS = 20;

/** Bids below the market, and has the bid canceled if it cannot reach the exchange for 20 seconds. */
const create: CreateBot = ({ client }) => ({
  async start() {
    await client.cancelAfter({ timeout: TIMEOUT_SECONDS });
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 1 } as const;
    await client.placeOrder({ ...order, price: 117_500 });
  },
  async step({ elapsedMs }) {
    if (elapsedMs % 5000 !== 0) return;
    await client.cancelAfter({ timeout: TIMEOUT_SECONDS }).catch(() => {});
  },
});
export default create;
