import type { Trade } from './recording.ts';

export interface Comparison {
  /** Recorded trades that were reproduced with the same price and amount; each executed trade counts once. */
  readonly matched: number;
  /** Maximum number of these that are in the recorded order. */
  readonly matchedInOrder: number;
}

export function compareTrades(executed: readonly Trade[], recorded: readonly Trade[]): Comparison {
  const executedKeys = executed.map(tradeKey);
  const recordedKeys = recorded.map(tradeKey);
  const left = new Map<string, number>();
  for (const key of executedKeys) left.set(key, (left.get(key) ?? 0) + 1);
  let matched = 0;
  for (const key of recordedKeys) {
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    matched++;
  }
  return { matched, matchedInOrder: longestCommonSubsequence(executedKeys, recordedKeys) };
}

function tradeKey({ price, amount }: Trade): string {
  return `${price} ${amount}`;
}

/** Returns the length of the longest common subsequence, by dynamic programming with one row. */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  const row = new Uint32Array(b.length + 1);
  for (const key of a) {
    let diagonal = 0;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      row[j] = b[j - 1] === key ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return row[b.length]!;
}
