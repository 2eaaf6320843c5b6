import { type Decimal, decimal, rounded, toFixedText } from './decimal.ts';

/** Adds thousands separators: `1234567.8` → `1,234,567.8`. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** Formats with a fixed number of decimals, rounded down so that a balance never looks larger than it is. */
export function fixed(value: string | Decimal, decimals: number): string {
  const parsed = typeof value === 'string' ? decimal(value) : value;
  if (parsed === undefined) return `${value}`;
  return grouped(toFixedText(rounded(parsed, decimals, 'down')));
}

const SUFFIXES = ['', 'K', 'M', 'B', 'T'];

/** Shortens a large number: `1234567.8` → `1.23M`. */
export function compact(text: string): string {
  const parsed = decimal(text);
  if (parsed === undefined) return text;
  const whole = toFixedText(rounded(parsed, 0, 'down')).replace('-', '');
  const power = Math.min(Math.floor((whole.length - 1) / 3), SUFFIXES.length - 1);
  const scaled = { units: parsed.units, scale: parsed.scale + 3 * power };
  const decimals = whole === '0' ? 4 : 2;
  return `${grouped(toFixedText(rounded(scaled, decimals, 'half')))}${SUFFIXES[power]}`;
}

/** Formats a change: `2.5` → `+2.50%`. The sign carries the meaning without the color. */
export function percent(text: string, decimals = 2): string {
  const parsed = decimal(text);
  if (parsed === undefined) return text;
  const value = rounded(parsed, decimals, 'half');
  const sign = value.units > 0n ? '+' : '';
  return `${sign}${grouped(toFixedText(value)).replace('-', '−')}%`;
}

/** Returns the color class of a change in percent; empty if it is shown as zero. */
export function changeTone(text: string): 'buy' | 'sell' | '' {
  const parsed = decimal(text);
  const units = parsed === undefined ? 0n : rounded(parsed, 2, 'half').units;
  if (units === 0n) return '';
  return units > 0n ? 'buy' : 'sell';
}

/** Prefixes that carry the meaning of a color class for users who do not see it. */
export const ARROWS = { buy: '↑ ', sell: '↓ ', '': '' } as const;

/** Formats a fee rate: `0.001` → `0.1%`. */
export function rate(text: string): string {
  const parsed = decimal(text);
  if (parsed === undefined) return text;
  const scaled = { units: parsed.units * 100n, scale: parsed.scale };
  return `${toFixedText(scaled).replace(/\.?0+$/, '')}%`;
}

const CLOCK: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const clock = new Intl.DateTimeFormat('en-GB', CLOCK);
const DATE: Intl.DateTimeFormatOptions = { day: '2-digit', month: 'short', year: 'numeric' };
const dateOnly = new Intl.DateTimeFormat('en-GB', DATE);
const dateAndTime = new Intl.DateTimeFormat('en-GB', { ...DATE, ...CLOCK });

/** Formats an ISO time in the local time zone: `14:05:09`. */
export function timeOfDay(time: string): string {
  return clock.format(new Date(time));
}

/** Formats an ISO time in the local time zone: `05 Jan 2026, 14:05:09`. */
export function dateTime(time: string): string {
  return dateAndTime.format(new Date(time));
}

/** Formats the time if it is today, `14:05:09`, else the date, `05 Jan 2026`. */
export function shortTime(time: string, now = new Date()): string {
  const then = new Date(time);
  return then.toDateString() === now.toDateString() ? clock.format(then) : dateOnly.format(then);
}

/** Converts an identifier to a label: `take_profit_limit` → `Take profit limit`. */
export function sentenceCase(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
