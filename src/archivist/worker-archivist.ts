import type { FollowedBatch } from '../cluster/log/clustered-log.ts';
import type { Batch } from '../log/log.ts';
import { OperatorError } from '../monitoring/operator-error.ts';
import type { RetentionStatus } from '../retention/retention.ts';
import type { ArchiveQuery } from './archive.ts';
import {
  type Archivist,
  type ArchivistProgress,
  HistoryDamagedError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from './archivist.ts';
import {
  type Delivered,
  type FromWorker,
  Progress,
  type ToWorker,
  type WorkerStart,
} from './messages.ts';
import { ReadLimits } from './read-limits.ts';

export type { StreamSource } from './messages.ts';

const SEND_EVERY_MS = 25;
const SILENT_END =
  "The archivist's thread ended without an error (out of memory?). " +
  'Everything that was acknowledged is in the log: start again.';

import type { WatchStatus } from './watch.ts';

/** The archivist has stopped, for the reason in the message. */
export class ArchivistError extends OperatorError {
  override readonly name = 'ArchivistError';
}

/** Runs the archivist in a thread of its own, so that the serving thread never waits for history or snapshots. */
export class WorkerArchivist implements Archivist, ArchivistProgress {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url).href);
  /** Written by the archivist's thread. */
  private readonly progress = new Float64Array(
    new SharedArrayBuffer(8 * Object.keys(Progress).length),
  );
  /** Batches not known to be applied, and when each was delivered; oldest first. */
  private readonly pending: { sequence: number; at: number }[] = [];
  private readonly queries = new Map<number, PromiseWithResolvers<unknown>>();
  private readonly reads = new ReadLimits();
  private nextQuery = 1;
  private outbox: Delivered[] = [];
  private outboxTimer: Timer | undefined;
  private onEnd: (() => void) | undefined;
  retention: RetentionStatus | undefined;
  surveillance: WatchStatus | undefined;
  /** The thread has reported that it is done. */
  private isDone = false;
  private isClosed = false;

  /** Batches up to here arrived while the thread caught up with the log: they do not count as lag. */
  private caughtUpTo = Infinity;
  /** Resolves once the thread has caught up with the log. */
  readonly ready: Promise<void>;

  /**
   * Starts the thread, which catches up with the log before it takes anything else.
   * @param onStale Called if the thread can never write what it recorded to a shared store. It continues to apply
   * batches, but cannot read history until another archivist replaces it, from a snapshot that the store has reached.
   * @param elapsedMs The monotonic clock by which lag is measured, milliseconds.
   */
  constructor(
    start: WorkerStart,
    private readonly onFailure: (error: Error) => void,
    private readonly onStale: (error: Error) => void = onFailure,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {
    const { worker } = this;
    this.ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind !== 'ready') reject(new ArchivistError(describe(data)));
        else {
          this.becomeReady();
          resolve();
        }
      };
      worker.onerror = (event) => reject(new ArchivistError(event.message));
      worker.addEventListener('close', () => reject(new ArchivistError(SILENT_END)));
    });
    // It may fail before a caller awaits it.
    this.ready.catch(() => {});
    this.send({ kind: 'start', start, progress: this.progress });
  }

  /** Starts the thread; resolves once it has caught up with the log. */
  static async start(
    start: WorkerStart,
    onFailure: (error: Error) => void,
    elapsedMs?: () => number,
  ): Promise<WorkerArchivist> {
    const archivist = new WorkerArchivist(start, onFailure, onFailure, elapsedMs);
    await archivist.ready;
    return archivist;
  }

  private becomeReady(): void {
    this.caughtUpTo = this.pending.at(-1)?.sequence ?? 0;
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    this.worker.onerror = (event) => this.onFailure(new ArchivistError(event.message));
    this.worker.addEventListener('close', () => this.noteEnd());
  }

  deliver(batch: Batch | FollowedBatch, digestBefore: number): void {
    this.forgetApplied();
    const { sequence, time, count, hash } = batch;
    // Nothing counts as lag before `ready`, and the wait for history's store is unbounded.
    if (!this.isReady) this.pending.length = 0;
    this.pending.push({ sequence, at: this.elapsedMs() });
    if ('message' in batch) this.outbox.push({ message: batch.message, digestBefore });
    else {
      const payload = batch.payload.slice();
      this.outbox.push({ sequence, time, count, hash, payload, digestBefore });
    }
    // A message costs as much as dozens of orders: the batches of some milliseconds share one.
    this.outboxTimer ??= setTimeout(() => this.sendBatches(), SEND_EVERY_MS);
  }

  checkpoint(position: number, digest: number): void {
    this.sendBatches();
    this.send({ kind: 'checkpoint', position, digest });
  }

  noteDispute(isDisputed: boolean): void {
    this.send({ kind: 'dispute', isDisputed });
  }

  lagMs(): number {
    this.forgetApplied();
    const oldest = this.pending.find(({ sequence }) => sequence > this.caughtUpTo);
    return oldest === undefined ? 0 : this.elapsedMs() - oldest.at;
  }

  get position(): number {
    return this.progress[Progress.applied]!;
  }

  get historyPosition(): number {
    return this.progress[Progress.history]!;
  }

  get isWriter(): boolean {
    return this.progress[Progress.isWriter] === 1;
  }

  get rebuiltTo(): number | undefined {
    const rebuilt = this.progress[Progress.rebuilt]!;
    return rebuilt === 0 ? undefined : rebuilt - 1;
  }

  get damageFound(): number {
    return this.progress[Progress.damage]!;
  }

  query(query: ArchiveQuery, position: number, address?: string): Promise<unknown> {
    return this.reads.run(query, () => this.put(query, position), address);
  }

  private get isReady(): boolean {
    return this.caughtUpTo !== Infinity;
  }

  private put(query: ArchiveQuery, position: number): Promise<unknown> {
    if (this.isClosed) return Promise.reject(hasEnded());
    this.sendBatches();
    const id = this.nextQuery++;
    const answer = Promise.withResolvers<unknown>();
    this.queries.set(id, answer);
    this.send({ kind: 'query', id, query, position });
    return answer.promise;
  }

  close(): Promise<void> {
    return this.endThread(false);
  }

  /** Ends without writing anything more, because its files are replaced. */
  discard(): Promise<void> {
    return this.endThread(true);
  }

  private async endThread(isDiscarded: boolean): Promise<void> {
    this.sendBatches();
    const ended = new Promise<void>((resolve) => {
      this.onEnd = resolve;
    });
    this.send({ kind: 'close', isDiscarded });
    await ended;
    this.worker.terminate();
    this.isClosed = true;
    // The caller may try again: another archivist may have taken this one's place.
    for (const { reject } of this.queries.values()) reject(hasEnded());
    this.queries.clear();
  }

  /** Ends the thread at once, without writing: it may be waiting for its store. */
  terminate(): void {
    this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    switch (message.kind) {
      case 'answer':
        this.queries.get(message.id)?.resolve(message.answer);
        this.queries.delete(message.id);
        return;
      case 'unavailable':
        this.queries.get(message.id)?.reject(unavailable(message));
        this.queries.delete(message.id);
        return;
      case 'retention':
        this.retention = message.status;
        return;
      case 'surveillance':
        this.surveillance = message.status;
        return;
      case 'stale':
        this.onStale(new ArchivistError(staleText(message.reason)));
        return;
      case 'closed':
        this.isDone = true;
        this.onEnd?.();
        return;
      case 'failed':
        this.onFailure(new ArchivistError(message.reason));
        return;
      case 'ready':
        return;
    }
  }

  /** Without this, pending queries to a crashed thread would never settle. */
  private noteEnd(): void {
    if (!this.isDone) this.onFailure(new ArchivistError(SILENT_END));
  }

  private forgetApplied(): void {
    const applied = this.progress[Progress.applied]!;
    let count = 0;
    while (count < this.pending.length && this.pending[count]!.sequence <= applied) count++;
    if (count > 0) this.pending.splice(0, count);
  }

  private sendBatches(): void {
    clearTimeout(this.outboxTimer);
    this.outboxTimer = undefined;
    if (this.outbox.length === 0) return;
    const batches = this.outbox;
    this.outbox = [];
    this.send({ kind: 'batches', batches });
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

function hasEnded(): HistoryUnavailableError {
  return new HistoryUnavailableError('its archivist has ended');
}

function staleText(reason: string): string {
  return (
    `The records of this node can no longer be written to history: ${reason}. ` +
    'Nothing is lost, because the log has everything: start again, from a snapshot.'
  );
}

function unavailable({ cause, reason }: Unavailable): HistoryUnavailableError {
  if (cause === 'rebuilding') return new HistoryRebuildingError();
  return cause === 'damaged'
    ? new HistoryDamagedError(reason)
    : new HistoryUnavailableError(reason);
}

type Unavailable = Extract<FromWorker, { kind: 'unavailable' }>;

function describe(message: FromWorker): string {
  return 'reason' in message ? message.reason : `unexpected message ${message.kind}`;
}
