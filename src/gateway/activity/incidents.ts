import { DAY_MS } from '../../config/durations.ts';
import type { AuditRecord } from '../../history/history.ts';

const RESTRICTED = ['cancel_only', 'halted'] as const;
/** The statuses of markets in which no orders are accepted. */
type RestrictedStatus = (typeof RESTRICTED)[number];

export interface Period {
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** A period in which trading was restricted, as the log has it. */
export interface Incident extends Period {
  readonly cause: 'halt' | 'maintenance' | 'market';
  readonly status: RestrictedStatus;
  /** Index of the market; undefined for all. */
  readonly market: number | undefined;
  /** Empty if none was given. */
  readonly reason: string;
}

/** The actions of the audit that start or end incidents. */
export const INCIDENT_ACTIONS = [
  'setTradingStatus',
  'scheduleMaintenance',
  'cancelMaintenance',
  'setMarketStatus',
] as const;

/** The fields of the audited commands, as history has them. */
interface Details {
  readonly status: string;
  readonly market: number;
  readonly reason?: string;
  readonly from: number;
  readonly to: number;
  readonly mode: RestrictedStatus;
  readonly message: string;
}

/**
 * Returns the incidents that audited commands started, the newest first.
 * @param records Those with one of the actions, the oldest first
 * @param now Milliseconds since 1970; a maintenance that starts later is none yet
 */
export function findIncidents(records: readonly AuditRecord[], now: number): Incident[] {
  const incidents: Incident[] = [];
  const open = new Map<number | undefined, Incident>();
  const periods = new Map<number, Incident>();
  for (const record of records) {
    if (record.outcome !== 'done') continue;
    const details = JSON.parse(record.details) as Details;
    if (record.action === 'scheduleMaintenance') {
      const { from, to, mode: status, message: reason } = details;
      const start = Math.max(from, record.time);
      periods.set(from, {
        cause: 'maintenance',
        status,
        market: undefined,
        reason,
        from: start,
        to,
      });
    } else if (record.action === 'cancelMaintenance') {
      const period = periods.get(details.from);
      periods.delete(details.from);
      if (period === undefined || period.from >= record.time) continue;
      incidents.push({ ...period, to: Math.min(period.to!, record.time) });
    } else note(record, details);
  }
  for (const period of periods.values()) {
    if (period.from <= now)
      incidents.push(period.to! > now ? { ...period, to: undefined } : period);
  }
  return [...incidents, ...open.values()].sort((a, b) => b.from - a.from);

  /** Ends what restricted the market, or all of them, and starts what the command restricts. */
  function note({ action, time }: AuditRecord, { status, market, reason = '' }: Details): void {
    const isForAll = action === 'setTradingStatus';
    const place = isForAll ? undefined : market;
    const before = open.get(place);
    if (before !== undefined && before.from < time) incidents.push({ ...before, to: time });
    open.delete(place);
    if (!isRestricted(status)) return;
    const cause = isForAll ? 'halt' : 'market';
    open.set(place, { cause, status, market: place, reason, from: time, to: undefined });
  }
}

function isRestricted(status: string): status is RestrictedStatus {
  return (RESTRICTED as readonly string[]).includes(status);
}

/** A UTC day and for how long trading was restricted on it. */
export interface DayOfIncidents {
  /** The beginning of the day, milliseconds since 1970. */
  readonly day: number;
  /** For how long all markets were restricted, milliseconds. */
  readonly allMs: number;
  /** For how long any market was restricted, milliseconds; at least `allMs`. */
  readonly anyMs: number;
}

/** Returns the last days up to today, the oldest first. */
export function daysOfIncidents(
  incidents: readonly Incident[],
  now: number,
  count: number,
): DayOfIncidents[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const ofAll = incidents.filter(({ market }) => market === undefined);
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * DAY_MS;
    const end = Math.min(day + DAY_MS, now);
    return { day, allMs: covered(ofAll, day, end), anyMs: covered(incidents, day, end) };
  });
}

/** Returns how much of a time span the periods cover, which are the newest first, counting what overlaps once. */
export function covered(periods: readonly Period[], from: number, to: number): number {
  let total = 0;
  let reached = from;
  // The earliest first.
  for (const period of periods.toReversed()) {
    const start = Math.max(period.from, reached);
    const end = Math.min(period.to ?? to, to);
    if (end <= start) continue;
    total += end - start;
    reached = end;
  }
  return total;
}
