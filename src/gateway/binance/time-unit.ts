import { BinanceError } from './errors.ts';

const UNITS: Readonly<Record<string, boolean>> = {
  MILLISECOND: false,
  millisecond: false,
  MICROSECOND: true,
  microsecond: true,
};
/**
 * The fields that have times, of answers and of events. `t` and `u` are also ids, which have less digits than a time until
 * they reach a trillion.
 */
const NAMES =
  'serverTime|time|updateTime|transactTime|transactionTime|workingTime|trailingTime|openTime|closeTime|retryAfter|' +
  'authorizedSince|connectedSince|E|T|t|O|C|W|D|u';
const FIELD = new RegExp(`(?<time>"(?:${NAMES})":\\d{13})(?=[,}])`, 'g');
/** The start and the end of a candle, with the five texts between them. */
const CANDLE = /\[(?<start>\d{13}),(?<texts>(?:"[^"]*",){5})(?<end>\d{13}),/g;

/**
 * Returns whether a client wants times in microseconds (rest-api.md, "General API Information").
 * @param unit The header X-MBX-TIME-UNIT or the parameter timeUnit of a socket's URL; null if absent.
 * @throws BinanceError -1194
 */
export function wantsMicroseconds(unit: string | null): boolean {
  if (unit === null) return false;
  if (Object.hasOwn(UNITS, unit)) return UNITS[unit]!;
  const message = 'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.';
  throw new BinanceError(-1194, message);
}

/** Returns an answer or event with its times in microseconds. The exchange's times are whole milliseconds. */
export function toMicroseconds(json: string): string {
  return json.replace(FIELD, '$<time>000').replace(CANDLE, '[$<start>000,$<texts>$<end>000,');
}

/** Returns an answer or event with its times in the unit of a connection. */
export function inTimeUnit(
  { inMicroseconds }: { readonly inMicroseconds: boolean },
  json: string,
): string {
  return inMicroseconds ? toMicroseconds(json) : json;
}
