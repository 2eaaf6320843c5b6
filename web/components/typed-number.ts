import { decimal } from '../decimal.ts';
import { countDecimals, grouped, locale } from '../format.ts';
import { languageCache } from '../i18n/catalog.ts';
import { t } from '../i18n/t.ts';
import { FieldError } from './field-error.ts';

/** The separators of numbers in a language. */
interface Separators {
  readonly point: string;
  readonly group: string;
}

const found = languageCache<Separators>();

function separators(language: string): Separators {
  const known = found.get(language);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(12345.6);
  const read = (type: string, fallback: string) =>
    parts.find((part) => part.type === type)?.value ?? fallback;
  const result = { point: read('decimal', '.'), group: read('group', ',') };
  found.set(language, result);
  return result;
}

/** One group of thousands without decimals, with the comma that `plainNumber` leaves: one thousand or one and decimals. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;
/** A group cannot start with 0: `0,500` is one half with a decimal comma. */
const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/**
 * Converts a number as users type it to digits with a decimal point: `1.234,5` in German → `1234.5`. Text that is not a
 * number, and text that could be two numbers, is returned so that `decimal` rejects it.
 */
export function plainNumber(typed: string): string {
  // Asian keyboards have full-width digits and points.
  const text = typed.trim().normalize('NFKC');
  const { point, group } = separators(locale());
  if (!text.includes(group)) return text.replaceAll(point, '.');
  const english = text.replace(/[.,]/g, (sign) => (sign === point ? '.' : ','));
  if (AMBIGUOUS.test(english)) return english;
  if (GROUPED.test(english)) return english.replaceAll(',', '');
  const isDecimal = group === '.' || group === systemPoint();
  return isDecimal && english.indexOf(',') === english.lastIndexOf(',') && !english.includes('.')
    ? english.replace(',', '.')
    : english;
}

/** Returns the decimal separator of the system, which keypads of phones have whatever the language of the page. */
function systemPoint(): string {
  const language = globalThis.navigator?.language;
  return language === undefined ? '.' : separators(language).point;
}

/** Writes a number with a decimal point as the user would type it: `0.05` → `0,05` in German. */
export function localNumber(plain: string): string {
  return plain.replace('.', separators(locale()).point);
}

/** Adds separators to a number as the user typed it, with all its decimals. Other text is returned as it is. */
export function groupTyped(typed: string): string {
  const plain = plainNumber(typed);
  return decimal(plain) === undefined ? typed : grouped(plain);
}

/** Returns the message for a result of `plainNumber` that is not a number. */
export function notNumber(text: string, otherwise: string): string {
  if (AMBIGUOUS.test(text)) {
    const shown = separators(locale()).point === ',' ? text.replace(',', '.') : text;
    const whole = text.replace(',', '');
    const fraction = localNumber(text.replace(',', '.'));
    return t('{shown} is ambiguous. Enter {whole} or {fraction}.', { shown, whole, fraction });
  }
  return text.includes(',') && separators(locale()).point === '.'
    ? t('Use a decimal point, not a comma.')
    : otherwise;
}

/** Parses a number typed by the user. @throws FieldError if it is not a number */
export function parseNumber(text: string, field: string): string {
  const plain = plainNumber(text);
  const value = decimal(plain);
  if (value !== undefined) return value.toFixed();
  const example = localNumber('0.015');
  throw new FieldError(
    field,
    notNumber(plain, t('Enter a number, such as {example}.', { example })),
  );
}

/** Parses a percentage typed by the user: `0.1` → `0.001`. @throws FieldError if it is not a number */
export function parsePercent(text: string, field: string): string {
  const plain = plainNumber(text);
  const value = decimal(plain);
  if (value !== undefined) return value.times('0.01').toFixed();
  const example = localNumber('0.1');
  throw new FieldError(
    field,
    notNumber(plain, t('Enter a percentage, such as {example}.', { example })),
  );
}

/** Formats a fraction as an editable percentage: `0.001` → `0.1`. */
export function toPercentText(fraction: string): string {
  return localNumber(decimal(fraction)?.times(100).toFixed() ?? fraction);
}

/** Returns the most decimals that one of some typed numbers has; text that is not a number has none. */
export function maxDecimals(typed: readonly string[]): number {
  return Math.max(
    0,
    ...typed.map((text) => countDecimals(decimal(plainNumber(text))?.toFixed() ?? '')),
  );
}

/** Adds zeros to a typed number up to a number of decimals: `0.06` → `0.060`. Text that is not a number is returned as it is. */
export function padDecimals(typed: string, decimals: number): string {
  const value = decimal(plainNumber(typed));
  const isRounded = maxDecimals([typed]) > decimals;
  return value === undefined || isRounded ? typed : localNumber(value.toFixed(decimals));
}
