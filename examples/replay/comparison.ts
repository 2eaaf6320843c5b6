import type { Trade } from './recording.ts';

export interface Comparison {
  /** Recorded trades that came out with the same price and amount, each made trade counted once. */
  readonly matched: number;
  /** The most of these that came out in the recorded order. */
  readonly matchedInOrder: number;
}

export function compareTrades(made: readonly Trade[], recorded: readonly Trade[]): Comparison {
  const madeKeys = made.map(keyOf);
  const recordedKeys = recorded.map(keyOf);
  const left = new Map<string, number>();
  for (const key of madeKeys) left.set(key, (left.get(key) ?? 0) + 1);
  let matched = 0;
  for (const key of recordedKeys) {
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    matched++;
  }
  return { matched, matchedInOrder: longestCommonSubsequence(madeKeys, recordedKeys) };
}

function keyOf({ price, amount }: Trade): string {
  return `${price} ${amount}`;
}

/** Its length, by the textbook's table, of which one row is kept. */
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
