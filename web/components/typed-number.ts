import { decimal } from '../decimal.ts';
import { t } from '../i18n/index.ts';
import { FieldError } from './action.ts';

/** Parses a number typed by the user. @throws FieldError if it is not a number */
export function parseNumber(text: string, field: string): string {
  const value = decimal(text.trim());
  if (value !== undefined) return value.toFixed();
  throw new FieldError(field, t('Enter a number, such as 0.015.'));
}

/** Parses a percentage typed by the user: `0.1` → `0.001`. @throws FieldError if it is not a number */
export function parsePercent(text: string, field: string): string {
  const value = decimal(text.trim());
  if (value !== undefined) return value.times('0.01').toFixed();
  throw new FieldError(field, t('Enter a percentage, such as 0.1.'));
}

/** Formats a fraction as an editable percentage: `0.001` → `0.1`. */
export function toPercentText(fraction: string): string {
  return decimal(fraction)?.times(100).toFixed() ?? fraction;
}
