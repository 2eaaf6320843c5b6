import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const RETRY_MS = 100;
/**
 * How long a new consumer may take, which is milliseconds, before another one is asked for: what is asked while there is
 * no leader is never answered. Twice as long each time.
 */
const FIRST_CONSUMER_MS = 125;
const LONGEST_CONSUMER_MS = 1000;
/** An election takes less: a reason that lasts longer may need an operator. */
const WARN_AFTER_MS = 10_000;
/** Heartbeats that did not come, half a second apart. The client asks for its consumer then, and waits for it. */
const MOST_MISSED = 4;

export interface ResilientConsumerOptions {
  readonly connection: NatsConnection;
  /** A new consumer of what is behind a sequence. Rejects if it takes longer than `withinMs`. */
  readonly consumer: (after: number, withinMs: number) => Promise<Consumer>;
  readonly pull: Parameters<Consumer['consume']>[0];
  readonly take: (message: JsMsg) => void;
  readonly onEnd: (reason: string) => void;
  /** Called once per outage that lasts: no consumer could be had for `WARN_AFTER_MS`. */
  readonly warn: (message: string) => void;
}

/**
 * Messages behind a sequence by one consumer after the other. A consumer lives on one server: while that is dead, or
 * cut off from the others, it tells nothing, and the client waits for it. So another one goes on where it has stood.
 */
export class ResilientConsumer {
  private messages: ConsumerMessages | undefined;
  /** Of consumers: what an older one still tells is not listened to. */
  private generation = 0;
  private isRenewing = false;
  private isConnected = true;
  private isClosed = false;

  private constructor(
    private readonly options: ResilientConsumerOptions,
    private last: number,
  ) {}

  static async begin(options: ResilientConsumerOptions, after: number): Promise<ResilientConsumer> {
    const following = new ResilientConsumer(options, after);
    await following.consume(LONGEST_CONSUMER_MS);
    void following.renewAfterOutages();
    return following;
  }

  /** Continues with another consumer, unless one is being looked for already. */
  renew(): void {
    if (!this.isRenewing && !this.isClosed) void this.replace();
  }

  /** Asks for the messages after a sequence again, although some of them came already. */
  renewAfter(sequence: number): void {
    this.last = sequence;
    // A consumer that is being made begins elsewhere.
    this.generation++;
    this.renew();
  }

  close(): void {
    this.isClosed = true;
    void this.messages?.close();
  }

  /** @returns Whether the new consumer is the current one: false where the messages were asked for anew meanwhile. */
  private async consume(withinMs: number): Promise<boolean> {
    const { consumer, pull, take, onEnd } = this.options;
    const own = ++this.generation;
    const isCurrent = () => !this.isClosed && own === this.generation;
    const messages = await (await consumer(this.last, withinMs)).consume({
      ...pull,
      callback: (message: JsMsg) => {
        if (!isCurrent()) return;
        // A copy that is behind begins with older ones: see Continuity.
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
      const isSilent = status.type === 'heartbeats_missed' && status.count >= MOST_MISSED;
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
      const askedAt = performance.now();
      try {
        if (this.isConnected && (await this.consume(withinMs))) {
          this.isRenewing = false;
          return;
        }
      } catch (error) {
        // No leader yet, no answer in time: both pass. A permission that is missing does not.
        withinMs = Math.min(2 * withinMs, LONGEST_CONSUMER_MS);
        if (performance.now() >= warnAt) {
          warnAt = Number.POSITIVE_INFINITY;
          this.options.warn(refusedText(error as Error));
        }
      }
      await Bun.sleep(Math.max(0, askedAt + RETRY_MS - performance.now()));
    }
  }
}

function refusedText({ message }: Error): string {
  return (
    `The log in NATS could not be read for ${WARN_AFTER_MS / 1000} s (${message}); this node keeps trying. ` +
    'Check that most of the NATS servers run and reach each other, and that its user may read the stream.'
  );
}
