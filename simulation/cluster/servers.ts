import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { START } from '../../test/reference/scenario.ts';
import type { Coverage } from '../coverage.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import type { ClusterFaults } from './cluster-faults.ts';

const SERVERS = 3;
const MAX_SKEW_MS = 3000;
const HOUR_MS = 3_600_000;
/** How a server's clock may be wrong by more than that. */
const WRONG_CLOCKS_MS = [HOUR_MS, -HOUR_MS, 20_000] as const;
const LONGEST_WITHOUT_LEADER_MS = 10_000;

/** A message, and the token of the process that sent it: after a loss two may have the same incarnation of a node. */
export interface SentMessage extends StoredMessage {
  readonly sender: Uint8Array;
}

export interface ServersOptions {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  /** A message has its place in the stream. */
  readonly onStored: (message: SentMessage) => void;
}

/** Whoever is told that there is something new. */
export interface Follower {
  wake(): void;
  /** The stream ends before what was passed on. */
  rewind(): void;
}

/** The servers that hold a replicated stream: one of them at a time leads, and gives messages number and time. */
export class SimulatedServers {
  /** Of those that are still held. */
  first = 1;
  /** All that were ever stored, those that were purged too. */
  private readonly messages: SentMessage[] = [];
  private readonly followers = new Set<Follower>();
  private readonly skewsMs: number[];
  private clockOffsetMs = 0;
  /** What came while nobody led, and will be stored by who leads next. */
  private held: (() => void)[] = [];
  /** Whose all messages on their way are. */
  private readonly underWay = {};
  hasLeader = true;
  ledSinceMs = 0;

  constructor(private readonly options: ServersOptions) {
    const { random } = options;
    this.skewsMs = Array.from({ length: SERVERS }, () => below(MAX_SKEW_MS, random));
  }

  get lastSequence(): number {
    return this.messages.length;
  }

  /** Undefined where it is purged or not there yet. */
  message(sequence: number): StoredMessage | undefined {
    return sequence < this.first ? undefined : this.messages[sequence - 1];
  }

  /** All there is from a beginning to here, purged or not. */
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
   * Takes a message that has come. @param stored Told its number once it is stored.
   * @returns Whether it is taken: where not, its sender is told at once.
   */
  receive(bytes: Uint8Array, sender: Uint8Array, stored: (sequence: number) => void): boolean {
    if (this.hasLeader) this.store(bytes, sender, stored);
    else {
      const fate = below(3, this.options.random);
      if (fate === 0) return false;
      // Else it is lost with the server that had it.
      if (fate === 1) this.held.push(() => this.store(bytes, sender, stored));
    }
    return true;
  }

  /** Nobody leads for a while. */
  loseLeader(): void {
    if (!this.hasLeader) return;
    const { schedule, random, coverage } = this.options;
    this.hasLeader = false;
    coverage.count('servers', 'leader lost');
    schedule.after(this, below(LONGEST_WITHOUT_LEADER_MS, random), 'new leader', () => this.lead());
  }

  /** Forgets what is at or before a message. */
  purge(through: number): void {
    this.first = Math.max(this.first, through + 1);
  }

  /** Brings a message, whatever becomes of its sender meanwhile. */
  bring(wayMs: number, work: () => void): void {
    this.options.schedule.after(this.underWay, wayMs, 'arrives', work);
  }

  /** Breaks their promise: forgets the newest messages, and loses what is on its way, as only a common end can. */
  rewind(end: number): void {
    this.messages.length = end;
    this.held = [];
    this.options.schedule.forget(this.underWay);
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
      schedule.after(this.underWay, below(20, random), 'stored late', store);
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
