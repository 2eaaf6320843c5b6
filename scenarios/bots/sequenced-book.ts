import { OrderBook } from 'buttonwood/client';
import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Sells to bids from 118,500 up. Its book applies only messages that follow each other. */
const create: CreateBot = async ({ client, streams }) => {
  const book = new OrderBook<number>();
  await streams.subscribe({ channel: 'orderbook', symbol: SYMBOL }, (message) =>
    book.apply(message),
  );
  return {
    async step() {
      const [price = 0, amount = 0] = book.bids[0] ?? [];
      if (price < 118_500) return;
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', timeInForce: 'IOC' } as const;
      await client.placeOrder({ ...order, amount, price });
    },
  };
};
export default create;
