import { oldestNeeded } from '../../src/archivist/snapshots/object-snapshots.ts';
import type { Coverage } from '../coverage.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import type { SimulatedServers } from './servers.ts';

/** Serialized states of the log reader and of the exchange at a message. */
export interface StoredSnapshot {
  readonly sequence: number;
  readonly log: Uint8Array;
  readonly state: Uint8Array;
}

/** The shared snapshots and the position of history. The stream is purged up to the older of both. */
export class SharedSnapshots {
  /** Newest first. */
  private kept: StoredSnapshot[] = [];
  private recorded = 0;

  constructor(
    private readonly servers: SimulatedServers,
    private readonly faults: ClusterFaults,
    private readonly coverage: Coverage,
  ) {}

  /** Returns the newest snapshot; undefined if there is none. */
  newest(): StoredSnapshot | undefined {
    const [newest, older] = this.kept;
    if (older === undefined || !this.faults.happens('newestSnapshotDamage')) return newest;
    this.coverage.count('fault', 'newestSnapshotDamage');
    this.coverage.count('joining', 'older snapshot');
    return older;
  }

  /** Returns the newest snapshot that history has reached, at or before `limit`. */
  reached(limit: number): StoredSnapshot | undefined {
    const last = Math.min(limit, this.recorded);
    return this.kept.find(({ sequence }) => sequence <= last);
  }

  /** Records that a node has written history up to `sequence`. */
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
    if (this.kept.length > 2) this.coverage.count('archivist', 'history lags far');
    if (oldest !== undefined) this.servers.purge(oldest);
  }

  /** Removes the snapshots of lost messages. */
  rewind(end: number): void {
    this.kept = this.kept.filter(({ sequence }) => sequence <= end);
    this.recorded = Math.min(this.recorded, end);
  }
}
