import type { Batch } from '../log/log.ts';
import * as logger from '../monitoring/logger.ts';
import type { RetentionStatus } from '../retention/retention.ts';
import type { ArchiveQuery } from './archive.ts';
import type { Archivist, ArchivistProgress } from './archivist.ts';
import type { WatchStatus } from './watch.ts';
import type { WorkerArchivist } from './worker-archivist.ts';

/**
 * Replaces its archivist by a new one if the database was down for longer than the archivist could buffer its records
 * in memory. The old one answers queries until the new one has caught up.
 */
export class RestartableArchivist implements Archivist, ArchivistProgress {
  private current: WorkerArchivist;
  private next: WorkerArchivist | undefined;
  private isClosed = false;
  private isDisputed = false;

  /**
   * @param start Starts an archivist, which calls `onStale` if it has to be replaced.
   * @param onFailure Called if the new archivist fails before it has caught up.
   */
  constructor(
    private readonly start: (onStale: (error: Error) => void) => WorkerArchivist,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.current = this.begin();
  }

  /** Resolves once the first archivist has caught up with the log. */
  get ready(): Promise<void> {
    return this.current.ready;
  }

  get position(): number {
    return this.current.position;
  }

  get historyPosition(): number {
    return this.current.historyPosition;
  }

  get isWriter(): boolean {
    return this.current.isWriter;
  }

  get rebuiltTo(): number | undefined {
    return this.current.rebuiltTo;
  }

  get damageFound(): number {
    return this.current.damageFound;
  }

  get retention(): RetentionStatus | undefined {
    return this.current.retention;
  }

  get surveillance(): WatchStatus | undefined {
    return this.current.surveillance;
  }

  deliver(batch: Batch, digestBefore: number): void {
    this.current.deliver(batch, digestBefore);
    this.next?.deliver(batch, digestBefore);
  }

  checkpoint(position: number, digest: number): void {
    this.current.checkpoint(position, digest);
    this.next?.checkpoint(position, digest);
  }

  noteDispute(isDisputed: boolean): void {
    this.isDisputed = isDisputed;
    this.current.noteDispute(isDisputed);
    this.next?.noteDispute(isDisputed);
  }

  lagMs(): number {
    return this.current.lagMs();
  }

  query(query: ArchiveQuery, position: number, address?: string): Promise<unknown> {
    return this.current.query(query, position, address);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.next?.terminate();
    await this.current.close();
  }

  /** Terminates at once, without writing. */
  terminate(): void {
    this.isClosed = true;
    this.next?.terminate();
    this.current.terminate();
  }

  private begin(): WorkerArchivist {
    const archivist: WorkerArchivist = this.start((stale) => {
      this.renew(archivist, stale).catch((error) => {
        if (!this.isClosed) this.onFailure(error);
      });
    });
    return archivist;
  }

  private async renew(old: WorkerArchivist, reason: Error): Promise<void> {
    if (this.isClosed || this.next !== undefined || old !== this.current) return;
    logger.warn(`The archivist restarts from a snapshot: ${reason.message}`);
    const next = this.begin();
    this.next = next;
    if (this.isDisputed) next.noteDispute(true);
    await next.ready;
    if (this.isClosed) return;
    this.current = next;
    this.next = undefined;
    await old.close();
  }
}
