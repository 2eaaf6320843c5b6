import type { Detection } from '../../../archivist/archivist.ts';
import { findOwner } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import type { AlertFilter, AlertWithCase } from '../../../history/history.ts';
import {
  caseStatus,
  caseStatuses,
  PARAMETERS as DETECTOR_PARAMETERS,
  detectorNames,
  type Place,
  SEVERITIES,
  severities,
} from '../../../surveillance/alert.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { describe } from '../../openapi/description.ts';
import { record, reference } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { findAccount } from './accounts.ts';

const PARAMETERS = [
  'detector',
  'severity',
  'symbol',
  'account',
  'caseStatus',
  'assignee',
  'since',
  'until',
  'limit',
  'cursor',
] as const;
/** A cursor is the batch times this, and the alert's place in it. */
const CURSOR_STEP = 2 ** 16;

/** GET /api/admin/alerts: `{alerts, failedDetectors, detection, nextCursor}`, the newest alert first. */
export async function listSurveillanceAlerts(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const limit = query.count('limit');
  const { state } = call.exchange;
  const account = query.text('account');
  const assignee = query.text('assignee');
  const cursor = query.cursor('surveillance');
  const filter: AlertFilter = {
    detector: query.choice('detector', detectorNames),
    severity: query.choice('severity', severities),
    since: query.time('since'),
    until: query.time('until'),
    market: query.market(call.exchange)?.index,
    owner: account === undefined ? undefined : findUser(account, state),
    status: query.choice('caseStatus', caseStatuses),
    assignee: assignee === undefined ? undefined : findAccount(assignee, state, 'assignee').index,
    before: cursor === undefined ? undefined : readPlace(cursor),
    limit: limit + 1,
  };
  const { replica, archivist } = call.services;
  const answer = await archivist.query({ kind: 'alerts', filter }, replica.position);
  const detection = await archivist.query({ kind: 'detection' }, replica.position);
  const found = answer as AlertWithCase[];
  const page = found.slice(0, limit);
  const last = found.length > page.length ? page.at(-1)!.alert : undefined;
  const edge = last && last.foundIn * CURSOR_STEP + last.foundIndex;
  const failed = (archivist.surveillance?.failures ?? []).map(
    ({ detector, position, reason }) =>
      `{"detector":"${detector}","logPosition":${position},"error":${quote(reason)}}`,
  );
  return (
    `{"alerts":[${page.map((each) => alertText(each, state)).join(',')}],` +
    `"failedDetectors":[${failed.join(',')}],` +
    `"detection":${detectionText(detection as Detection)},` +
    `"nextCursor":${nextCursorText(edge, query.scope('surveillance'))}}`
  );
}
listSurveillanceAlerts.description = describe({
  operationId: 'listSurveillanceAlerts',
  tag: 'Operator',
  summary: 'Alerts of market surveillance, newest first',
  notes:
    'An alert appears with the first command after the end of its window. `failedDetectors` lists the detectors that are ' +
    'off on this node because they failed, `detection` what all of them have read since this node started.',
  query: PARAMETERS,
  queryTexts: {
    account: 'Return only alerts that concern the user of this account.',
    since:
      'Return only alerts whose pattern ends at this time or later. ISO 8601 with a zone, or milliseconds since 1970.',
    until:
      'Return only alerts whose pattern ends up to this time. ISO 8601 with a zone, or milliseconds since 1970.',
  },
  data: record({
    alerts: recordList('SurveillanceAlert'),
    failedDetectors: recordList('FailedDetector'),
    detection: reference('Detection'),
    nextCursor,
  }),
  errors: ['INVALID_SYMBOL', 'NOT_FOUND', 'OVERLOADED'],
});

function detectionText({ coverage, windows, alerts, readTo }: Detection): string {
  const { from, to, orders, trades } = coverage;
  const detectors = detectorNames.map((name) => {
    const window = windows.find((each) => each.name === name);
    const { windowMs = 0, endsAt = 0 } = window ?? {};
    // In its first window a detector has not evaluated anything.
    const evaluatedTo = from !== 0 && from < endsAt - windowMs ? endsAt - windowMs : 0;
    return (
      `{"detector":"${name}","severity":"${SEVERITIES[name]}","isRunning":${window !== undefined},` +
      `"windowMs":${windowMs || 'null'},"evaluatedTo":${timeOrNull(evaluatedTo)},` +
      `"nextAt":${timeOrNull(endsAt)},"alerts":${alerts[name]},` +
      `"parameters":${JSON.stringify(DETECTOR_PARAMETERS[name])}}`
    );
  });
  return (
    `{"detectors":[${detectors.join(',')}],"from":${timeOrNull(from)},"to":${timeOrNull(to)},` +
    `"logPosition":${readTo},"orders":${orders},"trades":${trades}}`
  );
}

/** @param time Milliseconds since 1970; 0 for none */
function timeOrNull(time: number): string {
  return time === 0 ? 'null' : timeText(time);
}

/** Returns the index of the main account of an account's user. @throws ApiError NOT_FOUND */
function findUser(account: string, state: State): number {
  return findOwner(state.accounts, findAccount(account, state).index);
}

function readPlace(cursor: number): AlertFilter['before'] {
  return { foundIn: Math.floor(cursor / CURSOR_STEP), foundIndex: cursor % CURSOR_STEP };
}

/** Returns an alert and its case as JSON. */
export function alertText({ alert, review }: AlertWithCase, state: State): string {
  const assignee = state.accounts[review?.assignee ?? NONE]?.id;
  const accounts = alert.owners.map((owner) => quote(state.accounts[owner]!.id));
  return (
    `{"id":"${alert.id}","detector":"${alert.detector}","severity":"${SEVERITIES[alert.detector]}",` +
    `"symbol":${quote(state.markets[alert.market]!.symbol)},"accounts":[${accounts.join(',')}],` +
    `"from":${placeText(alert.from)},"to":${placeText(alert.to)},` +
    `"figures":${JSON.stringify(alert.figures)},"logPosition":${alert.foundIn},` +
    `"caseStatus":"${caseStatus(review)}","assignee":${assignee === undefined ? 'null' : quote(assignee)},` +
    `"reviewedAt":${review === undefined ? 'null' : timeText(review.time)}}`
  );
}

function placeText({ sequence, index, time }: Place): string {
  return `{"logPosition":${sequence},"index":${index},"timestamp":${timeText(time)}}`;
}
