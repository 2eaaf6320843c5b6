import { ByteWriter } from '../engine/bytes.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import type { Event, Outcome } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import { encodeCommand } from '../log/codec.ts';
import type { Batch, Log } from '../log/log.ts';
import type { Archivist } from './archivist.ts';
import { applyCommand } from './recovery.ts';
import type { Timers } from './timers.ts';

/** Told what became of a command, once it is durable and applied. */
export type Reply = (outcome: Outcome) => void;

export interface ReplicaOptions {
  readonly exchange: Exchange;
  readonly log: Log;
  readonly archivist: Archivist;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Sees the events of every command, in order. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** The node can go on no longer: nothing is answered after this. */
  readonly onFailure: (error: Error) => void;
}

const MAX_BATCH_COMMANDS = 4096;
/**
 * More wait only where more come than can be served. Some 30 ms of work: the batch before and the requests
 * that are read meanwhile take as long again, and an order is to be answered within 250 ms.
 */
const MAX_WAITING_COMMANDS = 700;
const MAX_ARCHIVIST_LAG_MS = 2000;
const TICK_INTERVAL_MS = 250;

/**
 * The serving replica: takes commands, makes them durable in batches, applies them, answers.
 * While one batch is being synced the next one gathers. State is never ahead of the disk.
 */
export class Replica {
  readonly exchange: Exchange;
  private waiting: Command[] = [];
  private waitingReplies: Reply[] = [];
  private isAppending = false;
  private isStopped = false;
  private readonly writer = new ByteWriter();
  private readonly stopTicking: () => void;
  /** Told once nothing waits any more, or never will. */
  private onIdle: (() => void) | undefined;
  private lastBatchAt = 0;
  /** The batch after which the replicas were last compared without another following. */
  private checkpointed = 0;
  /** Sequence of the last applied batch. */
  position: number;

  constructor(private readonly options: ReplicaOptions) {
    this.exchange = options.exchange;
    this.position = options.log.lastSequence;
    this.stopTicking = options.timers.every(TICK_INTERVAL_MS, () => this.tick());
  }

  /** Commands that wait for the disk. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Whether new orders must be refused, so that what was accepted is served in time. */
  get isOverloaded(): boolean {
    return (
      this.waiting.length >= MAX_WAITING_COMMANDS ||
      this.options.archivist.lagMs(this.options.now()) > MAX_ARCHIVIST_LAG_MS
    );
  }

  /** Sends a command on its way. `reply` is not called if the process stops before it is durable. */
  submit(command: Command, reply: Reply): void {
    this.waiting.push(command);
    this.waitingReplies.push(reply);
    if (!this.isAppending && !this.isStopped) {
      this.isAppending = true;
      // The requests that arrived together go into one batch.
      this.options.timers.soon(() => this.append());
    }
  }

  /** Resolves with the outcome of a command. For callers that are not in a hurry. */
  execute(command: Command): Promise<Outcome> {
    return new Promise((resolve) => this.submit(command, resolve));
  }

  /** Waits until everything submitted is durable and answered. */
  async close(): Promise<void> {
    this.stopTicking();
    if (this.isAppending && !this.isStopped) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    }
    this.isStopped = true;
  }

  private append(): void {
    const count = Math.min(MAX_BATCH_COMMANDS, this.waiting.length);
    const commands = this.waiting.splice(0, count);
    const replies = this.waitingReplies.splice(0, count);
    this.writer.reset();
    for (const command of commands) encodeCommand(this.writer, command);
    this.lastBatchAt = this.options.now();
    this.options.log.append(this.lastBatchAt, commands.length, this.writer.bytes()).then(
      // Once the requests that came meanwhile are read: they go into the next batch, which is synced
      // while this one is applied. Else clients that wait for their answers would all wait for the
      // disk, then it for them.
      (batch) => this.options.timers.soon(() => this.commit(batch, commands, replies)),
      (error) => this.fail(error),
    );
  }

  private commit(batch: Batch, commands: readonly Command[], replies: readonly Reply[]): void {
    if (this.isStopped) return;
    try {
      this.options.archivist.deliver(batch, this.exchange.state.digest, this.lastBatchAt);
      // The disk works on the next batch while this one is applied.
      if (this.waiting.length > 0) this.append();
      else this.isAppending = false;
      this.apply(batch, commands, replies);
      if (!this.isAppending) this.onIdle?.();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private apply(batch: Batch, commands: readonly Command[], replies: readonly Reply[]): void {
    const { exchange } = this;
    exchange.prefetch(commands);
    for (let index = 0; index < commands.length; index++) {
      const outcome = applyCommand(exchange, batch, index, commands[index]!);
      this.options.onEvents(exchange.events);
      replies[index]!(outcome);
    }
    this.position = batch.sequence;
  }

  /** Lets time pass where something is due and no command brings it. */
  private tick(): void {
    const now = this.options.now();
    if (this.checkpointed !== this.position) {
      this.checkpointed = this.position;
      this.options.archivist.checkpoint(this.position, this.exchange.state.digest);
    }
    if (this.isAppending || this.isStopped || now - this.lastBatchAt < TICK_INTERVAL_MS) return;
    if (this.exchange.nextDueTime <= now) this.submit({ kind: CommandKind.tick }, () => {});
  }

  private fail(error: Error): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.stopTicking();
    this.onIdle?.();
    this.options.onFailure(error);
  }
}
