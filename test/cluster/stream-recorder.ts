import type { NatsConnection } from '@nats-io/transport-node';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { STREAM } from './cluster.ts';

/** Records every message of a stream, including those trimmed later, and publishes some again, as a network may. */
export class StreamRecorder {
  readonly messages: StoredMessage[] = [];
  repeats = 0;
  /** Number of trims observed. */
  trims = 0;
  private first = 1;
  private following: { close(): Promise<void> } | undefined;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly stream: JetStream,
  ) {}

  static async start(connection: NatsConnection): Promise<StreamRecorder> {
    const stream = await JetStream.open(connection, STREAM);
    const recorder = new StreamRecorder(connection, stream);
    const keep = (message: StoredMessage) => {
      recorder.messages.push({ ...message, bytes: message.bytes.slice() });
    };
    recorder.following = await stream.follow(0, keep, (reason) => {
      throw reason;
    });
    return recorder;
  }

  /** Publishes one of the last messages again, or sometimes an older one. */
  async repeat(random: Random): Promise<void> {
    const { messages } = this;
    const among = below(3, random) === 0 ? messages.length : Math.min(12, messages.length);
    const message = messages[messages.length - 1 - below(among, random)];
    if (message === undefined) return;
    // Without a leader the message is lost, as in a network.
    const sent = this.connection.request(`${STREAM}.batches`, message.bytes, { timeout: 1000 });
    if (await sent.catch(() => undefined)) this.repeats++;
  }

  async checkForTrim(): Promise<void> {
    // Without a leader nothing is trimmed.
    const first = await this.stream.firstSequence().catch(() => this.first);
    if (first > this.first) this.trims++;
    this.first = Math.max(this.first, first);
  }

  /** Resolves once every message of the stream is recorded. */
  async caughtUp(): Promise<void> {
    const end = await this.stream.lastSequence();
    while ((this.messages.at(-1)?.sequence ?? 0) < end) await Bun.sleep(20);
  }

  async stop(): Promise<void> {
    await this.following?.close();
    await this.connection.close();
  }
}
