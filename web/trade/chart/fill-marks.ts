import Big from 'big.js';
import { ZERO } from '../../decimal.ts';

/** A fill that the chart marks. */
export interface ChartFill {
  readonly side: 'buy' | 'sell';
  /** Seconds since 1970. */
  readonly time: number;
  readonly price: string;
  readonly amount: string;
}

/** The fills of one side in a candle. */
export interface FillMark {
  readonly side: 'buy' | 'sell';
  /** Start of the candle. */
  readonly time: number;
  readonly count: number;
  readonly amount: Big;
  readonly averagePrice: Big;
}

/** Decimals of calculated average prices. */
const AVERAGE_DECIMALS = 18;

/** Returns a mark per candle and side, oldest first. @param findStart Returns the start of the candle that contains a time */
export function groupFills(
  fills: readonly ChartFill[],
  findStart: (time: number) => number,
): readonly FillMark[] {
  const groups = Map.groupBy(fills, ({ side, time }) => `${findStart(time)} ${side}`);
  return [...groups.values()]
    .map((group) => toMark(group, findStart(group[0]!.time)))
    .sort((a, b) => a.time - b.time);
}

function toMark(group: readonly ChartFill[], time: number): FillMark {
  const sum = (read: (fill: ChartFill) => Big) =>
    group.reduce((total, fill) => total.plus(read(fill)), ZERO);
  const amount = sum((fill) => new Big(fill.amount));
  const cost = sum((fill) => new Big(fill.amount).times(fill.price));
  const averagePrice = amount.eq(0)
    ? new Big(group[0]!.price)
    : cost.div(amount).round(AVERAGE_DECIMALS);
  return { side: group[0]!.side, time, count: group.length, amount, averagePrice };
}
