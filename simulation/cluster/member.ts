import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import { StreamLog } from '../../src/cluster/log/stream-log.ts';
import { StreamState, TOKEN_BYTES } from '../../src/cluster/log/stream-state.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event, Outcome } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { readSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import type { OnError } from '../../src/replica/in-flight-batch.ts';
import { Replica } from '../../src/replica/replica.ts';
import { START } from '../../test/reference/scenario.ts';
import type { Coverage } from '../coverage.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import { ClusterArchivist } from './cluster-archivist.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import { Link } from './link.ts';
import type { SimulatedServers } from './servers.ts';
import type { SharedSnapshots } from './snapshots.ts';

export interface MemberOptions {
  readonly name: string;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  readonly servers: SimulatedServers;
  readonly snapshots: SharedSnapshots;
  /** The error of the machine's clock, milliseconds. */
  readonly clockOffsetMs: () => number;
  /** Called with a batch before it is applied, and with the state's digest before it. */
  readonly onBatch: (member: Member, batch: FollowedBatch, digestBefore: number) => void;
  /** Called with the events of an applied command. */
  readonly onEvents: (member: Member, events: readonly Event[]) => void;
  readonly onFailure: (member: Member, error: Error) => void;
}

/** One process of a node, from its start until it ends. */
export class Member {
  readonly name: string;
  readonly token: Uint8Array;
  readonly link: Link;
  readonly startedAtMs: number;
  isAlive = true;
  isPaused = false;
  isServing = false;
  isStopping = false;
  endedAtMs = Number.POSITIVE_INFINITY;
  servingAtMs = 0;
  resumedAtMs = 0;
  /** The simulated time at which its memory was damaged; undefined if it is sound. */
  damagedAtMs: number | undefined;
  private isDisputed = false;
  /** Whether its state may be written for other nodes. */
  mayWriteSnapshots = true;
  /** The time in which it could have learned from others that its state differs. */
  exposedMs = 0;
  hasJoined = false;
  /** Sequence of the message by which another process replaced it. */
  fencedAt = Number.POSITIVE_INFINITY;
  /** Sequence of the last join, accepted or not, of another process of its node. */
  lastRivalJoin = 0;
  /** Sequence of the last batch that it started with or received. */
  seen = 0;
  /** Place of the next command in the batch that is being applied. */
  place = 0;
  /** Work that fell due while it was paused. */
  private readonly parked: { readonly label: string; readonly work: () => void }[] = [];
  private log: StreamLog | undefined;
  private replica: Replica | undefined;
  private archivist: ClusterArchivist | undefined;

  constructor(private readonly options: MemberOptions) {
    const { random, schedule } = options;
    this.name = options.name;
    this.token = Uint8Array.from({ length: TOKEN_BYTES }, () => below(256, random));
    this.startedAtMs = schedule.elapsedMs;
    this.link = new Link({
      ...options,
      token: this.token,
      later: (delayMs, label, work) => this.later(delayMs, label, work),
    });
  }

  /** Loads a snapshot, follows the log and joins. Never resolves if the process ends before. */
  async start(): Promise<void> {
    const { options } = this;
    const { snapshots, random, coverage } = options;
    const snapshot = snapshots.newest();
    coverage.count('joining', snapshot === undefined ? 'whole log' : 'snapshot and tail');
    const state = snapshot === undefined ? new StreamState() : StreamState.decode(snapshot.log);
    const exchange = snapshot === undefined ? new Exchange() : readSnapshot(snapshot.state);
    this.seen = state.sequence;
    const onFailure = (error: Error) => this.fail(error);
    this.log = new StreamLog({
      stream: this.link,
      node: this.name,
      token: this.token,
      state,
      onFailure,
      clock: {
        now: () => this.now(),
        elapsedMs: () => options.schedule.elapsedMs,
        after: (delayMs) => this.after(delayMs),
      },
    });
    const messageAt = (sequence: number) => options.servers.message(sequence);
    this.archivist = new ClusterArchivist(state.sequence, messageAt, {
      random,
      coverage,
      snapshots,
      onFailure,
      later: (maxDelayMs, label, work) => this.later(below(maxDelayMs + 1, random), label, work),
      mayWrite: () => this.mayWriteSnapshots && !this.isDisputed,
    });
    this.replica = new Replica({
      exchange,
      log: this.log,
      onFailure,
      archivist: {
        deliver: (batch, digestBefore) => this.take(batch as FollowedBatch, digestBefore),
        checkpoint: (position, digest) => this.archivist!.checkpoint(position, digest),
        noteDispute: (isDisputed) => {
          this.isDisputed = isDisputed;
        },
        lagMs: () => 0,
        query: () => Promise.reject(new Error('no query expected')),
        close: async () => {},
      },
      now: () => this.now(),
      timers: {
        soon: (work) => this.later(0, `${this.name} replica`, work),
        after: (delayMs, work) => this.later(delayMs, `${this.name} replica aims`, work),
        every: (intervalMs, work) => this.every(intervalMs, work),
      },
      onEvents: (events) => {
        if (this.isAlive) options.onEvents(this, events);
      },
      onOutvoted: () => coverage.count('dispute', 'won'),
    });
    try {
      await this.replica.begin();
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    this.isServing = this.isAlive;
    this.servingAtMs = options.schedule.elapsedMs;
  }

  get exchange(): Exchange {
    return this.replica!.exchange;
  }

  /** Sequence of the last applied batch. */
  get position(): number {
    return this.replica?.position ?? 0;
  }

  submit(command: Command, reply: (outcome: Outcome) => void, fail: OnError): void {
    this.replica!.submit(command, reply, fail);
  }

  /** As `Replica.whenCurrent`. */
  whenCurrent(): Promise<void> {
    return this.replica!.whenCurrent()!;
  }

  /** Corrupts its state. @param isEverywhere Whether the archivist's replica is corrupted too. */
  damage(change: (exchange: Exchange) => void, isEverywhere: boolean): void {
    this.damagedAtMs = this.options.schedule.elapsedMs;
    this.mayWriteSnapshots = false;
    change(this.exchange);
    if (isEverywhere) this.archivist!.damage(this.position, change);
  }

  /** Stops in order: pending work finishes. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.replica!.close();
    await this.log!.close();
  }

  resume(): void {
    this.isPaused = false;
    this.resumedAtMs = this.options.schedule.elapsedMs;
    this.link.replaceConsumer();
    for (const { label, work } of this.parked.splice(0)) this.later(0, label, work);
  }

  /** Ends immediately: pending work never finishes. */
  end(): void {
    this.isAlive = false;
    this.isServing = false;
    this.endedAtMs = this.options.schedule.elapsedMs;
    this.link.close();
    this.options.schedule.forget(this);
  }

  /** Runs `work` in this process after a delay; in a paused one, after it resumes. */
  later(delayMs: number, label: string, work: () => void): void {
    this.options.schedule.after(this, delayMs, label, () => {
      if (this.isPaused) this.parked.push({ label, work });
      else work();
    });
  }

  private now(): number {
    const { schedule, clockOffsetMs } = this.options;
    return START + schedule.elapsedMs + clockOffsetMs();
  }

  private take(batch: FollowedBatch, digestBefore: number): void {
    if (!this.isAlive) return;
    this.options.onBatch(this, batch, digestBefore);
    this.archivist!.deliver(batch, digestBefore);
  }

  private after(delayMs: number) {
    let isStopped = false;
    const over = new Promise<void>((resolve) => {
      this.later(delayMs, 'time passes', () => {
        if (!isStopped) resolve();
      });
    });
    return {
      over,
      stop() {
        isStopped = true;
      },
    };
  }

  private every(intervalMs: number, work: () => void): () => void {
    let isOn = true;
    const again = () => {
      if (!isOn) return;
      this.later(intervalMs, 'replica ticks', again);
      work();
    };
    this.later(intervalMs, 'replica ticks', again);
    return () => {
      isOn = false;
    };
  }

  private fail(error: Error): void {
    if (!this.isAlive) return;
    this.options.onFailure(this, error);
  }
}
