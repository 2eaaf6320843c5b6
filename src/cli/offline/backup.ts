import type { NatsConnection } from '@nats-io/transport-node';
import { type Backup, backUp, type Places, restore } from '../../cluster/backup/backup.ts';
import { connectToNats } from '../../cluster/stream/connection.ts';
import type { JetStreamConfig } from '../../config/config.ts';
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
  return resultOf(backup, `Backed up to ${directory}. Store it away from the servers.`);
}

export async function runRestore(places: ConfiguredPlaces, directory: string): Promise<Result> {
  const { replicas } = places.log;
  const backup = await withPlaces(places, (opened) => restore(opened, directory, replicas));
  return resultOf(backup, 'Restored. Start the nodes now; they complete the history.');
}

/** Names of errors of the servers, the disk or the backup, as opposed to bugs. */
const FINDINGS = [
  ...['BackupError', 'StreamCopyError', 'PostgresDumpError', 'PostgresError', 'NatsError'],
  ...['RequestError', 'TimeoutError', 'NoRespondersError', 'ClosedConnectionError'],
];

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
    const { name, message } = error as Error;
    if (!FINDINGS.includes(name) && !('syscall' in (error as Error))) throw error;
    throw new CliError(ExitCode.failed, 'BACKUP', message);
  } finally {
    await connection?.close();
  }
}

function resultOf(backup: Backup, heading: string): Result {
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
