import type { NatsConnection } from '@nats-io/transport-node';
import type { Archive } from '../../src/archivist/archive.ts';
import type { Archivist } from '../../src/archivist/archivist.ts';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { openStreamArchive } from '../../src/archivist/stream-archive.ts';
import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { machineClock } from '../../src/cluster/log/message-stream.ts';
import { StreamLog } from '../../src/cluster/log/stream-log.ts';
import { type StreamState, TOKEN_BYTES } from '../../src/cluster/log/stream-state.ts';
import type { NatsSettings } from '../../src/cluster/stream/connection.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Outcome } from '../../src/engine/event.ts';
import { writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { History } from '../../src/history/history.ts';
import type { Batch } from '../../src/log/log.ts';
import { Replica } from '../../src/replica/replica.ts';

/** An archive in the serving thread, which records its failure. */
class InlineArchive implements Archivist {
  failure: Error | undefined;

  constructor(
    readonly archive: Archive,
    private readonly log: StreamState,
  ) {}

  deliver(batch: Batch, digestBefore: number): void {
    const { message } = batch as FollowedBatch;
    if (this.failure !== undefined || message.sequence <= this.archive.position) return;
    try {
      this.archive.apply(this.log.take(message).batch, digestBefore);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  checkpoint(): void {}

  noteDispute(): void {}

  lagMs(): number {
    return 0;
  }

  query(): Promise<unknown> {
    throw new Error('not used by the tests');
  }

  async close(): Promise<void> {}
}

/**
 * The core of a node without its gateway: a replica and an archive, started like those of a node. It appends only the
 * commands of the test, so that the test knows every message of the log.
 */
export class StreamNode {
  private constructor(
    readonly replica: Replica,
    readonly archivist: InlineArchive,
    private readonly log: StreamLog,
    private readonly state: StreamState,
    private readonly snapshots: ObjectSnapshots,
    /** The failure of the replica. */
    readonly failure: Promise<Error>,
  ) {}

  /** Starts like src/node/cluster.ts. Later failures are in `failure`, or thrown by its archive. */
  static async start(
    connection: NatsConnection,
    nats: NatsSettings,
    stream: string,
    node: string,
  ): Promise<StreamNode> {
    const snapshots = await ObjectSnapshots.open(connection, stream, 1);
    const { log: state, exchange } = await snapshots.newest();
    const failure = Promise.withResolvers<Error>();
    const onFailure = failure.resolve;
    const log = new StreamLog({
      stream: await JetStream.open(connection, stream),
      node,
      state,
      onFailure,
      clock: machineClock,
      token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
    });
    const opened = await openStreamArchive({
      source: { log: 'jetstream', nats, stream, replicas: 1, node },
      history: await History.open('sqlite://:memory:'),
      elapsedMs: () => 0,
      keepDelivered: () => 0,
      onFailure,
    });
    const archivist = new InlineArchive(opened.archive, opened.log);
    const replica = new Replica({
      exchange,
      log,
      archivist,
      onFailure,
      now: Date.now,
      onEvents: () => {},
      skips: await snapshots.skips(),
      timers: { soon: setImmediate, after: () => {}, every: () => () => {} },
    });
    await replica.begin();
    return new StreamNode(replica, archivist, log, state, snapshots, failure.promise);
  }

  /** Sends commands as one batch; resolves once they are applied. */
  send(commands: readonly Command[]): Promise<Outcome[]> {
    return Promise.all(commands.map((command) => this.replica.execute(command)));
  }

  get position(): number {
    return this.replica.position;
  }

  get stateHash(): string {
    return new Bun.SHA256().update(writeSnapshot(this.replica.exchange)).digest('hex');
  }

  /** Writes a snapshot of the current state, or of another one, as if history had reached this position. */
  snapshot(state = writeSnapshot(this.replica.exchange)): Promise<void> {
    return this.snapshots.write(this.state.encode(), this.position, state, this.position);
  }

  /** Resolves once it has applied a message. */
  async reaches(sequence: number): Promise<void> {
    while (this.position < sequence) await new Promise((resolve) => setImmediate(resolve));
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.log.close();
  }
}
