import { PORTION, type Portion } from '../src/engine/limits.ts';

/** A few orders need several of these. */
export const SMALL_PORTION: Portion = { ends: 3, turn: 2, triggers: 2, trades: 2, scanned: 4 };

/** Runs `work` with portions of another size. */
export function withPortion<Result>(portion: Portion, work: () => Result): Result {
  const restore = setPortion(portion);
  try {
    return work();
  } finally {
    restore();
  }
}

/** Sets the size of portions. @returns A function that restores it. */
export function setPortion(portion: Portion): () => void {
  const before = { ...PORTION };
  Object.assign(PORTION, portion);
  return () => void Object.assign(PORTION, before);
}
