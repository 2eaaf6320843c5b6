import { applyBatch } from '../../src/archivist/recovery.ts';
import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { readSnapshot, writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { equalHashes } from '../../src/log/hash.ts';
import type { Coverage } from '../coverage.ts';
import { check } from '../failure.ts';
import type { Random } from '../random.ts';
import type { SharedSnapshots } from './snapshots.ts';

export interface ClusterArchivistHost {
  readonly random: Random;
  readonly coverage: Coverage;
  readonly snapshots: SharedSnapshots;
  /** Runs `work` at a step of the schedule. */
  readonly later: (maxDelayMs: number, label: string, work: () => void) => void;
  /** Whether its state may be written for other nodes. */
  readonly mayWrite: () => boolean;
  readonly onFailure: (error: Error) => void;
}

type Work =
  | { readonly kind: 'batch'; readonly batch: FollowedBatch; readonly digestBefore: number }
  | { readonly kind: 'checkpoint'; readonly position: number; readonly digest: number }
  | {
      readonly kind: 'damage';
      readonly position: number;
      readonly change: (exchange: Exchange) => void;
    };

const SNAPSHOT_CHANCE = 0.02;
/** The chance that history is committed, which may lag behind the state. */
const COMMIT_CHANCE = 0.05;

/** The serving replica and the archivist's replica of a node have different states. */
export class ReplicasDifferError extends Error {
  override readonly name = 'ReplicasDifferError';
}

/** A node's second replica, which decodes the same messages independently and writes snapshots for all nodes. */
export class ClusterArchivist {
  private readonly waiting: Work[] = [];
  private isScheduled = false;
  private readonly log: StreamState;
  private readonly exchange: Exchange;

  /** Starts from a snapshot that history has reached, and catches up with the serving replica's start. */
  constructor(
    through: number,
    messageAt: (sequence: number) => StoredMessage | undefined,
    private readonly host: ClusterArchivistHost,
  ) {
    const snapshot = host.snapshots.reached(through);
    this.log = snapshot === undefined ? new StreamState() : StreamState.decode(snapshot.log);
    this.exchange = snapshot === undefined ? new Exchange() : readSnapshot(snapshot.state);
    while (this.log.sequence < through) {
      const message = messageAt(this.log.sequence + 1);
      check(message !== undefined, 'the log was trimmed after the position of history');
      applyBatch(this.exchange, this.log.take(message).batch, new Set());
    }
  }

  deliver(batch: FollowedBatch, digestBefore: number): void {
    this.add({ kind: 'batch', batch, digestBefore });
  }

  checkpoint(position: number, digest: number): void {
    this.add({ kind: 'checkpoint', position, digest });
  }

  /** Corrupts its state right after a batch. */
  damage(position: number, change: (exchange: Exchange) => void): void {
    this.add({ kind: 'damage', position, change });
  }

  private add(work: Work): void {
    this.waiting.push(work);
    if (this.isScheduled) return;
    this.isScheduled = true;
    // Usually at once, occasionally with a large lag.
    const maxDelayMs = this.host.random() < 0.05 ? 800 : 10;
    this.host.later(maxDelayMs, 'archivist', () => this.drain());
  }

  private drain(): void {
    this.isScheduled = false;
    try {
      for (const work of this.waiting.splice(0)) this.do(work);
      const { random, coverage, snapshots, mayWrite } = this.host;
      if (!mayWrite()) return;
      if (random() < COMMIT_CHANCE) snapshots.record(this.log.sequence);
      if (random() >= SNAPSHOT_CHANCE) return;
      coverage.count('archivist', 'snapshot');
      const { log, exchange } = this;
      const state = writeSnapshot(exchange);
      snapshots.write({ sequence: log.sequence, log: log.encode(), state });
    } catch (error) {
      this.host.onFailure(error as Error);
    }
  }

  private do(work: Work): void {
    const { log, exchange } = this;
    if (work.kind === 'damage') {
      check(work.position === log.sequence, 'both replicas must be damaged at the same batch');
      work.change(exchange);
      return;
    }
    const { digest } = exchange.state;
    if (digest !== (work.kind === 'batch' ? work.digestBefore : work.digest)) {
      throw new ReplicasDifferError(`the two replicas differ after batch ${log.sequence}`);
    }
    if (work.kind === 'checkpoint') return;
    const { batch } = log.take(work.batch.message);
    check(equalHashes(batch.hash, work.batch.hash), 'two readers decode one message differently');
    applyBatch(exchange, batch, new Set());
  }
}
