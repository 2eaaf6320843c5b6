import { t } from '../i18n/t.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a duration in its two largest units: `1 h 5 min`, `40 s`. @param ms Milliseconds, not negative */
export function lasting(ms: number): string {
  const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)];
  if (days > 0) return t('{days} d {hours} h', { days, hours });
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (hours > 0) return t('{hours} h {minutes} min', { hours, minutes });
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  if (minutes > 0) return t('{minutes} min {seconds} s', { minutes, seconds });
  return t('{seconds} s', { seconds });
}
