import { readFileSync } from 'node:fs';
import type { Trader } from '../rest/orders.ts';
import { TRADER } from './attacks.ts';

/** CPU time of the serving thread per request. */

const BATCH_SIZE = 15;
const CONCURRENCY = 8;
const ROUNDS = 3;
const ORDERS_A_ROUND = 300;

type Order = Readonly<Record<string, number | string | boolean>>;

const limit = (terms: Order): Order => ({
  symbol: 'BTC/USDT',
  type: 'limit',
  side: 'buy',
  ...terms,
});
const market = (terms: Order): Order => ({ symbol: 'BTC/USDT', type: 'market', ...terms });

/** An order that neither rests nor trades, so that the book stays the same. */
export const ORDINARY = limit({ amount: 0.001, price: 45_000, timeInForce: 'IOC' });

/** Orders that an account without funds may send. Their amounts exceed the whole book. */
export const UNFUNDED: Readonly<Record<string, Order | readonly Order[]>> = {
  marketBuyByAmount: market({ side: 'buy', amount: 9 }),
  marketBuyByCost: market({ side: 'buy', cost: 1_000_000 }),
  marketSell: market({ side: 'sell', amount: 9 }),
  limitThroughTheBook: limit({ amount: 9, price: 120_000 }),
  fillOrKill: limit({ amount: 9, price: 120_000, timeInForce: 'FOK' }),
  stop: { ...market({ side: 'buy', amount: 9 }), type: 'stop', triggerPrice: 119_500 },
  batchOfMarketBuys: Array<Order>(BATCH_SIZE).fill(market({ side: 'buy', amount: 9 })),
};

export interface Costs {
  /** Microseconds of the serving thread for an ordinary order of an account with funds. */
  readonly ordinaryUs: number;
  /** The same for each order of an account without funds, as multiples of that. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The highest of them. */
  readonly costRatio: number;
}

/** Measures all orders in interleaved rounds, so that other load on the machine affects each of them alike. */
export async function measureCosts(
  baseUrl: string,
  pid: number,
  funded: Trader,
  unfunded: Trader,
): Promise<Costs> {
  const ordinary: number[] = [];
  const others: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    ordinary.push(await costUs(baseUrl, pid, funded, ORDINARY));
    for (const [name, orders] of Object.entries(UNFUNDED)) {
      others[name] ??= [];
      others[name].push(await costUs(baseUrl, pid, unfunded, orders));
    }
  }
  const ordinaryUs = median(ordinary);
  const ratios = Object.fromEntries(
    Object.entries(others).map(([name, costs]) => [name, rounded(median(costs) / ordinaryUs)]),
  );
  return { ordinaryUs: rounded(ordinaryUs), ratios, costRatio: Math.max(...Object.values(ratios)) };
}

/** Microseconds of the serving thread for an order: processor time on Linux, wall time elsewhere. */
async function costUs(
  baseUrl: string,
  pid: number,
  { apiKey, apiSecret }: Trader,
  order: Order | readonly Order[],
): Promise<number> {
  const isBatch = Array.isArray(order);
  const request = {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'X-API-Secret': apiSecret,
      'Content-Type': 'application/json',
      'X-Forwarded-For': TRADER,
    },
    body: JSON.stringify(isBatch ? { orders: order } : order),
  };
  const url = `${baseUrl}/api/orders${isBatch ? '/batch' : ''}`;
  let left = isBatch ? ORDERS_A_ROUND / BATCH_SIZE : ORDERS_A_ROUND;
  const send = async () => {
    while (left > 0) {
      left--;
      const answer = await fetch(url, request);
      const text = await answer.text();
      // The archivist lags: the rejection came late and took almost no processor time.
      if (answer.status === 503) left++;
      else if (answer.status !== 200 && answer.status !== 400) throw new Error(text);
    }
  };
  const before = spentMs(pid);
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  return ((spentMs(pid) - before) * 1000) / ORDERS_A_ROUND;
}

/** Returns the processor time of the serving thread, the first of its process. */
function spentMs(pid: number): number {
  if (process.platform !== 'linux') return performance.now();
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
