import { type Decimal, decimal, rounded, toFixedText } from './decimal.ts';

/** `1234567.8` → `1,234,567.8`, digits untouched. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** A value to just so many decimals, grouped; cut off, never up: a balance must not look larger. */
export function fixed(value: string | Decimal, decimals: number): string {
  const parsed = typeof value === 'string' ? decimal(value) : value;
  if (parsed === undefined) return `${value}`;
  return grouped(toFixedText(rounded(parsed, decimals, 'down')));
}

const SUFFIXES = ['', 'K', 'M', 'B', 'T'];

/** Three or four figures that tell the size: `1,234,567.8` → `1.23M`. */
export function compact(text: string): string {
  const parsed = decimal(text);
  if (parsed === undefined) return text;
  const whole = toFixedText(rounded(parsed, 0, 'down')).replace('-', '');
  const power = Math.min(Math.floor((whole.length - 1) / 3), SUFFIXES.length - 1);
  const scaled = { units: parsed.units, scale: parsed.scale + 3 * power };
  const decimals = whole === '0' ? 4 : 2;
  return `${grouped(toFixedText(rounded(scaled, decimals, 'half')))}${SUFFIXES[power]}`;
}

/** `2.5` → `+2.50 %`: the sign is always there, so that colour never tells alone. */
export function percent(text: string, decimals = 2): string {
  const parsed = decimal(text);
  if (parsed === undefined) return text;
  const value = rounded(parsed, decimals, 'half');
  const sign = value.units > 0n ? '+' : '';
  return `${sign}${grouped(toFixedText(value)).replace('-', '−')}%`;
}

/** The class of the colour of a change that `percent` shows; none where it shows zero. */
export function changeTone(text: string): 'buy' | 'sell' | '' {
  const parsed = decimal(text);
  const units = parsed === undefined ? 0n : rounded(parsed, 2, 'half').units;
  if (units === 0n) return '';
  return units > 0n ? 'buy' : 'sell';
}

/** What goes before a figure of a colour, for who does not see colours. */
export const ARROWS = { buy: '↑ ', sell: '↓ ', '': '' } as const;

/** A fee rate: `0.001` → `0.1%`. */
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

/** Of an ISO time, in the zone of the reader: `14:05:09`. */
export function timeOfDay(time: string): string {
  return clock.format(new Date(time));
}

/** `5 Jan 2026, 14:05:09`. */
export function dateTime(time: string): string {
  return dateAndTime.format(new Date(time));
}

/** As little as tells it: `14:05:09` of today, else `5 Jan 2026`. */
export function shortTime(time: string, now = new Date()): string {
  const then = new Date(time);
  return then.toDateString() === now.toDateString() ? clock.format(then) : dateOnly.format(then);
}

/** `take_profit_limit` → `Take profit limit`. */
export function sentenceCase(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
