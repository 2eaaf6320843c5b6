import type { TimelineKind } from '../../engine/command-details.ts';
import { select } from '../database/checksum.ts';
import type { Queries, Row, Table, Value } from '../database/database.ts';
import { type AuditRecord, readAuditByIds } from '../tables/audit.ts';
import {
  type AuditSubject,
  auditSubjectsTable,
  readAuditSubject,
} from '../tables/audit-subjects.ts';
import {
  type CustodyChange,
  depositChangesTable,
  readDepositChange,
  readWithdrawalChange,
  withdrawalChangesTable,
} from '../tables/custody.ts';
import { MAX_EVENTS, type Pending } from '../writer/pending.ts';

/** A query for a page of the timeline of a user, newest first. */
export interface UserTimelineFilter {
  /** Indexes of the user's accounts. */
  readonly accounts: readonly number[];
  readonly kind?: TimelineKind | undefined;
  /** Only entries up to this batch. */
  readonly upTo: number;
  /** Number of the newest entries of that batch that are left out. */
  readonly skip: number;
  readonly limit: number;
}

/** An entry of a timeline: an audited command, or a change of a deposit or withdrawal. */
export interface UserTimelineEntry {
  readonly kind: TimelineKind;
  /** Position in the log: batch, and index in the batch from 0. */
  readonly sequence: number;
  readonly index: number;
  readonly item: AuditRecord | CustodyChange;
}

/** Records read at once by their ids. */
const IDS_PER_STATEMENT = 1000;

/**
 * Returns the audited commands that concern any of a user's accounts, and the changes of their deposits and withdrawals,
 * from the store and from the rows that wait for it.
 */
export async function readUserTimeline(
  database: Queries,
  pending: Pending,
  filter: UserTimelineFilter,
): Promise<UserTimelineEntry[]> {
  const { kind, upTo, skip, limit } = filter;
  const entries = await auditEntries(database, pending, filter);
  for (const changes of CHANGES) {
    if ((kind ?? changes.kind) !== changes.kind) continue;
    const found = await readNewest(database, changes, filter);
    entries.push(...found.map((row) => toChangeEntry(changes.read(row))));
  }
  for (const account of filter.accounts) {
    const waiting = pending.custodyChanges(account).map(toChangeEntry);
    entries.push(
      ...waiting.filter((each) => (kind ?? each.kind) === each.kind && each.sequence <= upTo),
    );
  }
  return entries
    .sort(newestFirst)
    .filter(({ sequence }, index) => index >= skip || sequence < upTo)
    .slice(0, limit);
}

/** Returns the newest audit records that concern any of the accounts, each once. */
async function auditEntries(
  database: Queries,
  pending: Pending,
  filter: UserTimelineFilter,
): Promise<UserTimelineEntry[]> {
  const { kind, upTo } = filter;
  const rows = await readNewest(database, AUDIT_SUBJECTS, filter);
  const kinds = new Map(rows.map(readAuditSubject).map((each) => [each.auditId, each.kind]));
  const ids = [...kinds.keys()].sort((a, b) => b - a).slice(0, count(filter));
  const records: AuditRecord[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
    records.push(...(await readAuditByIds(database, ids.slice(from, from + IDS_PER_STATEMENT))));
  }
  const matches = (each: AuditSubject) =>
    (kind ?? each.kind) === each.kind && each.sequence <= upTo;
  const waiting = filter.accounts.flatMap((each) => pending.auditSubjects(each).filter(matches));
  const waitingIds = new Set(waiting.map(({ auditId }) => auditId));
  for (const each of waiting) kinds.set(each.auditId, each.kind);
  records.push(...pending.audit().filter(({ id }) => waitingIds.has(id)));
  return records.map((record) => ({
    ...{ kind: kinds.get(record.id)!, sequence: record.sequence, index: record.index },
    item: record,
  }));
}

/** A table whose rows of an account are read by their place in the log. */
interface PlacedRows {
  readonly table: Table<never>;
  /** Columns of the batch and of the place in it. */
  readonly place: readonly [string, string];
  /** Whether it has rows of several kinds. */
  readonly hasKinds?: boolean;
}

const AUDIT_SUBJECTS: PlacedRows = {
  table: auditSubjectsTable,
  place: ['sequence', 'audit_id'],
  hasKinds: true,
};

const CHANGES: readonly (PlacedRows & {
  readonly kind: TimelineKind;
  readonly read: (row: Row) => CustodyChange;
})[] = [
  {
    table: depositChangesTable,
    place: ['changed_in', 'change_index'],
    kind: 'deposits',
    read: readDepositChange,
  },
  {
    table: withdrawalChangesTable,
    place: ['changed_in', 'change_index'],
    kind: 'withdrawals',
    read: readWithdrawalChange,
  },
];

/** Reads the newest rows of each account. Each account is a search in an index, whatever the number of its rows. */
function readNewest(
  database: Queries,
  { table, place: [batch, order], hasKinds }: PlacedRows,
  filter: UserTimelineFilter,
): Promise<Row[]> {
  const values: Value[] = [];
  // SQLite numbers parameters as they first appear in the text.
  const add = (value: Value) => `$${values.push(value)}`;
  const parts = filter.accounts.map((account, index) => {
    const ofAccount = `account = ${add(account)}`;
    const ofKind = hasKinds && filter.kind !== undefined ? `AND kind = ${add(filter.kind)}` : '';
    return `SELECT * FROM (SELECT * FROM ${table.name} WHERE ${ofAccount} ${ofKind}
      AND ${batch} <= ${add(filter.upTo)} ORDER BY ${batch} DESC, ${order} DESC
      LIMIT ${add(count(filter))}) AS of${index}`;
  });
  return select(database, table, parts.join(' UNION ALL '), ...values);
}

/** Returns how many of the newest entries a page is made of. */
function count({ skip, limit }: UserTimelineFilter): number {
  return skip + limit;
}

function toChangeEntry(change: CustodyChange): UserTimelineEntry {
  const kind = change.kind === 'deposit' ? 'deposits' : 'withdrawals';
  const index = Math.floor(change.changeIndex / MAX_EVENTS);
  return { kind, sequence: change.changedIn, index, item: change };
}

/** The effects of a command follow it. */
function newestFirst(a: UserTimelineEntry, b: UserTimelineEntry): number {
  return b.sequence - a.sequence || b.index - a.index || placeInCommand(b) - placeInCommand(a);
}

/** Returns a number that grows with the entries of one command. */
function placeInCommand({ item }: UserTimelineEntry): number {
  // Ids of audit records come first.
  return 'changeIndex' in item ? item.changeIndex % MAX_EVENTS : item.id - Number.MAX_SAFE_INTEGER;
}
