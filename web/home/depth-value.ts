import type { Level } from '../../src/client/index.ts';

type Levels = readonly Level<string>[];

/** Returns the value of the orders within a share of the mid price (0.01 is 1%), on both sides; 0 if one is empty. */
export function valueWithin(bids: Levels, asks: Levels, share: number): number {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return 0;
  const middle = (Number(bid[0]) + Number(ask[0])) / 2;
  let value = 0;
  for (const [price, amount] of [...bids, ...asks])
    if (Math.abs(Number(price) - middle) <= middle * share) value += Number(price) * Number(amount);
  return value;
}
