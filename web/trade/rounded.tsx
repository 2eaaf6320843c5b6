import type Big from 'big.js';
import { fixed, grouped, rounded, usefulDecimals } from '../format.ts';

interface RoundedProps {
  readonly value: string | Big;
  /** As many as are of use by default. */
  readonly decimals?: number;
  /** Whether it is rounded down, because a balance must never look larger than it is. */
  readonly isBalance?: boolean;
  /** Shown after the number, such as the asset of a fee. */
  readonly unit?: string;
}

/** A rounded number; all its digits are a tooltip. */
export function Rounded({
  value,
  decimals = usefulDecimals(value),
  unit,
  isBalance = false,
}: RoundedProps) {
  const [shown, exact] = [(isBalance ? fixed : rounded)(value, decimals), grouped(value)];
  const after = unit === undefined ? '' : ` ${unit}`;
  return (
    <span title={`${exact}${after}`}>
      {shown}
      {after}
    </span>
  );
}
