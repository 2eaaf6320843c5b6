import { auditAssets } from '../engine/audit/audit.ts';
import { readCoverage } from '../engine/custody/coverage.ts';
import type { OrderRecord } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import { sum } from '../engine/numbers/exact.ts';
import { InvariantError } from '../engine/rejection.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { HistoryForeignError, HistoryRebuildingError } from '../history/errors.ts';
import type { Candle, HistoryReader, Recorder, TotalsWalk } from '../history/history.ts';
import { equalHashes } from '../log/hash.ts';
import type { Batch, Position } from '../log/log.ts';
import { medianDepositTimes } from './deposit-times.ts';
import { ProfitAndLossQueries } from './gains/profit-and-loss.ts';
import {
  type ArchiveQuery,
  EMPTY_ANSWER_ALLOWS,
  HistoryResponder,
  isStateQuery,
  type StateQuery,
} from './history-answers.ts';
import { isPastQuery, Past, type PastQuery } from './past/past.ts';
import type { PastSource } from './past/replays.ts';
import type { ProofStore } from './proofs/proof-store.ts';
import { Proofs } from './proofs/proofs.ts';
import { applyBatch, type Recovered, type Skips } from './recovery.ts';
import { RememberedByEngine } from './remembered.ts';
import { openReports, openSource } from './reports/open-reports.ts';
import { isReportQuery, type Reports } from './reports/report.ts';
import type { ReportStore } from './reports/report-store.ts';
import type { SharedReports } from './reports/shared-reports.ts';
import { SnapshotSchedule, type SnapshotTerms, type SnapshotWriter } from './snapshot-schedule.ts';
import { Watch, type WatchOptions } from './watch.ts';

export type { ArchiveQuery } from './history-answers.ts';
export type { SnapshotTerms, SnapshotWriter } from './snapshot-schedule.ts';

/** Bounds the rows that wait in memory for history while catching up. */
const FLUSH_EVERY_COMMANDS = 50_000;
const FLUSH_AGAIN_MS = 500;

export interface ArchiveOptions {
  readonly snapshots: SnapshotWriter;
  readonly history: Recorder;
  /** The log from which past states are replayed; absent if it is not in files. */
  readonly past?: PastSource | undefined;
  /** The reports that it makes; absent if it makes none. */
  readonly reports?: ReportStore | undefined;
  /** The reports of all nodes of a cluster. */
  readonly sharedReports?: SharedReports | undefined;
  /** Creates the detectors of surveillance; default: all. */
  readonly detectors?: WatchOptions['detectors'];
  /** Ids of accounts that may trade with each other; default: none. */
  readonly exemptAccounts?: WatchOptions['exemptAccounts'];
  /** The proofs of liabilities; absent in a cluster. */
  readonly proofs?: ProofStore | undefined;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  /** Overrides of the default terms. */
  readonly terms?: Partial<SnapshotTerms> | undefined;
  /** Called for each snapshot that could not be written, and each detector that fails; default: the logger. */
  readonly warn?: (message: string) => void;
}

/** Minute candles of a market, the price of the last trade before them, and the last batch that they include. */
export interface MinuteCandles {
  readonly position: number;
  readonly candles: Candle[];
  readonly previousClose: number | undefined;
}

/** The state that an archive starts from, and the batches that it catches up with. */
export interface ArchiveStart {
  /** A state at or before history's position. */
  readonly recovered: Recovered;
  readonly skips: Skips;
  /** All batches of the log after that state, at least up to history's position. */
  readonly batches: Iterable<Batch> | AsyncIterable<Batch>;
}

/**
 * A second replica that applies the durable batches. It writes history and snapshots, answers queries, and compares
 * its state with that of the serving replica at every batch.
 */
export class Archive {
  /** Sequence of the last applied batch. */
  position: number;
  private hash: Uint8Array;
  private readonly schedule: SnapshotSchedule;
  readonly watch: Watch;

  /** Undefined if this archive makes no reports. */
  readonly reports: Reports | undefined;
  private readonly responder: HistoryResponder;
  private readonly remembered: RememberedByEngine;
  private readonly past: Past;
  private readonly proofs: Proofs;
  private readonly gains: ProfitAndLossQueries;

  private constructor(
    private readonly options: ArchiveOptions,
    readonly exchange: Exchange,
    start: Position,
    /** History already holds the batches up to here. */
    private readonly recorded: Position,
    private readonly skips: Skips,
  ) {
    this.position = start.sequence;
    this.hash = start.hash;
    this.schedule = new SnapshotSchedule(exchange, start.sequence, options);
    this.watch = new Watch(exchange, start.sequence, options);
    this.responder = new HistoryResponder(exchange.state);
    this.remembered = new RememberedByEngine(exchange.state);
    this.past = new Past(options.past);
    this.proofs = new Proofs(this.past, options.proofs);
    this.gains = new ProfitAndLossQueries(openSource(this, options));
    this.reports = openReports(this, options);
  }

  /**
   * Opens the archive at a state that history has reached and catches up with the log, which also completes a history
   * that is missing or not up to date.
   * @throws HistoryForeignError if history belongs to another log
   */
  static async open(options: ArchiveOptions, start: ArchiveStart): Promise<Archive> {
    const recorded = options.history.position();
    const archive = Archive.at(options, start);
    for await (const batch of start.batches) {
      archive.apply(batch);
      if (archive.schedule.commands % FLUSH_EVERY_COMMANDS < batch.count) await archive.flush();
      while (!options.history.hasCapacity) await archive.flushSoon();
    }
    await archive.flush();
    archive.reports?.begin();
    if (archive.position < recorded.sequence) {
      throw new HistoryForeignError(
        `History is at batch ${recorded.sequence}, but the log ends at ${archive.position}: history belongs to another exchange, or the log has lost batches.`,
      );
    }
    return archive;
  }

  /** Creates an archive that has not caught up: the caller applies the batches after its state, in order. */
  static at(options: ArchiveOptions, { recovered, skips }: Omit<ArchiveStart, 'batches'>): Archive {
    const { exchange, position } = recovered;
    const archive = new Archive(options, exchange, position, options.history.position(), skips);
    archive.checkRecorded(position);
    return archive;
  }

  /**
   * Applies a batch and records its events in history.
   * @param digestBefore The serving replica's digest before this batch.
   * @throws InvariantError if the two replicas differ
   */
  apply(batch: Batch, digestBefore?: number): void {
    if (batch.sequence !== this.position + 1) {
      throw new InvariantError(
        `the archivist expected batch ${this.position + 1} and got ${batch.sequence}`,
      );
    }
    if (digestBefore !== undefined) this.compare(this.position, digestBefore);
    const { sequence } = batch;
    const isNew = sequence > this.recorded.sequence;
    this.checkRecorded(batch);
    if (isNew) this.options.history.begin(batch);
    applyBatch(this.exchange, batch, this.skips, (_, index, command, outcome) => {
      this.remembered.note(outcome);
      const { events } = this.exchange;
      const { time } = this.exchange.state;
      this.watch.read({ sequence, index, time }, events, isNew);
      if (!isNew) return;
      this.options.history.record(sequence, index, time, command, outcome, events, this.remembered);
    });
    this.watch.endBatch(sequence);
    this.position = batch.sequence;
    this.hash = batch.hash;
    this.schedule.note(batch);
  }

  /** @throws HistoryForeignError if history was written from a log with another batch at this position */
  private checkRecorded({ sequence, hash }: Position): void {
    if (sequence !== this.recorded.sequence || equalHashes(hash, this.recorded.hash)) return;
    throw new HistoryForeignError(
      `History was written from another log: batch ${sequence} differs.`,
    );
  }

  /** @throws InvariantError if the serving replica had a different state after batch `position` */
  compare(position: number, digest: number): void {
    if (position !== this.position || digest === this.exchange.state.digest) return;
    throw new InvariantError(
      `the archivist's state differs from the serving replica's after batch ${position}. ` +
        'One of them is damaged (memory?) or the engine is not deterministic. ' +
        'Start again: both are rebuilt from the log; if it happens again, report it with the log.',
    );
  }

  /** Writes recorded events to history's store. */
  flush(): Promise<void> {
    return this.options.history.settle();
  }

  /** Waits for the store: the writer may be another node. */
  private async flushSoon(): Promise<void> {
    await this.flush();
    if (!this.options.history.hasCapacity) await Bun.sleep(FLUSH_AGAIN_MS);
  }

  /** Whether batches may be applied during an answer, `flush` or `snapshot`. */
  get isShared(): boolean {
    return this.options.history.isShared;
  }

  get isAuditDue(): boolean {
    return this.schedule.isAuditDue;
  }

  /** Audits the whole state, before a snapshot. */
  audit(): void {
    this.schedule.audit();
  }

  get isSnapshotDue(): boolean {
    return this.schedule.isSnapshotDue;
  }

  /** Records whether nodes hold different states. */
  set isDisputed(isDisputed: boolean) {
    this.schedule.isDisputed = isDisputed;
  }

  /** Makes a snapshot durable. On a single node, history holds all batches up to it. */
  snapshot(): Promise<void> {
    return this.schedule.snapshot(this.present);
  }

  /** Writes everything before an orderly end. */
  async end(): Promise<void> {
    await this.flush();
    // In a cluster the other nodes continue, and take snapshots.
    if (!this.isShared) await this.snapshot();
  }

  /** Returns the answer as of the last applied batch if the state alone has it. */
  answerFromState(query: ArchiveQuery): unknown {
    if (query.kind === 'save' || query.kind === 'profitAndLoss' || isReportQuery(query)) {
      return undefined;
    }
    return isStateQuery(query)
      ? this.answerStateQuery(query)
      : this.responder.answerFromState(query);
  }

  /**
   * Answers a query as of the last applied batch.
   * @throws HistoryUnavailableError
   */
  async answer(query: ArchiveQuery): Promise<unknown> {
    const steps = this.answerInSteps(query);
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return value;
    }
  }

  /**
   * Answers a query in steps of some milliseconds, as of the last batch that is applied when the first step begins.
   * Batches may be applied, and history may be written or replaced, between two steps.
   * @throws HistoryUnavailableError
   */
  async *answerInSteps(query: ArchiveQuery): AsyncGenerator<void, unknown> {
    if (query.kind === 'save') {
      await this.snapshot();
      return this.position;
    }
    if (isPastQuery(query)) return yield* this.past.loadSegments(() => this.replayPast(query));
    if (isReportQuery(query)) {
      return this.reports === undefined ? undefined : yield* this.reports.answerInSteps(query);
    }
    if (query.kind === 'profitAndLoss') return yield* this.gains.answerInSteps(query);
    if (query.kind === 'proofs') return this.proofs.list();
    if (query.kind === 'inclusion') {
      return this.proofs.inclusion(query.position, this.exchange.state.accounts[query.account]!.id);
    }
    const known = this.answerFromState(query);
    if (known !== undefined || isStateQuery(query)) return known;
    const { responder } = this;
    const { history } = this.options;
    // An empty answer would allow an order to be placed, or an account to be credited, twice.
    if (history.isDamaged && EMPTY_ANSWER_ALLOWS.has(query.kind)) {
      throw new HistoryRebuildingError();
    }
    if (query.kind !== 'totals') {
      return history.read(async (reader) => {
        const { position } = this;
        const found = await responder.answerFromHistory(reader, query);
        return query.kind === 'minuteCandles' ? { position, ...(found as object) } : found;
      });
    }
    let walk: TotalsWalk | undefined;
    const step = (reader: HistoryReader) => {
      walk ??= responder.totalsWalk(query.filter);
      return responder.continueWalk(reader, walk);
    };
    while (!(await history.read(step))) yield;
    return walk!.points;
  }

  private async *replayPast(query: PastQuery): AsyncGenerator<void, unknown> {
    if (query.kind === 'stateAt') return yield* this.past.stateAt(query.moment, this.present);
    if (query.kind === 'feeMarks') return yield* this.past.feeMarks(query, this.position);
    if (query.kind === 'prove') return yield* this.proofs.prove(query.moment, this.present);
    const order = (await this.answer({ ...query, kind: 'order' })) as OrderRecord | undefined;
    return order === undefined
      ? { kind: 'unknown' }
      : yield* this.past.timeline(order, this.position, this.exchange);
  }

  private get present(): Recovered {
    return { exchange: this.exchange, position: { sequence: this.position, hash: this.hash } };
  }

  private answerStateQuery({ kind }: StateQuery): unknown {
    if (kind === 'detection') return this.watch.detection;
    if (kind === 'state') return this.describe();
    return medianDepositTimes(this.exchange.state.parts.custody.store.endedDeposits.values());
  }

  private describe() {
    const { state } = this.exchange;
    const assets = auditAssets(state);
    const liabilities = assets.map(({ available, held }) => sum(available, held));
    const digest = new Bun.SHA256().update(writeSnapshot(this.exchange)).digest('hex');
    return {
      position: this.position,
      stateHash: digest,
      openOrders: state.orders.size,
      assets,
      coverage: readCoverage(state.parts.custody, liabilities),
    };
  }
}
