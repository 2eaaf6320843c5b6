import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import { InvariantError } from '../engine/rejection.ts';
import type { DetectorRecord, FoundAlert } from '../surveillance/alert.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { refuseEarlier, upgrade } from './database/schema.ts';
import { HistoryReader } from './queries/reader.ts';
import { lastAuditId, toAuditRecords } from './tables/audit.ts';
import { toReview } from './tables/surveillance.ts';
import { DetectorStates } from './writer/detector-states.ts';
import { Pending, PendingRows, type Remembered } from './writer/pending.ts';
import { Trimming } from './writer/trimming.ts';
import { type Position, readPosition, store } from './writer/writer.ts';

export { type Database, isPostgres, type Row } from './database/database.ts';
export { openDatabase } from './database/open-database.ts';
export type {
  AlertFilter,
  AlertWithCase,
  ReviewedAlert,
} from './queries/alert-queries.ts';
export type { CandleFilter } from './queries/candle-page.ts';
export { maxRowsPerCandle } from './queries/candle-queries.ts';
export type { ChangeFilter, CustodyFilter, Payment } from './queries/custody-queries.ts';
export type { EntryFilter } from './queries/entry-queries.ts';
export {
  type AggregatedTrade,
  type FillFilter,
  type TradeFilter,
  wholeTrades,
} from './queries/fill-queries.ts';
export type { Page, PageTerms } from './queries/id-search.ts';
export type {
  PlacedFilter,
  PlacedIdsFilter,
  PlacedIdsPage,
  PlacedOrder,
} from './queries/identities.ts';
export type {
  InternalTransferFilter,
  StoredTransfer,
} from './queries/internal-transfer-queries.ts';
export { matches, mergeOrders, type OrderFilter, type OrderPage } from './queries/order-page.ts';
export { type EndedFilter, mayIncludeFinal } from './queries/order-queries.ts';
export { HistoryReader } from './queries/reader.ts';
export {
  type FoundRecords,
  type RecordSearchFilter,
  toRecordId,
} from './queries/record-search.ts';
export {
  listStarts,
  type TotalsFilter,
  type TotalsPoint,
  TotalsWalk,
} from './queries/totals.ts';
export type { UserTimelineEntry, UserTimelineFilter } from './queries/user-timeline.ts';
export type { AuditFilter, AuditRecord, AuditTarget } from './tables/audit.ts';
export { type Candle, extend as extendCandle, flatCandle, toCandle } from './tables/candles.ts';
export type { CustodyChange } from './tables/custody.ts';
export { expandFill, type Fill } from './tables/fills.ts';
export type { EndedOrder } from './tables/orders.ts';
export type { AlertReview } from './tables/surveillance.ts';
export { ExpectedRows, type RowSum, TABLES } from './verification/expected-rows.ts';
export { findDamage, StoredRows } from './verification/stored-rows.ts';
export type { Remembered } from './writer/pending.ts';
export { type Position, readPosition } from './writer/writer.ts';

/** The interface through which the archive records and queries history. */
export interface Recorder {
  /** Returns the last batch known to be in the store; 0 and a hash of zeros before the first. */
  position(): Position;
  /** Starts a batch after `position`, in the order of the log. */
  begin(batch: Position & { readonly time: number }): void;
  /**
   * Records a command's effects: all events in the engine's order. Every command of every batch after `position` must be
   * recorded once, in the order of the log; the caller skips batches up to it.
   * @param sequence Batch of the command. @param index Index of the command in the batch, from 0.
   * @param time The engine's time after the command, milliseconds since 1970.
   * @param remembered Further facts from the engine's state right after the command.
   * @throws InvariantError if history already has the batch
   */
  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
    remembered?: Remembered,
  ): void;
  /** Records an alert of the batch that is being recorded. */
  addAlert(alert: FoundAlert): void;
  /** The detectors' states in the store when it was opened. */
  detectors(): readonly DetectorRecord[];
  /** The last batch at or before `position` whose effects are stored in full, with the states of detectors. */
  resumesFrom(): number;
  /** @param save Returns the detectors' states after the last batch applied, which are stored from time to time. */
  watch(save: () => DetectorRecord[]): void;
  /**
   * Stores the rows that are due, if this is the writer.
   * @param isForced Whether the detectors' states are due too. A shared store ignores it.
   */
  settle(isForced?: boolean): Promise<void>;
  /**
   * Runs a query on everything recorded at the time when `work` is called. Other state that it needs as of that time must
   * be read before its first await.
   */
  read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer>;
  /** Whether rows may be missing until history was rebuilt. */
  readonly isDamaged?: boolean;
  /** Whether this is the writer, which also stores the snapshots. */
  readonly isWriter: boolean;
  /** Whether catching up may record more before rows were stored. Live batches are recorded in any case. */
  readonly hasCapacity: boolean;
  /** Whether batches may be recorded while a query or `settle` is running. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** Pages of 4 KiB between checkpoints. */
const OFTEN_PAGES = 1024;

/**
 * History of a single node: final orders, fills, ledger entries, candles and the audit. One archivist writes it, from
 * batches that are durable in the log.
 *
 * Recorded rows are visible to every query at once; `commit` stores them. The more rows a commit has, the less each one
 * costs, so no commit is made for a query.
 *
 * Calls must not overlap.
 */
export class History extends HistoryReader implements Recorder {
  readonly isWriter = true;
  readonly isShared = false;
  readonly hasCapacity = true;
  /** The lowest batch that may be recorded next. */
  private next: number;
  /** The last batch passed to `begin`. */
  private latest: Position;
  private latestTime = 0;

  private constructor(
    private readonly store: Database,
    private readonly waiting: { rows: PendingRows },
    private committed: Position,
    private lastAuditId: number,
    private readonly trimming: Trimming | undefined,
    private readonly states: DetectorStates,
  ) {
    super(store, new Pending(() => [waiting.rows]));
    this.latest = committed;
    this.next = committed.sequence + 1;
  }

  /**
   * @param url `sqlite://PATH`, created or upgraded if necessary, or `postgres://…`.
   * @param keptMs Orders, fills and entries that are older than this by the time of the log are deleted, milliseconds;
   * undefined to keep all.
   * @throws HistoryUnreadableError, HistoryVersionError, HistoryDamagedError
   */
  static async open(url: string, keptMs?: number): Promise<History> {
    const database = openDatabase(url);
    try {
      if (!database.hasUncheckedRows) await refuseEarlier(database);
      await upgrade(database);
      const position = await readPosition(database);
      const waiting = { rows: new PendingRows() };
      const trimming = keptMs === undefined ? undefined : new Trimming(keptMs);
      const states = await DetectorStates.read(database, position.sequence);
      const auditId = await lastAuditId(database);
      return new History(database, waiting, position, auditId, trimming, states);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  position(): Position {
    return this.committed;
  }

  /** Number of rows that wait for a commit. */
  get waitingRows(): number {
    return this.waiting.rows.rows;
  }

  /** Makes SQLite's checkpoints more frequent and so shorter; their total cost is higher. */
  async checkpointOften(): Promise<void> {
    await this.store.query(`PRAGMA wal_autocheckpoint = ${OFTEN_PAGES}`);
  }

  begin({ sequence, hash, time }: Position & { readonly time: number }): void {
    this.latest = { sequence, hash };
    this.latestTime = time;
  }

  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
    remembered?: Remembered,
  ): void {
    if (sequence < this.next) throw this.outOfOrder(sequence);
    this.next = sequence;
    const { rows } = this.waiting;
    const place = { id: this.lastAuditId + 1, sequence, index, time };
    const audited = toAuditRecords(place, command, outcome, events);
    this.lastAuditId += audited.length;
    rows.addAudit(audited);
    rows.addReview(toReview(place, command, outcome));
    rows.addEvents(sequence, index, events, remembered);
  }

  addAlert(alert: FoundAlert): void {
    this.waiting.rows.addAlert(alert);
  }

  detectors(): readonly DetectorRecord[] {
    return this.states.records;
  }

  resumesFrom(): number {
    return this.states.resumesFrom;
  }

  watch(save: () => DetectorRecord[]): void {
    this.states.watch(save);
  }

  async settle(isForced = false): Promise<void> {
    const { latest, waiting } = this;
    const hasNew = latest.sequence > this.committed.sequence;
    if (!hasNew && !isForced) return;
    waiting.rows.detectors = this.states.take(this.latestTime, isForced);
    if (hasNew || waiting.rows.detectors.length > 0) await this.commitTo(latest);
  }

  /**
   * Stores all recorded rows in one transaction that moves the position to `sequence`, the last recorded batch. After an
   * error the database is unchanged and the process must stop.
   * @throws HistoryConflictError if another process has moved the position
   */
  async commit(sequence: number, hash: Uint8Array): Promise<void> {
    if (sequence < this.next) throw this.outOfOrder(sequence);
    await this.commitTo({ sequence, hash });
  }

  private async commitTo({ sequence, hash }: Position): Promise<void> {
    const to = { sequence, hash: hash.slice() };
    await this.store.transaction((statements) =>
      store(statements, this.committed, to, [this.waiting.rows], (rows) =>
        this.trimming?.work(statements, this.latestTime, rows),
      ),
    );
    this.states.note(this.waiting.rows.detectors);
    this.committed = to;
    this.next = sequence + 1;
    this.waiting.rows = new PendingRows();
  }

  read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer> {
    return work(this);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private outOfOrder(sequence: number): InvariantError {
    return new InvariantError(
      `history expects batch ${this.next} or later and was given batch ${sequence}`,
    );
  }
}
