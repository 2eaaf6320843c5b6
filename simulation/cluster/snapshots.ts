import { oldestNeeded } from '../../src/archivist/snapshots/object-snapshots.ts';
import type { Coverage } from '../coverage.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import type { SimulatedServers } from './servers.ts';

/** What the log had come to, and the state of the exchange there, each as bytes. */
export interface StoredSnapshot {
  readonly sequence: number;
  readonly log: Uint8Array;
  readonly state: Uint8Array;
}

/** The snapshots that nodes share, and where their history stands: the stream is purged behind both. */
export class SharedSnapshots {
  /** Newest first. */
  private kept: StoredSnapshot[] = [];
  private recorded = 0;

  constructor(
    private readonly servers: SimulatedServers,
    private readonly faults: ClusterFaults,
    private readonly coverage: Coverage,
  ) {}

  /** Undefined where there is none. */
  newest(): StoredSnapshot | undefined {
    const [newest, older] = this.kept;
    if (older === undefined || !this.faults.happens('newestSnapshotDamage')) return newest;
    this.coverage.count('fault', 'newestSnapshotDamage');
    this.coverage.count('joining', 'older snapshot');
    return older;
  }

  /** The newest that history has passed and that is not behind `limit`. */
  reached(limit: number): StoredSnapshot | undefined {
    const most = Math.min(limit, this.recorded);
    return this.kept.find(({ sequence }) => sequence <= most);
  }

  /** One of the nodes has written history up to here. */
  record(sequence: number): void {
    this.recorded = Math.max(this.recorded, sequence);
  }

  write(snapshot: StoredSnapshot): void {
    const others = this.kept.filter(({ sequence }) => sequence !== snapshot.sequence);
    const all = [snapshot, ...others].sort((a, b) => b.sequence - a.sequence);
    const oldest = oldestNeeded(
      all.map(({ sequence }) => sequence),
      this.recorded,
    );
    this.kept = all.filter(({ sequence }) => sequence >= (oldest ?? 0));
    if (this.kept.length > 2) this.coverage.count('archivist', 'history far behind');
    if (oldest !== undefined) this.servers.purge(oldest);
  }

  /** Those of what the servers have lost are lost too. */
  rewind(end: number): void {
    this.kept = this.kept.filter(({ sequence }) => sequence <= end);
    this.recorded = Math.min(this.recorded, end);
  }
}
