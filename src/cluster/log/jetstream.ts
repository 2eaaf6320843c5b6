import {
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Batch } from '../../log/log.ts';
import { retry } from '../../monitoring/retry.ts';
import { ContinuityCheck } from './continuity-check.ts';
import { ClusteredLogError } from './errors.ts';
import type { MessageStream, StoredMessage } from './message-stream.ts';
import { ResilientConsumer } from './resilient-consumer.ts';
import { purged, type StreamState } from './stream-state.ts';

/** Timeout of a request. A request to a server that has become unreachable is never answered. */
const REQUEST_TIMEOUT_MS = 2000;
/** First timeout of a request that takes milliseconds and is then repeated: there may have been no leader. */
const FIRST_TIMEOUT_MS = 250;
const RETRY_MS = 100;
/** Time after which a request that keeps failing is no longer retried. */
const GIVE_UP_MS = 60_000;
/** A pull that the servers have forgotten is noticed after two missed heartbeats. */
const PULL = { max_messages: 1000, expires: 1000, idle_heartbeat: 500 } as const;
/** Maximum messages buffered for a slow reader. */
const MAX_UNREAD = 10_000;
/** Reserved for the headers of a message. */
const HEADER_BYTES = 1024;
const DEFAULT_MAX_BYTES = 1024 * 1024;
/** The check that JetStream is enabled was made when connecting; a failing request shows it as well. */
export const SKIP_API_CHECK = { checkAPI: false } as const;

/** A stream of NATS JetStream whose messages have the subject `<stream>.batches`. */
export class JetStream implements MessageStream {
  private readonly client: JetStreamClient;
  private readonly subject: string;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly stream: string,
    private readonly manager: JetStreamManager,
    private readonly warn: (message: string) => void,
  ) {
    this.client = jetstream(connection);
    this.subject = `${stream}.batches`;
  }

  /** @param warn Called with conditions that an operator may have to fix; this keeps retrying. */
  static async open(
    connection: NatsConnection,
    stream: string,
    warn: (message: string) => void = console.warn,
  ): Promise<JetStream> {
    const manager = await jetstreamManager(connection, {
      ...SKIP_API_CHECK,
      timeout: REQUEST_TIMEOUT_MS,
    });
    return new JetStream(connection, stream, manager, warn);
  }

  get maxMessageBytes(): number {
    return (this.connection.info?.max_payload ?? DEFAULT_MAX_BYTES) - HEADER_BYTES;
  }

  get isClosed(): boolean {
    return this.connection.isClosed();
  }

  async publish(bytes: Uint8Array, withinMs: number): Promise<number> {
    const options = { timeout: withinMs, retries: 0 };
    return (await this.client.publish(this.subject, bytes, options)).seq;
  }

  async lastSequence(): Promise<number> {
    return (await this.manager.streams.info(this.stream)).state.last_seq;
  }

  /** Returns the sequence of the oldest message; the last one plus one if the stream is empty. */
  async firstSequence(): Promise<number> {
    const { first_seq, last_seq } = (await this.manager.streams.info(this.stream)).state;
    return Math.min(Math.max(first_seq, 1), last_seq + 1);
  }

  async follow(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ) {
    const first = await this.firstSequence();
    if (first > after + 1) throw purged(first, after);
    const consumer = await this.consume(after, take, onEnd);
    return { renew: () => consumer.renew(), close: async () => consumer.close() };
  }

  /** Delivers the messages after `after`, and then new ones. */
  private async consume(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ): Promise<ResilientConsumer> {
    const read = (seq: number) => this.readAgain(seq, onEnd);
    const again = (last: number) => resilient.renewAfter(last);
    const continuity = new ContinuityCheck(take, read, after, onEnd, again);
    const resilient = await ResilientConsumer.begin(
      {
        connection: this.connection,
        warn: this.warn,
        consumer: (last, withinMs) => this.consumer(last, withinMs),
        pull: PULL,
        take: (message) => continuity.next(storedMessage(message), message.info.consumer),
        onEnd: (reason) => onEnd(ended(reason)),
      },
      after,
    );
    return resilient;
  }

  /** Resolves with undefined if the message was purged. Never resolves after it has given up and called `onEnd`. */
  private async readAgain(
    seq: number,
    onEnd: (reason: Error) => void,
  ): Promise<StoredMessage | undefined> {
    const read = async (attempt: number) => {
      const timeout = Math.min(FIRST_TIMEOUT_MS * 2 ** attempt, REQUEST_TIMEOUT_MS);
      const manager = await jetstreamManager(this.connection, { ...SKIP_API_CHECK, timeout });
      const message = await manager.streams.getMessage(this.stream, { seq });
      if (message === null) return undefined;
      return { sequence: seq, storedAt: message.time.getTime(), bytes: message.data };
    };
    try {
      return await this.retryWhileOpen(read);
    } catch (error) {
      if (!this.isClosed) onEnd(ended((error as Error).message));
      return new Promise(() => {});
    }
  }

  /**
   * Reads the batches after the position of `state`, which advances with them, up to message `through`.
   * @throws ClusteredLogError if some of them are missing
   */
  async *read(state: StreamState, through: number): AsyncGenerator<Batch> {
    for await (const message of this.messages(state.sequence, through)) {
      yield state.take(message).batch;
    }
    // The connection was closed. The caller must not take this for the end of the log.
    if (state.sequence < through)
      throw ended(`only ${state.sequence} of ${through} messages were read`);
  }

  /** Reads the messages after `after` up to `through`. There are fewer if the connection is closed; gaps are possible. */
  async *messages(after: number, through: number): AsyncGenerator<StoredMessage> {
    for (let last = after; last < through; ) {
      const start = last;
      for await (const message of this.portion(last, through)) {
        last = message.sequence;
        yield message;
      }
      if (last === start || this.isClosed) return;
    }
  }

  /**
   * Reads the first of them, until the connection is closed or `MAX_UNREAD` are buffered, so that a slow reader does not
   * hold the whole log in memory.
   */
  private async *portion(after: number, through: number): AsyncGenerator<StoredMessage> {
    const unread: StoredMessage[] = [];
    let isOver = false;
    let wake = () => {};
    const end = () => {
      isOver = true;
      wake();
    };
    const take = (message: StoredMessage) => {
      if (isOver) return;
      unread.push(message);
      if (unread.length === MAX_UNREAD || message.sequence >= through) isOver = true;
      wake();
    };
    const consumer = await this.retryWhileOpen(() => this.consume(after, take, end));
    try {
      for (;;) {
        if (unread.length === 0 && isOver) return;
        if (unread.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (isOver) consumer.close();
        yield* unread.splice(0);
      }
    } finally {
      consumer.close();
    }
  }

  /**
   * Retries any failure for a minute: an election or a timeout is transient, and a missing permission cannot
   * be distinguished from them.
   */
  private retryWhileOpen<Result>(request: (attempt: number) => Promise<Result>): Promise<Result> {
    return retry(request, {
      every: RETRY_MS,
      until: performance.now() + GIVE_UP_MS,
      isTransient: () => !this.isClosed,
    });
  }

  private consumer(after: number, withinMs: number) {
    return jetstream(this.connection, { timeout: withinMs }).consumers.get(this.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
    });
  }
}

function ended(reason: string): ClusteredLogError {
  return new ClusteredLogError(
    `its servers deliver no more messages (${reason}). Check that the user may read the stream, then start this node again.`,
  );
}

function storedMessage({ seq, info, data }: JsMsg): StoredMessage {
  return { sequence: seq, storedAt: Math.floor(info.timestampNanos / 1e6), bytes: data };
}
