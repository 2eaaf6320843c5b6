import { NONE } from '../../engine/terms.ts';
import {
  type CaseStatus,
  caseStatus,
  type DetectorName,
  detectorNames,
  type FoundAlert,
  SEVERITIES,
  type Severity,
} from '../../surveillance/alert.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Value } from '../database/database.ts';
import {
  type AlertReview,
  alertCasesTable,
  alertReviewsTable,
  alertsTable,
  latestReviews,
  readAlert,
  readReview,
} from '../tables/surveillance.ts';
import type { Pending } from '../writer/pending.ts';

/** A query for alerts, newest first. */
export interface AlertFilter {
  readonly detector?: DetectorName | undefined;
  readonly severity?: Severity | undefined;
  /** Index of the market. */
  readonly market?: number | undefined;
  /** Index of the main account of a user concerned. */
  readonly owner?: number | undefined;
  readonly status?: CaseStatus | undefined;
  /** Times of the last command that shows the pattern, milliseconds; both ends are included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Index of the account of the operator who investigates. */
  readonly assignee?: number | undefined;
  /** Only alerts found before this place. */
  readonly before?: Pick<FoundAlert, 'foundIn' | 'foundIndex'> | undefined;
  readonly limit: number;
}

/** An alert with its case. */
export interface AlertWithCase {
  readonly alert: FoundAlert;
  /** Its latest review, undefined before the first. */
  readonly review: AlertReview | undefined;
}

/** An alert with all of its reviews, in the order of the log. */
export interface ReviewedAlert {
  readonly alert: FoundAlert;
  readonly reviews: readonly AlertReview[];
}

type Waiting = Pick<Pending, 'alerts' | 'reviews'>;

/** Returns the alerts that match with their cases, from the store and from the rows that wait for it. */
export async function findAlerts(
  database: Queries,
  pending: Waiting,
  filter: AlertFilter,
): Promise<AlertWithCase[]> {
  const reviewed = latestReviews(pending.reviews());
  const waiting = pending.alerts().filter((alert) => matchesAlert(alert, filter));
  const rows = [...(await storedAlerts(database, filter, reviewed)), ...waiting];
  const cases = await findCases(database, reviewed, rows);
  return rows
    .map((alert) => ({ alert, review: cases.get(alert.id) }))
    .filter(({ review }) => matchesCase(review, filter))
    .sort((a, b) => compare(b.alert, a.alert))
    .slice(0, filter.limit);
}

/** Returns the newest stored alerts that match. @param reviewed The cases that wait for the store */
async function storedAlerts(
  database: Queries,
  filter: AlertFilter,
  reviewed: ReadonlyMap<string, AlertReview>,
): Promise<FoundAlert[]> {
  const { detector, severity, market, owner, since, until, before, limit } = filter;
  const values: Value[] = [];
  const conditions: string[] = [];
  const add = (...given: Value[]) => given.map((value) => `$${values.push(value)}`).join(', ');
  if (detector !== undefined) conditions.push(`detector = ${add(detector)}`);
  if (severity !== undefined) {
    const names = detectorNames.filter((name) => SEVERITIES[name] === severity);
    conditions.push(`detector IN (${add(...names)})`);
  }
  if (since !== undefined) conditions.push(`to_time >= ${add(since)}`);
  if (until !== undefined) conditions.push(`to_time <= ${add(until)}`);
  if (market !== undefined) conditions.push(`market = ${add(market)}`);
  if (owner !== undefined) conditions.push(`${add(owner)} IN (owner, partner)`);
  if (before !== undefined) {
    conditions.push(`(found_in, found_index) < (${add(before.foundIn, before.foundIndex)})`);
  }
  const inCase = caseCondition(filter, add);
  if (inCase !== undefined) {
    const among = (ids: readonly string[]) => `id IN (${ids.length === 0 ? "''" : add(...ids)})`;
    const matching = [...reviewed.values()].filter((review) => matchesCase(review, filter));
    const stored = `${inCase} AND NOT ${among([...reviewed.keys()])}`;
    conditions.push(`((${stored}) OR ${among(matching.map(({ alert }) => alert))})`);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT * FROM alerts ${where} ORDER BY found_in DESC, found_index DESC LIMIT ${add(limit)}`;
  return (await select(database, alertsTable, text, ...values)).map(readAlert);
}

/** Returns the condition on the stored case of an alert; undefined if any matches. */
function caseCondition(
  { status, assignee }: AlertFilter,
  add: (value: Value) => string,
): string | undefined {
  if (status === undefined && assignee === undefined) return undefined;
  const conditions = ['alert_cases.alert = alerts.id'];
  if (assignee !== undefined) conditions.push(`assignee = ${add(assignee)}`);
  // Alerts without a case are open, and assigned to no one.
  const includesUnreviewed = status === 'open' && assignee === undefined;
  if (status === 'closed') conditions.push('is_closed = 1');
  else if (status !== undefined) {
    conditions.push('is_closed = 0', `assignee ${status === 'open' ? '=' : '<>'} ${add(NONE)}`);
  }
  const found = `EXISTS (SELECT 1 FROM alert_cases WHERE ${conditions.join(' AND ')})`;
  if (!includesUnreviewed) return found;
  return `(${found} OR NOT EXISTS (SELECT 1 FROM alert_cases WHERE alert_cases.alert = alerts.id))`;
}

/** Returns the cases of alerts by the alert's id. */
async function findCases(
  database: Queries,
  reviewed: ReadonlyMap<string, AlertReview>,
  alerts: readonly FoundAlert[],
): Promise<Map<string, AlertReview>> {
  const cases = new Map<string, AlertReview>();
  if (alerts.length === 0) return cases;
  const places = alerts.map((_, index) => `$${index + 1}`).join(', ');
  const text = `SELECT * FROM alert_cases WHERE alert IN (${places})`;
  const ids = alerts.map(({ id }) => id);
  for (const row of await select(database, alertCasesTable, text, ...ids)) {
    const review = readReview(row);
    cases.set(review.alert, review);
  }
  for (const id of ids) if (reviewed.has(id)) cases.set(id, reviewed.get(id)!);
  return cases;
}

/** Returns an alert with its reviews. */
export async function findAlert(
  database: Queries,
  pending: Waiting,
  id: string,
): Promise<ReviewedAlert | undefined> {
  const waiting = pending.reviews().filter((review) => review.alert === id);
  let alert = pending.alerts().find((each) => each.id === id);
  if (alert === undefined) {
    const [row] = await select(database, alertsTable, 'SELECT * FROM alerts WHERE id = $1', id);
    if (row === undefined) return undefined;
    alert = readAlert(row);
  }
  const text = 'SELECT * FROM alert_reviews WHERE alert = $1 ORDER BY sequence, command_index';
  const stored = (await select(database, alertReviewsTable, text, id)).map(readReview);
  return { alert, reviews: [...stored, ...waiting] };
}

function matchesAlert(alert: FoundAlert, filter: AlertFilter) {
  const { detector, severity, market, owner, since = 0, until = Infinity, before } = filter;
  return (
    (detector ?? alert.detector) === alert.detector &&
    (severity ?? SEVERITIES[alert.detector]) === SEVERITIES[alert.detector] &&
    alert.to.time >= since &&
    alert.to.time <= until &&
    (market ?? alert.market) === alert.market &&
    (owner === undefined || alert.owners.includes(owner)) &&
    (before === undefined || compare(alert, before) < 0)
  );
}

function matchesCase(review: AlertReview | undefined, { status, assignee }: AlertFilter): boolean {
  return (
    (status === undefined || caseStatus(review) === status) &&
    (assignee === undefined || (review?.assignee ?? NONE) === assignee)
  );
}

type FoundPlace = NonNullable<AlertFilter['before']>;

function compare(a: FoundPlace, b: FoundPlace): number {
  return a.foundIn - b.foundIn || a.foundIndex - b.foundIndex;
}
