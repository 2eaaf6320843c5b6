import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import { InvariantError } from '../engine/rejection.ts';
import { isAudited, lastAuditId } from './audit.ts';
import { type Database, openDatabase } from './database.ts';
import { Pending, PendingRows, type Remembered } from './pending.ts';
import { HistoryReader } from './reader.ts';
import { refuseUnchecked, upgrade } from './schema.ts';
import { type Position, readPosition, store } from './writer.ts';

export type { AuditFilter, AuditRecord } from './audit.ts';
export type { CandleFilter } from './candle-page.ts';
export type { Candle } from './candles.ts';
export type { EntryFilter } from './entry-queries.ts';
export type { FillFilter, TradeFilter } from './fill-queries.ts';
export type { Fill } from './fills.ts';
export type { Page, PageTerms } from './id-search.ts';
export type {
  PlacedFilter,
  PlacedIdsFilter,
  PlacedIdsPage,
  PlacedOrder,
} from './identities.ts';
export { matches, type OrderFilter, type OrderPage, withOrders } from './order-page.ts';
export { asksForFinal, type EndedFilter } from './order-queries.ts';
export type { EndedOrder } from './orders.ts';
export type { Remembered } from './pending.ts';
export { HistoryReader } from './reader.ts';
export { type TotalsFilter, type TotalsPoint, TotalsWalk } from './totals.ts';
export type { Position } from './writer.ts';

/** What the archive gives what happened to, and asks. */
export interface Recorder {
  /** The last batch that the store is known to hold; 0 and a hash of zeros before the first. */
  position(): Position;
  /** A batch behind `position` is about to be recorded, in the order of the log. */
  begin(batch: Position & { readonly time: number }): void;
  /**
   * Takes what a command did: the events as the engine reported them, complete and in order. Every
   * command of every batch behind `position` is given once, in the order of the log; batches up to
   * it are the caller's to pass over.
   * @param sequence The batch that holds it. @param index Its place there, from 0.
   * @param time The engine's time after it, milliseconds since 1970.
   * @param remembered What the engine knows at that moment besides.
   * @throws InvariantError for a batch that history holds already.
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
  /** Puts into the store what is due there, where this is the one that writes. */
  settle(): Promise<void>;
  /**
   * Answers from all that was recorded when `work` is called: what else it needs of that moment it
   * must take before it first waits.
   */
  read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer>;
  /** Whether rows may be missing, until it has been rebuilt. */
  readonly isDamaged?: boolean;
  /** Whether this is the one that writes, and so keeps the snapshots too. */
  readonly isWriter: boolean;
  /** Whether more should be recorded before some of it is in the store; what is served does not ask. */
  readonly hasRoom: boolean;
  /** Whether batches may be recorded while an answer or `settle` is waited for. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** Of 4 KiB. */
const OFTEN_PAGES = 1024;

/**
 * What happened, for reading: final orders, fills, ledger entries, candles, the audit. Written by
 * one archivist alone, from batches that are durable in the log.
 *
 * What was recorded is seen by every question at once; `commit` makes it last. A commit costs less
 * a row the more it holds, so it need not be made for a question's sake.
 *
 * Calls come one after the other: none while another is under way.
 */
export class History extends HistoryReader implements Recorder {
  readonly isWriter = true;
  readonly isShared = false;
  readonly hasRoom = true;
  /** The lowest batch that may come next. */
  private next: number;
  /** The last batch that was begun. */
  private latest: Position;

  private constructor(
    private readonly store: Database,
    private readonly waiting: { rows: PendingRows },
    private committed: Position,
    private lastAuditId: number,
  ) {
    super(store, new Pending(() => [waiting.rows]));
    this.latest = committed;
    this.next = committed.sequence + 1;
  }

  /**
   * @param url `sqlite://PATH`: made if it is not there, brought up to date if it is older; or
   * `postgres://…`.
   * @throws HistoryUnreadableError, HistoryVersionError, HistoryDamagedError
   */
  static async open(url: string): Promise<History> {
    const database = openDatabase(url);
    try {
      if (!database.hasUncheckedRows) await refuseUnchecked(database);
      await upgrade(database);
      const position = await readPosition(database);
      const waiting = { rows: new PendingRows() };
      return new History(database, waiting, position, await lastAuditId(database));
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  position(): Position {
    return this.committed;
  }

  /** Rows that wait for a commit. */
  get waitingRows(): number {
    return this.waiting.rows.rows;
  }

  /** Moves commits from SQLite's log into the file more often: each time takes less, all together take more. */
  async checkpointOften(): Promise<void> {
    await this.store.query(`PRAGMA wal_autocheckpoint = ${OFTEN_PAGES}`);
  }

  begin({ sequence, hash }: Position): void {
    this.latest = { sequence, hash };
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
    if (isAudited(command)) {
      this.lastAuditId++;
      rows.addAudit({ id: this.lastAuditId, sequence, index, time }, command, outcome);
    }
    rows.addEvents(sequence, events, remembered);
  }

  async settle(): Promise<void> {
    const { sequence, hash } = this.latest;
    if (sequence > this.committed.sequence) await this.commit(sequence, hash);
  }

  /**
   * Writes all that was recorded, in one transaction that moves the position to `sequence`, the
   * last batch recorded. After an error the process must stop; the database is as it was.
   * @throws HistoryConflictError when another process has moved the position.
   */
  async commit(sequence: number, hash: Uint8Array): Promise<void> {
    if (sequence < this.next) throw this.outOfOrder(sequence);
    const to = { sequence, hash: hash.slice() };
    await this.store.transaction((statements) =>
      store(statements, this.committed, to, [this.waiting.rows]),
    );
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
      `history holds all before batch ${this.next} and was given batch ${sequence}`,
    );
  }
}
