import { auditState } from '../engine/audit/audit.ts';
import type { Exchange } from '../engine/exchange.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import type { Recorder } from '../history/history.ts';
import type { Batch, Position } from '../log/log.ts';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from '../storage/reserved-descriptors.ts';

/** When snapshots are due. */
export interface SnapshotTerms {
  readonly commands: number;
  /** In a cluster only: heartbeats of idle nodes are batches too. */
  readonly batches: number;
  /** Minimum interval between two snapshots. */
  readonly everyMs: number;
  /** Time between the audit of the whole state and its snapshot. */
  readonly afterAuditMs: number;
  /** In a cluster only: delay before a snapshot is written, in which other nodes may report a different state. */
  readonly heldMs: number;
}

/** A start of an idle cluster reads at most some seven hours of heartbeats. */
const TERMS: SnapshotTerms = {
  commands: 500_000,
  batches: 100_000,
  everyMs: 60_000,
  afterAuditMs: 5_000,
  heldMs: 5_000,
};

/** Stores snapshots. */
export interface SnapshotWriter {
  /** @param agreed In a cluster: resolves once other nodes may find the snapshot, rejects if they must not. */
  write(position: Position, state: Uint8Array, agreed: () => Promise<void>): Promise<void>;
}

export interface ScheduleOptions {
  readonly snapshots: SnapshotWriter;
  readonly history: Recorder;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
  readonly terms?: Partial<SnapshotTerms> | undefined;
  readonly warn?: (message: string) => void;
}

/** Decides when an archive audits its state and writes a snapshot, and writes it. */
export class SnapshotSchedule {
  /** Commands since the last snapshot. */
  commands = 0;
  /** Whether nodes hold different states: no snapshot is taken, because the right state is unknown. */
  isDisputed = false;
  /** Sequence of the last applied batch. */
  private position: number;
  private snapshotAt: number;
  /** Time of the audit for the next snapshot; undefined before it. */
  private auditedAt: number | undefined;
  private readonly terms: SnapshotTerms;

  /** @param snapshotPosition The batch of the last snapshot. */
  constructor(
    private readonly exchange: Exchange,
    private snapshotPosition: number,
    private readonly options: ScheduleOptions,
  ) {
    this.position = snapshotPosition;
    this.snapshotAt = options.elapsedMs();
    this.terms = { ...TERMS, ...options.terms };
  }

  /** Counts a batch that was applied. */
  note({ sequence, count }: Batch): void {
    this.position = sequence;
    this.commands += count;
  }

  get isAuditDue(): boolean {
    const { commands, batches, everyMs } = this.terms;
    return (
      this.auditedAt === undefined &&
      (this.commands >= commands ||
        (this.isShared && this.position - this.snapshotPosition >= batches)) &&
      this.options.elapsedMs() - this.snapshotAt >= everyMs
    );
  }

  /**
   * Audits the whole state. With a million open orders this takes about as long as the snapshot, and no batch is
   * applied during either: the delay between the two lets the archivist catch up.
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
   * Makes a snapshot durable. On a single node, history holds all batches up to it; in a cluster, the node that writes
   * history takes the snapshot, and history may reach it later.
   */
  async snapshot(present: { readonly position: Position }): Promise<void> {
    // A start needs a snapshot from which history has everything, the state of detectors included.
    if (!this.isShared) await this.options.history.settle(true);
    const isNews = this.isShared ? this.position > this.snapshotPosition : this.commands > 0;
    if (isNews) await this.write(present.position);
  }

  private get isShared(): boolean {
    return this.options.history.isShared;
  }

  /**
   * Writes a snapshot of the current state; batches may be applied while the disk works. Without a free file
   * descriptor the snapshot is postponed until the next one is due: nothing is lost, because the log has everything.
   */
  private async write(position: Position): Promise<void> {
    const { options, commands, snapshotPosition } = this;
    this.commands = 0;
    this.snapshotPosition = this.position;
    this.snapshotAt = options.elapsedMs();
    this.auditedAt = undefined;
    if (!options.history.isWriter) return;
    try {
      await options.snapshots.write(position, writeSnapshot(this.exchange), () => this.agreed());
    } catch (error) {
      const isDescriptorShortage = isOutOfDescriptors(error);
      if (!isDescriptorShortage && !this.isShared) throw error;
      this.commands += commands;
      this.snapshotPosition = snapshotPosition;
      const { warn = logger.warn } = options;
      const reason = (error as Error).message;
      warn(
        isDescriptorShortage
          ? `No file descriptor is left for a snapshot (${reason}): postponed.`
          : `A snapshot could not be written (${reason}): postponed.`,
      );
    }
  }

  private async agreed(): Promise<void> {
    await Bun.sleep(this.terms.heldMs);
    if (this.isDisputed) throw new Error('the nodes hold different states');
  }
}
