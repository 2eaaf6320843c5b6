import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { inStream } from '../../archivist/recovery.ts';
import { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import { JetStream } from '../../cluster/log/jetstream.ts';
import type { Interpreted, StreamState } from '../../cluster/log/stream-state.ts';
import { connectToNats, isNatsFailure, NatsError } from '../../cluster/stream/connection.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { isFinding, refusal } from './finding.ts';

/** The log of an exchange of many nodes, and the snapshots beside it; reading changes nothing. */
export class LogStream {
  private constructor(
    readonly name: string,
    readonly messages: JetStream,
    /** Undefined where no node has ever made a place for them. */
    readonly snapshots: ObjectSnapshots | undefined,
    /** The oldest message that was there when this was opened. */
    readonly first: number,
  ) {}

  static async open(connection: NatsConnection, name: string): Promise<LogStream> {
    const messages = await JetStream.open(connection, name);
    // Before the snapshots are looked for: what lies behind those found now was there then.
    const first = await messages.firstSequence();
    return new LogStream(name, messages, await ObjectSnapshots.find(connection, name), first);
  }

  /**
   * What the messages from where `state` stands come to, up to `end`; it moves with them.
   * @throws ClusteredLogError where they are not as they must be, CliError where they are not all to be had
   */
  async *follow(state: StreamState, end: number): AsyncGenerator<Interpreted> {
    for await (const message of this.messages.messages(state.sequence, end)) {
      const isGap = message.sequence > state.sequence + 1;
      if (isGap && (await this.messages.firstSequence()) > state.sequence + 1) {
        throw refusal(
          'TRIMMED',
          'The nodes trimmed the log behind a newer snapshot meanwhile. Run it again.',
        );
      }
      yield state.take(message);
    }
    if (state.sequence < end) {
      throw refusal(
        'NATS',
        `The connection to NATS was lost at message ${state.sequence}. Run it again.`,
      );
    }
  }
}

/**
 * Does `work` on the log on NATS that `settings` name.
 * @throws CliError where there is none, where NATS does not let it be read, or where what is stored is not sound.
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
    if (isMissing(error)) {
      throw refusal(
        'NO_DATA',
        `There is no stream ${stream}. Name that of the exchange with --log-stream or BUTTONWOOD_LOG_STREAM.`,
      );
    }
    if (isNatsFailure(error)) throw refusal('NATS', reasonOf(error, stream));
    throw isFinding(error) ? refusal('UNSOUND', inStream(error, stream).message) : error;
  } finally {
    await connection?.close();
  }
}

function reasonOf(error: Error, stream: string): string {
  if (error instanceof NatsError) return error.message;
  return (
    `NATS does not answer as it must (${error.message}). See that most of its servers run, and that this user may read ` +
    `the stream ${stream} and the object store ${stream}-snapshots; then run it again.`
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
