import type { CreateBot } from 'buttonwood/testing';

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const berlin = new Intl.DateTimeFormat('en', {
  timeZone: 'Europe/Berlin',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  hourCycle: 'h23',
});

/** Buys every day at 13:00 in Berlin, which is 12:00 UTC in winter only, on the days that its calendar has. */
const create: CreateBot = ({ client }) => ({
  async step({ timestamp }) {
    const parts = berlin.formatToParts(timestamp);
    const read = (type: string) => Number(parts.find((part) => part.type === type)!.value);
    if (read('hour') !== 13 || read('day') > DAYS[read('month') - 1]!) return;
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', timeInForce: 'IOC' } as const;
    await client.placeOrder({ ...order, amount: 0.01, price: 118_000 });
  },
});
export default create;
