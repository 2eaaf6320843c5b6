import { type Command, CommandKind } from '../../engine/command.ts';
import {
  type AuditOutcome,
  commandDetails,
  commandName,
  expiryDetails,
  toAuditOutcome as outcomeShown,
} from '../../engine/command-details.ts';
import type { Event, Outcome } from '../../engine/event.ts';
import { RejectionCode } from '../../engine/rejection.ts';
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
  // The state has the newest report, which a custodian may repeat every minute.
  CommandKind.reportHoldings,
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

/** The account, market or asset that a command changed; several if they have the same name. */
export interface AuditTarget {
  /** Index of the account. */
  readonly account?: number | undefined;
  /** Index of the market. */
  readonly market?: number | undefined;
  /** Index of the asset. */
  readonly asset?: number | undefined;
  /** Symbol or asset, as the commands that add a market or an asset have it. */
  readonly name: string;
}

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
  readonly outcome?: AuditOutcome | undefined;
  readonly target?: AuditTarget | undefined;
}

/** @param concerning The ids of the records that concern the account of the target */
export function matchesAudit(
  record: AuditRecord,
  filter: AuditFilter,
  concerning: ReadonlySet<number>,
): boolean {
  const { beforeId, account, action, since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
  const { outcome, target } = filter;
  return (
    (outcome === undefined || outcomeShown(record) === outcome) &&
    (target === undefined || matchesTarget(record, target, concerning)) &&
    record.id < beforeId &&
    (account === undefined || record.account === account) &&
    (action === undefined || record.action === action) &&
    record.time >= since &&
    record.time <= until
  );
}

function matchesTarget(
  { id, account, details }: AuditRecord,
  target: AuditTarget,
  concerning: ReadonlySet<number>,
): boolean {
  const has = (parts: readonly string[]) => parts.some((part) => details.includes(part));
  const ofAccount =
    target.account !== undefined &&
    concerning.has(id) &&
    (account !== target.account || has(fieldTexts('owner', target.account)));
  return ofAccount || has(namingTexts(target));
}

/** Returns the parts of the details of commands that name the market or asset of a target. */
function namingTexts({ market, asset, name }: AuditTarget): string[] {
  return [
    ...(market === undefined ? [] : [...fieldTexts('market', market), `"symbol":"${name}"`]),
    ...(asset === undefined ? [] : [...fieldTexts('asset', asset), `"asset":"${name}"`]),
  ];
}

/** Returns the forms of a field in JSON. Texts of users cannot contain them, because their quotes are escaped. */
function fieldTexts(field: string, value: number): string[] {
  return [`"${field}":${value},`, `"${field}":${value}}`];
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
  { beforeId, limit, account, action, since, until, outcome, target }: AuditFilter,
): Promise<AuditRecord[]> {
  const parameters: (number | string)[] = [];
  const conditions: string[] = [];
  const place = (value: number | string) => `$${parameters.push(value)}`;
  const add = (condition: string, value: number | string | undefined) => {
    if (value !== undefined) conditions.push(`${condition} ${place(value)}`);
  };
  add('id <', beforeId);
  add('account =', account);
  add('action =', action);
  add('time >=', since);
  add('time <=', until);
  if (outcome !== undefined) {
    const isWaiting = outcome === 'sent_for_approval';
    add('outcome =', isWaiting ? 'rejected' : outcome);
    if (isWaiting) add('rejection =', RejectionCode.needsApproval);
    if (outcome === 'rejected') add('rejection <>', RejectionCode.needsApproval);
  }
  if (target !== undefined) conditions.push(targetCondition(target, place));
  const rows = await select(
    database,
    auditTable,
    `SELECT * FROM audit WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $${parameters.push(limit)}`,
    ...parameters,
  );
  return rows.map((row) => columns.read(row));
}

/** @param place Adds a parameter, and returns its place in the statement */
function targetCondition(target: AuditTarget, place: (value: number | string) => string): string {
  const has = (part: string) => `details LIKE ${place(`%${part}%`)}`;
  const any = namingTexts(target).map(has);
  if (target.account !== undefined) {
    const subjects = `SELECT audit_id FROM audit_subjects WHERE account = ${place(target.account)}`;
    const byOthers = `account <> ${place(target.account)}`;
    const named = fieldTexts('owner', target.account).map(has);
    any.push(`(id IN (${subjects}) AND (${[byOthers, ...named].join(' OR ')}))`);
  }
  return `(${any.join(' OR ')})`;
}

/** Returns the id of the newest record; 0 if there is none. */
export async function lastAuditId(database: Queries): Promise<number> {
  const [last] = await readAudit(database, { beforeId: Number.MAX_SAFE_INTEGER, limit: 1 });
  return last?.id ?? 0;
}
