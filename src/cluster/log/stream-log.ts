import { type Batch, checkAppend, MAX_PAYLOAD_BYTES } from '../../log/log.ts';
import type { ClusteredLog, FollowedBatch } from './clustered-log.ts';
import {
  type Applied,
  ENVELOPE_OVERHEAD_BYTES,
  EnvelopeKind,
  encodeEnvelope,
  NOTHING_APPLIED,
} from './envelope.ts';
import { ClusteredLogError, FencedError } from './errors.ts';
import type { Clock, Followed, MessageStream, StoredMessage } from './message-stream.ts';
import { endReaching } from './stream-end.ts';
import { type Interpreted, rewound, type StreamState } from './stream-state.ts';

/** How long after it was sent, by the servers' clock, a batch may still do something. */
const DEADLINE_MS = 5000;
/**
 * How long a batch may go unacknowledged, or acknowledged and not seen, before it is sent again. A stream's leader that is
 * stopped in an orderly way is replaced within some 100 ms, and what was on its way to it is lost. A repeat applies once
 * (its counter) but is stored and synced, so that copies make a slow server slower: the wait is never less than four times
 * what the newest batch took, and doubles each time it was in vain.
 */
const FIRST_WAIT_MS = 250;
const WAIT_FACTOR = 4;
const LONGEST_WAIT_MS = 2000;
const RETRY_MS = 100;
/** Elections of several servers after one another take less. */
const BEGIN_WITHIN_MS = 60_000;
/** An election takes less: what lasts longer may need an operator. */
const TELL_AFTER_MS = 10_000;
/** A log that has been silent for as long is not waited for when a node ends. */
const GONE_MS = 1500;

export interface StreamLogOptions {
  readonly stream: MessageStream;
  /** This node's name, which no other process has. */
  readonly node: string;
  /** Tells the processes of one name apart: random, of `TOKEN_BYTES`. */
  readonly token: Uint8Array;
  /** Where to go on: what a snapshot holds, or a new one. It moves with the log from here on. */
  readonly state: StreamState;
  readonly clock: Clock;
  /** Nothing more comes, and nothing can be appended. */
  readonly onFailure: (error: Error) => void;
  /** Told of what an operator should see to while this waits for it. */
  readonly warn?: (message: string) => void;
}

interface Flight {
  readonly bytes: Uint8Array;
  /** By this machine's clock. */
  readonly sentAt: number;
  /** By the clock that only runs. */
  readonly sentAtElapsed: number;
  readonly resolve: (batch: Batch) => void;
  readonly reject: (error: Error) => void;
}

/** Who waits for messages to make something so. */
interface Waiting {
  readonly isSo: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The log as a replicated stream that every node appends to and follows (DESIGN, section 5). One batch
 * at a time is on its way from this node: it is sent again, under the same counter, until it is seen in the
 * stream.
 */
export class StreamLog implements ClusteredLog {
  private following: Followed | undefined;
  private handle: (batch: FollowedBatch) => void = () => {};
  private incarnation = 0;
  private counter = 0;
  private flight: Flight | undefined;
  /** When the newest message came, by a clock that only runs. */
  private seenAt: number;
  private waiting: Waiting[] = [];
  private failure: Error | undefined;
  private isClosed = false;
  /** How far this machine's clock is ahead of the servers', milliseconds, as of the newest own batch. */
  clockLeadMs = 0;
  /** How long the newest own batch took until it was seen, milliseconds. */
  private tookMs = 0;
  /** The servers' clock minus this process's monotonic clock, as of the newest own batch; before one, unknown. */
  private serversLeadMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: StreamLogOptions) {
    this.seenAt = options.clock.elapsedMs();
  }

  /** It changes when the connection moves to a server with another limit. */
  get maxPayloadBytes(): number {
    const { maxMessageBytes } = this.options.stream;
    return Math.min(MAX_PAYLOAD_BYTES, maxMessageBytes - ENVELOPE_OVERHEAD_BYTES);
  }

  get lastSequence(): number {
    return this.options.state.sequence;
  }

  get lastTime(): number {
    return this.options.state.time;
  }

  get lastHash(): Uint8Array {
    return this.options.state.hash;
  }

  /** How long ago the newest message came: while it grows, the servers are out of reach or without a majority. */
  get silentMs(): number {
    return this.options.clock.elapsedMs() - this.seenAt;
  }

  get ageMs(): number {
    const { clock, state } = this.options;
    const serversNow = clock.elapsedMs() + this.serversLeadMs;
    return Math.max(this.silentMs, serversNow - state.storedAt);
  }

  async follow(handle: (batch: FollowedBatch) => void): Promise<void> {
    const { stream, state } = this.options;
    this.handle = handle;
    const end = await this.retryTransient(() => this.endAtLeast(state.sequence));
    this.following = await this.retryTransient(() =>
      stream.follow(
        state.sequence,
        (message) => this.receive(message),
        (reason) => this.fail(reason),
      ),
    );
    await this.readTo(end);
  }

  /**
   * Resolves once this node has read the log to a message that the servers had. They may lose it in the meantime: a
   * node that has yet to join sends nothing by which it would find out, so it asks.
   */
  private async readTo(end: number): Promise<void> {
    const { state, clock } = this.options;
    const isThere = this.until(() => state.sequence >= end);
    while (state.sequence < end) {
      const wait = clock.after(LONGEST_WAIT_MS);
      await Promise.race([isThere, wait.over]);
      wait.stop();
      if (state.sequence < end) await this.retryTransient(() => this.endAtLeast(end));
    }
  }

  /** Asks again where the servers have no leader, or do not answer in time, for a minute. */
  private async retryTransient<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { stream, clock } = this.options;
    for (const until = clock.elapsedMs() + BEGIN_WITHIN_MS; ; ) {
      try {
        return await ask();
      } catch (error) {
        const isInVain = error instanceof ClusteredLogError || stream.isClosed || this.isClosed;
        if (isInVain || clock.elapsedMs() >= until) throw error;
        await clock.after(RETRY_MS).over;
      }
    }
  }

  async join(): Promise<void> {
    const { state, node, token } = this.options;
    do {
      this.incarnation = state.incarnationOf(node) + 1;
      await this.send(EnvelopeKind.join, 0, token, NOTHING_APPLIED);
      // Another process of that name may have taken the number.
    } while (!state.isOf(node, this.incarnation, token));
    this.counter = 0;
  }

  append(time: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch> {
    if (count > 0) checkAppend(time, count, payload);
    if (payload.length > this.maxPayloadBytes) {
      throw new RangeError(`A batch holds at most ${this.maxPayloadBytes} bytes: split it.`);
    }
    this.counter++;
    return this.send(EnvelopeKind.batch, count, payload, applied);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    // What is on its way from a node that ends may still come to be: nobody was told otherwise.
    if (this.failure === undefined && this.silentMs < GONE_MS) {
      const wait = this.options.clock.after(GONE_MS);
      await Promise.race([this.until(() => this.flight === undefined), wait.over]).catch(() => {});
      wait.stop();
    }
    this.isClosed = true;
    await this.following?.close();
  }

  private send(kind: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch> {
    if (this.failure) return Promise.reject(this.failure);
    if (this.isClosed) return Promise.reject(new Error('The log is closed.'));
    if (this.flight) return Promise.reject(new Error('An append is under way: wait for it.'));
    const { state, node } = this.options;
    const { incarnation, counter } = this;
    const clock = this.options.clock.now();
    const sentAtElapsed = this.options.clock.elapsedMs();
    // The servers' time is known as of the newest message; as much has passed since as has passed here.
    const deadline = Math.floor(state.storedAt + this.silentMs) + DEADLINE_MS;
    const isFirst = state.storedAt === 0;
    const bytes = encodeEnvelope({
      ...{ kind, count, payload, applied, node, incarnation, counter, clock },
      deadline: isFirst ? Number.MAX_SAFE_INTEGER : deadline,
    });
    return new Promise((resolve, reject) => {
      this.flight = { bytes, sentAt: clock, sentAtElapsed, resolve, reject };
      this.publish(this.flight).catch((error) => {
        reject(error);
        this.fail(error as Error);
      });
    });
  }

  /** Sends a batch until it is seen in the stream. */
  private async publish(flight: Flight): Promise<void> {
    const { stream, clock, state } = this.options;
    let tellAt = clock.elapsedMs() + TELL_AFTER_MS;
    const leastMs = Math.max(FIRST_WAIT_MS, WAIT_FACTOR * this.tookMs);
    let waitMs = Math.min(leastMs, LONGEST_WAIT_MS);
    let seenMs = waitMs;
    while (this.flight === flight && !this.failure) {
      // No retry would help, and the batch may not be changed: an earlier copy of it may be in the stream.
      if (flight.bytes.length > stream.maxMessageBytes) throw tooLarge(flight.bytes.length);
      const askedAt = clock.elapsedMs();
      try {
        const after = state.sequence;
        const sequence = await stream.publish(flight.bytes, waitMs);
        // This copy of it was sent after that had been seen.
        if (sequence <= after) throw rewound(sequence, after);
        if (this.flight !== flight) return;
        // Most often it has been seen by now. Else it is in the stream, or is lost, and then sent again.
        await this.untilSeen(flight, seenMs);
        seenMs = Math.min(2 * seenMs, LONGEST_WAIT_MS);
        if (this.flight === flight) await this.endAtLeast(sequence);
      } catch (error) {
        if (error instanceof ClusteredLogError || stream.isClosed) throw error;
        // No leader yet, no answer in time, no connection: all of them pass. A full stream does not by itself.
        if (clock.elapsedMs() >= tellAt) {
          tellAt = Number.POSITIVE_INFINITY;
          this.options.warn?.(refusedText(error as Error));
        }
        const tookMs = clock.elapsedMs() - askedAt;
        if (Math.round(tookMs) >= waitMs) waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
        if (tookMs < RETRY_MS) await clock.after(RETRY_MS - tookMs).over;
      }
    }
  }

  /**
   * Resolves once an acknowledged batch is seen, or the log has been silent for `seenMs`: then the server that should have
   * sent it may be gone, and another one is asked.
   */
  private async untilSeen(flight: Flight, seenMs: number): Promise<void> {
    const { seenAt } = this;
    const wait = this.options.clock.after(Math.max(RETRY_MS, seenMs - this.silentMs));
    await Promise.race([this.until(() => this.flight !== flight), wait.over]);
    wait.stop();
    if (this.flight === flight && this.seenAt === seenAt) this.following?.renew();
  }

  /** What was acknowledged, or seen, must be there. @returns Of the last message. */
  private async endAtLeast(sequence: number): Promise<number> {
    const { stream, clock, state } = this.options;
    const lastSequence = () => stream.lastSequence();
    const end = await endReaching(sequence, { lastSequence }, clock, () => state.sequence);
    if (end < sequence) throw rewound(end, sequence);
    return end;
  }

  private receive(message: StoredMessage): void {
    if (this.failure || this.isClosed) return;
    try {
      const { state, node, clock } = this.options;
      const taken = state.take(message);
      this.seenAt = clock.elapsedMs();
      const flight = this.flightOf(message);
      if (flight !== undefined) {
        this.flight = undefined;
        this.clockLeadMs = flight.sentAt - message.storedAt;
        this.tookMs = clock.elapsedMs() - flight.sentAtElapsed;
        this.serversLeadMs = message.storedAt - flight.sentAtElapsed;
      } else if (this.isDuplicateIncarnation(taken)) throw new FencedError(node);
      if (this.incarnation > 0 && state.incarnationOf(node) > this.incarnation) {
        throw new FencedError(node);
      }
      this.pass(taken, message, flight);
      this.tellWaiting();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private pass(
    { batch, envelope, ...rest }: Interpreted,
    message: StoredMessage,
    flight?: Flight,
  ): void {
    const { node, kind } = envelope;
    const { isLate, counts } = rest;
    // What comes once more, or of a process that is gone, says nothing of what its node holds now.
    const applied = counts ? envelope.applied : NOTHING_APPLIED;
    const isOwn = flight !== undefined && kind === EnvelopeKind.batch;
    this.handle({ ...batch, node, applied, isOwn, isLate, message });
    flight?.resolve(batch);
  }

  /** What is on its way, where that message is it: no two that were sent are the same. */
  private flightOf({ bytes }: StoredMessage): Flight | undefined {
    const { flight } = this;
    return flight !== undefined && Buffer.compare(bytes, flight.bytes) === 0 ? flight : undefined;
  }

  /**
   * Whether a batch counts as this process' that it has not sent. Servers that lose what they acknowledged may lose a
   * join, and the next process takes its number while the one that had it still runs or what it sent is on its way.
   */
  private isDuplicateIncarnation({ envelope, counts }: Interpreted): boolean {
    const { node, token, state } = this.options;
    const isBatch = counts && envelope.kind === EnvelopeKind.batch;
    return isBatch && envelope.node === node && state.isOf(node, this.incarnation, token);
  }

  /** Resolves once a message has made something so. */
  private until(isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ isSo, resolve, reject }));
  }

  private tellWaiting(): void {
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const each of waiting) {
      if (each.isSo()) each.resolve();
      else this.waiting.push(each);
    }
  }

  private fail(error: Error): void {
    if (this.failure || this.isClosed) return;
    this.failure = error;
    this.flight?.reject(error);
    void this.following?.close();
    for (const { reject } of this.waiting.splice(0)) reject(error);
    this.options.onFailure(error);
  }
}

function tooLarge(bytes: number): ClusteredLogError {
  return new ClusteredLogError(
    `a message of ${bytes} bytes is on its way, more than the servers take now. Set max_payload in their configuration ` +
      'to what it was before, then start this node again.',
  );
}

function refusedText({ message }: Error): string {
  return (
    `The log in NATS has taken nothing from this node for ${TELL_AFTER_MS / 1000} s (${message}); until it does, nothing is done. ` +
    'See that most of its servers run and reach each other, that the stream is not full, and that this user may publish.'
  );
}
