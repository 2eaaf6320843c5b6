import type { Archive, ArchiveQuery } from '../src/archivist/archive.ts';
import type { Archivist } from '../src/archivist/archivist.ts';
import { LogDamagedError } from '../src/log/errors.ts';
import type { Batch } from '../src/log/log.ts';
import { ArchiveDamagedError } from '../src/retention/archive-store.ts';
import type { Archiver } from '../src/retention/archiver.ts';
import type { Coverage } from './coverage.ts';
import { below, type Random } from './random.ts';

type Message =
  | { readonly kind: 'batch'; readonly batch: Batch; readonly digestBefore: number }
  | { readonly kind: 'checkpoint'; readonly position: number; readonly digest: number };

export interface ArchivistHost {
  /** Runs `work` at a step of the schedule. */
  later(maxDelayMs: number, label: string, work: () => void): void;
  onFailure(error: Error): void;
}

const FLUSH_CHANCE = 0.15;
const SNAPSHOT_CHANCE = 0.04;
const ARCHIVE_CHANCE = 0.1;

/**
 * The archivist's loop as steps of the schedule. The seed decides its lag after the serving replica, and
 * when it writes history and snapshots.
 */
export class SimulatedArchivist implements Archivist {
  private readonly messages: Message[] = [];
  private isScheduled = false;
  private onEmpty: (() => void) | undefined;

  constructor(
    private readonly archive: Archive,
    private readonly host: ArchivistHost,
    private readonly random: Random,
    private readonly coverage: Coverage,
    private readonly archiver: Archiver,
  ) {}

  deliver(batch: Batch, digestBefore: number): void {
    const copy = { ...batch, payload: batch.payload.slice() };
    this.messages.push({ kind: 'batch', batch: copy, digestBefore });
    this.wake();
  }

  checkpoint(position: number, digest: number): void {
    this.messages.push({ kind: 'checkpoint', position, digest });
    this.wake();
  }

  noteDispute(): void {}

  lagMs(): number {
    return 0;
  }

  query(query: ArchiveQuery): Promise<unknown> {
    return this.archive.answer(query);
  }

  /** Applies and commits everything delivered, and writes a snapshot. */
  async close(): Promise<void> {
    if (this.isScheduled) {
      await new Promise<void>((resolve) => {
        this.onEmpty = resolve;
      });
    }
    this.archive.audit();
    await this.archive.snapshot();
  }

  private wake(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    // Usually at once, occasionally with a large lag.
    const maxDelayMs = this.random() < 0.05 ? 400 : 4;
    this.host.later(maxDelayMs, 'archivist', () => {
      this.work().catch((error: Error) => this.host.onFailure(error));
    });
  }

  /** Moves segments to the archive. A failure stops nothing: the next attempt repeats it. */
  private async moveSegments(): Promise<void> {
    try {
      await this.archiver.recoverManifest();
      while ((await this.archiver.moveNext()) !== undefined) {
        this.coverage.count('archivist', 'segment archived');
      }
    } catch (error) {
      if (error instanceof LogDamagedError || error instanceof ArchiveDamagedError) throw error;
      this.coverage.count('archivist', 'archive failed');
    }
  }

  private async work(): Promise<void> {
    for (let taken = below(4, this.random); taken >= 0; taken--) {
      const message = this.messages.shift();
      if (message?.kind === 'batch') this.archive.apply(message.batch, message.digestBefore);
      if (message?.kind === 'checkpoint') this.archive.compare(message.position, message.digest);
    }
    if (this.random() < FLUSH_CHANCE) {
      await this.archive.flush();
      this.coverage.count('archivist', 'history committed');
    }
    if (this.random() < SNAPSHOT_CHANCE) {
      this.archive.audit();
      await this.archive.snapshot();
      this.coverage.count('archivist', 'snapshot');
    }
    if (this.random() < ARCHIVE_CHANCE) await this.moveSegments();
    this.isScheduled = false;
    if (this.messages.length > 0) this.wake();
    else this.onEmpty?.();
  }
}
