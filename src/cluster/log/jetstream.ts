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
import { ContinuityCheck } from './continuity-check.ts';
import { ClusteredLogError } from './errors.ts';
import type { MessageStream, StoredMessage } from './message-stream.ts';
import { ResilientConsumer } from './resilient-consumer.ts';
import { purged, type StreamState } from './stream-state.ts';

/** How long an answer of the servers is waited for. What was asked of one that is out of reach now is never answered. */
const ANSWER_MS = 2000;
/** The same for a question that takes milliseconds, before it is asked again: there may have been no leader. */
const FIRST_ANSWER_MS = 250;
const RETRY_MS = 100;
/** A message that cannot be read again for as long will not be. */
const READ_AGAIN_MS = 60_000;
/** A pull that the servers have forgotten is noticed after twice the heartbeat. */
const PULL = { max_messages: 1000, expires: 1000, idle_heartbeat: 500 } as const;
/** Messages that wait for who reads them. */
const MOST_UNREAD = 10_000;
/** Of the headers around a message. */
const ROOM_BYTES = 1024;
const USUAL_MAX_BYTES = 1024 * 1024;
/** Whether there is JetStream is asked once by whoever connects; a question that fails tells it as well. */
export const SKIP_API_CHECK = { checkAPI: false } as const;

/** A stream of NATS JetStream; its messages come under the subject `<stream>.batches`. */
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

  /** @param warn Called with what an operator should know of while this keeps trying. */
  static async open(
    connection: NatsConnection,
    stream: string,
    warn: (message: string) => void = console.warn,
  ): Promise<JetStream> {
    const manager = await jetstreamManager(connection, { ...SKIP_API_CHECK, timeout: ANSWER_MS });
    return new JetStream(connection, stream, manager, warn);
  }

  get maxMessageBytes(): number {
    return (this.connection.info?.max_payload ?? USUAL_MAX_BYTES) - ROOM_BYTES;
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

  /** Of the oldest message that is there; one more than the last where there is none. */
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
    const following = await this.tell(after, take, onEnd);
    return { renew: () => following.renew(), close: async () => following.close() };
  }

  /** Passes on what is there behind `after`, and what comes, by one consumer after the other. */
  private async tell(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ): Promise<ResilientConsumer> {
    const read = (seq: number) => this.readAgain(seq, onEnd);
    const again = (last: number) => following.renewAfter(last);
    const continuity = new ContinuityCheck(take, read, after, onEnd, again);
    const following = await ResilientConsumer.begin(
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
    return following;
  }

  /** Undefined where it is purged. Never resolves once it has given up. */
  private async readAgain(
    seq: number,
    onEnd: (reason: Error) => void,
  ): Promise<StoredMessage | undefined> {
    const until = performance.now() + READ_AGAIN_MS;
    for (let withinMs = FIRST_ANSWER_MS; ; withinMs = Math.min(2 * withinMs, ANSWER_MS)) {
      try {
        const manager = await jetstreamManager(this.connection, {
          ...SKIP_API_CHECK,
          timeout: withinMs,
        });
        const message = await manager.streams.getMessage(this.stream, { seq });
        if (message === null) return undefined;
        return { sequence: seq, storedAt: message.time.getTime(), bytes: message.data };
      } catch (error) {
        // No leader yet, no answer in time: both pass, a permission that is missing does not.
        const isInVain = performance.now() > until;
        if (isInVain) onEnd(ended((error as Error).message));
        if (isInVain || this.isClosed) return new Promise(() => {});
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  /**
   * The batches from where `state` stands, which moves with them, up to message `through`.
   * @throws ClusteredLogError where they are not all there
   */
  async *read(state: StreamState, through: number): AsyncGenerator<Batch> {
    for await (const message of this.messages(state.sequence, through)) {
      yield state.take(message).batch;
    }
    // The connection has ended: what follows is not known, and nobody may go on as if nothing did.
    if (state.sequence < through) throw ended(`${state.sequence} of ${through} messages were read`);
  }

  /** The messages behind `after` up to `through`. Fewer where the connection ends; they may have gaps. */
  async *messages(after: number, through: number): AsyncGenerator<StoredMessage> {
    for (let last = after; last < through; ) {
      const begun = last;
      for await (const message of this.portion(last, through)) {
        last = message.sequence;
        yield message;
      }
      if (last === begun || this.isClosed) return;
    }
  }

  /**
   * The first of them, until the connection ends or more have come than wait to be read: who reads slowly must not
   * have the whole log in memory.
   */
  private async *portion(after: number, through: number): AsyncGenerator<StoredMessage> {
    const told: StoredMessage[] = [];
    let isOver = false;
    let wake = () => {};
    const end = () => {
      isOver = true;
      wake();
    };
    const take = (message: StoredMessage) => {
      if (isOver) return;
      told.push(message);
      if (told.length === MOST_UNREAD || message.sequence >= through) isOver = true;
      wake();
    };
    const following = await this.tellPatiently(after, take, end);
    try {
      for (;;) {
        if (told.length === 0 && isOver) return;
        if (told.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (isOver) following.close();
        yield* told.splice(0);
      }
    } finally {
      following.close();
    }
  }

  /** Asks again while there is no leader, or no answer in time. */
  private async tellPatiently(
    ...terms: Parameters<typeof this.tell>
  ): ReturnType<typeof this.tell> {
    for (const until = performance.now() + READ_AGAIN_MS; ; ) {
      try {
        return await this.tell(...terms);
      } catch (error) {
        if (performance.now() > until || this.isClosed) throw error;
        await Bun.sleep(RETRY_MS);
      }
    }
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
    `its servers tell nothing more (${reason}). See that the user may read the stream, then start this node again.`,
  );
}

function storedMessage({ seq, info, data }: JsMsg): StoredMessage {
  return { sequence: seq, storedAt: Math.floor(info.timestampNanos / 1e6), bytes: data };
}
