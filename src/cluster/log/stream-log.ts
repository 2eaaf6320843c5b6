import { type Batch, checkAppend, MAX_PAYLOAD_BYTES } from '../../log/log.ts';
import { retry } from '../../monitoring/retry.ts';
import type { ClusteredLog, FollowedBatch } from './clustered-log.ts';
import {
  type Applied,
  ENVELOPE_OVERHEAD_BYTES,
  EnvelopeKind,
  encodeEnvelope,
  NOTHING_APPLIED,
} from './envelope.ts';
import { ClusteredLogError, FencedError } from './errors.ts';
import type { Clock, MessageStream, StoredMessage, StreamSubscription } from './message-stream.ts';
import { endReaching } from './stream-end.ts';
import { type Interpreted, rewound, type StreamState } from './stream-state.ts';

/** Time after sending, by the servers' clock, within which a batch must be stored to be applied. */
const DEADLINE_MS = 5000;
/**
 * Time after which a batch is sent again if it was not acknowledged, or acknowledged and not received. A leader that
 * shuts down in order is replaced within some 100 ms, and messages on their way to it are lost. Every repeat is stored
 * and synced, which slows a slow server further: so the wait is at least four times what the newest batch took, and
 * doubles with each failure.
 */
const FIRST_WAIT_MS = 250;
const WAIT_FACTOR = 4;
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;
/** Longer than the elections of several servers in a row. */
const START_WITHIN_MS = 60_000;
/** Longer than an election: a failure that lasts longer may need an operator. */
const WARN_AFTER_MS = 10_000;
/** After this silence the log counts as unreachable, and closing does not wait for it. */
const UNREACHABLE_AFTER_MS = 1500;

export interface StreamLogOptions {
  readonly stream: MessageStream;
  /** This node's name, unique among running processes. */
  readonly node: string;
  /** `TOKEN_BYTES` random bytes that distinguish the processes of one name. */
  readonly token: Uint8Array;
  /** The position to continue from, of a snapshot or new. It advances with the log. */
  readonly state: StreamState;
  readonly clock: Clock;
  /** Called once when the log can no longer be read or appended to. */
  readonly onFailure: (error: Error) => void;
  /** Called with conditions that an operator may have to fix; the log keeps retrying. */
  readonly warn?: (message: string) => void;
}

/** The message that this node is publishing. */
interface Flight {
  readonly bytes: Uint8Array;
  /** Time of sending by this machine's clock. */
  readonly sentAt: number;
  /** Time of sending by the monotonic clock. */
  readonly sentAtElapsed: number;
  readonly resolve: (batch: Batch) => void;
  readonly reject: (error: Error) => void;
}

/** A caller that waits for a condition, checked after every message. */
interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The clustered log: a replicated stream that every node appends to and follows. A node publishes one batch at a time
 * and sends it again, under the same counter, until it receives it from the stream.
 * docs/cluster-protocol.md explains the rules.
 */
export class StreamLog implements ClusteredLog {
  readonly isShared = true;
  private subscription: StreamSubscription | undefined;
  private handle: (batch: FollowedBatch) => void = () => {};
  private incarnation = 0;
  private counter = 0;
  private flight: Flight | undefined;
  /** When the newest message arrived, by the monotonic clock. */
  private seenAt: number;
  private waiters: Waiter[] = [];
  private failure: Error | undefined;
  private isClosed = false;
  /** This machine's clock minus the servers', milliseconds, as of the newest own batch. */
  clockLeadMs = 0;
  /** Time from sending the newest own batch until it was received, milliseconds. */
  private tookMs = 0;
  /** The servers' clock minus this process's monotonic clock, as of the newest own batch; unknown before one. */
  private serversLeadMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: StreamLogOptions) {
    this.seenAt = options.clock.elapsedMs();
  }

  /** Changes when the connection moves to a server with another limit. */
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

  /** Time since the newest message, milliseconds. It grows while the servers are unreachable or lack a majority. */
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
    this.subscription = await this.retryTransient(() =>
      stream.follow(
        state.sequence,
        (message) => this.receive(message),
        (reason) => this.fail(reason),
      ),
    );
    await this.readTo(end);
  }

  /**
   * Resolves once this node has read the log up to message `end`, which the servers had. They may lose it in the
   * meantime. A node that has not joined sends nothing that would reveal this, so it polls the end of the stream.
   */
  private async readTo(end: number): Promise<void> {
    const { state, clock } = this.options;
    const isRead = this.until(() => state.sequence >= end);
    while (state.sequence < end) {
      const wait = clock.after(MAX_WAIT_MS);
      await Promise.race([isRead, wait.over]);
      wait.stop();
      if (state.sequence < end) await this.retryTransient(() => this.endAtLeast(end));
    }
  }

  /** Retries for a minute while the servers have no leader or do not answer in time. */
  private retryTransient<Result>(request: () => Promise<Result>): Promise<Result> {
    const { stream, clock } = this.options;
    return retry(request, {
      every: RETRY_MS,
      until: clock.elapsedMs() + START_WITHIN_MS,
      isTransient: (error) =>
        !(error instanceof ClusteredLogError || stream.isClosed || this.isClosed),
      clock,
    });
  }

  async join(): Promise<void> {
    const { state, node, token } = this.options;
    do {
      this.incarnation = state.incarnation(node) + 1;
      await this.send(EnvelopeKind.join, 0, token, NOTHING_APPLIED);
      // Another process of that name may have taken this incarnation number first.
    } while (!state.isNewestIncarnation(node, this.incarnation, token));
    this.counter = 0;
  }

  append(time: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch> {
    if (count > 0) checkAppend(time, count, payload);
    if (payload.length > this.maxPayloadBytes) {
      throw new RangeError(`A batch can have at most ${this.maxPayloadBytes} bytes. Split it.`);
    }
    this.counter++;
    return this.send(EnvelopeKind.batch, count, payload, applied);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    // The batch in flight may still be applied: no client received another answer.
    if (this.failure === undefined && this.silentMs < UNREACHABLE_AFTER_MS) {
      const wait = this.options.clock.after(UNREACHABLE_AFTER_MS);
      await Promise.race([this.until(() => this.flight === undefined), wait.over]).catch(() => {});
      wait.stop();
    }
    this.isClosed = true;
    await this.subscription?.close();
  }

  private send(kind: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch> {
    if (this.failure) return Promise.reject(this.failure);
    if (this.isClosed) return Promise.reject(new Error('The log is closed.'));
    if (this.flight) return Promise.reject(new Error('An append is in flight. Wait for it.'));
    const { state, node } = this.options;
    const { incarnation, counter } = this;
    const clock = this.options.clock.now();
    const sentAtElapsed = this.options.clock.elapsedMs();
    // The servers' time now: that of the newest message plus the time that has passed here since.
    const deadline = Math.floor(state.storedAt + this.silentMs) + DEADLINE_MS;
    const isFirst = state.storedAt === 0;
    const bytes = encodeEnvelope({
      kind,
      count,
      payload,
      applied,
      node,
      incarnation,
      counter,
      clock,
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

  /** Sends a message until it is received from the stream. */
  private async publish(flight: Flight): Promise<void> {
    const { stream, clock, state } = this.options;
    let warnAt = clock.elapsedMs() + WARN_AFTER_MS;
    const minMs = Math.max(FIRST_WAIT_MS, WAIT_FACTOR * this.tookMs);
    let waitMs = Math.min(minMs, MAX_WAIT_MS);
    let seenMs = waitMs;
    while (this.flight === flight && !this.failure) {
      // The message cannot be split now: an earlier copy of it may be in the stream.
      if (flight.bytes.length > stream.maxMessageBytes) throw tooLarge(flight.bytes.length);
      const askedAt = clock.elapsedMs();
      try {
        const after = state.sequence;
        const sequence = await stream.publish(flight.bytes, waitMs);
        // This copy was sent after message `after` had been received.
        if (sequence <= after) throw rewound(sequence, after);
        if (this.flight !== flight) return;
        // Usually it has been received by now. If not, it is still coming, or lost and then sent again.
        await this.waitUntilReceived(flight, seenMs);
        seenMs = Math.min(2 * seenMs, MAX_WAIT_MS);
        if (this.flight === flight) await this.endAtLeast(sequence);
      } catch (error) {
        if (error instanceof ClusteredLogError || stream.isClosed) throw error;
        // No leader, timeouts and lost connections are transient. A full stream needs an operator.
        if (clock.elapsedMs() >= warnAt) {
          warnAt = Number.POSITIVE_INFINITY;
          this.options.warn?.(publishFailedText(error as Error));
        }
        const tookMs = clock.elapsedMs() - askedAt;
        if (Math.round(tookMs) >= waitMs) waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
        if (tookMs < RETRY_MS) await clock.after(RETRY_MS - tookMs).over;
      }
    }
  }

  /**
   * Resolves once an acknowledged message is received, or the log has been silent for `seenMs`. The server that should
   * have delivered it may be gone then, so the subscription moves to another one.
   */
  private async waitUntilReceived(flight: Flight, seenMs: number): Promise<void> {
    const { seenAt } = this;
    const wait = this.options.clock.after(Math.max(RETRY_MS, seenMs - this.silentMs));
    await Promise.race([this.until(() => this.flight !== flight), wait.over]);
    wait.stop();
    if (this.flight === flight && this.seenAt === seenAt) this.subscription?.renew();
  }

  /**
   * Returns the sequence of the last message.
   * @throws ClusteredLogError if the servers have lost message `sequence`, which they acknowledged or delivered
   */
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
      const interpreted = state.take(message);
      this.seenAt = clock.elapsedMs();
      const flight = this.matchFlight(message);
      if (flight !== undefined) {
        this.flight = undefined;
        this.clockLeadMs = flight.sentAt - message.storedAt;
        this.tookMs = clock.elapsedMs() - flight.sentAtElapsed;
        this.serversLeadMs = message.storedAt - flight.sentAtElapsed;
      } else if (this.isDuplicateIncarnation(interpreted)) throw new FencedError(node);
      if (this.incarnation > 0 && state.incarnation(node) > this.incarnation) {
        throw new FencedError(node);
      }
      this.deliver(interpreted, message, flight);
      this.resolveWaiters();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private deliver(
    { batch, envelope, ...rest }: Interpreted,
    message: StoredMessage,
    flight?: Flight,
  ): void {
    const { node, kind } = envelope;
    const { isLate, counts } = rest;
    // A repeat, or a message of an older incarnation, does not show the current state of its node.
    const applied = counts ? envelope.applied : NOTHING_APPLIED;
    const isOwn = flight !== undefined && kind === EnvelopeKind.batch;
    this.handle({ ...batch, node, applied, isOwn, isLate, message });
    flight?.resolve(batch);
  }

  /** Returns the flight whose message this is; no two messages sent have the same bytes. */
  private matchFlight({ bytes }: StoredMessage): Flight | undefined {
    const { flight } = this;
    return flight !== undefined && Buffer.compare(bytes, flight.bytes) === 0 ? flight : undefined;
  }

  /**
   * Returns whether a batch counts as one of this process although it did not send it. Servers that lose acknowledged
   * messages may lose a join. The next process then takes the same incarnation number while the first one still runs,
   * or while its messages are still in flight.
   */
  private isDuplicateIncarnation({ envelope, counts }: Interpreted): boolean {
    const { node, token, state } = this.options;
    const isBatch = counts && envelope.kind === EnvelopeKind.batch;
    return (
      isBatch && envelope.node === node && state.isNewestIncarnation(node, this.incarnation, token)
    );
  }

  /** Resolves once a message has made the condition true. */
  private until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiters.push({ isMet, resolve, reject }));
  }

  private resolveWaiters(): void {
    if (this.waiters.length === 0) return;
    const { waiters } = this;
    this.waiters = [];
    for (const waiter of waiters) {
      if (waiter.isMet()) waiter.resolve();
      else this.waiters.push(waiter);
    }
  }

  private fail(error: Error): void {
    if (this.failure || this.isClosed) return;
    this.failure = error;
    this.flight?.reject(error);
    void this.subscription?.close();
    for (const { reject } of this.waiters.splice(0)) reject(error);
    this.options.onFailure(error);
  }
}

function tooLarge(bytes: number): ClusteredLogError {
  return new ClusteredLogError(
    `a message of ${bytes} bytes is in flight, more than the servers accept now. Set max_payload in their configuration ` +
      'back to its former value, then start this node again.',
  );
}

function publishFailedText({ message }: Error): string {
  return (
    `The log in NATS has accepted nothing from this node for ${WARN_AFTER_MS / 1000} s (${message}). No command is carried out until it does. ` +
    'Check that most of its servers run and reach each other, that the stream is not full, and that this user may publish.'
  );
}
