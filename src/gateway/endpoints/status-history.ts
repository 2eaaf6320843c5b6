import { DAY_MS } from '../../config/durations.ts';
import { MarketStatus } from '../../engine/terms.ts';
import type { AuditRecord } from '../../history/history.ts';
import { SAMPLE_MS } from '../activity/activity.ts';
import {
  covered,
  daysOfIncidents,
  findIncidents,
  INCIDENT_ACTIONS,
  type Incident,
} from '../activity/incidents.ts';
import { Kept } from '../activity/kept.ts';
import { findSuspensions, NETWORK_ACTION, type Suspensions } from '../activity/suspensions.ts';
import { quote } from '../http/json.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import {
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  text,
  timestamp,
} from '../openapi/json-schema.ts';
import type { Services } from '../services.ts';
import { timeText } from './records.ts';

const DAYS = 90;
/** Commands per action that are read, the newest of the days. */
const MAX_COMMANDS = 1000;
const MAX_INCIDENTS = 100;
/** Age from which the incidents are read again: they cost queries, and every visitor sees them. */
const INCIDENTS_MS = 10_000;

interface Recorded {
  /** The newest first. */
  readonly incidents: readonly Incident[];
  readonly suspensions: Suspensions;
  /** When each maintenance was announced, by its start. Both are milliseconds since 1970. */
  readonly announced: ReadonlyMap<number, number>;
}

const recorded = new Kept<Services, Recorded>(INCIDENTS_MS);

/** GET /api/status/history: incidents of the last 90 days, and response times of the node. */
export async function getStatusHistory(call: Call): Promise<string> {
  call.query([]);
  const { services } = call;
  const now = services.now();
  const { incidents, suspensions } = await readRecorded(services);
  const days = daysOfIncidents(incidents, now, DAYS).map(({ day, allMs, anyMs }) => {
    const seconds = (ms: number) => Math.ceil(ms / 1000);
    const suspended = (kind: keyof Suspensions) =>
      seconds(covered(suspensions[kind], day, Math.min(day + DAY_MS, now)));
    return (
      `{"date":"${new Date(day).toISOString().slice(0, 10)}",` +
      `"restrictedSeconds":${seconds(allMs)},"anyRestrictedSeconds":${seconds(anyMs)},` +
      `"depositsSuspendedSeconds":${suspended('deposits')},` +
      `"withdrawalsSuspendedSeconds":${suspended('withdrawals')}}`
    );
  });
  const texts = incidents.slice(0, MAX_INCIDENTS).map((incident) => incidentText(incident, call));
  return (
    `{"timestamp":${timeText(now)},"startedAt":${timeText(services.activity?.startedAt ?? now)},` +
    `"recordedSince":${timeText(recordedSince(call))},` +
    `"archivistLagMs":${Math.round(services.archivist.lagMs())},` +
    `"days":[${days.join()}],"incidents":[${texts.join()}],"responseTimes":${responseTimes(services)}}`
  );
}
getStatusHistory.description = describe({
  operationId: 'getStatusHistory',
  tag: 'Market data',
  summary: 'Incidents of the last 90 days, and response times',
  notes:
    'Incidents are the periods in which operators or maintenance restricted trading, from the log. Those of the last 10 seconds may be ' +
    'missing. Response times are those of the node that responds, since it started.',
  data: record({
    timestamp: timestamp('The current time.'),
    startedAt: timestamp('Since when the node that responds serves.'),
    recordedSince: timestamp('Since when the exchange exists: earlier days have no data.'),
    archivistLagMs: integer('How far the history lags behind, milliseconds.', 0),
    days: list(
      record({
        date: text('UTC day.', '2026-11-22'),
        restrictedSeconds: integer('For how long all markets were restricted.', 0),
        anyRestrictedSeconds: integer('For how long any market was restricted.', 0),
        depositsSuspendedSeconds: integer(
          'For how long operators had suspended deposits of any network.',
          0,
        ),
        withdrawalsSuspendedSeconds: integer('The same of withdrawals.', 0),
      }),
      `The last ${DAYS} days, today last.`,
    ),
    incidents: list(
      record({
        cause: enumeration(
          ['halt', 'maintenance', 'market'],
          '`halt` of all markets, `maintenance`, or the status of one `market`.',
        ),
        symbol: nullable(text('The market; null for all.', 'BTC/USDT')),
        status: enumeration(['cancel_only', 'halted'], 'The status in the meantime.'),
        reason: nullable(text('What the operators announced.', 'New release')),
        from: timestamp('When it started.'),
        to: nullable(timestamp('When it ended; null while it lasts.')),
      }),
      `At most ${MAX_INCIDENTS}, the newest first.`,
    ),
    responseTimes: record({
      everyMs: integer('Interval of the samples, milliseconds.', SAMPLE_MS),
      medianMs: list(
        number('Milliseconds; 0 with fewer than 100 requests.', 0.4),
        'Median of the five minutes up to each of the last ten minutes’ samples, the oldest first.',
      ),
      p99Ms: list(
        number('Milliseconds; 0 with fewer than 100 requests.', 2.1),
        'The 99th percentile.',
      ),
    }),
  }),
  errors: ['OVERLOADED'],
});

/** Returns the incidents and announcements of the last 90 days; those of the last 10 seconds may be missing. */
export function readRecorded(services: Services): Promise<Recorded> {
  return recorded.get(services, () => readHistory(services, services.now()));
}

async function readHistory({ archivist, replica }: Services, now: number): Promise<Recorded> {
  const { markets } = replica.exchange.state;
  const read = async (actions: readonly string[], since?: number) => {
    const terms = { beforeId: Number.MAX_SAFE_INTEGER, limit: MAX_COMMANDS, since };
    const pages = await Promise.all(
      actions.map((action) =>
        archivist.query({ kind: 'audit', filter: { ...terms, action } }, replica.position),
      ),
    );
    return (pages.flat() as AuditRecord[]).sort((a, b) => a.id - b.id);
  };
  const [restrictions, rules] = await Promise.all([
    read(INCIDENT_ACTIONS, now - DAYS * DAY_MS),
    // Without a limit of time: a network that was suspended before may still be.
    read([NETWORK_ACTION]),
  ]);
  const isOver = ({ market, to }: Incident) =>
    to === undefined && market !== undefined && markets[market]!.status === MarketStatus.delisted;
  return {
    incidents: findIncidents(restrictions, now).filter((incident) => !isOver(incident)),
    suspensions: findSuspensions(rules),
    announced: new Map(
      restrictions
        .filter(({ action, outcome }) => action === 'scheduleMaintenance' && outcome === 'done')
        .map(({ details, time }) => [JSON.parse(details).from, time]),
    ),
  };
}

/** Returns when the exchange created its first account, with its first commands. */
function recordedSince({ exchange, services }: Call): number {
  return exchange.state.accounts[0]?.createdAt ?? services.now();
}

function incidentText({ cause, market, status, reason, from, to }: Incident, call: Call): string {
  const symbol = market === undefined ? 'null' : quote(call.exchange.state.markets[market]!.symbol);
  return (
    `{"cause":"${cause}","symbol":${symbol},"status":"${status}",` +
    `"reason":${reason === '' ? 'null' : quote(reason)},"from":${timeText(from)},` +
    `"to":${to === undefined ? 'null' : timeText(to)}}`
  );
}

function responseTimes({ activity }: Services): string {
  const samples = activity?.samples ?? [];
  const list = (values: readonly (number | undefined)[]) =>
    `[${values.map((value = 0) => Math.round(value * 1000) / 1000).join()}]`;
  return (
    `{"everyMs":${SAMPLE_MS},"medianMs":${list(samples.map(({ all }) => all.median))},` +
    `"p99Ms":${list(samples.map(({ all }) => all.p99))}}`
  );
}
