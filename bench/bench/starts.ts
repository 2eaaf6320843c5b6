import { startExchange } from '../../src/test-exchange/index.ts';

/**
 * Measures `startExchange` from a warm copy, until an order through its client could be sent, and `close`.
 * @returns median and 95th percentile in milliseconds
 */
export async function measureStarts(count: number) {
  // Creates the warm copy.
  await (await startExchange()).close();
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < count; i++) {
    const begunAt = performance.now();
    const exchange = await startExchange();
    const startedAt = performance.now();
    await exchange.close();
    starts.push(startedAt - begunAt);
    ends.push(performance.now() - startedAt);
  }
  return {
    starts: count,
    medianMs: quantile(starts, 0.5),
    p95Ms: quantile(starts, 0.95),
    closeMedianMs: quantile(ends, 0.5),
  };
}

function quantile(values: readonly number[], share: number): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!);
}
