import { auditAssets, auditState } from '../engine/audit/audit.ts';
import type { Exchange } from '../engine/exchange.ts';
import { InvariantError } from '../engine/rejection.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { HistoryForeignError, HistoryRebuildingError } from '../history/errors.ts';
import type { Candle, Recorder } from '../history/history.ts';
import { equalHashes } from '../log/hash.ts';
import type { Batch, Position } from '../log/log.ts';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from '../storage/spare-descriptors.ts';
import { type ArchiveQuery, HistoryResponder } from './history-answers.ts';
import { applyBatch, type Recovered, type Skips } from './recovery.ts';
import { RememberedByEngine } from './remembered.ts';

export type { ArchiveQuery } from './history-answers.ts';

/** While catching up: bounds what waits in memory for history. */
const FLUSH_EVERY_COMMANDS = 50_000;
const FLUSH_AGAIN_MS = 500;

/** When snapshots are due. */
export interface SnapshotTerms {
  readonly commands: number;
  /** Of a log that many share: signs of life of idle nodes are batches too. */
  readonly batches: number;
  /** Not more often. */
  readonly everyMs: number;
  /** Between the check of the whole state and its snapshot. */
  readonly afterAuditMs: number;
  /** Of a log that many share: between a state and its writing, in which other nodes may say that they hold another. */
  readonly heldMs: number;
}

/** Some seven hours of signs of life are enough to read at a start. */
const TERMS: SnapshotTerms = {
  ...{ commands: 500_000, batches: 100_000 },
  ...{ everyMs: 60_000, afterAuditMs: 5_000, heldMs: 5_000 },
};

/** Where snapshots are put. */
export interface SnapshotWriter {
  /** @param agreed Of many nodes: resolves once it may be put where others find it, rejects where it may not. */
  write(position: Position, state: Uint8Array, agreed: () => Promise<void>): Promise<void>;
}

export interface ArchiveOptions {
  readonly snapshots: SnapshotWriter;
  readonly history: Recorder;
  /** Milliseconds since some start; only differences count. */
  readonly elapsedMs: () => number;
  /** For tests, which cannot wait for what a real exchange comes to in an hour. */
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Told of a snapshot that could not be written; the console where it is left out. */
  readonly warn?: (message: string) => void;
}

/** Minutes of a market, and the last batch that they hold. */
export interface MinuteCandles {
  readonly position: number;
  readonly candles: Candle[];
}

/** Where an archive begins, and what it catches up with. */
export interface ArchiveStart {
  /** A state at or before history's position. */
  readonly recovered: Recovered;
  readonly skips: Skips;
  /** All that the log holds behind that state, history's position included. */
  readonly batches: Iterable<Batch> | AsyncIterable<Batch>;
}

/** Queries of which the answer that there is nothing lets something happen. */
const TELLS_BY_SILENCE: ReadonlySet<string> = new Set(['placed', 'placedIds', 'transfers']);

/**
 * The archivist's work: a replica of its own, from its own snapshot, fed the durable batches. It
 * writes history and snapshots, answers what history is asked, and compares its state with that of
 * the serving replica at every batch.
 */
export class Archive {
  /** Sequence of the last applied batch. */
  position: number;
  private hash: Uint8Array;
  private commandsSinceSnapshot = 0;
  private snapshotPosition: number;
  private snapshotAt: number;
  /** When the whole state was checked for the next snapshot; undefined before. */
  private auditedAt: number | undefined;
  /** Whether nodes hold different states: which is the right one is not known, so none of them is kept. */
  isDisputed = false;

  private readonly answers: HistoryResponder;
  private readonly remembered: RememberedByEngine;
  private readonly terms: SnapshotTerms;

  private constructor(
    private readonly options: ArchiveOptions,
    readonly exchange: Exchange,
    start: Position,
    /** Batches up to here are in history already. */
    private readonly recorded: Position,
    private readonly skips: Skips,
  ) {
    this.position = start.sequence;
    this.snapshotPosition = start.sequence;
    this.hash = start.hash;
    this.snapshotAt = options.elapsedMs();
    this.answers = new HistoryResponder(exchange.state);
    this.remembered = new RememberedByEngine(exchange.state);
    this.terms = { ...TERMS, ...options.terms };
  }

  /**
   * Opens the archive at a state that history has reached and catches up with the log. A history
   * that is missing or behind is written anew from the log.
   * @throws HistoryForeignError when it is not of this log
   */
  static async open(options: ArchiveOptions, start: ArchiveStart): Promise<Archive> {
    const recorded = options.history.position();
    const archive = Archive.at(options, start);
    for await (const batch of start.batches) {
      archive.apply(batch);
      if (archive.commandsSinceSnapshot % FLUSH_EVERY_COMMANDS < batch.count) await archive.flush();
      while (!options.history.hasRoom) await archive.flushSoon();
    }
    await archive.flush();
    if (archive.position < recorded.sequence) {
      throw new HistoryForeignError(
        `History stands at batch ${recorded.sequence}, the log ends at ${archive.position}: it is the history of another exchange, or history saw what the log has lost.`,
      );
    }
    return archive;
  }

  /** The archive as it is before it catches up: batches behind its state are to be applied in order. */
  static at(options: ArchiveOptions, { recovered, skips }: Omit<ArchiveStart, 'batches'>): Archive {
    const { exchange, position } = recovered;
    const archive = new Archive(options, exchange, position, options.history.position(), skips);
    archive.checkRecorded(position);
    return archive;
  }

  /**
   * Applies a batch and notes what it did for history.
   * @param digestBefore The serving replica's digest before this batch.
   * @throws InvariantError when the two replicas differ.
   */
  apply(batch: Batch, digestBefore?: number): void {
    if (batch.sequence !== this.position + 1) {
      throw new InvariantError(
        `the archivist expected batch ${this.position + 1} and got ${batch.sequence}`,
      );
    }
    if (digestBefore !== undefined) this.compare(this.position, digestBefore);
    const isNew = batch.sequence > this.recorded.sequence;
    this.checkRecorded(batch);
    if (isNew) this.options.history.begin(batch);
    applyBatch(this.exchange, batch, this.skips, (_, index, command, outcome) => {
      this.remembered.note(outcome);
      if (!isNew) return;
      const { events } = this.exchange;
      this.options.history.record(
        batch.sequence,
        index,
        this.exchange.state.time,
        command,
        outcome,
        events,
        this.remembered,
      );
    });
    this.position = batch.sequence;
    this.hash = batch.hash;
    this.commandsSinceSnapshot += batch.count;
  }

  /** @throws HistoryForeignError when it was written from a log with another batch there. */
  private checkRecorded({ sequence, hash }: Position): void {
    if (sequence !== this.recorded.sequence || equalHashes(hash, this.recorded.hash)) return;
    throw new HistoryForeignError(
      `History was written from another log: batch ${sequence} differs.`,
    );
  }

  /** @throws InvariantError when the serving replica had another state after batch `position`. */
  compare(position: number, digest: number): void {
    if (position !== this.position || digest === this.exchange.state.digest) return;
    throw new InvariantError(
      `the archivist's state differs from the serving replica's after batch ${position}. ` +
        'One of them is damaged (memory?) or the engine is not deterministic. ' +
        'Start again: both are built anew from the log; if it happens again, report it with the log.',
    );
  }

  /** Puts into history's store what is due there. */
  flush(): Promise<void> {
    return this.options.history.settle();
  }

  /** Another puts it there, at its own pace. */
  private async flushSoon(): Promise<void> {
    await this.flush();
    if (!this.options.history.hasRoom) await Bun.sleep(FLUSH_AGAIN_MS);
  }

  /** Whether batches may be applied while an answer, `flush` or `snapshot` is waited for. */
  get isShared(): boolean {
    return this.options.history.isShared;
  }

  get isAuditDue(): boolean {
    const { commands, batches, everyMs } = this.terms;
    return (
      this.auditedAt === undefined &&
      (this.commandsSinceSnapshot >= commands ||
        (this.isShared && this.position - this.snapshotPosition >= batches)) &&
      this.options.elapsedMs() - this.snapshotAt >= everyMs
    );
  }

  /**
   * Checks the whole state. With a million open orders it takes about as long as the snapshot after
   * it, during which no batch is applied: what gathered is applied before that one.
   */
  audit(): void {
    auditState(this.exchange.state);
    this.auditedAt = this.options.elapsedMs();
  }

  get isSnapshotDue(): boolean {
    return (
      this.auditedAt !== undefined &&
      !this.isDisputed &&
      this.options.elapsedMs() - this.auditedAt >= this.terms.afterAuditMs
    );
  }

  /**
   * Makes a snapshot durable: alone, behind a history that holds all of it; of many nodes by the one that
   * writes history, which may pass it a moment later.
   */
  async snapshot(): Promise<void> {
    if (!this.isShared) await this.flush();
    const isNews = this.isShared
      ? this.position > this.snapshotPosition
      : this.commandsSinceSnapshot > 0;
    if (isNews) await this.writeSnapshot();
  }

  /** What is to be last of an archive that ends in order. */
  async end(): Promise<void> {
    await this.flush();
    // Of many nodes others go on, and take snapshots in their time.
    if (!this.isShared) await this.snapshot();
  }

  /**
   * A snapshot of the state as it is now; batches may be applied while the disk works on it. Where
   * connections have taken all descriptors it is put off until the next one is due: the log has it all.
   */
  private async writeSnapshot(): Promise<void> {
    const { options, commandsSinceSnapshot, snapshotPosition } = this;
    const position = { sequence: this.position, hash: this.hash };
    this.commandsSinceSnapshot = 0;
    this.snapshotPosition = this.position;
    this.snapshotAt = options.elapsedMs();
    this.auditedAt = undefined;
    if (!options.history.isWriter) return;
    try {
      await options.snapshots.write(position, writeSnapshot(this.exchange), () => this.agreed());
    } catch (error) {
      const isOfDescriptors = isOutOfDescriptors(error);
      if (!isOfDescriptors && !this.isShared) throw error;
      this.commandsSinceSnapshot += commandsSinceSnapshot;
      this.snapshotPosition = snapshotPosition;
      const { warn = logger.warn } = options;
      const reason = (error as Error).message;
      warn(
        isOfDescriptors
          ? `No file descriptor is left for a snapshot (${reason}): put off.`
          : `A snapshot could not be written (${reason}): put off.`,
      );
    }
  }

  private async agreed(): Promise<void> {
    await Bun.sleep(this.terms.heldMs);
    if (this.isDisputed) throw new Error('the nodes hold different states');
  }

  /** The answer as of the last batch applied, where the state alone has it. */
  answerOfState(query: ArchiveQuery): unknown {
    return query.kind === 'state' ? this.describe() : this.answers.ofState(query);
  }

  /**
   * Answers a query as of the last batch applied when its time comes.
   * @throws HistoryUnavailableError
   */
  async answer(query: ArchiveQuery): Promise<unknown> {
    const answer = this.answerOfState(query);
    if (answer !== undefined || query.kind === 'state') return answer;
    const { answers } = this;
    const { history } = this.options;
    // Its silence would let an order be placed, or an account be credited, twice.
    if (history.isDamaged && TELLS_BY_SILENCE.has(query.kind)) throw new HistoryRebuildingError();
    return history.read(async (reader) => {
      const { position } = this;
      const found = await answers.of(reader, query);
      return query.kind === 'minuteCandles' ? { position, candles: found } : found;
    });
  }

  private describe() {
    const { state } = this.exchange;
    const digest = new Bun.SHA256().update(writeSnapshot(this.exchange)).digest('hex');
    return {
      position: this.position,
      stateHash: digest,
      openOrders: state.orders.size,
      assets: auditAssets(state),
    };
  }
}
