import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const RETRY_MS = 100;
/** Heartbeats that did not come, half a second apart. The client asks for its consumer then, and waits for it. */
const MOST_MISSED = 4;

export interface FollowingOptions {
  readonly connection: NatsConnection;
  /** A new consumer of what is behind a sequence. */
  readonly consumer: (after: number) => Promise<Consumer>;
  readonly pull: Parameters<Consumer['consume']>[0];
  readonly take: (message: JsMsg) => void;
  readonly onEnd: (reason: string) => void;
}

/**
 * Messages behind a sequence by one consumer after the other. A consumer lives on one server: while that is dead, or
 * cut off from the others, it tells nothing, and the client waits for it. So another one goes on where it has stood.
 */
export class Following {
  private messages: ConsumerMessages | undefined;
  /** Of consumers: what an older one still tells is not listened to. */
  private generation = 0;
  private isRenewing = false;
  private isConnected = true;
  private isClosed = false;

  private constructor(
    private readonly options: FollowingOptions,
    private last: number,
  ) {}

  static async begin(options: FollowingOptions, after: number): Promise<Following> {
    const following = new Following(options, after);
    await following.consume();
    void following.renewAfterOutages();
    return following;
  }

  close(): void {
    this.isClosed = true;
    void this.messages?.close();
  }

  private async consume(): Promise<void> {
    const { consumer, pull, take, onEnd } = this.options;
    const own = ++this.generation;
    const isCurrent = () => !this.isClosed && own === this.generation;
    const messages = await (await consumer(this.last)).consume({
      ...pull,
      callback: (message: JsMsg) => {
        if (!isCurrent()) return;
        // A copy that is behind begins with older ones: see Continuity.
        this.last = Math.max(this.last, message.seq);
        take(message);
      },
    });
    this.messages = messages;
    if (this.isClosed) return this.close();
    void messages.closed().then((reason) => {
      if (isCurrent()) onEnd(reason instanceof Error ? reason.message : 'it was closed');
    });
    void this.renewWhenSilent(messages);
  }

  private async renewWhenSilent(messages: ConsumerMessages): Promise<void> {
    for await (const status of messages.status()) {
      if (status.type === 'heartbeats_missed' && status.count >= MOST_MISSED) void this.renew();
    }
  }

  private async renewAfterOutages(): Promise<void> {
    for await (const { type } of this.options.connection.status()) {
      if (this.isClosed) return;
      if (type === 'disconnect') this.isConnected = false;
      if (type !== 'reconnect') continue;
      this.isConnected = true;
      void this.renew();
    }
  }

  private async renew(): Promise<void> {
    if (this.isRenewing || this.isClosed) return;
    this.isRenewing = true;
    this.generation++;
    void this.messages?.close();
    while (!this.isClosed) {
      if (this.options.connection.isClosed()) {
        this.options.onEnd('its connection was closed');
        return;
      }
      try {
        if (this.isConnected) {
          await this.consume();
          this.isRenewing = false;
          return;
        }
      } catch {
        // No leader yet, no answer in time: both pass.
      }
      await Bun.sleep(RETRY_MS);
    }
  }
}
