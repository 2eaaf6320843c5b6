import type { RetentionStatus } from '../../../archivist/archivist.ts';
import type { AssetAudit } from '../../../engine/audit/audit.ts';
import { auditOutcomes } from '../../../engine/command-details.ts';
import type { Coverage } from '../../../engine/custody/coverage.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import type { AuditFilter, AuditRecord, AuditTarget } from '../../../history/history.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import { integer, nullableReference, record, text, timestamp } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { findAccount } from './accounts.ts';
import { auditTexts } from './audit-text.ts';
import { VERSION_FIELDS, versionText } from './upgrade.ts';

/**
 * GET /api/admin/state: the log position, the hash of the state, the archivist's lag, and per asset the sums
 * that prove that the ledger balances, and liabilities and holdings. The archivist computes them from its own replica, so
 * that they do not delay other requests.
 */
export async function getState(call: Call): Promise<string> {
  call.query([]);
  const { replica, archivist } = call.services;
  const lagMs = Math.round(archivist.lagMs());
  const result = (await archivist.query({ kind: 'state' }, replica.position)) as {
    position: number;
    stateHash: string;
    openOrders: number;
    assets: AssetAudit[];
    coverage: Coverage[];
  };
  const assets = result.assets.map((asset, index) => assetText(asset, result.coverage[index]!));
  return (
    `{${versionText(call.exchange.state.version)},` +
    `"timestamp":${timeText(call.services.now())},` +
    `"logPosition":${result.position},"stateHash":"${result.stateHash}",` +
    `"archivistLagMs":${lagMs},"openOrders":${result.openOrders},` +
    `"archive":${archiveText(archivist.retention)},"assets":[${assets.join(',')}]}`
  );
}

function assetText(audit: AssetAudit, coverage: Coverage): string {
  const { asset, decimals, available, held, fees, external, balances } = audit;
  const { liabilities, holdings, inFlight, reportedAt, unreportedNetworks, isCovered } = coverage;
  const text = (value: Exact) => formatUnits(value, decimals);
  return (
    `{"asset":"${asset}","available":${text(available)},"held":${text(held)},` +
    `"fees":${text(fees)},"external":${text(external)},"balances":${balances},` +
    `"liabilities":${text(liabilities)},"holdings":${holdings === null ? 'null' : text(holdings)},` +
    `"inFlight":${text(inFlight)},` +
    `"holdingsReportedAt":${holdings === null ? 'null' : timeText(reportedAt)},` +
    `"unreportedNetworks":${JSON.stringify(unreportedNetworks)},"covered":${isCovered}}`
  );
}

function archiveText(archive: RetentionStatus | undefined): string {
  if (archive === undefined) return 'null';
  const { url, archivedTo, archivedToTime, segments, storedBytes, waitingBytes, error } = archive;
  return (
    `{"url":${quote(url)},"position":${archivedTo},` +
    `"timestamp":${archivedTo === 0 ? 'null' : timeText(archivedToTime)},"segments":${segments},` +
    `"storedBytes":${storedBytes},"waitingBytes":${waitingBytes},` +
    `"error":${error === undefined ? 'null' : quote(error)}}`
  );
}
getState.description = describe({
  operationId: 'getState',
  tag: 'Operator',
  summary: 'Log position, state hash, ledger totals and coverage',
  data: record({
    ...VERSION_FIELDS,
    timestamp: timestamp('Time of the response.'),
    logPosition: integer('The last batch of the log that is included.', 42),
    stateHash: text('SHA-256 of the complete state.', '0'.repeat(64)),
    archivistLagMs: integer('Lag of the archivist, milliseconds.', 0),
    openOrders: integer('Open orders of all accounts.', 3),
    archive: nullableReference('LogArchive', 'The archive of the log; null if there is none.'),
    assets: recordList('AssetTotals'),
  }),
});

const AUDIT_PARAMETERS = [
  ...(['account', 'action', 'subject', 'outcome'] as const),
  ...(['since', 'until', 'limit', 'cursor'] as const),
] as const;

/** GET /api/admin/audit: `{entries, nextCursor}`, the audited commands, newest first. */
export async function getAudit(call: Call): Promise<string> {
  const query = call.query(AUDIT_PARAMETERS);
  const limit = query.count('limit');
  const account = query.text('account');
  const subject = query.text('subject');
  const { state } = call.exchange;
  const filter: AuditFilter = {
    beforeId: query.cursor('audit') ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
    account: account === undefined ? undefined : findAccount(account, state).index,
    action: query.text('action'),
    outcome: query.choice('outcome', auditOutcomes),
    target: subject === undefined ? undefined : findTarget(subject, state),
    since: query.time('since'),
    until: query.time('until'),
  };
  const { replica, archivist } = call.services;
  const found = (await archivist.query(
    { kind: 'audit', filter },
    replica.position,
  )) as AuditRecord[];
  const page = found.slice(0, limit);
  const edge = found.length > page.length ? page.at(-1)!.id : undefined;
  const texts = await auditTexts(call, page);
  return `{"entries":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, query.scope('audit'))}}`;
}
getAudit.description = describe({
  operationId: 'getAudit',
  tag: 'Operator',
  summary: 'Audit of operator commands, newest first',
  query: AUDIT_PARAMETERS,
  data: record({ entries: recordList('AuditEntry'), nextCursor }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** Returns the account, market and asset of a name. @throws ApiError NOT_FOUND if there is none */
function findTarget(name: string, state: State): AuditTarget {
  const target = {
    account: state.accountsById.get(name)?.index,
    market: state.marketsBySymbol.get(name)?.index,
    asset: state.assetsByName.get(name)?.index,
  };
  if (Object.values(target).some((index) => index !== undefined)) return { ...target, name };
  const message = `Unknown subject ${quoteSender(name)}: no account, market or asset has this name.`;
  throw new ApiError('NOT_FOUND', message, { field: 'subject' });
}
