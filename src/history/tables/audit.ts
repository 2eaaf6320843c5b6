import { type Command, CommandKind } from '../../engine/command.ts';
import { commandDetails, commandName, expiryDetails } from '../../engine/command-details.ts';
import type { Event, Outcome } from '../../engine/event.ts';
import { NONE } from '../../engine/terms.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Table } from '../database/database.ts';
import { type AuditSubject, toExpirySubjects, toSubjects } from './audit-subjects.ts';
import { bigint, Columns, integer, text } from './columns.ts';

/** One administrative command with its actor, time and outcome. */
export interface AuditRecord {
  /** 1 for the first, then one more each. */
  readonly id: number;
  /** Position in the log: batch, and index in the batch from 0. */
  readonly sequence: number;
  readonly index: number;
  readonly time: number;
  /** Indexes of the actor's account and key, NONE for the process itself. */
  readonly account: number;
  readonly key: number;
  /** Name of the command. */
  readonly action: string;
  /** The command's other fields as JSON, money as decimal text, without secrets or their hashes. */
  readonly details: string;
  /** `repeated`: the account or transfer already existed, so nothing was changed. */
  readonly outcome: 'done' | 'repeated' | 'rejected';
  /** RejectionCode, 0 unless rejected. */
  readonly rejection: number;
}

/** Returns whether a command is administrative, that is neither a trader's nor routine of the process itself. */
export function isAudited(command: Command): boolean {
  return !TRADERS.has(command.kind);
}

const TRADERS: ReadonlySet<number> = new Set([
  CommandKind.tick,
  CommandKind.placeOrder,
  CommandKind.placeStopOrder,
  CommandKind.placeOco,
  CommandKind.placeBracket,
  CommandKind.cancelOrder,
  CommandKind.amendOrder,
  CommandKind.cancelOrders,
  CommandKind.cancelAfter,
  CommandKind.placeOnConnection,
  CommandKind.executeBy,
  CommandKind.openConnection,
  CommandKind.closeConnection,
  CommandKind.renewNodeConnections,
  CommandKind.closeNodeConnections,
  CommandKind.useSignature,
  // The deposits themselves have what was reported of them.
  CommandKind.reportDeposit,
  CommandKind.requestAddress,
  CommandKind.acknowledgeInstruction,
]);

export function toAuditRecord(
  place: Pick<AuditRecord, 'id' | 'sequence' | 'index' | 'time'>,
  command: Command,
  outcome: Outcome,
): AuditRecord {
  return {
    ...place,
    account: 'account' in command ? command.account : NONE,
    key: 'key' in command ? command.key : NONE,
    action: commandName(command),
    details: commandDetails(command),
    outcome: toAuditOutcome(command, outcome),
    rejection: outcome.kind === 'rejected' ? outcome.code : 0,
  };
}

/** An audit record and the accounts that it concerns. */
export interface Audited {
  readonly record: AuditRecord;
  readonly subjects: readonly AuditSubject[];
}

/**
 * Returns the audit records of a command: those of the requests for approval that expired before it, and its own if it
 * is audited. @param place The id of the first one.
 */
export function toAuditRecords(
  { id, ...place }: Pick<AuditRecord, 'id' | 'sequence' | 'index' | 'time'>,
  command: Command,
  outcome: Outcome,
  events: readonly Event[],
): Audited[] {
  const { sequence } = place;
  const records: Audited[] = [];
  for (const event of events) {
    if (event.kind !== 'approvalExpired') continue;
    const action = 'expireApproval';
    const details = expiryDetails(event.request);
    const actor = { account: NONE, key: NONE };
    const rest = { ...actor, action, details, outcome: 'done', rejection: 0 } as const;
    const auditId = id + records.length;
    const subjects = toExpirySubjects({ sequence, auditId }, event.request);
    records.push({ record: { id: auditId, ...place, ...rest }, subjects });
  }
  if (isAudited(command)) {
    const auditId = id + records.length;
    const record = toAuditRecord({ id: auditId, ...place }, command, outcome);
    records.push({ record, subjects: toSubjects({ sequence, auditId }, command, outcome) });
  }
  return records;
}

function toAuditOutcome({ kind }: Command, outcome: Outcome): AuditRecord['outcome'] {
  if (outcome.kind === 'rejected') return 'rejected';
  const creates = kind === CommandKind.createAccount || kind === CommandKind.transfer;
  return creates && 'created' in outcome && !outcome.created ? 'repeated' : 'done';
}

const columns = new Columns<AuditRecord>({
  id: bigint('id'),
  sequence: bigint('sequence'),
  index: integer('command_index'),
  time: bigint('time'),
  account: integer('account'),
  key: integer('key'),
  action: text('action'),
  details: text('details'),
  outcome: text<AuditRecord['outcome']>('outcome'),
  rejection: integer('rejection'),
});

export const auditTable: Table<AuditRecord> = {
  name: 'audit',
  columns: columns.all,
  write: (record, values, at) => columns.write(record, values, at),
};

/** A query for a page of the audit, newest first. */
export interface AuditFilter {
  /** Only ids below this one; for the first page, one above all ids. */
  readonly beforeId: number;
  readonly limit: number;
  /** Index of the actor's account. */
  readonly account?: number | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export function matchesAudit(record: AuditRecord, filter: AuditFilter): boolean {
  const { beforeId, account, action, since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
  return (
    record.id < beforeId &&
    (account === undefined || record.account === account) &&
    (action === undefined || record.action === action) &&
    record.time >= since &&
    record.time <= until
  );
}

/** Reads the stored records with these ids, at most 1,000, in no particular order. */
export async function readAuditByIds(
  database: Queries,
  ids: readonly number[],
): Promise<AuditRecord[]> {
  if (ids.length === 0) return [];
  const places = ids.map((_, index) => `$${index + 1}`).join(', ');
  const text = `SELECT * FROM audit WHERE id IN (${places})`;
  return (await select(database, auditTable, text, ...ids)).map((row) => columns.read(row));
}

/** Reads the stored records that match the filter. */
export async function readAudit(
  database: Queries,
  { beforeId, limit, account, action, since, until }: AuditFilter,
): Promise<AuditRecord[]> {
  const parameters: (number | string)[] = [];
  const conditions: string[] = [];
  const add = (condition: string, value: number | string | undefined) => {
    if (value !== undefined) conditions.push(`${condition} $${parameters.push(value)}`);
  };
  add('id <', beforeId);
  add('account =', account);
  add('action =', action);
  add('time >=', since);
  add('time <=', until);
  const rows = await select(
    database,
    auditTable,
    `SELECT * FROM audit WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $${parameters.push(limit)}`,
    ...parameters,
  );
  return rows.map((row) => columns.read(row));
}

/** Returns the id of the newest record; 0 if there is none. */
export async function lastAuditId(database: Queries): Promise<number> {
  const [last] = await readAudit(database, { beforeId: Number.MAX_SAFE_INTEGER, limit: 1 });
  return last?.id ?? 0;
}
