import type { Coverage } from '../coverage.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import type { SimulatedServers } from './servers.ts';

/** What the log had come to, and the state of the exchange there, each as bytes. */
export interface StoredSnapshot {
  readonly sequence: number;
  readonly log: Uint8Array;
  readonly state: Uint8Array;
}

const KEPT = 2;

/** The snapshots that nodes share: the newest two, behind the older of which the stream is purged. */
export class SharedSnapshots {
  private kept: StoredSnapshot[] = [];

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

  write(snapshot: StoredSnapshot): void {
    const others = this.kept.filter(({ sequence }) => sequence !== snapshot.sequence);
    this.kept = [snapshot, ...others].sort((a, b) => b.sequence - a.sequence).slice(0, KEPT);
    const oldest = this.kept[KEPT - 1];
    if (oldest !== undefined) this.servers.purge(oldest.sequence);
  }

  /** Those of what the servers have lost are lost too. */
  rewind(end: number): void {
    this.kept = this.kept.filter(({ sequence }) => sequence <= end);
  }
}
