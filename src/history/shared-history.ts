import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import type { DetectorRecord, FoundAlert } from '../surveillance/alert.ts';
import { PostgresDatabase, type Session } from './database/postgres-database.ts';
import { permanentError } from './database/postgres-errors.ts';
import { upgrade } from './database/schema.ts';
import { HistoryConflictError, HistoryUnavailableError } from './errors.ts';
import type { Recorder } from './history.ts';
import { HistoryReader } from './queries/reader.ts';
import { lastAuditId } from './tables/audit.ts';
import { Chunks } from './writer/chunks.ts';
import { DetectorStates } from './writer/detector-states.ts';
import { Pending, type Remembered } from './writer/pending.ts';
import { Trimming } from './writer/trimming.ts';
import { latestDetectors, type Position, readPosition, store } from './writer/writer.ts';
import { WriterLock } from './writer/writer-lock.ts';

/** Maximum time that a query waits for this node to reach the store's position. */
const CATCH_UP_MS = 3_000;

export interface SharedHistoryOptions {
  /** Called with conditions that an operator should know about. */
  readonly warn: (message: string) => void;
  /**
   * Called once if the store is available but this node's rows can never be stored in it. The archive then has to restart
   * from a snapshot at or before the store's position.
   */
  readonly onStale: (reason: string) => void;
  /** Memory limit of rows waiting for the store; beyond it all are dropped. */
  readonly maxPendingBytes?: number;
  /** Orders, fills and entries that are older than this by the time of the log are deleted, milliseconds; default: none. */
  readonly keptMs?: number | undefined;
}

/**
 * The history of a cluster, in PostgreSQL. Every node records it and one of them writes it. Each node keeps its rows until
 * they are in the store, so any node can take over writing, and any node can answer queries.
 */
export class SharedHistory implements Recorder {
  readonly isShared = true;
  private readonly lock: WriterLock;
  private readonly trimming: Trimming | undefined;
  private settling: Promise<void> | undefined;
  private isUnavailable = false;
  /** Permanent errors already reported since the store last answered. */
  private readonly reported = new Set<string>();
  private isStaleReported = false;

  private constructor(
    private readonly database: PostgresDatabase,
    url: string,
    private readonly chunks: Chunks,
    private readonly states: DetectorStates,
    private readonly options: SharedHistoryOptions,
  ) {
    this.lock = new WriterLock(url);
    if (options.keptMs !== undefined) this.trimming = new Trimming(options.keptMs);
  }

  /**
   * @param url `postgres://…`; the tables are created or upgraded in its schema `history`.
   * @throws HistoryUnavailableError, HistoryVersionError
   */
  static async open(url: string, options: SharedHistoryOptions): Promise<SharedHistory> {
    const database = new PostgresDatabase(url);
    try {
      await upgrade(database);
      return await database.snapshot(async (queries) => {
        const position = await readPosition(queries);
        const states = await DetectorStates.read(queries, position.sequence);
        const auditId = await lastAuditId(queries);
        const chunks = new Chunks(position, auditId, options.maxPendingBytes, states);
        return new SharedHistory(database, url, chunks, states, options);
      });
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  position(): Position {
    return this.chunks.position;
  }

  get isWriter(): boolean {
    return this.lock.isHeld;
  }

  get hasCapacity(): boolean {
    return this.chunks.hasCapacity;
  }

  begin(batch: Position & { readonly time: number }): void {
    this.chunks.begin(batch);
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
    this.chunks.record(sequence, index, time, command, outcome, events, remembered);
  }

  addAlert(alert: FoundAlert): void {
    this.chunks.addAlert(alert);
  }

  detectors(): readonly DetectorRecord[] {
    return this.states.records;
  }

  resumesFrom(): number {
    return Math.min(this.states.resumesFrom, this.chunks.position.sequence);
  }

  watch(save: () => DetectorRecord[]): void {
    this.states.watch(save);
  }

  /**
   * Becomes the writer if there is none, and stores the rows that are due; otherwise records how far another node has
   * written. Must be called about once a second, which also retries transient failures.
   * @throws HistoryForeignError
   */
  settle(): Promise<void> {
    this.settling ??= this.settleOnce().finally(() => {
      this.settling = undefined;
    });
    return this.settling;
  }

  private async settleOnce(): Promise<void> {
    try {
      // A node that cannot write must not hold the lock.
      const isLost = this.chunks.lossReason !== undefined;
      if (isLost) await this.lock.release();
      const session = isLost ? undefined : await this.lock.take();
      this.chunks.absorb(await readPosition(session ?? this.database));
      if (session !== undefined) await this.commit(session);
      if (this.isUnavailable) this.options.warn('PostgreSQL answers again; history continues.');
      this.isUnavailable = false;
      this.reported.clear();
    } catch (thrown) {
      const error = this.report(thrown);
      const isStoreFailure = error instanceof HistoryUnavailableError;
      if (!isStoreFailure && !(error instanceof HistoryConflictError)) throw error;
      await this.lock.release();
      if (isStoreFailure && !this.isUnavailable) this.reportUnavailable(error);
    }
    this.reportStale();
  }

  private async commit(session: Session): Promise<void> {
    for (let due = this.chunks.due(); due !== undefined; due = this.chunks.due()) {
      const { from, to, parts, time } = due;
      await session.transaction((statements) =>
        store(statements, from, to, parts, (rows) => this.trimming?.work(statements, time, rows)),
      );
      this.states.note(latestDetectors(parts));
      this.chunks.absorb(to);
    }
  }

  /** Returns the error, or for a permanent one a HistoryUnavailableError, which is logged once. */
  private report(error: unknown): unknown {
    const permanent = permanentError(error);
    if (permanent === undefined) return error;
    if (!this.reported.has(permanent.message)) {
      this.reported.add(permanent.message);
      this.options.warn(
        `${permanent.message} Check the database and this node's rights in it; this error is permanent.`,
      );
    }
    return permanent;
  }

  private reportUnavailable(error: HistoryUnavailableError): void {
    this.isUnavailable = true;
    this.options.warn(
      `${error.message} Trading continues. Queries of history are rejected, and new rows are kept in memory until it is available again.`,
    );
  }

  private reportStale(): void {
    const reason = this.chunks.lossReason;
    if (reason === undefined || this.isUnavailable || this.isStaleReported) return;
    this.isStaleReported = true;
    this.options.onStale(reason);
  }

  /** @throws HistoryUnavailableError */
  async read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer> {
    const unpin = this.chunks.pin();
    try {
      return await this.database.snapshot(async (queries) => {
        const position = await readPosition(queries);
        await this.chunks.reached(position.sequence, CATCH_UP_MS);
        const parts = this.chunks.after(position);
        return work(new HistoryReader(queries, new Pending(() => parts)));
      });
    } catch (error) {
      throw this.report(error);
    } finally {
      unpin();
    }
  }

  async close(): Promise<void> {
    await this.settling;
    await this.lock.close();
    await this.database.close();
  }
}
