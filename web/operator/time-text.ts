/** Times as operators type them: `2026-01-31` and `2026-01-31 14:05`, in 24-hour time like all tables. */

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2}))?$/;

/** Returns a typed date as `2026-01-31`; undefined if there is no such day. */
export function readDate(text: string): string | undefined {
  const [, year, month, day] = DATE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const found = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  // The 31st of a month without one would be a day of the next, and the year 50 that of 1950.
  return date.toISOString().startsWith(found) ? found : undefined;
}

/** Returns a date while it is being typed: only in full, as `2026-01-3` may be the beginning of `2026-01-31`. */
export function readFullDate(text: string): string | undefined {
  const date = readDate(text);
  return date === text.trim() ? date : undefined;
}

/** Returns a typed time as `2026-01-31 14:05`, midnight if it is only a date; undefined if it is not valid. */
export function readTime(text: string): string | undefined {
  const [, year, month, day, hour = '0', minute = '00'] = TIME.exec(text.trim()) ?? [];
  const date = readDate(`${year}-${month}-${day}`);
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return `${date} ${hour.padStart(2, '0')}:${minute}`;
}

/** Like `readTime` for the end of a period: only a date stays one, and means all of that day. */
export function readEnd(text: string): string | undefined {
  return readDate(text) ?? readTime(text);
}

/**
 * Returns the ISO 8601 time of a typed time, '' for ''; undefined if it is not valid.
 * @param isUtc Whether the operator's clock is UTC; otherwise the text is in the browser's time zone.
 * @param read Whether only a date is the beginning of that day (`readTime`) or its end (`readEnd`)
 */
export function toIsoTime(
  text: string,
  isUtc: boolean,
  read: typeof readTime | typeof readEnd = readTime,
): string | undefined {
  if (text.trim() === '') return '';
  const found = read(text);
  if (found === undefined) return undefined;
  const time = found.includes(' ') ? `${found.replace(' ', 'T')}:00` : `${found}T23:59:59.999`;
  return new Date(`${time}${isUtc ? 'Z' : ''}`).toISOString();
}

/** Formats the name of a time zone: `America/New_York` → `America/New York`. */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}
