import { applyBatch, applyCommand, isDuplicateGenesis, type Skips } from '../archivist/recovery.ts';
import type { ClusteredLog, FollowedBatch } from '../cluster/log/clustered-log.ts';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Batch, Log } from '../log/log.ts';
import { Agreement } from './agreement.ts';
import { DueTicks } from './due-ticks.ts';
import { CommandNotAppliedError, OutcomeUnknownError } from './errors.ts';
import {
  type InFlightBatch,
  type OnError,
  type Read,
  type Reply,
  raise,
} from './in-flight-batch.ts';
import type { ReplicaOptions } from './replica-options.ts';
import { SweepWaiters } from './sweep-waiters.ts';
import { MAX_BATCH_BYTES, WaitingCommands } from './waiting.ts';

/**
 * More wait only where more come than can be served. Some 30 ms of work: the batch before and the requests
 * that are read meanwhile take as long again, and an order is to be answered within 250 ms.
 */
const MAX_WAITING_ORDERS = 700;
const MAX_ARCHIVIST_LAG_MS = 2000;
const TICK_INTERVAL_MS = 250;
/** A shared log that is silent for as long, four signs of life of each node, is out of reach. */
const MAX_SILENCE_MS = 1500;
/** Data from a shared log that is older must not be shown as current. */
const MAX_AGE_MS = 2000;
/** What has not come back from a shared log by then is answered as unknown, what was not sent as undone. */
const GIVE_UP_AFTER_LOOKS = 10_000 / TICK_INTERVAL_MS;
const NO_SKIPS: Skips = new Set();

/**
 * The serving replica: takes commands, makes them durable in batches, applies them, answers.
 * While one batch is being synced the next one gathers. State is never ahead of the log.
 */
export class Replica {
  readonly exchange: Exchange;
  private readonly waiting = new WaitingCommands();
  private waitingReads: Read[] = [];
  /** Whether a shared log has this process for its node's: before that nothing is sent, and what others said is past. */
  private hasJoined = false;
  /** From the moment that a batch is due until it has come back. */
  private isAppending = false;
  private sent: InFlightBatch | undefined;
  /** Batches of the log, in order, that are not applied yet; which of them was sent from here. */
  private committed: { readonly batch: Batch; readonly sent: InFlightBatch | undefined }[] = [];
  private isStopped = false;
  private isClosing = false;
  private stopTicking: () => void = () => {};
  /** Told once nothing waits any more, or never will. */
  private onIdle: (() => void) | undefined;
  private readonly sweeps = new SweepWaiters();
  private readonly dueTicks: DueTicks;
  /** The batch after which the replicas were last compared without another following. */
  private checkpointed = 0;
  /** Sequence of the last applied batch. */
  position: number;
  private hash: Uint8Array;
  private readonly shared: ClusteredLog | undefined;
  private readonly agreement: Agreement | undefined;

  constructor(private readonly options: ReplicaOptions) {
    const { exchange, log, timers } = options;
    this.exchange = exchange;
    this.position = log.lastSequence;
    this.hash = log.lastHash;
    this.dueTicks = new DueTicks({
      ...{ exchange, timers, now: options.now, isAppending: () => this.isAppending },
      lagMs: (now) => options.archivist.lagMs(now),
      submit: (tick, done) => this.submit(tick, done, done),
    });
    if ('follow' in log) {
      this.shared = log;
      this.agreement = new Agreement();
    } else this.stopTicking = timers.every(TICK_INTERVAL_MS, () => this.tick());
    this.lookAtDue();
  }

  /** Follows a shared log to its end, takes this node's place among the others, and then takes commands. */
  async begin(): Promise<void> {
    const shared = this.shared!;
    await shared.follow((batch) => this.take(batch, batch.isOwn));
    await shared.join();
    if (this.isStopped) return;
    this.drain();
    this.agreement!.checkLog();
    this.hasJoined = true;
    this.stopTicking = this.options.timers.every(TICK_INTERVAL_MS, () => this.tick());
  }

  /** Commands that wait for the log. */
  get waitingCount(): number {
    return this.waiting.count;
  }

  /** Whether new orders must be refused, so that what was accepted is served in time. */
  get isOverloaded(): boolean {
    return (
      this.waiting.orderCount >= MAX_WAITING_ORDERS ||
      this.options.archivist.lagMs(this.options.now()) > MAX_ARCHIVIST_LAG_MS ||
      this.isOutOfReach
    );
  }

  /** Whether a shared log has been silent for so long, or the nodes differ, that nothing can be promised. */
  get isOutOfReach(): boolean {
    const { shared, agreement } = this;
    if (shared === undefined) return false;
    return shared.silentMs > MAX_SILENCE_MS || agreement!.isDisputed;
  }

  /** Whether what this node holds of a clustered log may be more than two seconds old. */
  get isStale(): boolean {
    return this.shared !== undefined && this.shared.ageMs > MAX_AGE_MS;
  }

  /** Sends a command on its way. Neither is called if the process stops before it is durable. */
  submit(command: Command, reply: Reply, fail: OnError = raise): void {
    try {
      this.waiting.add(command, reply, fail);
    } catch (error) {
      fail(error as Error);
      return;
    }
    this.appendSoon();
  }

  /**
   * Resolves with the outcome of a command: all of it where orders end in several portions.
   * @throws AccountBacklogError, CommandTooLargeError, CommandNotAppliedError, OutcomeUnknownError
   */
  execute(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const reply = (outcome: Outcome) => this.sweeps.settle(outcome, resolve, reject);
      this.submit(command, reply, reject);
    });
  }

  /**
   * Resolves once this node has applied all that any node had acknowledged when this was called: a batch that was sent
   * after that has come back. Undefined where there is one node alone, which always has.
   * @throws CommandNotAppliedError where the log is out of reach
   */
  whenCurrent(): Promise<void> | undefined {
    if (this.shared === undefined) return undefined;
    if (this.isOutOfReach) return Promise.reject(new CommandNotAppliedError());
    return new Promise((resolve, reject) => {
      this.waitingReads.push({ resolve, reject });
      this.appendSoon();
    });
  }

  /** Waits until everything submitted is durable and answered, or a shared log is out of reach. */
  async close(): Promise<void> {
    this.stopTicking();
    this.isClosing = true;
    if (this.isAppending && !this.isStopped) {
      const idle = new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      const stopLooking = this.options.timers.every(TICK_INTERVAL_MS, () => {
        if (!this.isOutOfReach) return;
        if (this.sent !== undefined) this.giveUp(this.sent);
        this.refuseWaiting();
        this.onIdle?.();
      });
      await idle;
      stopLooking();
    }
    this.isStopped = true;
  }

  private appendSoon(): void {
    if (this.isAppending || this.isStopped) return;
    this.isAppending = true;
    // The requests that arrived together go into one batch.
    this.options.timers.soon(() => {
      try {
        this.append();
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private append(): void {
    const sent: InFlightBatch = {
      ...this.waiting.take(this.maxBatchBytes),
      reads: this.waitingReads.splice(0),
      looks: 0,
      isGivenUp: false,
    };
    this.sent = sent;
    this.options.metrics?.sending(sent.commands.length);
    this.send(this.options.now(), sent).then(
      // A shared log has passed it on by now, in its place among those of the other nodes.
      (batch) => this.shared ?? this.take(batch, true),
      (error) => this.fail(error),
    );
  }

  private send(at: number, { commands, payload }: InFlightBatch): Promise<Batch> {
    const { shared, position: sequence, hash } = this;
    const count = commands.length;
    if (shared === undefined) return (this.options.log as Log).append(at, count, payload);
    return shared.append(at, count, payload, {
      sequence,
      hash,
      digest: this.exchange.state.digest,
    });
  }

  private get maxBatchBytes(): number {
    const { maxBatchBytes = MAX_BATCH_BYTES } = this.options;
    return Math.min(maxBatchBytes, this.shared?.maxPayloadBytes ?? maxBatchBytes);
  }

  /** Takes the next batch of the log, and whether it is what was sent from here. */
  private take(batch: Batch, isOwn: boolean): void {
    this.committed.push({ batch, sent: isOwn ? this.sent : undefined });
    if (isOwn) {
      this.sent = undefined;
      this.options.metrics?.durable();
    }
    if (this.committed.length > 1) return;
    // Once the requests that came meanwhile are read: they go into the next batch, which is synced
    // while this one is applied. Else clients that wait for their answers would all wait for the
    // log, then it for them.
    this.options.timers.soon(() => this.drain());
  }

  private drain(): void {
    try {
      while (this.committed.length > 0 && !this.isStopped) {
        const { batch, sent } = this.committed[0]!;
        this.commit(batch, sent);
        this.committed.shift();
      }
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private commit(batch: Batch, sent: InFlightBatch | undefined): void {
    const { digest } = this.exchange.state;
    this.options.archivist.deliver(batch, digest, this.options.now());
    if (sent !== undefined) {
      // The log works on the next batch while this one is applied.
      if (this.waiting.count > 0 || this.waitingReads.length > 0) this.append();
      else this.isAppending = false;
    }
    if (this.agreement !== undefined) this.compare(batch as FollowedBatch);
    this.options.metrics?.applying();
    if (sent === undefined) this.applyForeign(batch);
    else if (this.shared !== undefined && (batch as FollowedBatch).isLate) this.undo(sent);
    else this.apply(batch, sent);
    this.options.metrics?.applied();
    this.position = batch.sequence;
    this.hash = batch.hash;
    this.agreement?.note(batch.sequence, batch.hash, this.exchange.state.digest);
    if (sent !== undefined) this.tellReads(sent);
    this.lookAtDue();
    if (!this.isAppending) this.onIdle?.();
  }

  private apply(batch: Batch, sent: InFlightBatch): void {
    const { exchange, agreement } = this;
    const { commands, replies } = sent;
    if (isDuplicateGenesis(exchange, commands)) {
      this.undo(sent);
      return;
    }
    const { metrics } = this.options;
    // Which state is the right one is not known: what this one says of it is worth nothing.
    if (agreement?.isDisputed) this.giveUp(sent);
    exchange.prefetch(commands);
    for (let index = 0; index < commands.length; index++) {
      const outcome = applyCommand(exchange, batch, index, commands[index]!);
      this.noteApplied();
      metrics?.command(commands[index]!.kind, outcome);
      if (!sent.isGivenUp) replies[index]!(outcome);
    }
  }

  private applyForeign(batch: Batch): void {
    const { exchange, skips = NO_SKIPS } = this.options;
    applyBatch(exchange, batch, skips, () => this.noteApplied());
  }

  private noteApplied(): void {
    this.options.onEvents(this.exchange.events);
    this.sweeps.note(this.exchange.state.sweeps.swept);
  }

  /** Tells those whose commands came too late that nothing was done. */
  private undo({ fails, isGivenUp }: InFlightBatch): void {
    if (!isGivenUp) for (const fail of fails) fail(new CommandNotAppliedError());
  }

  /** Has this node say what it holds as soon as another one holds something else. */
  private compare({ node, applied, isOwn }: FollowedBatch): void {
    const agreement = this.agreement!;
    if (isOwn) {
      agreement.noteSaid(applied);
      return;
    }
    if (!this.hasJoined) {
      agreement.compareLog(applied);
      return;
    }
    if (!agreement.compare(node, applied)) return;
    this.options.archivist.noteDispute(true);
    this.appendSoon();
  }

  private tellReads({ reads }: InFlightBatch): void {
    const isDisputed = this.agreement?.isDisputed === true;
    for (const { resolve, reject } of reads) {
      if (isDisputed) reject(new CommandNotAppliedError());
      else resolve();
    }
  }

  /** Tells archivist and nodes that this one lives, and looks at what is due. */
  private tick(): void {
    if (this.checkpointed !== this.position) {
      this.checkpointed = this.position;
      this.options.archivist.checkpoint(this.position, this.exchange.state.digest);
    }
    if (this.shared !== undefined) this.lookAtOthers(this.shared);
    this.lookAtDue();
  }

  /** A node that closes goes on only for callers that wait. */
  private lookAtDue(): void {
    const isOver = this.isStopped || (this.isClosing && this.sweeps.size === 0);
    if (!isOver && (this.shared === undefined || this.hasJoined)) this.dueTicks.look();
  }

  private lookAtOthers(shared: ClusteredLog): void {
    const agreement = this.agreement!;
    try {
      const differ = agreement.decide(this.position);
      if (differ !== undefined) {
        this.options.archivist.noteDispute(false);
        this.options.onOutvoted?.(differ, this.position);
      }
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    // What it had on its way when a dispute began was no word in it; and while all speak the log moves on.
    if (shared.ageMs >= TICK_INTERVAL_MS || agreement.isDisputed) this.appendSoon();
    if (this.sent === undefined || ++this.sent.looks <= GIVE_UP_AFTER_LOOKS) return;
    this.giveUp(this.sent);
    this.refuseWaiting();
  }

  /** What is on its way may still come to be. */
  private giveUp(sent: InFlightBatch): void {
    if (sent.isGivenUp) return;
    sent.isGivenUp = true;
    for (const fail of sent.fails) fail(new OutcomeUnknownError());
    for (const { reject } of sent.reads) reject(new CommandNotAppliedError());
    sent.reads = [];
    this.sweeps.fail(new OutcomeUnknownError());
  }

  /** What was never sent will not come to be. */
  private refuseWaiting(): void {
    const { waitingReads } = this;
    this.waitingReads = [];
    for (const fail of this.waiting.removeAll()) fail(new CommandNotAppliedError());
    for (const { reject } of waitingReads) reject(new CommandNotAppliedError());
  }

  private fail(error: Error): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.stopTicking();
    this.onIdle?.();
    this.options.onFailure(error);
  }
}
