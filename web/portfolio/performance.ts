import Big from 'big.js';
import type { ProfitAndLoss } from '../../src/client/index.ts';
import { divide, ZERO } from '../decimal.ts';

export type Gains = ProfitAndLoss<string>;
export type Point = Gains['points'][number];
type Figures = Pick<Gains, 'netDeposits' | 'unrealized' | 'realized' | 'withdrawnGain'>;
export type Flow = Gains['flows'][number];

/** Decimals of returns in percent, more than are shown. */
const RETURN_DECIMALS = 6;

/** Gain over the time between two points, and the time-weighted return in percent. */
export interface Performance {
  readonly gain: Big;
  readonly returnPercent: Big;
}

/** The figures of a chart at the end of an interval. */
export interface ChartPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly value: Big;
  /** Gain since the first point, and its part that is not unrealized. */
  readonly gain: Big;
  readonly realized: Big;
  /** Value of the deposits of the interval; undefined if there were none. */
  readonly deposited: Big | undefined;
  /** Value of the withdrawals of the interval, below zero; undefined if there were none. */
  readonly withdrawn: Big | undefined;
}

/** Returns the gain and the return from the first point to the last; undefined without points. */
export function performanceOver(points: readonly Point[]): Performance | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const before = new Big(first.returnIndex);
  const ratio = before.eq(0)
    ? new Big(1)
    : divide(new Big(last.returnIndex), before, RETURN_DECIMALS + 2, Big.roundHalfUp);
  return {
    gain: totalGain(last).minus(totalGain(first)),
    returnPercent: ratio.minus(1).times(100),
  };
}

/** Maximum difference from rounding, in units of the last decimal: half a unit of each of the five figures. */
const MAX_ROUNDING_UNITS = 2.5;

/**
 * Returns the net deposits so that they add up with the gains, as each is shown, to the total: the rounding of the others
 * moves it by a few units of the last decimal. A larger difference is shown as it is, because prices have moved since.
 */
export function shownNetDeposits(
  { netDeposits, unrealized, realized, withdrawnGain }: Figures,
  total: Big,
  decimals: number,
): Big {
  const round = (value: string) => new Big(value).round(decimals, Big.roundHalfUp);
  const rest = [unrealized, realized, withdrawnGain].reduce(
    (left, gain) => left.minus(round(gain)),
    total,
  );
  const difference = rest.minus(netDeposits).abs();
  return difference.lte(new Big(MAX_ROUNDING_UNITS).times(`1e-${decimals}`))
    ? rest
    : round(netDeposits);
}

/** Returns the points of a chart, from the first one with a value or a flow. @param now The log's time, milliseconds since 1970. */
export function toChartPoints(
  points: readonly Point[],
  flows: readonly Flow[],
  intervalMs: number,
  now: number,
): ChartPoint[] {
  const first = points[0];
  if (first === undefined) return [];
  const [gain, realized] = [totalGain(first), realizedGain(first)];
  let next = 0;
  const all = points.map((point) => {
    const start = Date.parse(point.timestamp);
    const end = start + intervalMs;
    let deposited: Big | undefined;
    let withdrawn: Big | undefined;
    for (; next < flows.length && Date.parse(flows[next]!.timestamp) < end; next++) {
      const { amount, value } = flows[next]!;
      if (new Big(amount).lt(0)) withdrawn = (withdrawn ?? ZERO).plus(value ?? 0);
      else deposited = (deposited ?? ZERO).plus(value ?? 0);
    }
    return {
      // The last interval has not ended.
      time: Math.max(start, Math.min(end, now)),
      value: new Big(point.value),
      gain: totalGain(point).minus(gain),
      realized: realizedGain(point).minus(realized),
      deposited,
      withdrawn,
    };
  });
  const begin = all.findIndex((point) => !point.value.eq(0) || hasFlow(point));
  if (begin < 0) return [];
  const shown = all.slice(begin);
  // An interval that began in this second ends where the one before it does, and a chart cannot have two points of a second.
  const [beforeLast, last] = shown.slice(-2);
  if (last !== undefined && last.time - beforeLast!.time < 1000) shown.pop();
  return shown;
}

/** Whether there were deposits or withdrawals in the interval. */
export function hasFlow({ deposited, withdrawn }: ChartPoint): boolean {
  return deposited !== undefined || withdrawn !== undefined;
}

function totalGain({ value, netDeposits }: Point): Big {
  return new Big(value).minus(netDeposits);
}

function realizedGain({ realized, withdrawnGain }: Point): Big {
  return new Big(realized).plus(withdrawnGain);
}
