import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { OperatorError } from '../../monitoring/operator-error.ts';
import type { Progress } from '../../monitoring/progress.ts';
import { dumpDatabase, refuseUnlessEmpty, restoreDatabase } from './postgres-dump.ts';
import {
  type Content,
  checkContent,
  contentOf,
  copyStream,
  type NoteBytes,
  putBack,
  type StreamCopy,
  streamNames,
} from './stream-copy.ts';

/** A backup cannot be taken, or not be put back here: the message says what to do. */
export class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}

const FORMAT = 1;
const MANIFEST = 'backup.json';
const DUMP = 'postgres.dump';

/** What a backup's directory says of itself. It is written last: without it a backup is not whole. */
export interface Backup {
  readonly format: typeof FORMAT;
  readonly takenAt: string;
  /** The stream of the log; the others are the object stores beside it. */
  readonly logStream: string;
  readonly streams: readonly StreamCopy[];
  /** The last batch that the history in the database has. */
  readonly historyPosition: number;
  readonly dump: Content;
}

/** Where an exchange of many nodes keeps what it has. */
export interface Places {
  readonly connection: NatsConnection;
  readonly logStream: string;
  readonly databaseUrl: string;
  readonly progress: Progress;
}

/**
 * Copies the log, the snapshots beside it, and the database into a new directory, while the nodes run.
 * The moment of the dump is settled before the streams are copied: history in it is behind the log, never
 * ahead, and a node writes the rest of it from the log.
 * @throws BackupError, StreamCopyError, PostgresDumpError
 */
export async function backUp(places: Places, directory: string): Promise<Backup> {
  const { connection, logStream, databaseUrl, progress } = places;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length > 0) {
    throw new BackupError(`${directory} is not empty. A backup takes a directory of its own.`);
  }
  const parts = [logStream, `OBJ_${bucketOf(logStream)}`];
  const names = (await streamNames(connection)).filter((name) => parts.includes(name));
  if (!names.includes(logStream)) throw new BackupError(`There is no stream ${logStream}.`);
  const dumpPath = join(directory, DUMP);
  const dumpedBytes = () => statSync(dumpPath, { throwIfNoEntry: false })?.size ?? 0;
  const note = countBytes(progress, 'copying the database and the streams', undefined, dumpedBytes);
  const copies = () =>
    Promise.all(names.map((name) => copyStream(connection, name, pathOf(directory, name), note)));
  const takenAt = new Date().toISOString();
  const copied = await dumpDatabase(databaseUrl, dumpPath, async (historyPosition) => ({
    streams: await copies(),
    historyPosition,
  }));
  const dump = await contentOf(
    dumpPath,
    countBytes(progress, 'hashing the dump of the database', dumpedBytes()),
  );
  const backup: Backup = { format: FORMAT, takenAt, logStream, ...copied, dump };
  refuseUnlessContinuous(backup, backup.historyPosition);
  await refuseUnlessRebuildable(places, backup);
  await writeDurably(join(directory, MANIFEST), `${JSON.stringify(backup, undefined, 2)}\n`);
  return backup;
}

/**
 * Puts a backup back into servers that have nothing of it. Everything is checked before anything is changed.
 * @param replicas On how many servers each stream is to lie.
 * @throws BackupError, StreamCopyError, PostgresDumpError
 */
export async function restore(
  places: Places,
  directory: string,
  replicas: number,
): Promise<Backup> {
  const { connection, logStream, databaseUrl, progress } = places;
  const backup = await readBackup(directory);
  if (backup.logStream !== logStream) {
    throw new BackupError(
      `The backup is of the stream ${backup.logStream}, not ${logStream}: give --log-stream ${backup.logStream}.`,
    );
  }
  const streamBytes = backup.streams.reduce((sum, { bytes }) => sum + bytes, 0);
  const noteRead = countBytes(progress, 'checking the files', backup.dump.bytes + streamBytes);
  await checkContent(backup.dump, join(directory, DUMP), noteRead);
  for (const copy of backup.streams) {
    await checkContent(copy, pathOf(directory, copy.stream), noteRead);
  }
  const present = await streamNames(connection);
  const taken = backup.streams.find(({ stream }) => present.includes(stream));
  if (taken !== undefined) {
    throw new BackupError(
      `There is a stream ${taken.stream} already. A backup is put back where there is none: delete it, if it may go.`,
    );
  }
  await refuseUnlessEmpty(databaseUrl);
  progress.begin('restoring the database');
  refuseUnlessContinuous(backup, await restoreDatabase(databaseUrl, join(directory, DUMP)));
  const noteSent = countBytes(progress, 'restoring the streams', streamBytes);
  for (const copy of backup.streams) {
    const path = pathOf(directory, copy.stream);
    const now = await putBack(connection, copy, path, replicas, noteSent);
    if (copy.stream !== logStream || now.messages === now.last_seq - now.first_seq + 1) continue;
    throw new BackupError(
      `The log has a gap: ${now.messages} of ${now.first_seq} to ${now.last_seq}.`,
    );
  }
  return backup;
}

const MIB = 1024 * 1024;

/**
 * Begins a stage of so many bytes, and returns what counts them.
 * @param others Bytes that are counted elsewhere.
 */
function countBytes(
  progress: Progress,
  stage: string,
  totalBytes?: number,
  others: () => number = () => 0,
): NoteBytes {
  let bytes = 0;
  const done = () => (bytes + others()) / MIB;
  const total = totalBytes === undefined ? {} : { total: totalBytes / MIB };
  progress.begin(stage, { done, ...total, unit: 'MiB' });
  return (more) => {
    bytes += more;
  };
}

/** The object store of the snapshots. */
function bucketOf(logStream: string): string {
  return `${logStream}-snapshots`;
}

/**
 * Who goes on with history begins with a state that history has passed, or with the first batch: one that
 * is there now was there when the copies were taken, for none is made that is older than others.
 */
async function refuseUnlessRebuildable({ connection, logStream }: Places, backup: Backup) {
  const { historyPosition, streams } = backup;
  if (streams.find(({ stream }) => stream === logStream)!.state.first_seq <= 1) return;
  const objects = await new Objm(connection).open(bucketOf(logStream));
  const sequences = (await objects.list()).map(({ name }) => Number(name));
  if (sequences.some((sequence) => sequence <= historyPosition)) return;
  throw new BackupError('New snapshots replaced the older ones meanwhile. Take the backup again.');
}

/** History continues with the batch behind its own last: ahead of the log, or behind its beginning, it cannot. */
function refuseUnlessContinuous({ logStream, streams }: Backup, historyPosition: number) {
  const { first_seq, last_seq } = streams.find(({ stream }) => stream === logStream)!.state;
  if (historyPosition > last_seq) {
    throw new BackupError(
      `History is at batch ${historyPosition}, ahead of the log, which ends at ${last_seq}: a node would refuse it. ` +
        'The database is to be dumped before the streams; take one backup of both.',
    );
  }
  if (historyPosition < first_seq - 1) {
    throw new BackupError(
      `History ends at batch ${historyPosition}, and the log begins at ${first_seq}: it was trimmed meanwhile. Take the backup again.`,
    );
  }
}

async function readBackup(directory: string): Promise<Backup> {
  const path = join(directory, MANIFEST);
  if (!existsSync(path)) {
    throw new BackupError(`There is no ${path}: that is no backup, or one that broke off.`);
  }
  const backup = (await Bun.file(path).json()) as Backup;
  if (backup.format === FORMAT) return backup;
  throw new BackupError(`${path} has format ${backup.format}; this version reads ${FORMAT}.`);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

function pathOf(directory: string, stream: string): string {
  return join(directory, `${stream}.stream`);
}
