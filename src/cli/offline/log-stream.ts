import { inStream } from '../../archivist/recovery.ts';
import { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import { JetStream } from '../../cluster/log/jetstream.ts';
import type { Interpreted, StreamState } from '../../cluster/log/stream-state.ts';
import {
  connectToNats,
  isNatsFailure,
  isStreamMissing,
  type NatsConnection,
  NatsError,
} from '../../cluster/stream/connection.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { cliError, isFinding } from './finding.ts';

/** The log of a cluster and its snapshots, read-only. */
export class LogStream {
  private constructor(
    readonly name: string,
    readonly messages: JetStream,
    /** Undefined if no node has created the object store yet. */
    readonly snapshots: ObjectSnapshots | undefined,
    /** Sequence of the oldest message at the time of opening. */
    readonly first: number,
  ) {}

  static async open(connection: NatsConnection, name: string): Promise<LogStream> {
    const messages = await JetStream.open(connection, name);
    // Read before the snapshots are listed, so that the messages after each of them were still there.
    const first = await messages.firstSequence();
    return new LogStream(name, messages, await ObjectSnapshots.find(connection, name), first);
  }

  /**
   * Yields the messages after `state` up to `end`, and updates `state`.
   * @throws ClusteredLogError if they are inconsistent, CliError if they are incomplete
   */
  async *follow(state: StreamState, end: number): AsyncGenerator<Interpreted> {
    for await (const message of this.messages.messages(state.sequence, end)) {
      const isGap = message.sequence > state.sequence + 1;
      if (isGap && (await this.messages.firstSequence()) > state.sequence + 1) {
        throw cliError(
          'TRIMMED',
          'The nodes trimmed the log in the meantime. Run the command again.',
        );
      }
      yield state.take(message);
    }
    if (state.sequence < end) {
      throw cliError(
        'NATS',
        `The connection to NATS was lost at message ${state.sequence}. Run the command again.`,
      );
    }
  }
}

/**
 * Runs `work` on a log on NATS.
 * @throws CliError if there is none, if NATS does not allow reading it, or if its data is damaged
 */
export async function withLogStream<T>(
  settings: JetStreamConfig,
  work: (log: LogStream) => Promise<T>,
): Promise<T> {
  const { stream } = settings;
  let connection: NatsConnection | undefined;
  try {
    connection = await connectToNats(settings, 'buttonwood offline', { reconnect: false });
    return await work(await LogStream.open(connection, stream));
  } catch (error) {
    if (isStreamMissing(error)) {
      throw cliError(
        'NO_DATA',
        `There is no stream ${stream}. Name the stream with --log-stream or BUTTONWOOD_LOG_STREAM.`,
      );
    }
    if (isNatsFailure(error)) throw cliError('NATS', describeFailure(error, stream));
    throw isFinding(error) ? cliError('UNSOUND', inStream(error, stream).message) : error;
  } finally {
    await connection?.close();
  }
}

function describeFailure(error: Error, stream: string): string {
  if (error instanceof NatsError) return error.message;
  return (
    `NATS failed (${error.message}). Check that most of its servers run and that this user may read ` +
    `the stream ${stream} and the object store ${stream}-snapshots, then run the command again.`
  );
}
