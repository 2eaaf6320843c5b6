import { startExchange } from '../../src/test-exchange/index.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Plays thirty days of all markets with their makers at full speed. Returns seconds, and what was played. */
export async function measureMonth(): Promise<Readonly<Record<string, number>>> {
  const exchange = await startExchange({ clock: 'frozen', makers: true, rateLimits: 'off' });
  try {
    const before = await count(exchange);
    const startedAt = performance.now();
    await exchange.clock.advance(DAYS * DAY_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    const after = await count(exchange);
    return {
      days: DAYS,
      seconds: Math.round(seconds * 10) / 10,
      batches: after.batches - before.batches,
      trades: after.trades - before.trades,
    };
  } finally {
    await exchange.close();
  }
}

type Exchange = Awaited<ReturnType<typeof startExchange>>;

async function count({ client, operator }: Exchange): Promise<{ batches: number; trades: number }> {
  const { logPosition } = await operator.getState();
  const { prices } = await client.getPrices();
  const trades = Math.max(...prices.map(({ lastTradeId }) => Number(lastTradeId)));
  return { batches: logPosition, trades };
}
