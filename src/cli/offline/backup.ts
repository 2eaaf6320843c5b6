import { SQL } from 'bun';
import { type Backup, backUp, type Places, restore } from '../../cluster/backup/backup.ts';
import {
  connectToNats,
  isNatsFailure,
  type NatsConnection,
} from '../../cluster/stream/connection.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { isStorageFailure, OperatorError } from '../../monitoring/operator-error.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { Result } from '../command.ts';
import { CliError, ExitCode } from '../failure.ts';
import { fields } from '../text.ts';

/** The NATS servers and the database of a cluster. */
export interface ConfiguredPlaces {
  readonly log: JetStreamConfig;
  readonly databaseUrl: string;
}

export async function runBackup(places: ConfiguredPlaces, directory: string): Promise<Result> {
  const backup = await withPlaces(places, (opened) => backUp(opened, directory));
  return toResult(backup, `Backed up to ${directory}. Store it away from the servers.`);
}

export async function runRestore(places: ConfiguredPlaces, directory: string): Promise<Result> {
  const { replicas } = places.log;
  const backup = await withPlaces(places, (opened) => restore(opened, directory, replicas));
  return toResult(backup, 'Restored. Start the nodes now; they complete the history.');
}

async function withPlaces<T>(
  { log, databaseUrl }: ConfiguredPlaces,
  work: (places: Places) => Promise<T>,
): Promise<T> {
  let connection: NatsConnection | undefined;
  try {
    connection = await connectToNats(log, 'buttonwood backup', { reconnect: false });
    const places = { connection, logStream: log.stream, databaseUrl };
    return await withProgress((progress) => work({ ...places, progress }));
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new CliError(ExitCode.failed, 'BACKUP', error.message);
  } finally {
    await connection?.close();
  }
}

/** Returns whether the error is about the servers, the disk or the backup, not about this program. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof OperatorError ||
    error instanceof SQL.PostgresError ||
    isNatsFailure(error) ||
    isStorageFailure(error)
  );
}

function toResult(backup: Backup, heading: string): Result {
  const { takenAt, logStream, streams, historyPosition } = backup;
  const log = streams.find(({ stream }) => stream === logStream)!;
  const rows = streams.map(({ stream, state, bytes }): [string, string] => [
    stream,
    `${state.messages} messages, ${state.first_seq} to ${state.last_seq}, ${bytes} bytes`,
  ]);
  const text = fields([
    ['Taken at', takenAt],
    ...rows,
    ['History up to', `batch ${historyPosition}`],
  ]);
  return {
    data: { takenAt, logPosition: log.state.last_seq, historyPosition },
    text: `${heading}\n\n${text}`,
  };
}
