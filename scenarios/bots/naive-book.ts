import type { CreateBot } from 'buttonwood/testing';

const SYMBOL = 'BTC/USDT';

/** Sells to bids from 118,500 up. Its book applies whatever arrives. */
const create: CreateBot = async ({ client, baseUrl, WebSocket }) => {
  const bids = new Map<number, number>();
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws`);
  await new Promise<void>((resolve) => {
    socket.onopen = () => resolve();
  });
  socket.onmessage = ({ data }: { data: string }) => {
    const message = JSON.parse(data);
    for (const [price, amount] of message.data?.bids ?? []) {
      if (amount === 0) bids.delete(price);
      else bids.set(price, amount);
    }
  };
  socket.send(JSON.stringify({ op: 'subscribe', channel: 'orderbook', symbol: SYMBOL }));
  return {
    async step() {
      const price = Math.max(0, ...bids.keys());
      if (price < 118_500) return;
      const order = { symbol: SYMBOL, side: 'sell', type: 'limit', timeInForce: 'IOC' } as const;
      await client.placeOrder({ ...order, amount: bids.get(price)!, price }).catch(() => {});
    },
  };
};
export default create;
