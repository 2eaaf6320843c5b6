import type Big from 'big.js';
import { catalog, languageCache } from './i18n/catalog.ts';
import { clock } from './preferences.ts';

type Rounding = 'trunc' | 'halfExpand';

/** Formatters by their options: creating one takes far longer than formatting with it. */
const formatters = languageCache<Intl.NumberFormat>();

/** Formats decimal text exactly: `Intl` does not convert strings to doubles. */
function format(text: string, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(locale(), options);
    formatters.set(key, formatter);
  }
  return formatter.format(text as Intl.StringNumericLiteral);
}

/** Counts the decimals of a number from the exchange. */
export function countDecimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Adds thousands separators: `1234567.80` → `1,234,567.80`. */
export function grouped(value: string | Big): string {
  const text = toPlainText(value);
  return fixed(text, countDecimals(text));
}

/** Formats with a fixed number of decimals, by default rounded down so that a balance never looks larger than it is. */
export function fixed(
  value: string | Big,
  decimals: number,
  roundingMode: Rounding = 'trunc',
): string {
  return format(toPlainText(value), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    roundingMode,
    signDisplay: 'negative',
  });
}

/** Formats a price or an amount with a fixed number of decimals, rounded to the nearest. */
export function rounded(value: string | Big, decimals: number): string {
  return fixed(value, decimals, 'halfExpand');
}

const MAX_USEFUL_DECIMALS = 8;
const SIGNIFICANT_DIGITS = 6;

/**
 * Returns how many decimals of a number are of use: two from a thousand on, more of smaller numbers, none for trailing
 * zeros: `1234.56789` → 2, `0.0120` → 3, `0.0000123456` → 8.
 */
export function usefulDecimals(value: string | Big): number {
  const text = toPlainText(value);
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.replace(/^0+/, '').length;
  // Zeros after the point are not significant.
  const zeros = digits > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0);
  const wanted = Math.min(MAX_USEFUL_DECIMALS, Math.max(2, SIGNIFICANT_DIGITS - digits + zeros));
  return Math.min(wanted, fraction.replace(/0+$/, '').length);
}

const BALANCE_DIGITS = 10;
const MIN_BALANCE_DECIMALS = 4;

/**
 * Formats an amount of a balance, the same on every page: rounded down to ten digits, but to four decimals at least and
 * eight at most, so that it never looks larger than it is: `993971.78873008` → `993,971.7887`.
 * @param minDecimals Decimals that are kept even if they are zeros, so that the digits of a column line up.
 */
export function balanceText(amount: string | Big, minDecimals = 0): string {
  const text = toPlainText(amount);
  const kept = countBalanceDecimals(text);
  const shown = fixed(text, Math.max(kept, minDecimals));
  const isTooSmall = /[1-9]/.test(text) && !/[1-9]/.test(shown);
  return isTooSmall ? `<${fixed(`1e-${MAX_USEFUL_DECIMALS}`, MAX_USEFUL_DECIMALS)}` : shown;
}

/** Counts the decimals that `balanceText` shows, without trailing zeros. */
export function countBalanceDecimals(amount: string | Big): number {
  const [whole = '', fraction = ''] = toPlainText(amount).split('.');
  const digits = whole.replace(/^-?0*/, '').length;
  const decimals = Math.min(
    MAX_USEFUL_DECIMALS,
    Math.max(MIN_BALANCE_DECIMALS, BALANCE_DIGITS - digits),
  );
  return fraction.slice(0, decimals).replace(/0+$/, '').length;
}

/** Shortens a large number: `1234567.8` → `1.23M`. */
export function compact(text: string): string {
  const decimals = /^-?0*(\.|$)/.test(text) ? 4 : 2;
  return format(text, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    notation: 'compact',
    useGrouping: 'always',
    signDisplay: 'negative',
  });
}

const MIN_SHORTENED_VOLUME = 1_000_000;

/** Formats a traded volume, in full below a million: `1984.2137` → `1,984.21`, `1234567.8` → `1.23M`. */
export function volumeText(text: string): string {
  if (Number(text) >= MIN_SHORTENED_VOLUME) return compact(text);
  return rounded(text, Number(text) < 1 ? usefulDecimals(text) : 2);
}

/** Formats an amount, rounded to the nearest; one of more than `maxChars` characters is shortened: `12,345,678` → `12.35M`. */
export function amountText(value: Big, decimals: number, maxChars: number): string {
  const text = rounded(value, decimals);
  return text.length <= maxChars ? text : compact(value.toFixed());
}

/** Formats a number of a chart, whose doubles are only for labels: `-1500` → `−1.5K`. */
export function compactNumber(value: number, decimals: number): string {
  const text = format(`${value}`, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    notation: 'compact',
    signDisplay: 'negative',
  });
  return text.replace('-', '−');
}

/** Formats a change: `2.5` → `+2.50%`. The sign carries the meaning without the color. */
export function percent(text: string, decimals = 2): string {
  const value = format(text, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  });
  return `${value.replace('-', '−')}%`;
}

/** Formats a gain or loss with its sign, rounded to the nearest: `1250.5` → `+1,250.50`. */
export function signed(value: string | Big, decimals: number): string {
  const text = format(toPlainText(value), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    roundingMode: 'halfExpand',
    signDisplay: 'exceptZero',
  });
  return text.replace('-', '−');
}

/** Returns the color class of a change in percent; empty if it is shown as zero. */
export function changeTone(text: string): 'buy' | 'sell' | '' {
  const sign = percent(text).charAt(0);
  if (sign === '+') return 'buy';
  return sign === '−' ? 'sell' : '';
}

/** Prefixes that carry the meaning of a color class for users who do not see it. */
export const ARROWS = { buy: '↑ ', sell: '↓ ', '': '' } as const;

/** Formats a fee rate: `0.001` → `0.10%`. */
export function rate(text: string): string {
  return format(text, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 20 });
}

/** Formats a part of a whole: `0.25` → `25%`. */
export function share(text: string): string {
  return format(text, { style: 'percent', maximumFractionDigits: 20 });
}

function toPlainText(value: string | Big): string {
  return typeof value === 'string' ? value : value.toFixed();
}

/** Returns the locale of numbers. English is that of the United States, as on other exchanges. */
export function locale(): string {
  return catalog.language.replace(/^en.*/, 'en-US');
}

const CLOCK: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const DATE: Intl.DateTimeFormatOptions = { day: '2-digit', month: 'short', year: 'numeric' };
const MINUTE: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};
const timeFormatters = languageCache<Intl.DateTimeFormat>();

/** Formats a time in the time zone that the user chose. English dates have the day first. */
export function formatTime(time: Date, options: Intl.DateTimeFormatOptions): string {
  const zone = clock.value === 'utc' ? { timeZone: 'UTC' } : {};
  const key = JSON.stringify([options, zone]);
  let formatter = timeFormatters.get(key);
  if (formatter === undefined) {
    const dates = catalog.language.replace(/^en.*/, 'en-GB');
    formatter = new Intl.DateTimeFormat(dates, { ...options, ...zone });
    timeFormatters.set(key, formatter);
  }
  return formatter.format(time);
}

/** Formats an ISO time: `14:05:09`. */
export function timeOfDay(time: string): string {
  return formatTime(new Date(time), CLOCK);
}

/** Formats the date of an ISO time: `05 Jan 2026`. */
export function formatDate(time: string): string {
  return formatTime(new Date(time), DATE);
}

/** Formats an ISO time: `05 Jan 2026, 14:05:09`. */
export function dateTime(time: string): string {
  return formatTime(new Date(time), { ...DATE, ...CLOCK });
}

/** Formats an ISO time without its seconds: `05 Jan 2026, 14:05`. */
export function dateAndMinute(time: string): string {
  return formatTime(new Date(time), { year: 'numeric', ...MINUTE });
}

/** Formats the time if it is today, `14:05:09`, else the date, `05 Jan 2026`. */
export function shortTime(time: string, now = new Date()): string {
  const then = new Date(time);
  const date = formatTime(then, DATE);
  return date === formatTime(now, DATE) ? formatTime(then, CLOCK) : date;
}

const DAYS_WITH_TIME = 180;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Formats the time if it is today, `14:05:09`, with the day if it is near, `05 Jan, 14:05`, else the date, `05 Jan 2026`. */
export function recentTime(time: string, now = new Date()): string {
  const then = new Date(time);
  const date = formatTime(then, DATE);
  if (date === formatTime(now, DATE)) return formatTime(then, CLOCK);
  const isNear = Math.abs(now.getTime() - then.getTime()) < DAYS_WITH_TIME * DAY_MS;
  return isNear ? formatTime(then, MINUTE) : date;
}

/** Formats the distance of a time zone from UTC, in minutes to the east: `UTC+5:30`, `UTC−3`, `UTC`. */
export function zoneText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const distance = Math.abs(minutes);
  const rest = distance % 60 === 0 ? '' : `:${String(distance % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(distance / 60)}${rest}`;
}

/** Converts an identifier to a label: `take_profit_limit` → `Take profit limit`. */
export function sentenceCase(name: string): string {
  return capitalize(name.replaceAll('_', ' ').toLowerCase());
}

/** Begins a text with a capital letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
