import type { Command } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import { lastAuditId } from './audit.ts';
import { Chunks } from './chunks.ts';
import { HistoryConflictError, HistoryUnavailableError } from './errors.ts';
import type { Recorder } from './history.ts';
import { Pending, type Remembered } from './pending.ts';
import { PostgresDatabase, type Session } from './postgres-database.ts';
import { lastingError } from './postgres-errors.ts';
import { HistoryReader } from './reader.ts';
import { upgrade } from './schema.ts';
import { type Position, readPosition, store } from './writer.ts';
import { WriterLock } from './writer-lock.ts';

/** A question waits no longer for this node to come as far as the store. */
const CATCH_UP_MS = 3_000;

export interface SharedHistoryOptions {
  /** Told what an operator should know. */
  readonly warn: (message: string) => void;
  /**
   * What this node recorded can never get into the store, which is there again: the archive has to begin anew,
   * from a snapshot at or before the store's position. Told once.
   */
  readonly onStale: (reason: string) => void;
  /** Of rows that wait; all are given up beyond it. */
  readonly mostPendingBytes?: number;
}

/**
 * History that many nodes record and one of them writes, in PostgreSQL. Each keeps what it recorded until it is
 * in the store, whoever put it there: so any can take over, and any can answer.
 */
export class SharedHistory implements Recorder {
  readonly isShared = true;
  private readonly lock: WriterLock;
  private settling: Promise<void> | undefined;
  private isAway = false;
  /** What was told to the operator that does not mend itself, since the store answered last. */
  private readonly told = new Set<string>();
  private isStaleTold = false;

  private constructor(
    private readonly database: PostgresDatabase,
    url: string,
    private readonly chunks: Chunks,
    private readonly options: SharedHistoryOptions,
  ) {
    this.lock = new WriterLock(url);
  }

  /**
   * @param url `postgres://…`; the tables are made, or brought up to date, in its schema `history`.
   * @throws HistoryUnavailableError, HistoryVersionError
   */
  static async open(url: string, options: SharedHistoryOptions): Promise<SharedHistory> {
    const database = new PostgresDatabase(url);
    try {
      await upgrade(database);
      const chunks = await database.snapshot(
        async (queries) =>
          new Chunks(
            await readPosition(queries),
            await lastAuditId(queries),
            options.mostPendingBytes,
          ),
      );
      return new SharedHistory(database, url, chunks, options);
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

  get hasRoom(): boolean {
    return this.chunks.hasRoom;
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

  /**
   * Becomes the writer where nobody is; puts in what is due, or takes note of what others have put in. To be
   * called about once a second; whatever passes is tried again then.
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
      // Who cannot write must not keep others from it.
      const isLost = this.chunks.lostBecause !== undefined;
      if (isLost) await this.lock.release();
      const session = isLost ? undefined : await this.lock.take();
      this.chunks.absorb(await readPosition(session ?? this.database));
      if (session !== undefined) await this.commit(session);
      if (this.isAway) this.options.warn('PostgreSQL answers again: history goes on.');
      this.isAway = false;
      this.told.clear();
    } catch (thrown) {
      const error = this.tell(thrown);
      const isOfStore = error instanceof HistoryUnavailableError;
      if (!isOfStore && !(error instanceof HistoryConflictError)) throw error;
      await this.lock.release();
      if (isOfStore && !this.isAway) this.sayAway(error);
    }
    this.reportStale();
  }

  private async commit(session: Session): Promise<void> {
    for (let due = this.chunks.due(); due !== undefined; due = this.chunks.due()) {
      const { from, to, parts } = due;
      await session.transaction((statements) => store(statements, from, to, parts));
      this.chunks.absorb(to);
    }
  }

  /** The same error; one that does not pass is told aloud, and history is not available then either. */
  private tell(error: unknown): unknown {
    const lasting = lastingError(error);
    if (lasting === undefined) return error;
    if (!this.told.has(lasting.message)) {
      this.told.add(lasting.message);
      this.options.warn(
        `${lasting.message} This does not pass by itself: see to the database and to this node's rights in it.`,
      );
    }
    return lasting;
  }

  private sayAway(error: HistoryUnavailableError): void {
    this.isAway = true;
    this.options.warn(
      `${error.message} Orders go on; questions about the past are refused, and what happens is kept in memory until it is there again.`,
    );
  }

  private reportStale(): void {
    const reason = this.chunks.lostBecause;
    if (reason === undefined || this.isAway || this.isStaleTold) return;
    this.isStaleTold = true;
    this.options.onStale(reason);
  }

  /** @throws HistoryUnavailableError */
  async read<Answer>(work: (reader: HistoryReader) => Promise<Answer>): Promise<Answer> {
    const unpin = this.chunks.pin();
    try {
      return await this.database.snapshot(async (queries) => {
        const position = await readPosition(queries);
        await this.chunks.reached(position.sequence, CATCH_UP_MS);
        const parts = this.chunks.behind(position);
        return work(new HistoryReader(queries, new Pending(() => parts)));
      });
    } catch (error) {
      throw this.tell(error);
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
