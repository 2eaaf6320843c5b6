import type { DetectorName, FoundAlert } from '../../surveillance/alert.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Value } from '../database/database.ts';
import { alertsTable, readAlert } from '../tables/surveillance.ts';
import type { Pending } from '../writer/pending.ts';

/** A query for alerts, newest first. */
export interface AlertFilter {
  readonly detector?: DetectorName | undefined;
  /** Index of the market. */
  readonly market?: number | undefined;
  /** Index of the main account of a user concerned. */
  readonly owner?: number | undefined;
  /** Only alerts found before this place. */
  readonly before?: Pick<FoundAlert, 'foundIn' | 'foundIndex'> | undefined;
  readonly limit: number;
}

/** Returns the alerts that match, from the store and from the rows that wait for it. */
export async function findAlerts(
  database: Queries,
  pending: Pick<Pending, 'alerts'>,
  filter: AlertFilter,
): Promise<FoundAlert[]> {
  const { detector, market, owner, before, limit } = filter;
  const values: Value[] = [];
  const conditions: string[] = [];
  const add = (...given: Value[]) => given.map((value) => `$${values.push(value)}`);
  if (detector !== undefined) conditions.push(`detector = ${add(detector)}`);
  if (market !== undefined) conditions.push(`market = ${add(market)}`);
  if (owner !== undefined) conditions.push(`${add(owner)} IN (owner, partner)`);
  if (before !== undefined) {
    const place = add(before.foundIn, before.foundIndex);
    conditions.push(`(found_in, found_index) < (${place.join(', ')})`);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT * FROM alerts ${where} ORDER BY found_in DESC, found_index DESC LIMIT ${add(limit)}`;
  const stored = (await select(database, alertsTable, text, ...values)).map(readAlert);
  const waiting = pending.alerts().filter((alert) => matchesAlert(alert, filter));
  return [...stored, ...waiting].sort((a, b) => compare(b, a)).slice(0, limit);
}

/** Returns an alert by its id. */
export async function findAlert(
  database: Queries,
  pending: Pick<Pending, 'alerts'>,
  id: string,
): Promise<FoundAlert | undefined> {
  const waiting = pending.alerts().find((alert) => alert.id === id);
  if (waiting !== undefined) return waiting;
  const [row] = await select(database, alertsTable, 'SELECT * FROM alerts WHERE id = $1', id);
  return row && readAlert(row);
}

function matchesAlert(alert: FoundAlert, { detector, market, owner, before }: AlertFilter) {
  return (
    (detector ?? alert.detector) === alert.detector &&
    (market ?? alert.market) === alert.market &&
    (owner === undefined || alert.owners.includes(owner)) &&
    (before === undefined || compare(alert, before) < 0)
  );
}

type FoundPlace = NonNullable<AlertFilter['before']>;

function compare(a: FoundPlace, b: FoundPlace): number {
  return a.foundIn - b.foundIn || a.foundIndex - b.foundIndex;
}
