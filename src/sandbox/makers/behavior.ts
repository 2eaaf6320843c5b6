/** The behavior of the market makers in one market. */
export interface MakerBehavior {
  /** Whether they quote and trade; if not, their orders are canceled. */
  readonly running: boolean;
  /** Multipliers: of the distance between their best quotes, and of the amounts that they quote. */
  readonly spread: number;
  readonly depth: number;
  /** Multipliers: of the moves of the fair price, and of the amounts that the taker trades. */
  readonly volatility: number;
  readonly flow: number;
  /** The sides of the taker's orders: -1 only sells, 0 as its inventory wants, 1 only buys. */
  readonly bias: number;
}

export const NORMAL_BEHAVIOR: MakerBehavior = {
  running: true,
  spread: 1,
  depth: 1,
  volatility: 1,
  flow: 1,
  bias: 0,
};

/** A steady move of the fair price, in addition to the random walk. */
export interface PriceMove {
  /** Logarithms of the factors on the fair price before and after it. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
}

export const NO_MOVE: PriceMove = { from: 0, to: 0, startsAt: 0, endsAt: 0 };

/** Returns the logarithm of the factor on the fair price at a time. */
export function moveAt({ from, to, startsAt, endsAt }: PriceMove, time: number): number {
  if (time >= endsAt) return to;
  return from + ((to - from) * Math.max(0, time - startsAt)) / (endsAt - startsAt);
}

/** Returns the move to a relative change of the present fair price, such as -0.2 for 20 % below it. */
export function moveBy(
  before: PriceMove,
  change: number,
  durationMs: number,
  time: number,
): PriceMove {
  const from = moveAt(before, time);
  return { from, to: from + Math.log1p(change), startsAt: time, endsAt: time + durationMs };
}
