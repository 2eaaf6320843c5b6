import { HistoryUnavailableError } from '../../history/errors.ts';
import * as logger from '../../monitoring/logger.ts';
import { makeKeptReport } from './account-reports.ts';
import { makeExchangeReport } from './exchange/exchange-reports.ts';
import { LedgerMismatchError } from './ledger-sums.ts';
import {
  isExchangeKind,
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportAnswer,
  type ReportQuery,
  type ReportRefusal,
  type Reports,
  type ReportTerms,
} from './report.ts';
import { type FinishedFile, ReportOutput } from './report-output.ts';
import type { Making } from './report-rows.ts';
import type { ReportSource } from './report-source.ts';
import { isUnfinished, type ReportStore } from './report-store.ts';

/** Reports that are made at a time, of different accounts. */
const MAX_RUNNING = 4;
/** After history was unavailable, a report waits this long before it begins again. */
const RETRY_MS = 1000;
/** A report that has begun so often without an end fails. */
const MAX_BEGINNINGS = 100;

interface Running {
  report: Report;
  readonly making: Making;
  readonly output: ReportOutput;
  readonly steps: AsyncGenerator<void, FinishedFile>;
}

export interface ReportJobsOptions {
  readonly source: ReportSource;
  readonly store: ReportStore;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  /** Returns a new id: 24 hexadecimal digits that cannot be guessed. */
  readonly newId?: () => string;
}

/**
 * Makes reports in the background, in steps of some milliseconds. Up to four accounts take turns; those of one account are
 * made one after the other. A report that a restart interrupted begins again, at a later position.
 */
export class ReportJobs implements Reports {
  /** The one whose turn is next comes first. */
  private running: Running[] = [];
  /** Beginnings of reports that history interrupted. */
  private readonly beginnings = new Map<string, number>();
  private waitsUntil = 0;

  constructor(private readonly options: ReportJobsOptions) {}

  /** Must be called once the source has caught up with the log, before anything else. */
  begin(): void {
    const { store, source } = this.options;
    store.removeAfter(source.position);
    store.prune(source.state.time);
  }

  /** Whether a step can be taken now. */
  get hasWork(): boolean {
    if (this.options.elapsedMs() < this.waitsUntil) return false;
    return this.running.length > 0 || this.nextQueued() !== undefined;
  }

  /** Answers a request; `undefined` if there is no such report. */
  answer(query: ReportQuery): ReportAnswer {
    const { store } = this.options;
    if (query.kind === 'createReport') return this.create(query.terms);
    if (query.kind === 'reports') return store.list(query.account);
    const report = store.get(query.reportId);
    const isVisible = query.account === undefined || report?.account === query.account;
    if (report === undefined || !isVisible) return undefined;
    if (query.kind === 'deleteReport') return this.remove(report);
    return { report, path: store.filePath(report) };
  }

  // biome-ignore lint/correctness/useYield: A report of one node is found at once.
  async *answerInSteps(query: ReportQuery): AsyncGenerator<void, ReportAnswer> {
    return this.answer(query);
  }

  /** Takes one step of the report whose turn it is. */
  async step(): Promise<void> {
    this.start();
    const job = this.running.shift();
    if (job === undefined) return;
    try {
      const { done, value } = await job.steps.next();
      if (done) this.finish(job, value);
      // It may have been removed in the meantime.
      else if (this.isKept(job)) {
        this.note(job);
        this.running.push(job);
      } else job.output.close();
    } catch (error) {
      job.output.close();
      this.interrupt(job, error);
    }
  }

  /** Ends the use of files. Unfinished reports begin again at the next start. */
  async close(): Promise<void> {
    for (const { output } of this.running.splice(0)) output.close();
  }

  private create(terms: ReportTerms): Report | ReportRefusal {
    const { store, source, newId = randomId } = this.options;
    const now = source.state.time;
    const unfinished = store.list(terms.account).filter(isUnfinished);
    if (unfinished.length >= MAX_UNFINISHED_REPORTS) return { refusal: 'tooManyUnfinished' };
    const report: Report = {
      ...terms,
      reportId: newId(),
      status: 'queued',
      progress: 0,
      createdAt: now,
      createdIn: source.position,
      finishedAt: 0,
      position: 0,
      rows: 0,
      bytes: 0,
      sha256: '',
      error: '',
    };
    try {
      store.put(report);
    } catch (error) {
      logger.warn(`A report cannot be stored: ${(error as Error).message}. Check the disk.`);
      store.remove(report);
      return { refusal: 'noDisk' };
    }
    store.prune(now);
    return report;
  }

  private remove(report: Report): Report {
    this.options.store.remove(report);
    const job = this.running.find((each) => each.report.reportId === report.reportId);
    this.running = this.running.filter((each) => each !== job);
    job?.output.close();
    return report;
  }

  private isKept({ report }: Running): boolean {
    return this.options.store.get(report.reportId) !== undefined;
  }

  /** Starts the next report, if another account than those of the running ones waits. */
  private start(): void {
    const report = this.nextQueued();
    if (report === undefined) return;
    const { store, source } = this.options;
    const count = (this.beginnings.get(report.reportId) ?? 0) + 1;
    this.beginnings.set(report.reportId, count);
    const making: Making = { progress: 0, rows: 0, position: 0 };
    try {
      const output = new ReportOutput(store.storage, store.filePath(report));
      const steps = makeFile(source, report, output, making);
      const begun: Report = { ...report, status: 'running' };
      store.note(begun);
      // Before the others, so that a short report does not wait for the steps of long ones.
      this.running.unshift({ report: begun, making, output, steps });
    } catch (error) {
      this.fail(report, error);
    }
  }

  private nextQueued(): Report | undefined {
    const { running } = this;
    if (running.length >= MAX_RUNNING) return undefined;
    return this.options.store
      .unfinished()
      .find(({ account }) => !running.some(({ report }) => report.account === account));
  }

  private note(job: Running): void {
    const { progress, position } = job.making;
    job.report = { ...job.report, progress: Math.min(0.99, progress), position };
    this.options.store.note(job.report);
  }

  private finish({ report, making, output }: Running, file: FinishedFile): void {
    const { store, source } = this.options;
    output.close();
    this.beginnings.delete(report.reportId);
    if (store.get(report.reportId) === undefined) {
      // Removed during its last step.
      store.remove(report);
      return;
    }
    const { position, rows } = making;
    const finishedAt = source.state.time;
    store.put({ ...report, status: 'done', progress: 1, position, rows, finishedAt, ...file });
    store.prune(finishedAt);
  }

  /** Begins a report again if history was unavailable, and lets it fail otherwise. */
  private interrupt({ report }: Running, error: unknown): void {
    const { store, elapsedMs } = this.options;
    if (store.get(report.reportId) === undefined) return;
    const isTransient = error instanceof HistoryUnavailableError;
    if (isTransient && this.beginnings.get(report.reportId)! < MAX_BEGINNINGS) {
      store.note({ ...report, status: 'queued', progress: 0, position: 0 });
      this.waitsUntil = elapsedMs() + RETRY_MS;
      return;
    }
    this.fail(report, error);
  }

  private fail(report: Report, error: unknown): void {
    const { store, source } = this.options;
    const { message } = error as Error;
    this.beginnings.delete(report.reportId);
    if (error instanceof LedgerMismatchError) {
      logger.warn(
        `The ledger of an account does not lead to its balances: ${message}. Run "buttonwood verify".`,
      );
    }
    const failed: Report = {
      ...report,
      status: 'failed',
      finishedAt: source.state.time,
      error: message,
    };
    try {
      store.put(failed);
    } catch {
      // The disk is full; after a restart the report begins again.
      store.note(failed);
    }
  }
}

/** Makes the whole file of a report, in steps. */
async function* makeFile(
  source: ReportSource,
  report: Report,
  output: ReportOutput,
  making: Making,
): AsyncGenerator<void, FinishedFile> {
  const { kind } = report;
  const head = isExchangeKind(kind)
    ? yield* makeExchangeReport(source, kind, report, output, making)
    : yield* makeKeptReport(source, { ...report, kind }, output, making);
  return yield* output.finish(head);
}

function randomId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('hex');
}
