import { HOUR_MS, MINUTE_MS } from '../../../config/durations.ts';
import { illegalData, type Parameters } from '../parameters.ts';

/** The form of a zone of quarter hours. Candles of another one would be made of minutes, and take that much longer. */
const ZONE = /^([+-]?)(\d{1,2})(?::(00|15|30|45))?$/;
const MIN_ZONE_MS = -12 * HOUR_MS;
const MAX_ZONE_MS = 14 * HOUR_MS;

/** Reads `timeZone`, such as `8`, `-1:00` or `05:45`. Returns milliseconds ahead of UTC. @throws BinanceError -1130 */
export function readTimeZone(given: Parameters): number {
  const text = given.text('timeZone');
  if (text === undefined) return 0;
  const zoneMs = parseTimeZone(text);
  if (zoneMs === undefined) throw illegalData('timeZone');
  return zoneMs;
}

/** Returns milliseconds ahead of UTC; undefined if the text is not a time zone of quarter hours from -12:00 to +14:00. */
function parseTimeZone(text: string): number | undefined {
  const match = ZONE.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  const zoneMs = sign === '-' ? -size : size;
  return zoneMs < MIN_ZONE_MS || zoneMs > MAX_ZONE_MS ? undefined : zoneMs;
}
