import type Big from 'big.js';
import { grouped, rounded, usefulDecimals } from '../format.ts';

interface RoundedProps {
  readonly value: string | Big;
  /** As many as are of use by default. */
  readonly decimals?: number;
  /** Shown after the number, such as the asset of a fee. */
  readonly unit?: string;
}

/** A rounded number; all its digits are a tooltip. */
export function Rounded({ value, decimals = usefulDecimals(value), unit }: RoundedProps) {
  const [shown, exact] = [rounded(value, decimals), grouped(value)];
  const after = unit === undefined ? '' : ` ${unit}`;
  return (
    <span title={`${exact}${after}`}>
      {shown}
      {after}
    </span>
  );
}
