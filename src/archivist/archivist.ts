import type { Batch } from '../log/log.ts';
import type { RetentionStatus } from '../retention/retention.ts';
import type { Archive, ArchiveQuery } from './archive.ts';

export {
  HistoryBacklogError,
  HistoryDamagedError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from '../history/errors.ts';
export { maxRowsPerCandle, wholeTrades } from '../history/history.ts';
export type { RetentionStatus } from '../retention/retention.ts';
export type { ArchiveQuery, MinuteCandles } from './archive.ts';
export type { Flow } from './gains/account-gains.ts';
export { INDEX_UNIT } from './gains/account-gains.ts';
export { costMethods } from './gains/cost-basis.ts';
export { OPENING_BALANCE } from './gains/gains-walk.ts';
export type { YearTotals } from './gains/method-gains.ts';
export type { Fraction } from './gains/prices.ts';
export type {
  AssetPerformance,
  PerformancePoint,
  ProfitAndLoss,
} from './gains/profit-and-loss.ts';
export type { FeeMark } from './past/fee-marks.ts';
export type { Moment, PastFailure, PastState } from './past/moment.ts';
export type { Ahead } from './past/queue-ahead.ts';
export {
  type Obstacle,
  obstacles,
  type QueuePoint,
  type Timeline,
  type TimelineEvent,
  timelineEvents,
} from './past/timeline.ts';
export type { AssetLiabilities, LiabilityProof } from './proofs/liabilities.ts';
export type { IncludedBalance } from './proofs/proof-file.ts';
export type { Inclusion, Proved } from './proofs/proofs.ts';
export type { FoundEverywhere } from './record-search.ts';
export {
  exchangeReportKinds,
  hasFormat,
  isExchangeKind,
  MAX_KEPT_REPORTS,
  MAX_REPORT_AGE_MS,
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportFile,
  type ReportRefusal,
  type ReportTerms,
  reportFormats,
  reportKinds,
  reportStatuses,
} from './reports/report.ts';
export type { Detection, WatchStatus } from './watch.ts';

import type { WatchStatus } from './watch.ts';

/** Progress of an archivist. */
export interface ArchivistProgress {
  /** Sequence of the last applied batch. */
  readonly position: number;
  /** Sequence of the last batch known to be in history. */
  readonly historyPosition: number;
  /** Whether this archivist writes history. */
  readonly isWriter: boolean;
  /** Sequence of the last batch in a history that is being rebuilt; undefined if none is. */
  readonly rebuiltTo: number | undefined;
  /** Number of times that this process found damage in history. */
  readonly damageFound: number;
  /** The archive of the log; undefined if there is none. */
  readonly retention: RetentionStatus | undefined;
  /** The detectors of surveillance; undefined before the archivist has caught up. */
  readonly surveillance: WatchStatus | undefined;
}

/** The serving thread's interface to the archivist, wherever that runs. */
export interface Archivist {
  /** Passes on a durable batch, with the serving replica's digest before it. */
  deliver(batch: Batch, digestBefore: number): void;
  /** Passes on the serving replica's digest after batch `position`, to compare if the archivist is at that batch. */
  checkpoint(position: number, digest: number): void;
  /** Sets whether this node and others hold different states: no snapshots are taken while they do. */
  noteDispute(isDisputed: boolean): void;
  /** Returns how long the oldest batch that is not applied has waited, milliseconds. */
  lagMs(): number;
  /**
   * Answers as of batch `position` or later.
   * @param address The scope of the address that reads public data, or the name of the reader of the past, whose
   * unanswered queries are limited.
   * @throws HistoryUnavailableError if the answer needs a store that is unavailable
   * @throws HistoryBacklogError if too many queries of the same account or address are unanswered
   */
  query(query: ArchiveQuery, position: number, address?: string): Promise<unknown>;
  /** The archive of the log; undefined if there is none. */
  readonly retention?: RetentionStatus | undefined;
  /** The detectors of surveillance; undefined before it has caught up. */
  readonly surveillance?: WatchStatus | undefined;
  /** Ends once everything delivered is in history and in a snapshot. */
  close(): Promise<void>;
}

/** An archivist in the serving thread, for tests and for tools that replay. */
export class LocalArchivist implements Archivist {
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly archive: Archive) {}

  deliver(batch: Batch, digestBefore: number): void {
    const copy = { ...batch, payload: batch.payload.slice() };
    this.work = this.work.then(() => this.archive.apply(copy, digestBefore));
  }

  checkpoint(position: number, digest: number): void {
    this.work = this.work.then(() => this.archive.compare(position, digest));
  }

  noteDispute(): void {}

  lagMs(): number {
    return 0;
  }

  get surveillance(): WatchStatus {
    return this.archive.watch.status;
  }

  async query(query: ArchiveQuery): Promise<unknown> {
    const answer = this.work.then(() => this.archive.answer(query));
    // Later queries find its reports done.
    const { reports } = this.archive;
    const rest = answer.then(async () => {
      while (reports?.hasWork) await reports.step();
    });
    this.work = rest.then(
      () => {},
      () => {},
    );
    return answer;
  }

  async close(): Promise<void> {
    await this.work;
    await this.archive.end();
  }
}
