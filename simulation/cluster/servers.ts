import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { HOUR_MS } from '../../src/config/durations.ts';
import { START } from '../../test/reference/scenario.ts';
import type { Coverage } from '../coverage.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import type { ClusterFaults } from './cluster-faults.ts';

const SERVERS = 3;
const MAX_SKEW_MS = 3000;
/** Larger errors of a server's clock. */
const WRONG_CLOCKS_MS = [HOUR_MS, -HOUR_MS, 20_000] as const;
const MAX_WITHOUT_LEADER_MS = 10_000;

/** A message and its sender's token: after a loss, two processes of a node may have the same incarnation. */
export interface SentMessage extends StoredMessage {
  readonly sender: Uint8Array;
}

export interface ServersOptions {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  /** Called when a message has its place in the stream. */
  readonly onStored: (message: SentMessage) => void;
}

/** A consumer that is notified of new messages. */
export interface Follower {
  wake(): void;
  /** The stream lost messages that may have been delivered. */
  rewind(): void;
}

/** The servers of a replicated stream. One at a time leads, and gives messages their sequence and time. */
export class SimulatedServers {
  /** Sequence of the oldest message still held. */
  first = 1;
  /** All stored messages, including purged ones. */
  private readonly messages: SentMessage[] = [];
  private readonly followers = new Set<Follower>();
  private readonly skewsMs: number[];
  private clockOffsetMs = 0;
  /** Messages received without a leader, which the next leader will store. */
  private held: (() => void)[] = [];
  /** The schedule's owner of messages in transit. */
  private readonly inTransit = {};
  hasLeader = true;
  ledSinceMs = 0;

  constructor(private readonly options: ServersOptions) {
    const { random } = options;
    this.skewsMs = Array.from({ length: SERVERS }, () => below(MAX_SKEW_MS, random));
  }

  get lastSequence(): number {
    return this.messages.length;
  }

  /** Returns a message; undefined if it is purged or not stored yet. */
  message(sequence: number): StoredMessage | undefined {
    return sequence < this.first ? undefined : this.messages[sequence - 1];
  }

  /** Returns all messages, including purged ones. */
  all(): readonly SentMessage[] {
    return this.messages;
  }

  addFollower(follower: Follower): void {
    this.followers.add(follower);
  }

  removeFollower(follower: Follower): void {
    this.followers.delete(follower);
  }

  /**
   * Receives a message. @param stored Called with its sequence once it is stored.
   * @returns False if it is rejected, which its sender learns at once.
   */
  receive(bytes: Uint8Array, sender: Uint8Array, stored: (sequence: number) => void): boolean {
    if (this.hasLeader) this.store(bytes, sender, stored);
    else {
      const fate = below(3, this.options.random);
      if (fate === 0) return false;
      // Otherwise it is lost with the server that received it.
      if (fate === 1) this.held.push(() => this.store(bytes, sender, stored));
    }
    return true;
  }

  /** Leaves the servers without a leader for a while. */
  loseLeader(): void {
    if (!this.hasLeader) return;
    const { schedule, random, coverage } = this.options;
    this.hasLeader = false;
    coverage.count('servers', 'leader lost');
    schedule.after(this, below(MAX_WITHOUT_LEADER_MS, random), 'new leader', () => this.lead());
  }

  /** Removes all messages up to `through`. */
  purge(through: number): void {
    this.first = Math.max(this.first, through + 1);
  }

  /** Delivers a message to the servers even if its sender ends in the meantime. */
  transmit(wayMs: number, work: () => void): void {
    this.options.schedule.after(this.inTransit, wayMs, 'arrives', work);
  }

  /** Loses the newest messages, against the guarantee, and those in transit, as if all servers failed together. */
  rewind(end: number): void {
    this.messages.length = end;
    this.held = [];
    this.options.schedule.forget(this.inTransit);
    for (const follower of this.followers) follower.rewind();
  }

  private lead(): void {
    const { random, faults, coverage, schedule } = this.options;
    this.clockOffsetMs = this.skewsMs[below(SERVERS, random)]!;
    if (faults.happens('serverClock')) {
      coverage.count('fault', 'serverClock');
      this.clockOffsetMs += WRONG_CLOCKS_MS[faults.pick('serverClock', WRONG_CLOCKS_MS.length)]!;
    }
    this.hasLeader = true;
    this.ledSinceMs = schedule.elapsedMs;
    const { held } = this;
    this.held = [];
    if (held.length > 0) coverage.count('servers', 'stored by the next leader', held.length);
    for (const store of held)
      schedule.after(this.inTransit, below(20, random), 'stored late', store);
  }

  private store(bytes: Uint8Array, sender: Uint8Array, stored: (sequence: number) => void): void {
    const { schedule, onStored } = this.options;
    const sequence = this.messages.length + 1;
    const storedAt = START + schedule.elapsedMs + this.clockOffsetMs;
    const message = { sequence, storedAt, bytes, sender };
    this.messages.push(message);
    onStored(message);
    stored(sequence);
    for (const follower of this.followers) follower.wake();
  }
}
