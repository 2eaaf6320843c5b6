import { startExchange } from '../../src/test-exchange/index.ts';

const OPEN_ORDERS = 10_000;
const ORDERS_PER_REQUEST = 15;
const ORDERS_PER_ACCOUNT = 150;
const ROUNDS = 10;

/** Returns to a checkpoint with many open orders. Returns the median and the longest time, milliseconds. */
export async function measureRestores(): Promise<Readonly<Record<string, number>>> {
  const exchange = await startExchange({ clock: 'frozen', rateLimits: 'off' });
  try {
    let open = 0;
    while (open < OPEN_ORDERS) open += await openOrders(exchange, OPEN_ORDERS - open);
    const checkpoint = await exchange.checkpoint();
    const tookMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await exchange.operator.createAccount({ accountId: `later-${round}` });
      const startedAt = performance.now();
      await checkpoint.restore();
      tookMs.push(performance.now() - startedAt);
    }
    tookMs.sort((a, b) => a - b);
    const { openOrders: found } = await exchange.operator.getState();
    return {
      openOrders: found,
      medianMs: Math.round(tookMs[Math.floor(ROUNDS / 2)]!),
      maxMs: Math.round(tookMs.at(-1)!),
    };
  } finally {
    await exchange.close();
  }
}

type Exchange = Awaited<ReturnType<typeof startExchange>>;

/** Opens orders of a new account, at most `limit`. @returns how many */
async function openOrders(exchange: Exchange, limit: number): Promise<number> {
  const { client } = await exchange.account({ funds: { USDT: 1_000_000 } });
  const count = Math.min(limit, ORDERS_PER_ACCOUNT);
  for (let placed = 0; placed < count; placed += ORDERS_PER_REQUEST) {
    const orders = Array.from(
      { length: Math.min(ORDERS_PER_REQUEST, count - placed) },
      (_, index) => ({
        symbol: 'BTC/USDT' as const,
        side: 'buy' as const,
        type: 'limit' as const,
        amount: 0.001,
        price: 40_000 + placed + index,
      }),
    );
    const { results } = await client.placeOrders({ orders });
    if (!results.every(({ success }) => success)) throw new Error(JSON.stringify(results[0]));
  }
  return count;
}
