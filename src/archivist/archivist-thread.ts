import {
  HistoryDamagedError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from '../history/errors.ts';
import * as logger from '../monitoring/logger.ts';
import { isStorageFailure } from '../monitoring/operator-error.ts';
import { releaseDescriptors } from '../storage/disk-storage.ts';
import type { Archive } from './archive.ts';
import { Deliveries } from './deliveries.ts';
import { mayBeInState } from './history-answers.ts';
import { type FromWorker, Progress, type ToWorker, type WorkerStart } from './messages.ts';
import { type Opened, openArchive } from './open-archive.ts';
import { isPastQuery } from './past/past.ts';
import {
  isPatient,
  type PendingQuery,
  type QueryGroup,
  QueryQueue,
  queryGroup,
} from './query-queue.ts';
import { inStream } from './recovery.ts';

/** The cost of a commit per row falls with its size. Rows not yet committed are read from memory. */
const FLUSH_EVERY_MS = 1000;
/** Interval between two checks for segments of the log that are to be moved to its archive. */
const RETAIN_EVERY_MS = 2000;
/** The loop applies batches, and then reads, for this long before it does anything else. */
const TURN_MS = 20;
/** While batches wait, at least this multiple of the time of the last patient read passes before the next one. */
const PATIENT_PAUSE_FACTOR = 9;
/** While no batch waits, this multiple of the time of a report's last step passes before the next one: orders need the rest. */
const REPORT_PAUSE_FACTOR = 1.5;
/** On close, queries are answered for this long. */
const CLOSE_WITHIN_MS = 1000;

type Notice = Extract<ToWorker, { kind: 'checkpoint' | 'dispute' }>;

/**
 * The archivist's work in a thread of its own. Messages are queued; one loop takes them, so that no batch is applied
 * during a commit of history, and every step of an answer sees the state between two batches.
 */
export class ArchivistThread {
  private deliveries = new Deliveries(true);
  private notices: Notice[] = [];
  /** Queries that need history. */
  private readonly historyQueries = new QueryQueue();
  /** Queries that the state alone may answer: they wait for no store. */
  private readonly stateQueries = new QueryQueue();
  /** With a shared store, answers of a group are posted in the order of its queries. */
  private readonly posted = new Map<QueryGroup, Promise<void>>();
  private progress!: Float64Array;
  private opened!: Opened;
  /** Name of the stream, if nodes share the log. */
  private stream: string | undefined;
  /** Damage found by queries. */
  private damageFound = 0;
  private flushedAt = 0;
  private retainedAt = Number.NEGATIVE_INFINITY;
  /** The time from which public data and the past are read although batches wait. */
  private patientReadsFrom = 0;
  /** The time from which the next step of a report is taken. */
  private reportsFrom = 0;
  /** The time by which the thread ends, once it is to close. */
  private closeBy: number | undefined;
  /** Whether nothing more is written. */
  private isDiscarded = false;
  private wake: () => void = () => {};

  constructor(private readonly post: (message: FromWorker) => void) {}

  /** Takes a message from the serving thread. */
  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'start':
        this.start(message.start, message.progress);
        return;
      case 'batches':
        this.deliveries.add(message.batches);
        break;
      case 'query': {
        const { id, query, position } = message;
        const queue = mayBeInState(query) ? this.stateQueries : this.historyQueries;
        queue.add({ id, query, position });
        break;
      }
      case 'close':
        this.closeBy = performance.now() + (message.isDiscarded ? 0 : CLOSE_WITHIN_MS);
        this.isDiscarded = message.isDiscarded;
        break;
      default:
        this.notices.push(message);
    }
    this.wake();
  }

  private start(start: WorkerStart, progress: Float64Array): void {
    this.progress = progress;
    if (start.log === 'jetstream') {
      this.stream = start.stream;
      this.deliveries = new Deliveries(false);
    }
    this.run(start).catch((error) => this.fail(error));
  }

  private async run(start: WorkerStart): Promise<void> {
    this.opened = await openArchive(start, {
      keepDelivered: () => this.deliveries.keep(),
      onStale: (reason) => this.post({ kind: 'stale', reason }),
      onFailure: (error) => this.fail(error),
    });
    const { archive, history, repair } = this.opened;
    this.progress[Progress.applied] = archive.position;
    this.post({ kind: 'ready' });
    this.flushedAt = performance.now();
    do {
      await this.turn();
      await this.pause();
    } while (!this.isOver);
    await archive.reports?.close();
    if (!this.isDiscarded) {
      archive.audit();
      await archive.end();
    }
    await (repair ?? history).close();
    releaseDescriptors();
    this.post({ kind: 'closed' });
  }

  private async turn(): Promise<void> {
    const { archive } = this.opened;
    this.applyBatches();
    this.reportProgress();
    const watched = archive.watch.takeStatus();
    if (watched !== undefined) this.post({ kind: 'surveillance', status: watched });
    const now = performance.now();
    if (now - this.flushedAt >= FLUSH_EVERY_MS) {
      this.flushedAt = now;
      await this.unlessShared(archive.flush());
    }
    if (archive.isAuditDue) archive.audit();
    if (archive.isSnapshotDue) await this.unlessShared(archive.snapshot());
    this.takeNotices();
    this.retain(now);
    await this.answerQueries();
    await this.continueReports();
  }

  /** Moves old segments of the log in the background, and reports the archive's status. */
  private retain(now: number): void {
    const { retention } = this.opened;
    if (retention === undefined || now - this.retainedAt < RETAIN_EVERY_MS) return;
    this.retainedAt = now;
    retention.work();
    const { status } = retention;
    if (status !== undefined) this.post({ kind: 'retention', status });
  }

  private applyBatches(): void {
    const { archive, log } = this.opened;
    const until = performance.now() + TURN_MS;
    const batches = this.deliveries.waiting;
    let taken = 0;
    while (taken < batches.length && performance.now() < until) {
      const delivered = batches[taken++]!;
      const { digestBefore } = delivered;
      if (!('message' in delivered)) archive.apply(delivered, digestBefore);
      // Messages that it read from the log while catching up are delivered too.
      else if (delivered.message.sequence > archive.position) {
        archive.apply(log!.take(delivered.message).batch, digestBefore);
      }
      this.progress[Progress.applied] = archive.position;
    }
    batches.splice(0, taken);
  }

  private reportProgress(): void {
    const { progress } = this;
    const { history, repair } = this.opened;
    progress[Progress.history] = history.position().sequence;
    progress[Progress.isWriter] = history.isWriter ? 1 : 0;
    progress[Progress.rebuilt] = 1 + (repair?.rebuiltTo ?? -1);
    progress[Progress.damage] = repair?.findings ?? this.damageFound;
  }

  /** Waits for `work` unless the store is shared: that may be slow or unavailable, and must not delay batches. */
  private async unlessShared(work: Promise<void>): Promise<void> {
    if (this.opened.archive.isShared) work.catch((error) => this.fail(error));
    else await work;
  }

  private takeNotices(): void {
    const { archive } = this.opened;
    const { notices } = this;
    this.notices = [];
    for (const notice of notices) {
      if (notice.kind === 'dispute') archive.isDisputed = notice.isDisputed;
      else archive.compare(notice.position, notice.digest);
    }
  }

  /**
   * Answers for one turn; while batches wait, one query or one step of it, so that neither starves the other. Batches come
   * before reads of public data and of the past: a node whose archivist falls behind takes no orders.
   */
  private async answerQueries(): Promise<void> {
    const isLagging = this.deliveries.waiting.length > 0;
    const until = performance.now() + (isLagging ? 0 : TURN_MS);
    do {
      const { position } = this.opened.archive;
      const stateQuery = this.stateQueries.take(position);
      if (stateQuery !== undefined) this.answerFromState(stateQuery);
      const start = performance.now();
      const takesPatient = !isLagging || start >= this.patientReadsFrom;
      const historyQuery = this.historyQueries.take(position, takesPatient);
      if (historyQuery !== undefined) {
        if (isPastQuery(historyQuery.query)) await this.answerStep(historyQuery);
        else await this.unlessShared(this.answerFromHistory(historyQuery));
        if (isPatient(queryGroup(historyQuery.query))) {
          const now = performance.now();
          this.patientReadsFrom = now + PATIENT_PAUSE_FACTOR * (now - start);
        }
      }
      if (stateQuery === undefined && historyQuery === undefined) return;
    } while (performance.now() < until);
  }

  /** Takes one step of a report: like reads of public data, it leaves most of the time to batches that wait. */
  private async continueReports(): Promise<void> {
    const { reports } = this.opened.archive;
    const start = performance.now();
    if (start < this.reportsFrom || reports?.hasWork !== true || this.closeBy !== undefined) return;
    if (this.deliveries.waiting.length > 0 && start < this.patientReadsFrom) return;
    await reports.step();
    const now = performance.now();
    this.reportsFrom = now + REPORT_PAUSE_FACTOR * (now - start);
    const patientFrom = now + PATIENT_PAUSE_FACTOR * (now - start);
    this.patientReadsFrom = Math.max(this.patientReadsFrom, patientFrom);
  }

  private answerFromState(pending: PendingQuery): void {
    const { id, query } = pending;
    const answer = this.opened.archive.answerFromState(query);
    if (answer === undefined) this.historyQueries.add(pending);
    else this.post({ kind: 'answer', id, answer });
  }

  private answerFromHistory(pending: PendingQuery): Promise<void> {
    const { archive } = this.opened;
    return archive.isShared ? this.answerInOrder(archive, pending) : this.answerStep(pending);
  }

  /** Takes one step towards the answer; posts it after the last step. */
  private async answerStep(pending: PendingQuery): Promise<void> {
    const { id, query } = pending;
    pending.steps ??= this.opened.archive.answerInSteps(query);
    try {
      const { done, value } = await pending.steps.next();
      if (done) this.post({ kind: 'answer', id, answer: value });
      else this.historyQueries.requeue(pending);
    } catch (error) {
      this.post(this.unavailable(id, error));
    }
  }

  /** Answers queries of a shared store concurrently, on its pool of connections; posts the answers of a group in order. */
  private async answerInOrder(archive: Archive, { id, query }: PendingQuery): Promise<void> {
    const answered = archive.answer(query).then(
      (answer): FromWorker => ({ kind: 'answer', id, answer }),
      (error) => this.unavailable(id, error),
    );
    const group = queryGroup(query);
    const previous = this.posted.get(group);
    const posted = Promise.all([answered, previous]).then(([message]) => this.post(message));
    this.posted.set(group, posted);
    await posted;
    if (this.posted.get(group) === posted) this.posted.delete(group);
  }

  /** @throws the error if it is not about history's store */
  private unavailable(id: number, error: unknown): FromWorker {
    if (!(error instanceof HistoryUnavailableError)) throw error;
    if (error instanceof HistoryRebuildingError) {
      return { kind: 'unavailable', id, reason: error.message, cause: 'rebuilding' };
    }
    if (!(error instanceof HistoryDamagedError)) {
      return { kind: 'unavailable', id, reason: error.message, cause: 'down' };
    }
    if (this.damageFound++ === 0 && this.opened.repair === undefined) {
      logger.warn(`${error.message} Check the database; restore it from a backup if necessary.`);
    }
    return { kind: 'unavailable', id, reason: error.finding, cause: 'damaged' };
  }

  private get isOver(): boolean {
    if (this.closeBy === undefined) return false;
    if (this.isDiscarded) return true;
    if (this.deliveries.waiting.length > 0) return false;
    return !this.hasDueQueries || performance.now() >= this.closeBy;
  }

  private get hasDueQueries(): boolean {
    const { position } = this.opened.archive;
    return this.stateQueries.isDue(position) || this.historyQueries.isDue(position);
  }

  /** Yields to incoming messages, or waits for one if there is no work. Continues a rebuild while no batch waits. */
  private async pause(): Promise<void> {
    const { archive, repair } = this.opened;
    const isIdle = this.deliveries.waiting.length === 0;
    const isRebuilding = isIdle && repair?.isRunning === true && (await repair.step(archive));
    const isWorking = !isIdle || isRebuilding || this.hasDueQueries;
    if (isWorking) await new Promise((resolve) => setImmediate(resolve));
    else await this.nextMessage(archive.reports?.hasWork === true ? this.reportsFrom : Infinity);
  }

  /**
   * Waits for a message, until history is to be flushed, or until a time. A query that is not due waits for batches.
   * @param until By `performance.now`.
   */
  private nextMessage(until: number): Promise<void> {
    return new Promise((resolve) => {
      const waitMs = Math.min(FLUSH_EVERY_MS, Math.max(0, Math.ceil(until - performance.now())));
      const timer = setTimeout(resolve, waitMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      const hasMessage = this.deliveries.waiting.length > 0 || this.notices.length > 0;
      if (hasMessage || this.closeBy !== undefined) setImmediate(this.wake);
    });
  }

  private fail(error: Error): void {
    const { stream } = this;
    const named = stream === undefined ? error : inStream(error, stream);
    this.post({ kind: 'failed', reason: describe(named) });
  }
}

/** Describes a fatal error to the operator. */
function describe(error: Error): string {
  const { message } = error;
  if (!isStorageFailure(error)) return message;
  return (
    `History or a snapshot could not be written: ${message}. ` +
    'Everything that was acknowledged is in the log. Check the disk (is it full?), then start again.'
  );
}
