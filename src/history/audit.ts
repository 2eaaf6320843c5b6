import { type Command, CommandKind } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { NONE } from '../engine/terms.ts';
import type { Database, Row, Table } from './database.ts';

/** One administrative command: who asked for what, when, and what became of it. */
export interface AuditRecord {
  /** 1 for the first, then one more each. */
  readonly id: number;
  /** Where it stands in the log: batch, and place in the batch from 0. */
  readonly sequence: number;
  readonly index: number;
  readonly time: number;
  /** Indexes of the account and key that asked, NONE for the process itself. */
  readonly account: number;
  readonly key: number;
  /** Name of the command. */
  readonly action: string;
  /** The command's other fields as JSON, money as decimal text, without secrets or their hashes. */
  readonly details: string;
  /** `repeated`: an account or a transfer that was there already, so nothing happened. */
  readonly outcome: 'done' | 'repeated' | 'rejected';
  /** RejectionCode, 0 unless rejected. */
  readonly rejection: number;
}

const actions = new Map(Object.entries(CommandKind).map(([name, kind]) => [kind as number, name]));

/** What the traders do all day; everything else is administration. */
export function isAudited(command: Command): boolean {
  return !TRADERS.has(command.kind);
}

const TRADERS: ReadonlySet<number> = new Set([
  CommandKind.tick,
  CommandKind.placeOrder,
  CommandKind.placeStopOrder,
  CommandKind.placePair,
  CommandKind.placeAttached,
  CommandKind.cancelOrder,
  CommandKind.amendOrder,
  CommandKind.cancelOrders,
  CommandKind.cancelAfter,
]);

export function auditOf(
  place: Pick<AuditRecord, 'id' | 'sequence' | 'index' | 'time'>,
  command: Command,
  outcome: Outcome,
): AuditRecord {
  return {
    ...place,
    account: 'account' in command ? command.account : NONE,
    key: 'key' in command ? command.key : NONE,
    action: actions.get(command.kind)!,
    details: JSON.stringify(command, detail),
    outcome: outcomeOf(command, outcome),
    rejection: outcome.kind === 'rejected' ? outcome.code : 0,
  };
}

/** Columns of their own, and what no history may hold. */
const LEFT_OUT = new Set(['kind', 'account', 'key', 'secretHash']);
/** Written as decimal text, whatever their size. */
const MONEY = new Set(['amount', 'minNotional', 'minVolume']);

function detail(name: string, value: unknown): unknown {
  if (LEFT_OUT.has(name)) return undefined;
  return MONEY.has(name) ? String(value) : value;
}

function outcomeOf({ kind }: Command, outcome: Outcome): AuditRecord['outcome'] {
  if (outcome.kind === 'rejected') return 'rejected';
  const creates = kind === CommandKind.createAccount || kind === CommandKind.transfer;
  return creates && 'created' in outcome && !outcome.created ? 'repeated' : 'done';
}

export const auditTable: Table<AuditRecord> = {
  name: 'audit',
  columns: [
    'id',
    'sequence',
    'command_index',
    'time',
    'account',
    'key',
    'action',
    'details',
    'outcome',
    'rejection',
  ],
  write(record, values, at) {
    values[at] = record.id;
    values[at + 1] = record.sequence;
    values[at + 2] = record.index;
    values[at + 3] = record.time;
    values[at + 4] = record.account;
    values[at + 5] = record.key;
    values[at + 6] = record.action;
    values[at + 7] = record.details;
    values[at + 8] = record.outcome;
    values[at + 9] = record.rejection;
  },
};

/** Up to `limit` records with ids below `beforeId`, the newest first. */
export async function readAudit(
  database: Database,
  beforeId: number,
  limit: number,
): Promise<AuditRecord[]> {
  const rows = await database.query(
    'SELECT * FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2',
    beforeId,
    limit,
  );
  return rows.map(readRecord);
}

/** 0 where there is none. */
export async function lastAuditId(database: Database): Promise<number> {
  const [last] = await readAudit(database, Number.MAX_SAFE_INTEGER, 1);
  return last?.id ?? 0;
}

function readRecord(row: Row): AuditRecord {
  return {
    id: Number(row.id),
    sequence: Number(row.sequence),
    index: Number(row.command_index),
    time: Number(row.time),
    account: Number(row.account),
    key: Number(row.key),
    action: String(row.action),
    details: String(row.details),
    outcome: row.outcome as AuditRecord['outcome'],
    rejection: Number(row.rejection),
  };
}
