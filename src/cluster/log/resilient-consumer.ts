import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const RETRY_MS = 100;
/**
 * First timeout of a request for a consumer, which normally takes milliseconds; it doubles with each failure. A request
 * made while there is no leader is never answered.
 */
const FIRST_CONSUMER_MS = 125;
const MAX_CONSUMER_MS = 1000;
/** Longer than an election: a failure that lasts longer may need an operator. */
const WARN_AFTER_MS = 10_000;
/** Missed heartbeats, half a second apart, after which the consumer is replaced. */
const MAX_MISSED_HEARTBEATS = 4;

export interface ResilientConsumerOptions {
  readonly connection: NatsConnection;
  /** Creates a consumer of the messages after a sequence. Rejects if it takes longer than `withinMs`. */
  readonly consumer: (after: number, withinMs: number) => Promise<Consumer>;
  readonly pull: Parameters<Consumer['consume']>[0];
  readonly take: (message: JsMsg) => void;
  readonly onEnd: (reason: string) => void;
  /** Called once per outage, if no consumer could be created for `WARN_AFTER_MS`. */
  readonly warn: (message: string) => void;
}

/**
 * Delivers the messages after a sequence through one consumer after another. A consumer lives on one server. If that
 * server dies or is cut off from the others, the consumer is silent and the client waits for it, so a new consumer
 * continues from its position.
 */
export class ResilientConsumer {
  private messages: ConsumerMessages | undefined;
  /** Number of the current consumer; messages of older ones are ignored. */
  private generation = 0;
  private isRenewing = false;
  private isConnected = true;
  private isClosed = false;

  private constructor(
    private readonly options: ResilientConsumerOptions,
    private last: number,
  ) {}

  static async begin(options: ResilientConsumerOptions, after: number): Promise<ResilientConsumer> {
    const consumer = new ResilientConsumer(options, after);
    await consumer.consume(MAX_CONSUMER_MS);
    void consumer.renewAfterOutages();
    return consumer;
  }

  /** Continues with another consumer, unless one is being created already. */
  renew(): void {
    if (!this.isRenewing && !this.isClosed) void this.replace();
  }

  /** Requests the messages after a sequence again, although some of them were delivered already. */
  renewAfter(sequence: number): void {
    this.last = sequence;
    // Discards a consumer that is being created: it starts elsewhere.
    this.generation++;
    this.renew();
  }

  close(): void {
    this.isClosed = true;
    void this.messages?.close();
  }

  /** @returns Whether the new consumer is current; false if the messages were requested again in the meantime. */
  private async consume(withinMs: number): Promise<boolean> {
    const { consumer, pull, take, onEnd } = this.options;
    const own = ++this.generation;
    const isCurrent = () => !this.isClosed && own === this.generation;
    const messages = await (await consumer(this.last, withinMs)).consume({
      ...pull,
      callback: (message: JsMsg) => {
        if (!isCurrent()) return;
        // A lagging replica of the stream starts with older messages: see ContinuityCheck.
        this.last = Math.max(this.last, message.seq);
        take(message);
      },
    });
    if (!isCurrent()) {
      void messages.close();
      return false;
    }
    this.messages = messages;
    void messages.closed().then((reason) => {
      if (isCurrent()) onEnd(reason instanceof Error ? reason.message : 'it was closed');
    });
    void this.renewWhenSilent(messages, isCurrent);
    return true;
  }

  private async renewWhenSilent(messages: ConsumerMessages, isCurrent: () => boolean) {
    for await (const status of messages.status()) {
      const isSilent = status.type === 'heartbeats_missed' && status.count >= MAX_MISSED_HEARTBEATS;
      if (isSilent && isCurrent()) this.renew();
    }
  }

  private async renewAfterOutages(): Promise<void> {
    for await (const { type } of this.options.connection.status()) {
      if (this.isClosed) return;
      if (type === 'disconnect') this.isConnected = false;
      if (type !== 'reconnect') continue;
      this.isConnected = true;
      this.renew();
    }
  }

  private async replace(): Promise<void> {
    this.isRenewing = true;
    this.generation++;
    void this.messages?.close();
    let warnAt = performance.now() + WARN_AFTER_MS;
    for (let withinMs = FIRST_CONSUMER_MS; !this.isClosed; ) {
      if (this.options.connection.isClosed()) {
        this.options.onEnd('its connection was closed');
        return;
      }
      const requestedAt = performance.now();
      try {
        if (this.isConnected && (await this.consume(withinMs))) {
          this.isRenewing = false;
          return;
        }
      } catch (error) {
        // No leader and timeouts are transient. A missing permission needs an operator.
        withinMs = Math.min(2 * withinMs, MAX_CONSUMER_MS);
        if (performance.now() >= warnAt) {
          warnAt = Number.POSITIVE_INFINITY;
          this.options.warn(unreadableText(error as Error));
        }
      }
      await Bun.sleep(Math.max(0, requestedAt + RETRY_MS - performance.now()));
    }
  }
}

function unreadableText({ message }: Error): string {
  return (
    `The log in NATS could not be read for ${WARN_AFTER_MS / 1000} s (${message}); this node keeps trying. ` +
    'Check that most of the NATS servers run and reach each other, and that its user may read the stream.'
  );
}
