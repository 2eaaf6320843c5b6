import { decimal, toText } from '../decimal.ts';
import { FieldError } from './action.ts';

/** A typed number as the exchange takes it. @throws FieldError where it is none */
export function parseNumber(text: string, field: string): string {
  const value = decimal(text.trim());
  if (value !== undefined) return toText(value);
  throw new FieldError(field, 'Write a number such as 0.015.');
}

/** A typed percentage as the part that it is: `0.1` → `0.001`. @throws FieldError where it is none */
export function parsePercent(text: string, field: string): string {
  const value = decimal(text.trim());
  if (value !== undefined) return toText({ units: value.units, scale: value.scale + 2 });
  throw new FieldError(field, 'Write a percentage such as 0.1.');
}

/** The part as a percentage to type: `0.001` → `0.1`. */
export function toPercentText(part: string): string {
  const value = decimal(part);
  return value === undefined ? part : toText({ units: value.units * 100n, scale: value.scale });
}
