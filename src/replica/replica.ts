import { applyBatch, applyCommand, isDuplicateGenesis } from '../archivist/recovery.ts';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Batch } from '../log/log.ts';
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
import {
  GIVE_UP_AFTER_TICKS,
  MAX_AGE_MS,
  MAX_ARCHIVIST_LAG_MS,
  MAX_SILENCE_MS,
  MAX_WAITING_ORDERS,
  TICK_INTERVAL_MS,
} from './replica-limits.ts';
import type { DeliveredBatch, ReplicaLog } from './replica-log.ts';
import type { ReplicaOptions } from './replica-options.ts';
import { SweepWaiters } from './sweep-waiters.ts';
import { MAX_BATCH_BYTES, WaitingCommands } from './waiting.ts';

export { singleNodeLog } from './replica-log.ts';
export { ReplicaMetrics } from './replica-metrics.ts';
export { realTimers } from './timers.ts';

/**
 * The serving replica: accepts commands, makes them durable in batches, applies them and replies. While one batch is
 * being synced the next one fills. The state is never ahead of the log.
 */
export class Replica {
  readonly exchange: Exchange;
  private readonly waiting = new WaitingCommands();
  private waitingReads: Read[] = [];
  /** Whether this process has joined the log. Before that it sends nothing and takes part in no dispute. */
  private hasJoined = false;
  /** True from scheduling a batch until it has been received from the log. */
  private isAppending = false;
  private sent: InFlightBatch | undefined;
  /** Batches of the log that are not applied yet, in order; `sent` if it is this node's own. */
  private committed: {
    readonly batch: DeliveredBatch;
    readonly sent: InFlightBatch | undefined;
  }[] = [];
  private isStopped = false;
  private isClosing = false;
  private isHeld = false;
  private stopTicking: () => void = () => {};
  /** Called when no command is waiting, or no waiting command will be executed. */
  private onIdle: (() => void) | undefined;
  private readonly sweeps = new SweepWaiters();
  private readonly dueTicks: DueTicks;
  /** Sequence of the batch after which this replica and the archivist were last compared. */
  private checkpointed = 0;
  /** Sequence and hash of the last applied batch. */
  position: number;
  hash: Uint8Array;
  private readonly log: ReplicaLog;
  private readonly agreement = new Agreement();

  constructor(private readonly options: ReplicaOptions) {
    const { exchange, log, timers } = options;
    this.exchange = exchange;
    this.log = log;
    this.position = log.lastSequence;
    this.hash = log.lastHash;
    this.dueTicks = new DueTicks({
      exchange,
      timers,
      now: options.now,
      isAppending: () => this.isAppending,
      lagMs: () => options.archivist.lagMs(),
      submit: (tick, done) => this.submit(tick, done, done),
    });
  }

  /** Follows the log to its end and joins it. Must precede any command. */
  async begin(): Promise<void> {
    await this.log.follow((batch) => this.receive(batch));
    await this.log.join();
    if (this.isStopped) return;
    this.drain();
    this.agreement.checkLog();
    this.hasJoined = true;
    this.stopTicking = this.options.timers.every(TICK_INTERVAL_MS, () => this.tick());
    this.checkDue();
  }

  /** Number of commands waiting for the log. */
  get waitingCount(): number {
    return this.waiting.count;
  }

  /** Whether new orders must be rejected, so that accepted ones are served in time. */
  get isOverloaded(): boolean {
    return (
      this.waiting.orderCount >= MAX_WAITING_ORDERS ||
      this.options.archivist.lagMs() > MAX_ARCHIVIST_LAG_MS ||
      this.isUnreachable
    );
  }

  /** Whether the log is silent or the nodes disagree, so that no command can be confirmed. */
  get isUnreachable(): boolean {
    return this.log.silentMs > MAX_SILENCE_MS || this.agreement.isDisputed;
  }

  /** Whether this node's state may be more than two seconds old. */
  get isStale(): boolean {
    return this.log.ageMs > MAX_AGE_MS;
  }

  /** Submits a command. Neither callback is called if the process stops before the command is durable. */
  submit(command: Command, reply: Reply, onError: OnError = raise): void {
    try {
      this.waiting.add(command, reply, onError);
    } catch (error) {
      onError(error as Error);
      return;
    }
    this.appendSoon();
  }

  /**
   * Resolves with the outcome of a command. If its orders end in several portions, resolves after the last one.
   * @throws AccountBacklogError, CommandTooLargeError, CommandNotAppliedError, OutcomeUnknownError
   */
  execute(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const reply = (outcome: Outcome) => this.sweeps.settle(outcome, resolve, reject);
      this.submit(command, reply, reject);
    });
  }

  /**
   * Resolves once this node has applied every command that any node had acknowledged before this call: it then has received
   * a batch that it sent after the call. Returns undefined on a single node, which is always current.
   * @throws CommandNotAppliedError if the log is unreachable
   */
  whenCurrent(): Promise<void> | undefined {
    if (!this.log.isShared) return undefined;
    if (this.isUnreachable) return Promise.reject(new CommandNotAppliedError());
    return new Promise((resolve, reject) => {
      this.waitingReads.push({ resolve, reject });
      this.appendSoon();
    });
  }

  /** Lets commands wait until `release`. Resolves once what was appended is applied. Only on a single node. */
  async hold(): Promise<void> {
    this.isHeld = true;
    while (this.isAppending && !this.isStopped) {
      await new Promise<void>(this.options.timers.soon);
    }
  }

  release(): void {
    this.isHeld = false;
    if (this.waitingCount > 0) this.appendSoon();
  }
  /** Ends at once after `hold`: waiting and later commands are rejected and guaranteed not to execute. */
  discard(): void {
    this.stopTicking();
    this.isStopped = true;
    this.waiting.close();
    this.rejectWaiting();
  }

  /** Waits until every submitted command has a reply, or the log is unreachable. */
  async close(): Promise<void> {
    this.stopTicking();
    this.isClosing = true;
    if (this.isAppending && !this.isStopped) {
      const idle = new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      const stopPolling = this.options.timers.every(TICK_INTERVAL_MS, () => {
        if (!this.isUnreachable) return;
        if (this.sent !== undefined) this.giveUp(this.sent);
        this.rejectWaiting();
        this.onIdle?.();
      });
      await idle;
      stopPolling();
    }
    this.isStopped = true;
  }

  private appendSoon(): void {
    if (this.isAppending || this.isStopped || this.isHeld) return;
    this.isAppending = true;
    // Requests that arrive together go into one batch.
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
      ticks: 0,
      isGivenUp: false,
    };
    this.sent = sent;
    this.options.metrics?.sending(sent.commands.length);
    const { position: sequence, hash } = this;
    const applied = { sequence, hash, digest: this.exchange.state.digest };
    // The log delivers it to `receive`, in order with the batches of other nodes.
    this.log
      .append(this.options.now(), sent.commands.length, sent.payload, applied)
      .catch((error) => this.fail(error));
  }

  private get maxBatchBytes(): number {
    return Math.min(this.options.maxBatchBytes ?? MAX_BATCH_BYTES, this.log.maxPayloadBytes);
  }

  /** Queues the next batch of the log. */
  private receive(batch: DeliveredBatch): void {
    this.committed.push({ batch, sent: batch.isOwn ? this.sent : undefined });
    if (batch.isOwn) {
      this.sent = undefined;
      this.options.metrics?.durable();
    }
    if (this.committed.length > 1) return;
    // First reads the requests that have arrived: they go into the next batch, which is synced while this one is
    // applied. Otherwise clients would wait for the log, and then the log for the clients.
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

  private commit(batch: DeliveredBatch, sent: InFlightBatch | undefined): void {
    const { digest } = this.exchange.state;
    this.options.archivist.deliver(batch, digest);
    if (sent !== undefined) {
      // The next batch is synced while this one is applied.
      const hasWork = this.waiting.count > 0 || this.waitingReads.length > 0;
      if (hasWork && !this.isHeld) this.append();
      else this.isAppending = false;
    }
    this.compare(batch);
    this.options.metrics?.applying();
    if (sent === undefined) this.applyForeign(batch);
    else if (batch.isLate) this.rejectLate(sent);
    else this.apply(batch, sent);
    this.options.metrics?.applied();
    this.position = batch.sequence;
    this.hash = batch.hash;
    this.agreement.note(batch.sequence, batch.hash, this.exchange.state.digest);
    if (sent !== undefined) this.settleReads(sent);
    this.checkDue();
    if (!this.isAppending) this.onIdle?.();
  }

  private apply(batch: Batch, sent: InFlightBatch): void {
    const { exchange, agreement } = this;
    const { commands, replies } = sent;
    if (isDuplicateGenesis(exchange, commands)) {
      this.rejectLate(sent);
      return;
    }
    const { metrics } = this.options;
    // During a dispute this node's state may be wrong, so its outcomes must not be returned.
    if (agreement.isDisputed) this.giveUp(sent);
    exchange.prefetch(commands);
    for (let index = 0; index < commands.length; index++) {
      const outcome = applyCommand(exchange, batch, index, commands[index]!);
      this.noteApplied();
      metrics?.command(commands[index]!.kind, outcome);
      if (!sent.isGivenUp) replies[index]!(outcome, batch, index);
    }
  }

  private applyForeign(batch: Batch): void {
    const { exchange, skips = new Set() } = this.options;
    applyBatch(exchange, batch, skips, () => this.noteApplied());
  }

  private noteApplied(): void {
    this.options.onEvents(this.exchange.events);
    this.sweeps.note(this.exchange.state.sweeps.swept);
  }

  /** Rejects the commands of a batch that was stored too late, and so not applied. */
  private rejectLate({ onErrors, isGivenUp }: InFlightBatch): void {
    if (!isGivenUp) for (const onError of onErrors) onError(new CommandNotAppliedError());
  }

  /** Compares another node's state with this one's. This node reports its own at once if they differ. */
  private compare({ node, applied, isOwn }: DeliveredBatch): void {
    const { agreement } = this;
    if (isOwn) {
      agreement.noteReported(applied);
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

  private settleReads({ reads }: InFlightBatch): void {
    const { isDisputed } = this.agreement;
    for (const { resolve, reject } of reads) {
      if (isDisputed) reject(new CommandNotAppliedError());
      else resolve();
    }
  }

  /** Sends a checkpoint to the archivist, a heartbeat to other nodes, and a tick if something is due. */
  private tick(): void {
    if (this.checkpointed !== this.position) {
      this.checkpointed = this.position;
      this.options.archivist.checkpoint(this.position, this.exchange.state.digest);
    }
    this.decideDispute();
    this.keepLogAdvancing();
    this.checkDue();
  }

  /** While closing, continues only for callers that wait for a sweep. */
  private checkDue(): void {
    const isOver = this.isStopped || (this.isClosing && this.sweeps.size === 0);
    if (!isOver && this.hasJoined) this.dueTicks.check();
  }

  private decideDispute(): void {
    try {
      const differ = this.agreement.decide(this.position);
      if (differ === undefined) return;
      this.options.archivist.noteDispute(false);
      this.options.onOutvoted?.(differ, this.position);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Sends a heartbeat if the log is silent, and gives up a batch that stays unanswered. */
  private keepLogAdvancing(): void {
    if (this.isStopped) return;
    // A batch that was in flight when a dispute started reports nothing about it. Reports also keep the log advancing.
    if (this.log.ageMs >= TICK_INTERVAL_MS || this.agreement.isDisputed) this.appendSoon();
    // A single node's own disk cannot be given up: the command is answered or the process ends.
    if (!this.log.isShared || this.sent === undefined) return;
    if (++this.sent.ticks <= GIVE_UP_AFTER_TICKS) return;
    this.giveUp(this.sent);
    this.rejectWaiting();
  }

  /** Reports the outcome of the batch in flight as unknown: it may still be applied. */
  private giveUp(sent: InFlightBatch): void {
    if (sent.isGivenUp) return;
    sent.isGivenUp = true;
    for (const onError of sent.onErrors) onError(new OutcomeUnknownError());
    for (const { reject } of sent.reads) reject(new CommandNotAppliedError());
    sent.reads = [];
    this.sweeps.fail(new OutcomeUnknownError());
  }

  /** Rejects commands that were not sent, which are guaranteed not to execute. */
  private rejectWaiting(): void {
    const { waitingReads } = this;
    this.waitingReads = [];
    for (const onError of this.waiting.removeAll()) onError(new CommandNotAppliedError());
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
